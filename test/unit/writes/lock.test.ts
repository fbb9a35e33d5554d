import fc from 'fast-check';

import { withLock } from '../../../nodes/ParcelShipping/writes/lock';

test('an error does not keep the next work from running', async () => {
	const failing = async () => {
		throw new Error('no');
	};
	await expect(withLock(['x'], failing)).rejects.toThrow('no');
	await expect(withLock(['x', 'x'], async () => 'yes')).resolves.toBe('yes');
});

test('work never deadlocks, and never runs twice at a time for a reference', async () => {
	const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
	const busy = new Set<string>();
	const work = (references: string[]) => async () => {
		const own = new Set(references);
		expect([...own].filter((key) => busy.has(key))).toEqual([]);
		for (const key of own) busy.add(key);
		await Promise.resolve();
		for (const key of own) busy.delete(key);
	};
	await fc.assert(
		fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 8 }), async (works) => {
			await Promise.all(works.map(async (wanted) => withLock(wanted, work(wanted))));
		}),
	);
});
