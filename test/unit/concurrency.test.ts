import {
	Limiter,
	mapParallel,
	requestAndHandle,
} from '../../nodes/ParcelShipping/transport/concurrency';

/** What happened, in order: `ask 1`, `take 1`. */
async function logOf(items: number[], limit: number, answers: (item: number) => boolean) {
	const log: string[] = [];
	const ask = async (item: number) => {
		log.push(`ask ${item}`);
		return await Promise.resolve(answers(item) ? item : undefined);
	};
	await requestAndHandle(items, limit, ask, (answer) => log.push(`take ${answer}`));
	return log;
}

describe('Asking for many and taking the answers', () => {
	test('the next question goes out before an answer is worked on', async () => {
		const log = await logOf([1, 2], 1, () => true);
		expect(log).toEqual(['ask 1', 'ask 2', 'take 1', 'take 2']);
	});

	test('every answer is taken once, before it is over', async () => {
		const log = await logOf([1, 2, 3, 4, 5], 2, () => true);
		expect(log.filter((line) => line.startsWith('take')).sort()).toEqual(
			[1, 2, 3, 4, 5].map((item) => `take ${item}`),
		);
	});

	test('what has no answer is not taken', async () => {
		const log = await logOf([1, 2, 3], 2, (item) => item !== 2);
		expect(log.filter((line) => line.startsWith('take'))).toEqual(['take 1', 'take 3']);
	});
});

describe('Working concurrently', () => {
	test('results keep the order of the items and no more run than allowed', async () => {
		let running = 0;
		let most = 0;
		const results = await mapParallel([30, 10, 20, 5, 15], 2, async (ms) => {
			most = Math.max(most, ++running);
			await new Promise((resolve) => setTimeout(resolve, ms));
			running--;
			return ms * 2;
		});
		expect(results).toEqual([60, 20, 40, 10, 30]);
		expect(most).toBe(2);
	});

	test('after one throws, nothing new is started', async () => {
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

describe('The gate for requests', () => {
	test('lets so many pass at a time, in the order in which they came', async () => {
		const limiter = new Limiter(2);
		const begun: number[] = [];
		let running = 0;
		let most = 0;
		const works = [20, 5, 5, 5].map(async (ms, index) =>
			limiter.run(async () => {
				begun.push(index);
				most = Math.max(most, ++running);
				await new Promise((resolve) => setTimeout(resolve, ms));
				running--;
				return index;
			}),
		);
		await expect(Promise.all(works)).resolves.toEqual([0, 1, 2, 3]);
		expect(begun).toEqual([0, 1, 2, 3]);
		expect(most).toBe(2);
	});

	test('stays open after work that failed', async () => {
		const limiter = new Limiter(1);
		const failing = limiter.run(async () => Promise.reject(new Error('no')));
		const next = limiter.run(async () => 'yes');
		await expect(failing).rejects.toThrow('no');
		await expect(next).resolves.toBe('yes');
	});
});
