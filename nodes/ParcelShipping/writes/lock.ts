/** Per key: a promise that settles when the key is released. Shared by all runs in this process. */
const held = new Map<string, Promise<void>>();

/**
 * Runs `work` while no other execution in this process works on any of the keys. The second one to
 * ask looks for existing shipments only after the first one has created its own.
 */
export async function withLock<Result>(
	keys: Iterable<string>,
	work: () => Promise<Result>,
): Promise<Result> {
	const releases: Array<() => void> = [];
	try {
		// Everyone acquires keys in the same order, so that two runs never wait for each other.
		for (const key of [...new Set(keys)].sort()) releases.push(await acquire(key));
		return await work();
	} finally {
		for (const release of releases) release();
	}
}

async function acquire(key: string): Promise<() => void> {
	let finish = () => {};
	const released = new Promise<void>((resolve) => {
		finish = resolve;
	});
	const previous = held.get(key);
	const chain = previous ? previous.then(async () => released) : released;
	held.set(key, chain);
	await previous;
	return () => {
		finish();
		if (held.get(key) === chain) held.delete(key);
	};
}
