import { Ledger } from '../../../nodes/ParcelShipping/creation/ledger';
import { LookUp } from '../../../nodes/ParcelShipping/creation/lookUp';
import { Submitter } from '../../../nodes/ParcelShipping/creation/submit';
import {
	type BatchInfo,
	type CreationClient,
	type CreationSettings,
	type FoundRecord,
	searchStart,
} from '../../../nodes/ParcelShipping/creation/types';
import { type ErrorFacts, ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { createMemoryClient } from '../../support/creationClient';
import { createdRow, orderWith, recordOf, refusedRow, SETTINGS } from '../../support/orders';

// What becomes of one creation request, from its answer and from what can be read back.

const [a, b] = [orderWith('A', { itemIndex: 0 }), orderWith('B', { itemIndex: 1 })];
const today = searchStart(Date.now(), 0);

const failure = (facts: Partial<ErrorFacts>) =>
	new ServiceError({
		message: 'No answer',
		description: '',
		endpoint: '',
		mayHaveActed: true,
		isTransient: true,
		...facts,
	});

interface Service {
	/** The answer to the creation, or the error instead of it. */
	answer: object | Error;
	/** What a search finds. */
	found?: FoundRecord[];
	client?: Partial<CreationClient>;
	settings?: Partial<CreationSettings>;
	store?: Record<string, unknown>;
}

function start({ answer, found = [], client: own, settings, store = {} }: Service) {
	const searches: unknown[][] = [];
	const ledger = new Ledger(store, 0);
	const client: CreationClient = {
		...createMemoryClient([]).client,
		createShipments: async () => {
			if (answer instanceof Error) throw answer;
			return answer as never;
		},
		...own,
	};
	const lookUp = new LookUp(client);
	jest.spyOn(lookUp, 'find').mockImplementation(async (...given) => {
		searches.push(given);
		return found;
	});
	const submitter = new Submitter(
		client,
		lookUp,
		{ ...SETTINGS, maxRetryWait: 0, ...settings },
		ledger,
	);
	return { submitter, ledger, searches, client };
}

describe('A request', () => {
	test('is in the ledger while it is under way, with all that a later try needs', async () => {
		const store = {};
		let pending: unknown;
		const { submitter } = start({
			answer: {},
			store,
			client: {
				createShipments: async () => {
					pending = new Ledger(store, 0).pendingRequests();
					return { result: [createdRow(1, 'A'), createdRow(2, 'B')] } as never;
				},
			},
		});
		await submitter.submit('ANT', [a, b], [7]);
		expect(pending).toEqual([
			{
				id: '1',
				request: {
					orders: [a, b],
					rows: [],
					candidates: [],
					batch: null,
					idsBefore: [7],
					since: today,
					reason: 'The node was interrupted before the answer arrived',
					correlationId: null,
				},
			},
		]);
		expect(new Ledger(store, 0).pendingRequests()).toEqual([]);
	});

	test('contains the fields of its orders and keeps to the options', async () => {
		const sent: unknown[] = [];
		const { submitter } = start({
			answer: {},
			client: {
				createShipments: async (...given) => {
					sent.push(given);
					return { result: [createdRow(1, 'A')] } as never;
				},
			},
			settings: { timeout: 1_234, carrierEndpoint: 'never' },
		});
		await submitter.submit('ANT', [a], []);
		expect(sent).toEqual([['ANT', [a.body], { timeoutMs: 1_234, carrierEndpoint: 'never' }]]);
	});

	test.each<[string, boolean, Partial<ErrorFacts>]>([
		['of its values', false, {}],
		['of the credential', true, { cause: 'credential-invalid' }],
	])('that is refused because %s may be sent again, and stops others: %s', async (...given) => {
		const [, isForAll, facts] = given;
		const refused = failure({ mayHaveActed: false, ...facts });
		const { submitter, ledger, searches } = start({ answer: refused });
		const submission = await submitter.submit('ANT', [a, b], []);
		expect(submission.results).toEqual(
			[a, b].map((order) => ({
				orders: [order],
				pieces: [],
				refused: [],
				batch: null,
				notCreated: refused,
			})),
		);
		expect('stop' in submission).toBe(isForAll);
		expect(submission.stop).toBe(isForAll ? refused : undefined);
		expect([ledger.has(0), ledger.has(1), searches]).toEqual([false, false, []]);
	});

	test.each<[string, Error, string]>([
		['the error', failure({}), 'No answer'],
		['an error of n8n', new Error('boom'), 'boom'],
		[
			'the service',
			failure({ details: { serviceMessage: 'Full' } }),
			'No answer. The service said: Full',
		],
		[
			'the service, once',
			failure({ message: 'The service said: Full', details: { serviceMessage: 'Full' } }),
			'The service said: Full',
		],
	])('without an answer has an unknown outcome, with the words of %s', async (_, error, reason) => {
		const { submitter, ledger } = start({ answer: error });
		const { results } = await submitter.submit('ANT', [a], []);
		const unknown = { reason, correlationId: null, searches: 1 };
		expect(results).toMatchObject([{ orders: [a], unknown }]);
		expect(ledger.pendingRequests()).toMatchObject([{ request: { reason } }]);
	});

	test('without an answer is searched for once, also if Max Retry Wait is 0', async () => {
		let ms = Date.now();
		const clock = jest.spyOn(Date, 'now').mockImplementation(() => ms++);
		const { submitter, searches } = start({ answer: failure({}), found: [recordOf(1, 'A')] });
		const { results } = await submitter.submit('ANT', [a], []);
		clock.mockRestore();
		expect(searches).toHaveLength(1);
		expect(results).toMatchObject([{ pieces: [{ recovered: true }] }]);
	});

	test('without an answer keeps the correlation ID', async () => {
		const { submitter } = start({ answer: failure({ correlationId: '0b9f' }) });
		const { results } = await submitter.submit('ANT', [a], []);
		expect(results).toMatchObject([{ unknown: { correlationId: '0b9f', since: today } }]);
	});
});

describe('An answer', () => {
	test('gives its batch to every piece, with null for what it does not say', async () => {
		const batch = {
			batchId: 7,
			labelsUrl: 'https://service.example/labels',
			labelsHash: 'abc',
			ordersUrl: 'https://service.example/orders',
			ordersHash: 'def',
			packagesCount: 1,
			correlationId: '0b9f',
		};
		const result = [createdRow(1, 'A')];
		const { submitter, searches } = start({ answer: { result, ...batch } });
		const whole = await submitter.submit('ANT', [a], []);
		expect(whole.results).toMatchObject([{ batch, pieces: [{ batch }] }]);
		expect(searches).toEqual([]);
		const bare = await start({ answer: { result } }).submitter.submit('ANT', [a], []);
		const nothing = Object.fromEntries(Object.keys(batch).map((key) => [key, null]));
		expect(bare.results).toMatchObject([{ batch: nothing }]);
	});

	test.each([
		[{}, 'The answer of the service does not contain it'],
		[
			{ errors: [{ message: 'Full' }] },
			'The answer of the service does not contain it. The service said: Full',
		],
	])('without a row for an order (%j) leaves its outcome unknown', async (more, reason) => {
		const answer = { result: [createdRow(1, 'A')], correlationId: '0b9f', ...more };
		const { submitter, ledger, searches } = start({ answer });
		const { results } = await submitter.submit('ANT', [a, b], []);
		expect(results).toMatchObject([
			{ orders: [a], pieces: [{ row: { id: 1 } }] },
			{ orders: [b], unknown: { reason, correlationId: '0b9f' } },
		]);
		expect(searches).toEqual([['ANT', ['B'], today]]);
		expect(ledger.settledIds()).toEqual([1]);
		expect(ledger.pendingRequests()).toMatchObject([{ request: { orders: [b] } }]);
	});

	test('that only refuses an order leaves nothing behind, so that it can be corrected', async () => {
		const { submitter, ledger } = start({ answer: { result: [refusedRow('A')] } });
		await submitter.submit('ANT', [a], []);
		expect(ledger.has(0)).toBe(false);
	});

	test('with a shipment of no certain order is not settled', async () => {
		const { submitter, ledger } = start({ answer: { result: [createdRow(1, null)] } });
		const { results } = await submitter.submit('ANT', [a, b], []);
		expect(results).toMatchObject([{ isUnmatched: true }, { orders: [a] }, { orders: [b] }]);
		expect(ledger.settledIds()).toEqual([]);
	});
});

describe('The shipments that a request does not create', () => {
	const rows = [{ id: 4 }, { id: 5 }];
	const readBefore = async (ifExists: 'create' | 'reuse', findShipments: unknown) => {
		const { submitter } = start({
			answer: {},
			settings: { ifExists },
			client: { findShipments } as Partial<CreationClient>,
		});
		return await submitter.readIdsBefore('ANT', [3]);
	};

	test('are the canceled ones if existing shipments were looked up', async () => {
		expect(await readBefore('reuse', async () => ({ rows, total: 2 }))).toEqual([3]);
	});

	test("are all of today's if not", async () => {
		const filters: unknown[] = [];
		const find = async (...given: unknown[]) => {
			filters.push(given);
			return { rows, total: 2 };
		};
		expect(await readBefore('create', find)).toEqual([4, 5]);
		expect(filters).toEqual([
			[{ carrierCodes: ['ANT'], createdFrom: today, onlyMaster: false }, 0, 100],
		]);
	});

	test('are not known if there are more than one page, or if reading them fails', async () => {
		expect(await readBefore('create', async () => ({ rows, total: 3 }))).toBeNull();
		expect(await readBefore('create', async () => Promise.reject(new Error('down')))).toBeNull();
	});
});

describe('A later try', () => {
	test('recalls what is settled, and searches for what is not', async () => {
		const store = {};
		const first = start({ store, answer: { result: [createdRow(1, 'A')] } });
		await first.submitter.submit('ANT', [a, b], []);
		const later = start({ store, answer: {}, found: [recordOf(2, 'B')] });
		expect(await later.submitter.recall()).toMatchObject([
			{ orders: [{ itemIndex: 0 }], pieces: [{ row: { id: 1 }, recovered: false }] },
			{ orders: [{ itemIndex: 1 }], pieces: [{ row: { id: 2 }, recovered: true }] },
		]);
		expect(later.ledger.pendingRequests()).toEqual([]);
		expect(later.ledger.settledIds()).toEqual([1, 2]);
	});

	test('does not take a shipment that it has settled for the one it searches', async () => {
		const store = {};
		await start({ store, answer: { result: [createdRow(1, 'B')] } }).submitter.submit(
			'ANT',
			[b],
			[],
		);
		const lost = start({ store, answer: failure({}), found: [recordOf(1, 'B')] });
		const again = orderWith('B', { itemIndex: 2 });
		const { results } = await lost.submitter.submit('ANT', [again], []);
		expect(results).toMatchObject([{ orders: [again], pieces: [], unknown: {} }]);
	});
});

describe('The batch of a shipment that was read back', () => {
	const batch = { id: 7, labelsHash: 'abc', orders: [{ id: 1 }] };
	const info: Partial<BatchInfo> = { batchId: 7, labelsHash: 'abc', correlationId: '0b9f' };

	async function recover(
		batches: Array<{ id: number; orders?: Array<{ id: number }> | null }>,
		found = [recordOf(1, 'A')],
		orders = [a],
	) {
		const opened: unknown[] = [];
		const filters: unknown[] = [];
		const { submitter } = start({
			answer: failure({ correlationId: '0b9f' }),
			found,
			client: {
				findBatches: async (...given) => {
					filters.push(given);
					return { rows: batches as never[], total: batches.length };
				},
				call: async (name: string, { path }: { path: { id: number } }) => {
					opened.push([name, path.id]);
					return { result: batches.find(({ id }) => id === path.id) };
				},
			} as Partial<CreationClient>,
		});
		const { results } = await submitter.submit('ANT', orders, []);
		return { results, opened, filters };
	}

	test('is looked for among the newest of the carrier, until it is found', async () => {
		const batches = [{ id: 9, orders: null }, { id: 8 }, batch, { id: 6, orders: [{ id: 1 }] }];
		const { results, opened, filters } = await recover(batches);
		expect(results).toMatchObject([{ batch: info, pieces: [{ recovered: true, batch: info }] }]);
		expect(opened).toEqual([9, 8, 7].map((id) => ['getBatch', id]));
		expect(filters).toEqual([
			[{ carrierCodes: ['ANT'], createdFrom: today, sortOrder: 'desc' }, 0, 100],
		]);
	});

	test('is also that of its further pieces', async () => {
		const two = orderWith('A', { pieceCount: 2 });
		const { results } = await recover([batch], [recordOf(1, 'A'), recordOf(2, 'A')], [two]);
		expect(results).toMatchObject([{ pieces: [{ batch: info }, { batch: info }] }]);
	});

	test('is not looked for in more than twenty batches, and may stay unknown', async () => {
		const batches = Array.from({ length: 30 }, (_, index) => ({ id: 50 - index, orders: [] }));
		const { results, opened } = await recover(batches);
		expect(opened).toHaveLength(20);
		expect(results).toMatchObject([{ batch: null, pieces: [{ row: { id: 1 }, batch: null }] }]);
	});

	test('is not looked for if the answer has named it', async () => {
		const findBatches = jest.fn();
		const answer = { result: [createdRow(1, 'A')], batchId: 7 };
		const found = [recordOf(2, 'A')];
		const { submitter } = start({ answer, found, client: { findBatches } });
		const two = orderWith('A', { pieceCount: 2 });
		const { results } = await submitter.submit('ANT', [two], []);
		expect(results).toMatchObject([
			{ pieces: [{ batch: { batchId: 7 } }, { recovered: true, batch: { batchId: 7 } }] },
		]);
		expect(findBatches).not.toHaveBeenCalled();
	});

	test('is not looked for if nothing was read back', async () => {
		expect(await recover([batch], [])).toMatchObject({ opened: [], filters: [] });
	});
});
