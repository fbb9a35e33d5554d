import fc from 'fast-check';

import { withLock } from '../../../nodes/ParcelShipping/writes/lock';

describe('Work on the same reference', () => {
	const tick = async () => new Promise((resolve) => setTimeout(resolve, 1));

	test('runs one after another, other work runs in parallel', async () => {
		const log: string[] = [];
		const work = (name: string) => async () => {
			log.push(`${name} begins`);
			await tick();
			log.push(`${name} ends`);
		};
		await Promise.all([
			withLock(['x', 'y'], work('first')),
			withLock(['y', 'x'], work('second')),
			withLock(['z'], work('other')),
		]);
		expect(log.indexOf('second begins')).toBeGreaterThan(log.indexOf('first ends'));
		expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
	});

	test('continues after an error', async () => {
		await expect(
			withLock(['x'], async () => {
				throw new Error('no');
			}),
		).rejects.toThrow('no');
		await expect(withLock(['x', 'x'], async () => 'yes')).resolves.toBe('yes');
	});

	test('never deadlocks, and never runs twice at a time for a key', async () => {
		const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 });
		await fc.assert(
			fc.asyncProperty(fc.array(keys, { minLength: 1, maxLength: 8 }), async (works) => {
				const busy = new Set<string>();
				await Promise.all(
					works.map(async (wanted) =>
						withLock(wanted, async () => {
							const mine = new Set(wanted);
							for (const key of mine) {
								expect(busy.has(key)).toBe(false);
								busy.add(key);
							}
							await Promise.resolve();
							for (const key of mine) busy.delete(key);
						}),
					),
				);
			}),
		);
	});
});
