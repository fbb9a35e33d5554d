import { mapParallel, mapWithPauses } from '../../nodes/ParcelShipping/lists';

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
