import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { handOverShipments } from '../../../nodes/ParcelShipping/changes/handOver';
import { toPreview } from '../../../nodes/ParcelShipping/changes/output';
import { planHandOvers } from '../../../nodes/ParcelShipping/changes/planHandOver';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

test.each<[name: string, after: object, expected: object]>([
	[
		'handed over, and where its protocol is',
		{ submittedCarrier: true },
		{
			json: {
				message: '1 shipment was handed over to ANT. To get the protocol, use Hand-Over: Get Many',
				...{ handOverId: null, shipmentIds: [1001], recovered: true },
			},
		},
	],
	[
		'canceled',
		{ canceled: true },
		{ failure: { message: 'Shipment 1001 is canceled and cannot be handed over' } },
	],
])('a lost hand-over is reported as the records say: %s', async (_, after, expected) => {
	const { client, requests } = clientOf(({ path }) => {
		if (path.includes('/Order')) return responseOf(500, '');
		const isAfter = requests.some((each) => each.path.includes('/Order'));
		const detail = { id: 1001, canceled: false, submittedCarrier: false };
		return responseOf(200, { result: [{ ...detail, ...(isAfter ? after : {}) }] });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1001] }];
	const settings = { date: undefined, binaryField: 'data' };
	expect(await handOverShipments(run, items, settings)).toMatchObject([
		{ items: [0], ...expected },
	]);
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
	const context = Object.assign(contextOf(store) as unknown as object, {
		continueOnFail: () => true,
		addExecutionHints: () => {},
	}) as IExecuteFunctions;
	const settings = { date: undefined, binaryField: 'data' };
	const run = { context, client, items: [] } as NodeRun;
	const results = await handOverShipments(run, [{ item: 0, carrierCode: 'ANT' }], settings);
	return results.map((result) =>
		'json' in result ? result.json.shipmentIds : describeError(result.failure).message,
	);
}

const unsure = (id: number, more = '') =>
	`Could not confirm that ANT received shipment ${id}${more}`;

test.each<[string, Array<number | null>, number, unknown]>([
	['the pieces of all of them', [2, 1], 3, [[1, 2]]],
	['fewer pieces', [2, 1], 2, [expect.stringContaining('received shipments 1, 2 with')]],
	['at least one piece of the only one', [null], 1, [[1]]],
	['nothing', [null], 0, [unsure(1, ' with hand-over 9')]],
	['two, where one may have several pieces', [null, 1], 2, [expect.stringContaining('1, 2 with')]],
	['one of two, where the other has 0 pieces', [0, 1], 1, [expect.stringContaining('1, 2 with')]],
])('a response that counts %s', async (_, pieceCounts, packagesCount, expected) => {
	expect(await handOverAll({}, pieceCounts, packagesCount)).toEqual(expected);
});

