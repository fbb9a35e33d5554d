import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { handOver as handOverItems } from '../../../nodes/ParcelShipping/changes/handOver';
import type { Client } from '../../../nodes/ParcelShipping/transport/client';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

/** All shipments, unless it has IDs. */
interface HandOverItem {
	item: number;
	carrierCode?: string;
	shipmentIds?: number[];
}

/** Hands over in a try that continues, unless told otherwise. */
async function handOver(
	client: Client,
	items: HandOverItem[],
	{ store = {}, execution = '1', continues = true, isDryRun = false } = {},
) {
	const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
		continueOnFail: () => continues,
		addExecutionHints: () => {},
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const named = items.flatMap(({ shipmentIds = [undefined], item, carrierCode }) =>
		shipmentIds.map((id) => ({
			items: [item],
			...{ carrierCode, ...(id === undefined ? {} : { id }) },
		})),
	);
	const results = await handOverItems(run, named, { date: undefined, isDryRun }, []);
	return results.map(
		(result): IDataObject =>
			'json' in result
				? { items: result.items, ...result.json }
				: { items: result.items, ...describeError(result.failure) },
	);
}

test.each<[name: string, after: object, expected: object]>([
	[
		'handed over, and where its protocol is',
		{ submittedCarrier: true },
		{
			message: '1 shipment handed over to ANT. To get the protocol, use Hand-Over: Get Many',
			...{ handOverId: null, shipmentIds: [1001], recovered: true },
		},
	],
	[
		'canceled, so it is not called handed over',
		{ canceled: true, submittedCarrier: true },
		{ message: 'Shipment 1001 may or may not have been handed over' },
	],
])('a lost hand-over is reported as the records say: %s', async (_, after, expected) => {
	const { client, requests } = clientOf(({ path }) => {
		if (path.includes('/Order')) return responseOf(500, '');
		const isAfter = requests.some((each) => each.path.includes('/Order'));
		const detail = { id: 1001, canceled: false, submittedCarrier: false };
		return responseOf(200, { result: [{ ...detail, ...(isAfter ? after : {}) }] });
	});
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1001] }];
	expect(await handOver(client, items)).toMatchObject([{ items: [0], ...expected }]);
});

/** Hands over everything in a try. The list has these shipments, each with so many pieces, and never says more. */
async function handOverAll(
	store: IDataObject,
	pieceCounts: Array<number | null>,
	packagesCount?: number,
) {
	const { client } = clientOf(({ path }) => {
		if (path.includes('/Order')) {
			if (packagesCount === undefined) return responseOf(500, '');
			return responseOf(200, { result: { id: 9, packagesCount }, correlationId: '' });
		}
		const data = pieceCounts.map((pieceCount, at) => ({
			...{ id: at + 1, carrierCode: 'ANT', pieceCount, canceled: false, submittedCarrier: false },
			isMaster: true,
		}));
		return path.includes('/Package/Find')
			? responseOf(200, { result: { data, total: data.length }, correlationId: '' })
			: responseOf(404, { message: 'Not found' });
	});
	const results = await handOver(client, [{ item: 0, carrierCode: 'ANT' }], { store });
	return results.map((result) => result.shipmentIds ?? result.message);
}

const unsure = (id: number, more = '') =>
	`Shipment ${id} may or may not have been handed over${more}`;

const bothUnsure = [unsure(1, ' with hand-over 9'), unsure(2, ' with hand-over 9')];

test.each<[string, Array<number | null>, number, unknown]>([
	['all of them, each with one piece', [1, 1], 2, [[1, 2]]],
	['one for each, where one has several pieces', [2, 1], 2, bothUnsure],
	['at least one piece of the only one', [null], 1, [[1]]],
	['nothing', [null], 0, [unsure(1, ' with hand-over 9')]],
	['two, where one may have several pieces', [null, 1], 2, bothUnsure],
	['two, where one has 0 pieces in the list', [0, 1], 2, bothUnsure],
])('a response that counts %s', async (_, pieceCounts, packagesCount, expected) => {
	expect(await handOverAll({}, pieceCounts, packagesCount)).toEqual(expected);
});

