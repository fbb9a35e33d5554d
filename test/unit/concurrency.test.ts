import { Client } from '../../nodes/ParcelShipping/transport/client';
import { mapParallel, mapWithPauses } from '../../nodes/ParcelShipping/lists';

/** The events in order, such as `request 1`, `handle 1`. */
async function logOf(items: number[], limit: number, responds: (item: number) => boolean) {
	const log: string[] = [];
	const request = async (item: number) => {
		log.push(`request ${item}`);
		return await Promise.resolve(responds(item) ? item : undefined);
	};
	const credential = { baseUrl: '', authentication: 'header' } as const;
	const address = { base: '', origin: '' };
	const client = new Client({} as never, credential, address, { maxConcurrency: limit });
	await client.requestAndHandle(items, request, (response) => log.push(`handle ${response}`));
	return log;
}

describe('Requesting and handling responses', () => {
	test('sends the next request before a response is handled', async () => {
		const log = await logOf([1, 2], 1, () => true);
		expect(log).toEqual(['request 1', 'request 2', 'handle 1', 'handle 2']);
	});

	test('handles every response once', async () => {
		const log = await logOf([1, 2, 3, 4, 5], 2, () => true);
		expect(log.filter((line) => line.startsWith('handle')).sort()).toEqual(
			[1, 2, 3, 4, 5].map((item) => `handle ${item}`),
		);
	});

	test('does not handle missing responses', async () => {
		const log = await logOf([1, 2, 3], 2, (item) => item !== 2);
		expect(log.filter((line) => line.startsWith('handle'))).toEqual(['handle 1', 'handle 3']);
	});
});

describe('Working in parallel', () => {
	test('keeps the order of the items and the limit', async () => {
		let running = 0;
		let maxRunning = 0;
		const results = await mapParallel([30, 10, 20, 5, 15], 2, async (ms) => {
			maxRunning = Math.max(maxRunning, ++running);
			await new Promise((resolve) => setTimeout(resolve, ms));
			running--;
			return ms * 2;
		});
		expect(results).toEqual([60, 20, 40, 10, 30]);
		expect(maxRunning).toBe(2);
	});

	test('starts nothing more after an error', async () => {
		const started: number[] = [];
		const work = mapParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
			started.push(item);
			await new Promise((resolve) => setTimeout(resolve, 5));
			if (item === 1) throw new Error('no');
		});
		await expect(work).rejects.toThrow('no');
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(started).toEqual([0, 1, 2]);
	});
});

describe('Working through many items', () => {
	const workFor = (ms: number) => {
		const end = performance.now() + ms;
		while (performance.now() < end);
	};

	test('keeps the order of the results', async () => {
		expect(await mapWithPauses(['a', 'b'], (item, index) => `${item}${index}`)).toEqual([
			'a0',
			'b1',
		]);
	});

	test('lets other executions go on in between', async () => {
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

	test('does not wait if there is little to do', async () => {
		const log: string[] = [];
		setImmediate(() => log.push('other'));
		await mapWithPauses([1, 2], () => log.push('item'));
		expect(log).toEqual(['item', 'item']);
	});

	test('passes on the first error', async () => {
		const failing = mapWithPauses([1, 2, 3], (item) => {
			if (item === 2) throw new Error(`at ${item}`);
		});
		await expect(failing).rejects.toThrow('at 2');
	});
});