test('a lost hand-over of a shipment with 0 pieces in the list is not done', async () => {
	expect(await handOverAll({}, [0])).toEqual([unsure(1)]);
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
	/** What the output says, the advice of an error, and the IDs that were sent, at a service with these records. */
	const handOver = async (
		store: IDataObject,
		data: Record[],
		{
			execution = '1',
			continues = true,
			shipmentIds,
		}: { execution?: string; continues?: boolean; shipmentIds?: number[] },
	) => {
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
		const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
			continueOnFail: () => continues,
			addExecutionHints: () => {},
		}) as IExecuteFunctions;
		const settings = { date: undefined, binaryField: 'data' };
		const run = { context, client, items: [] } as NodeRun;
		const items = shipmentIds?.map((id, item) => ({ item, carrierCode: 'ANT', shipmentIds: [id] }));
		const all = [{ item: 0, carrierCode: 'ANT' }];
		const results = await handOverShipments(run, items ?? all, settings);
		const errors = results.map((result) => describeError('failure' in result && result.failure));
		return {
			output: results.map((result, at) =>
				'json' in result ? result.json.shipmentIds : errors[at]?.message,
			),
			advice: errors[0]?.description,
			sent: requests.flatMap(({ path, body = '' }) =>
				path.includes('/Order') ? (JSON.parse(body) as { packages: number[] }).packages : [],
			),
		};
	};

	test('hands nothing over again if the records do not say what was handed over', async () => {
		const store: IDataObject = {};
		const records = [{ id: 1, canceled: false }];
		const chosen = { shipmentIds: [1] };
		const first = await handOver(store, records, chosen);
		expect(first).toMatchObject({ output: [unsure(1)], sent: [1] });
		const advice = expect.stringContaining(
			'Check with the carrier what was handed over before you hand anything over again',
		);
		expect(first.advice).toEqual(advice);
		expect(first.advice).not.toContain('Run the workflow again');
		const again = await handOver(store, records, { execution: '2', ...chosen });
		expect(again).toEqual({ output: [unsure(1)], advice, sent: [] });
	});

	test('hands over again what the records show as not handed over, if a person retries', async () => {
		const store: IDataObject = {};
		const records = [{ id: 1, canceled: false, submittedCarrier: false }];
		const chosen = { shipmentIds: [1] };
		const { advice } = await handOver(store, records, chosen);
		expect(advice).toContain('Run the workflow again later');
		expect(await handOver(store, records, chosen)).toMatchObject({ output: [unsure(1)], sent: [] });
		const again = await handOver(store, records, { execution: '2', ...chosen });
		expect(again).toMatchObject({ output: [[1]], sent: [1] });
	});

	test('of all shipments leaves out one that was canceled since', async () => {
		const store: IDataObject = {};
		const open = [1, 2].map((id) => ({ id, canceled: false, submittedCarrier: false }));
		await handOver(store, open, {});
		const records = open.map((each) => ({ ...each, canceled: each.id === 1 }));
		expect(await handOver(store, records, { execution: '2' })).toMatchObject({
			...{ output: [[2]], sent: [2] },
		});
	});

	test('that sends nothing names what is still unknown', async () => {
		const store: IDataObject = {};
		const records = [1, 2].map((id) => ({ id, canceled: false, submittedCarrier: false }));
		await handOver(store, records, { shipmentIds: [1, 2] });
		const [first, second] = records;
		const canceled = [first, { ...second, canceled: true }] as typeof records;
		const chosen = { execution: '2', continues: false, shipmentIds: [1, 2] };
		const output = ['Shipment 2 is canceled and cannot be handed over', unsure(1)];
		expect(await handOver(store, canceled, chosen)).toMatchObject({ output, sent: [] });
	});

	test('says that a chosen shipment was canceled since', async () => {
		const store: IDataObject = {};
		const record = { id: 1, canceled: false, submittedCarrier: false };
		await handOver(store, [record], { shipmentIds: [1] });
		const canceled = [{ ...record, canceled: true }];
		const again = await handOver(store, canceled, { execution: '2', shipmentIds: [1] });
		const output = ['Shipment 1 is canceled and cannot be handed over'];
		expect(again).toMatchObject({ output, sent: [] });
	});
});

test('what was handed over before is output as that, beside the error of another shipment', async () => {
	const { client } = clientOf(({ path }) => {
		const [, id] = /\/ANT\/(\d+)/.exec(path) ?? [];
		const detail = { id: Number(id), canceled: false, submittedCarrier: id === '2' };
		if (id) return responseOf(200, { result: [detail], correlationId: '' });
		return responseOf(path.includes('/Order') ? 400 : 404, { message: 'No pickup today' });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const settings = { date: undefined, binaryField: 'data' };
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1, 2] }];
	const message = '1 shipment was handed over to ANT before';
	expect(await handOverShipments(run, items, settings)).toMatchObject([
		{ failure: { message: 'The service said: No pickup today' } },
		{ json: { message, packagesCount: 0, alreadyHandedOver: [2] } },
	]);
});

test('an item that has nothing to hand over says so, also if another item fails', async () => {
	const { client } = clientOf(({ path }) => {
		if (path.includes('/Carrier')) {
			return responseOf(200, { result: [{ code: 'ANT', status: 'Active' }], correlationId: '' });
		}
		return path.includes('/Find')
			? responseOf(200, { result: { data: [], total: 0 }, correlationId: '' })
			: responseOf(404, { message: 'Not found' });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const settings = { date: undefined, binaryField: 'data' };
	const items = [{ item: 0 }, { item: 1, carrierCode: 'BEE', shipmentIds: [999] }];
	const nothing = expect.objectContaining({ carrierCode: null, packagesCount: 0 });
	const expected = [
		{ items: [1], failure: expect.anything() },
		{ items: [0], json: nothing },
	];
	expect(await handOverShipments(run, items, settings)).toEqual(expected);
	expect(toPreview(items, await planHandOvers(client, items))).toEqual(expected);
});
