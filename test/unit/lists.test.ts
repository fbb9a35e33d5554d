import { mapParallel, mapWithPauses } from '../../nodes/ParcelShipping/lists';

test('parallel work keeps the order of the items and the limit', async () => {
	let running = 0;
	let maxRunning = 0;
	const results = await mapParallel([4, 1, 3, 0, 2], 2, async (turns) => {
		maxRunning = Math.max(maxRunning, ++running);
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		running--;
		return turns * 2;
	});
	expect(results).toEqual([8, 2, 6, 0, 4]);
	expect(maxRunning).toBe(2);
});

test('parallel work starts nothing more after an error', async () => {
	const started: number[] = [];
	const work = mapParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
		started.push(item);
		await Promise.resolve();
		if (item === 1) throw new Error('no');
	});
	await expect(work).rejects.toThrow('no');
	await new Promise(setImmediate);
	expect(started).toEqual([0, 1, 2]);
});

test('work on many items lets other executions go on in between', async () => {
	const workFor = (ms: number) => {
		const end = performance.now() + ms;
		while (performance.now() < end);
	};
	let turns = 0;
	let isDone = false;
	const takeTurns = () => {
		turns++;
		if (!isDone) setImmediate(takeTurns);
	};
	setImmediate(takeTurns);
	await mapWithPauses(Array.from({ length: 20 }), () => workFor(5));
	isDone = true;
	expect(turns).toBeGreaterThanOrEqual(5);
});
