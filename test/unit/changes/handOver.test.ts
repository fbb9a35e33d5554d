import type { IDataObject } from 'n8n-workflow';

import { handOver as handOverItems } from '../../../nodes/ParcelShipping/changes/handOver';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, recordsFor, responseOf } from '../../support/respondingClient';
import { runOf } from '../../support/tries';

/** All shipments, unless it has IDs. */
interface HandOverItem {
	item: number;
	carrierCode?: string;
	shipmentIds?: number[];
}

interface Provider {
	list?: object[];
	/** By ID. Those of the list, if there are none. */
	details?: Record<number, object[]>;
	/** The hand-over that it returns. Undefined: the response is lost. */
	result?: object | undefined;
	/** What a hand-over does to the records. */
	acts?(): void;
}

const ANT = { carrierCode: 'ANT' };
const OPEN = { canceled: false, submittedCarrier: false };
const open = (id: number, more: object = {}) => ({ ...ANT, id, ...OPEN, ...more });
/** Shipments of ANT, each named by an item of its own. */
const byIds = (...ids: number[]) => ids.map((id, item) => ({ item, ...ANT, shipmentIds: [id] }));
const ALL = [{ item: 0 }];

/** Hands over in a try that continues, unless told otherwise. */
async function handOver(
	provider: Provider,
	items: HandOverItem[],
	{ store = {}, execution = '1', continues = true, isDryRun = false } = {},
) {
	const { list = [], result } = provider;
	const {
		details = Object.fromEntries((list as Array<{ id: number }>).map((each) => [each.id, [each]])),
	} = provider;
	const sent: number[] = [];
	const { client } = clientOf((request) => {
		if (!request.path.includes('/Order')) return recordsFor(request, list, details);
		sent.push(...(JSON.parse(request.body ?? '') as { packages: number[] }).packages);
		provider.acts?.();
		return result ? responseOf(200, { result }) : responseOf(500, '');
	});
	const named = items.flatMap(({ shipmentIds = [undefined], item, carrierCode }) =>
		shipmentIds.map((id) => ({
			items: [item],
			...{ carrierCode, ...(id === undefined ? {} : { id }) },
		})),
	);
	const run = runOf(client, { store, execution, continues });
	const results = await handOverItems(run, named, { date: undefined, isDryRun }, []);
	const outputs = results.map((each): IDataObject => {
		const { items: of } = each;
		return 'json' in each
			? { items: of, ...each.json }
			: { items: of, ...describeError(each.failure) };
	});
	/** The IDs of each output, or its error. */
	const output = outputs.map((each) => each.shipmentIds ?? each.message);
	return { outputs, output, sent };
}

test.each<[name: string, after: object, expected: object]>([
	[
		'handed over, and where its protocol is',
		{ submittedCarrier: true },
		{
			message: '1 shipment handed over to ANT. To get the protocol, use Hand-Over: Get Many',
			...{ handOverId: null, shipmentIds: [1], recovered: true },
		},
	],
	[
		'canceled, so it is not called handed over',
		{ canceled: true, submittedCarrier: true },
		{ message: 'Shipment 1 may or may not have been handed over' },
	],
])('a lost hand-over is reported as the records say: %s', async (_, after, expected) => {
	const record = open(1);
	const provider = { list: [record], acts: () => void Object.assign(record, after) };
	const { outputs } = await handOver(provider, byIds(1));
	expect(outputs).toMatchObject([{ items: [0], ...expected }]);
});

const unsure = (id: number, more = '') =>
	`Shipment ${id} may or may not have been handed over${more}`;

const bothUnsure = [unsure(1, ' with hand-over 9'), unsure(2, ' with hand-over 9')];

/** Main shipments with so many pieces, of which the provider never says more. */
const listOf = (pieceCounts: Array<number | null>) =>
	pieceCounts.map((pieceCount, at) => open(at + 1, { pieceCount, isMaster: true }));

test.each<[string, Array<number | null>, number, unknown]>([
	['all of them, each with one piece', [1, 1], 2, [[1, 2]]],
	['one for each, where one has several pieces', [2, 1], 2, bothUnsure],
	['at least one piece of the only one', [null], 1, [[1]]],
	['nothing', [null], 0, [unsure(1, ' with hand-over 9')]],
	['two, where one may have several pieces', [null, 1], 2, bothUnsure],
	['two, where one has 0 pieces in the list', [0, 1], 2, bothUnsure],
])('a response that counts %s', async (_, pieceCounts, packagesCount, expected) => {
	const provider = { list: listOf(pieceCounts), details: {}, result: { id: 9, packagesCount } };
	expect((await handOver(provider, ALL)).output).toEqual(expected);
});

test('the count of a response is compared with what this try has sent', async () => {
	const store = {};
	await handOver({ list: listOf([1]), details: {} }, ALL, { store });
	const result = { id: 9, packagesCount: 1 };
	const next = await handOver({ list: listOf([1, 1]), details: {}, result }, ALL, { store });
	expect(next.output).toEqual([unsure(1), [2]]);
});

