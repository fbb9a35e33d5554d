import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	handOverShipments,
	previewHandOvers,
} from '../../../nodes/ParcelShipping/changes/handOver';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

/** The output for shipment 1001 if the response is lost and the list has these hand-overs before and after it. */
async function handOverLost(before: number[], after: number[]) {
	const { client, requests } = clientOf(({ path }) => {
		const isAfter = requests.some((each) => each.path.includes('/Order'));
		if (path.includes('/Order')) return responseOf(500, '');
		if (path.includes('/Pickup/Find')) {
			const data = (isAfter ? after : before).map((id) => ({ id, carrierCode: 'ANT' }));
			return responseOf(200, { result: { data, total: data.length }, correlationId: '' });
		}
		const detail = { id: 1001, canceled: false, submittedCarrier: isAfter };
		return responseOf(200, { result: [detail], correlationId: '' });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
		addExecutionHints: () => {},
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const settings = { date: undefined, lookbackDays: 5, maxWaitMs: 0, binaryField: 'data' };
	const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [1001] }];
	const [result] = await handOverShipments(run, items, settings);
	return result && 'json' in result
		? [result.json.handOverId, result.json.shipmentIds]
		: describeError(result?.failure).message;
}

test('a hand-over whose response is lost is read back with its protocol, also if there were others before', async () => {
	expect(await handOverLost([300], [301, 300])).toEqual([301, [1001]]);
	expect(await handOverLost([], [301])).toEqual([301, [1001]]);
});

test('with several new hand-overs, none is output as the one that was asked for', async () => {
	expect(await handOverLost([300], [302, 301, 300])).toEqual([null, [1001]]);
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
	const settings = { date: undefined, lookbackDays: 5, maxWaitMs: 0, binaryField: 'data' };
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
	['a number, and the records none', [null], 1, [unsure(1, ' with hand-over 9')]],
])('a response that counts %s', async (_, pieceCounts, packagesCount, expected) => {
	expect(await handOverAll({}, pieceCounts, packagesCount)).toEqual(expected);
});

test('the count of a response is compared with what this try has sent', async () => {
	const store = {};
	await handOverAll(store, [1]);
	expect(await handOverAll(store, [1, 1], 1)).toEqual([unsure(1), [2]]);
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
	const settings = { date: undefined, lookbackDays: 5, maxWaitMs: 0, binaryField: 'data' };
	const items = [{ item: 0 }, { item: 1, carrierCode: 'BEE', shipmentIds: [999] }];
	const nothing = expect.objectContaining({ carrierCode: null, packagesCount: 0 });
	const expected = [
		{ items: [1], failure: expect.anything() },
		{ items: [0], json: nothing },
	];
	expect(await handOverShipments(run, items, settings)).toEqual(expected);
	expect(await previewHandOvers(run, items, 5)).toEqual(expected);
});
