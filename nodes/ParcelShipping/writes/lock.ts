/** Of the whole process. Per key: settles when the last execution that has asked for it is over. */
const held = new Map<string, Promise<void>>();

/**
 * Runs `work` while no other execution in this process works on any of the keys. The second one to
 * ask begins after the first one has ended.
 */
export async function withLock<Result>(
	keys: Iterable<string>,
	work: () => Promise<Result>,
): Promise<Result> {
	const own = [...new Set(keys)];
	const before = new Set(own.map((key) => held.get(key)));
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	// All at once, so that everyone waits only for those who asked before, and two never for each other.
	for (const key of own) held.set(key, released);
	await Promise.all(before);
	try {
		return await work();
	} finally {
		release();
		for (const key of own) if (held.get(key) === released) held.delete(key);
	}
}