test('the count of a response is compared with what this try has sent', async () => {
	const store = {};
	await handOverAll(store, [1]);
	expect(await handOverAll(store, [1, 1], 1)).toEqual([unsure(1), [2]]);
});

describe('A retry after a lost response', () => {
	interface Record {
		id: number;
		canceled: boolean;
		submittedCarrier?: boolean;
	}
	/** What the output says, the advice of an error, and the IDs that were sent, at a provider with these records. */
	const retry = async (
		store: IDataObject,
		data: Record[],
		more: { execution?: string; continues?: boolean; shipmentIds?: number[] },
	) => {
		const { execution = '1', shipmentIds } = more;
		const { client, requests } = clientOf(({ path, body }) => {
			if (path.includes('/Package/Find')) {
				const listed = data.map((each) => ({ ...each, carrierCode: 'ANT' }));
				return responseOf(200, { result: { data: listed, total: data.length } });
			}
			const { packages = [] } = JSON.parse(body ?? '{}') as { packages?: number[] };
			if (path.includes('/Order')) {
				const result = { id: 9, packagesCount: packages.length };
				return execution === '1' ? responseOf(500, '') : responseOf(200, { result });
			}
			return responseOf(200, { result: data.filter(({ id }) => path.includes(`/${id}`)) });
		});
		const items = shipmentIds?.map((id, item) => ({ item, carrierCode: 'ANT', shipmentIds: [id] }));
		const results = await handOver(client, items ?? [{ item: 0 }], { store, ...more });
		return {
			output: results.map((each) => each.shipmentIds ?? each.message),
			advice: results[0]?.description,
			sent: requests.flatMap(({ path, body = '' }) =>
				path.includes('/Order') ? (JSON.parse(body) as { packages: number[] }).packages : [],
			),
		};
	};

	test('hands nothing over again if the records do not say what was handed over', async () => {
		const store: IDataObject = {};
		const records = [{ id: 1, canceled: false }];
		const chosen = { shipmentIds: [1] };
		const first = await retry(store, records, chosen);
		expect(first).toMatchObject({ output: [unsure(1)], sent: [1] });
		const advice = expect.stringContaining(
			'Check with the carrier before you hand anything over again',
		);
		expect(first.advice).toEqual(advice);
		const again = await retry(store, records, { execution: '2', ...chosen });
		expect(again).toEqual({ output: [unsure(1)], advice, sent: [] });
	});

	test('hands over again what the records show as not handed over, if a person retries', async () => {
		const store: IDataObject = {};
		const records = [{ id: 1, canceled: false, submittedCarrier: false }];
		const chosen = { shipmentIds: [1] };
		await retry(store, records, chosen);
		expect(await retry(store, records, chosen)).toMatchObject({ output: [unsure(1)], sent: [] });
		const again = await retry(store, records, { execution: '2', ...chosen });
		expect(again).toMatchObject({ output: [[1]], sent: [1] });
	});

	test('of all shipments leaves out one that was canceled since', async () => {
		const store: IDataObject = {};
		const open = [1, 2].map((id) => ({ id, canceled: false, submittedCarrier: false }));
		await retry(store, open, {});
		const records = open.map((each) => ({ ...each, canceled: each.id === 1 }));
		expect(await retry(store, records, { execution: '2' })).toMatchObject({
			...{ output: [[2]], sent: [2] },
		});
	});

	test('that sends nothing names what is still unknown', async () => {
		const store: IDataObject = {};
		const records = [1, 2].map((id) => ({ id, canceled: false, submittedCarrier: false }));
		await retry(store, records, { shipmentIds: [1, 2] });
		const [first, second] = records;
		const canceled = [first, { ...second, canceled: true }] as typeof records;
		const chosen = { execution: '2', continues: false, shipmentIds: [1, 2] };
		const output = ['Shipment 2 is canceled and cannot be handed over', unsure(1)];
		expect(await retry(store, canceled, chosen)).toMatchObject({ output, sent: [] });
	});
});

