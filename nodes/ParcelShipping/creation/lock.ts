/** By key, until when it is taken. Shared by all executions of this n8n process. */
const taken = new Map<string, Promise<void>>();

/**
 * Does `work` while nobody else in this process works on any of the keys. Whoever comes second
 * looks for existing shipments only when the first has created its own.
 */
export async function whileAlone<Result>(
	keys: Iterable<string>,
	work: () => Promise<Result>,
): Promise<Result> {
	const releases: Array<() => void> = [];
	try {
		// In the same order for everyone, so that nobody waits for somebody who waits for them.
		for (const key of [...new Set(keys)].sort()) releases.push(await take(key));
		return await work();
	} finally {
		for (const release of releases) release();
	}
}

async function take(key: string): Promise<() => void> {
	let finish = () => {};
	const mine = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const before = taken.get(key);
	const until = before ? before.then(async () => mine) : mine;
	taken.set(key, until);
	await before;
	return () => {
		finish();
		if (taken.get(key) === until) taken.delete(key);
	};
}
