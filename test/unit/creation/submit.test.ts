import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import { LookUp } from '../../../nodes/ParcelShipping/creation/lookUp';
import { pausesBetweenSearches, Submitter } from '../../../nodes/ParcelShipping/creation/submit';
import {
	type CreationClient,
	type FoundRecord,
} from '../../../nodes/ParcelShipping/creation/types';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { createMemoryClient } from '../../support/creationClient';
import { orderWith, recordOf, SETTINGS } from '../../support/orders';
import { referenceOf } from '../../../nodes/ParcelShipping/orders/order';

test.each([
	[60_000, [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 14_500]],
	[400, [50, 100, 200, 50]],
	[0, []],
])('the pauses between searches add up to %i ms', (maxWaitMs, pauses) => {
	expect(pausesBetweenSearches(maxWaitMs)).toEqual(pauses);
});

describe('After a lost answer, the records are searched', () => {
	afterEach(() => jest.restoreAllMocks());

	interface Options {
		isStopped?: boolean;
		searchTakesMs?: number;
		findBatches?: CreationClient['findBatches'];
	}

	/** Sends A and B, loses the answer, and finds these records in one search after another. */
	async function loseAnswer(
		answers: Array<FoundRecord[] | Error>,
		{ isStopped = false, searchTakesMs = 0, ...replaced }: Options = {},
	) {
		const lost = new ServiceError({
			message: 'no answer',
			description: '',
			endpoint: '',
			mayHaveActed: true,
			isTransient: true,
		});
		const { client, pauses } = createMemoryClient([], {
			onCreate: () => {
				throw lost;
			},
		});
		let searches = 0;
		const startedMs = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => startedMs + searches * searchTakesMs);
		const lookUp = new LookUp(client);
		jest.spyOn(lookUp, 'find').mockImplementation(async () => {
			const answer = answers[searches++] ?? [];
			if (answer instanceof Error) throw answer;
			return answer;
		});
		const settings = { ...SETTINGS, maxRetryWait: 80 };
		const stoppable = { ...client, ...replaced, isStopped };
		const submitter = new Submitter(stoppable, lookUp, settings, new Ledger({}, 0));
		const { results } = await submitter.submit('ANT', [orderWith('A'), orderWith('B')], []);
		const recovered = results
			.filter(({ pieces }) => pieces.some((piece) => piece.recovered))
			.flatMap(({ orders }) => orders.map(referenceOf));
		return { pauses, searches, recovered, unknown: results.map(({ unknown }) => unknown) };
	}

	test('once if everything is found', async () => {
		const { pauses, searches } = await loseAnswer([[recordOf(1, 'A'), recordOf(2, 'B')]]);
		expect({ pauses, searches }).toEqual({ pauses: [], searches: 1 });
	});

	test('again with growing pauses until everything is found', async () => {
		const answers = [[], [recordOf(1, 'A')], [recordOf(2, 'B')]];
		const { pauses, recovered } = await loseAnswer(answers);
		expect({ pauses, recovered }).toEqual({ pauses: [10, 20], recovered: ['A', 'B'] });
	});

	test('to the end if something is never found, and what was found stays', async () => {
		const { pauses, recovered } = await loseAnswer([[recordOf(1, 'A')]]);
		expect({ pauses, recovered }).toEqual({ pauses: [10, 20, 40, 10], recovered: ['A'] });
	});

	test('again after a search that failed, and the last error is reported', async () => {
		const no = new Error('no');
		const found = [recordOf(1, 'A'), recordOf(2, 'B')];
		expect(await loseAnswer([no, found])).toMatchObject({ recovered: ['A', 'B'] });
		const { unknown } = await loseAnswer([no, no, no, no, no]);
		expect(unknown).toMatchObject([
			{ searches: 0, searchError: 'no' },
			{ searches: 0, searchError: 'no' },
		]);
	});

	test('no longer than twice the pauses if the searches themselves take long', async () => {
		expect(await loseAnswer([[]], { searchTakesMs: 100 })).toMatchObject({ searches: 2 });
	});

	test('and what is found counts although its batch cannot be looked for', async () => {
		const { recovered, unknown } = await loseAnswer([[recordOf(1, 'A'), recordOf(2, 'B')]], {
			findBatches: async () => Promise.reject(new Error('no batches')),
		});
		expect({ recovered, unknown }).toEqual({
			recovered: ['A', 'B'],
			unknown: [undefined, undefined],
		});
	});

	test('not at all once the workflow is stopped', async () => {
		expect(await loseAnswer([[]], { isStopped: true })).toMatchObject({ searches: 0 });
	});
});