test('a retry does not hand over again what was handed over, although its record does not show it yet', async () => {
	const record = { id: 1, carrierCode: 'ANT', canceled: false, submittedCarrier: false };
	const { client, requests } = clientOf(({ path }) =>
		responseOf(200, { result: path.includes('/Order') ? { id: 9, packagesCount: 1 } : [record] }),
	);
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1] }];
	const store = {};
	for (const execution of ['1', '2'])
		expect(await handOver(client, items, { store, execution })).toMatchObject([{ handOverId: 9 }]);
	expect(requests.filter(({ path }) => path.includes('/Order'))).toHaveLength(1);
});

test('what was handed over before is output as that, beside the error of another shipment', async () => {
	const { client } = clientOf(({ path }) => {
		const [, id] = /\/ANT\/(\d+)/.exec(path) ?? [];
		const detail = { id: Number(id), canceled: false, submittedCarrier: id === '2' };
		if (id) return responseOf(200, { result: [detail], correlationId: '' });
		return responseOf(path.includes('/Order') ? 400 : 404, { message: 'No pickup today' });
	});
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1, 2] }];
	const message = '1 shipment already handed over to ANT';
	expect(await handOver(client, items)).toMatchObject([
		{ message, packagesCount: 0, alreadyHandedOver: [2] },
		{ message: 'The provider said: No pickup today' },
	]);
});

test.each([false, true])(
	'an item that has nothing to hand over says so, also if another item fails (dry run: %p)',
	async (isDryRun) => {
		const { client } = clientOf(({ path }) =>
			path.includes('/Find')
				? responseOf(200, { result: { data: [], total: 0 }, correlationId: '' })
				: responseOf(404, { message: 'Not found' }),
		);
		const items = [{ item: 0 }, { item: 1, carrierCode: 'BEE', shipmentIds: [999] }];
		expect(await handOver(client, items, { isDryRun })).toMatchObject([
			{ items: [1], message: 'No shipment of BEE has ID 999' },
			{ items: [0], carrierCode: null, packagesCount: 0 },
		]);
	},
);

describe('What is handed over', () => {
	const OPEN = { canceled: false, submittedCarrier: false };

	/** What a dry run outputs of shipment 1, of which the list and the detail say this. */
	const preview = async (listed: object, detailed: object[], items: HandOverItem[]) => {
		const data = [{ carrierCode: 'ANT', id: 1, ...listed }];
		const result = detailed.map((each, at) => ({ carrierCode: 'ANT', id: at + 1, ...each }));
		const { client } = clientOf(({ path }) =>
			responseOf(200, { result: path.includes('Find') ? { data, total: 1 } : result }),
		);
		return await handOver(client, items, { isDryRun: true });
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
		expect(await preview(record, [record], [{ item: 0 }])).toMatchObject([withAll]);
		const byIds = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1] }];
		expect(await preview(record, [record], byIds)).toMatchObject([byId]);
	});

	test.each<[string, object, object[], object]>([
		['only the detail says that it is canceled', { canceled: 'yes' }, [{ canceled: true }], {}],
		['one of its pieces is canceled', {}, [OPEN, { canceled: true }], { shipmentIds: [1] }],
		['a piece in the list is no shipment', { masterId: 7 }, [], { packagesCount: 0 }],
	])('%s', async (_, listed, detailed, expected) => {
		const details = detailed.map((each) => ({ ...OPEN, ...each }));
		const shown = { packagesCount: 0, ...('shipmentIds' in expected ? { packagesCount: 1 } : {}) };
		const outputs = await preview({ ...OPEN, canceled: null, ...listed }, details, [{ item: 0 }]);
		expect(outputs).toMatchObject([{ ...shown, ...expected }]);
	});

	test('a shipment that one item names and that fails is no error of the item for all', async () => {
		const named = { item: 1, carrierCode: 'ANT', shipmentIds: [9] };
		expect(await preview(OPEN, [], [{ item: 0 }, named])).toMatchObject([
			{ items: [1], message: 'No shipment of ANT has ID 9' },
			{ items: [0], shipmentIds: [1] },
		]);
	});
});
