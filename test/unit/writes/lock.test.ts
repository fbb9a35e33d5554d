import { withLock } from '../../../nodes/ParcelShipping/writes/lock';

test('executions with a common order take turns, whenever they ask and in whatever order', async () => {
	const busy = new Set<string>();
	const finished: string[] = [];
	const work = async (name: string, keys: string[]) =>
		await withLock(keys, async () => {
			expect(keys.filter((key) => busy.has(key))).toEqual([]);
			for (const key of keys) busy.add(key);
			await new Promise(setImmediate);
			for (const key of keys) busy.delete(key);
			finished.push(name);
		});
	const first = work('first', ['a']);
	// These two would wait for each other if each took one order and then waited for the other.
	const next = [work('second', ['a', 'b']), work('third', ['b', 'a'])];
	const other = work('with another order', ['c']);
	await first;
	await Promise.all([...next, other, work('late', ['a'])]);
	expect(finished).toEqual(['first', 'with another order', 'second', 'third', 'late']);
});

test('the next execution goes on if one fails', async () => {
	const failing = withLock(['a'], async () => Promise.reject(new Error('no')));
	const next = withLock(['a'], async () => 'done');
	await expect(failing).rejects.toThrow('no');
	expect(await next).toBe('done');
});