describe('A retry after a lost response', () => {
	/** The first try loses its response. Others, by a person unless told otherwise, get one. */
	async function tries(first: object[], items: HandOverItem[]) {
		const store = {};
		const lost = await handOver({ list: first }, items, { store });
		const retry = async (list = first, how: object = { execution: '2' }) =>
			await handOver({ list, result: { id: 9, packagesCount: 1 } }, items, { store, ...how });
		return { lost, retry };
	}

	test('hands nothing over again if the records do not say what was handed over', async () => {
		const { lost, retry } = await tries([open(1, { submittedCarrier: null })], byIds(1));
		expect(lost).toMatchObject({ output: [unsure(1)], sent: [1] });
		const again = await retry();
		expect(again).toMatchObject({ output: [unsure(1)], sent: [] });
		const description = expect.stringContaining(
			'Check with the carrier before you hand anything over again',
		);
		for (const { outputs } of [lost, again]) expect(outputs).toMatchObject([{ description }]);
	});

	test('hands over again what the records show as not handed over, if a person retries', async () => {
		const { retry } = await tries([open(1)], byIds(1));
		expect(await retry([open(1)], {})).toMatchObject({ output: [unsure(1)], sent: [] });
		expect(await retry()).toMatchObject({ output: [[1]], sent: [1] });
	});

	test('that sends nothing names what is still unknown', async () => {
		const { retry } = await tries([open(1), open(2)], byIds(1, 2));
		const since = [open(1), open(2, { canceled: true })];
		const output = ['Shipment 2 is canceled and cannot be handed over', unsure(1)];
		const how = { execution: '2', continues: false };
		expect(await retry(since, how)).toMatchObject({ output, sent: [] });
	});
});

test('a retry does not hand over again what was handed over, although its record does not show it yet', async () => {
	const provider = { list: [open(1)], result: { id: 9, packagesCount: 1 } };
	const store = {};
	const of = async (execution: string) => await handOver(provider, byIds(1), { store, execution });
	expect(await of('1')).toMatchObject({ outputs: [{ handOverId: 9 }], sent: [1] });
	expect(await of('2')).toMatchObject({ outputs: [{ handOverId: 9 }], sent: [] });
});

describe('What is handed over', () => {
	/** What a dry run outputs of shipment 1, of which the list and the detail say this. */
	const preview = async (listed: object, detailed: object[], items: HandOverItem[]) => {
		const details = { 1: detailed.map((each, at) => ({ ...ANT, id: at + 1, ...each })) };
		const list = [{ ...ANT, id: 1, ...listed }];
		return (await handOver({ list, details }, items, { isDryRun: true })).outputs;
	};

	test.each<[string, object, object, object]>([
		['was not handed over', {}, { shipmentIds: [1] }, { shipmentIds: [1] }],
		[
			'was handed over',
			{ submittedCarrier: true },
			{ packagesCount: 0 },
			{ alreadyHandedOver: [1] },
		],
		[
			'is canceled',
			{ canceled: true },
			{ packagesCount: 0 },
			{ message: 'Shipment 1 is canceled and cannot be handed over' },
		],
		[
			// Everything would be handed over again each day.
			'may have been handed over',
			{ submittedCarrier: null },
			{ message: unsure(1) },
			{ shipmentIds: [1] },
		],
	])('a shipment that %s, with all others and by its ID', async (_, state, withAll, byId) => {
		const record = { ...OPEN, ...state };
		expect(await preview(record, [record], ALL)).toMatchObject([withAll]);
		expect(await preview(record, [record], byIds(1))).toMatchObject([byId]);
	});

	test.each<[string, object, object[], object]>([
		['only the detail says that it is canceled', { canceled: 'yes' }, [{ canceled: true }], {}],
		['one of its pieces is canceled', {}, [OPEN, { canceled: true }], { shipmentIds: [1] }],
		['a piece in the list is no shipment', { masterId: 7 }, [], { packagesCount: 0 }],
	])('%s', async (_, listed, detailed, expected) => {
		const details = detailed.map((each) => ({ ...OPEN, ...each }));
		const shown = { packagesCount: 0, ...('shipmentIds' in expected ? { packagesCount: 1 } : {}) };
		const outputs = await preview({ ...OPEN, canceled: null, ...listed }, details, ALL);
		expect(outputs).toMatchObject([{ ...shown, ...expected }]);
	});

	test('all shipments of one carrier, a named one of another carrier, and no other', async () => {
		const [named, other] = [2, 3].map((id) => open(id, { carrierCode: 'BEE' }));
		const items = [
			{ item: 0, ...ANT },
			{ item: 1, carrierCode: 'BEE', shipmentIds: [2] },
		];
		const provider = { list: [open(1), named, other], result: { id: 9, packagesCount: 1 } };
		expect((await handOver(provider as Provider, items)).sent.sort()).toEqual([1, 2]);
	});

	test('a shipment that one item names and that fails is no error of the item for all', async () => {
		const named = { item: 1, ...ANT, shipmentIds: [9] };
		expect(await preview(OPEN, [], [...ALL, named])).toMatchObject([
			{ items: [1], message: 'No shipment of ANT has ID 9' },
			{ items: [0], shipmentIds: [1] },
		]);
	});
});
