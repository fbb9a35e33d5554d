// The steps as a whole are tested in the engine tests of creation, and in the simulation.
import type { IDataObject } from 'n8n-workflow';

import { createAndPrint } from '../../../nodes/ParcelShipping/creation/createAndPrint';
import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { orderWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

/** A run of two items at most, with *Continue*. */
function runOf(
	client: NodeRun['client'],
	{ store = {}, execution = '1' }: { store?: IDataObject; execution?: string } = {},
) {
	const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
		addExecutionHints: () => {},
		getNode: () => ({ onError: 'continueRegularOutput' }),
		continueOnFail: () => true,
	});
	return { context, client, items: [{ json: {} }, { json: {} }] } as unknown as NodeRun;
}

test('after a duplicate could not be canceled, no label is printed without asking', async () => {
	const idOf: Record<string, number> = { A: 11, B: 12 };
	const printed: unknown[] = [];
	let lists = 0;
	const { client } = clientOf(({ path, body = '{}' }) => {
		const given = JSON.parse(body) as IDataObject;
		if (path.includes('/Package/Find')) {
			lists++;
			// Another run has created A as well, and prints B while this one tries to cancel its own.
			const ofOther = { id: 5, packageNumberCustom: 'A' };
			const own = Object.entries(idOf).map(([packageNumberCustom, id]) => {
				return { id, packageNumberCustom, printed: id === 12 && lists > 2 };
			});
			const records = lists === 1 ? [] : [ofOther, ...own];
			const data = records.map((each) => {
				return { carrierCode: 'ANT', packageNumberCarrier: `N${each.id}`, pieceCount: 1, ...each };
			});
			return responseOf(200, { result: { data, total: data.length }, correlationId: '' });
		}
		if (path.includes('/Create')) {
			const [{ packageNumberCustom = '' } = {}] = given as unknown as IDataObject[];
			const reference = String(packageNumberCustom);
			const id = idOf[reference] ?? 0;
			const row = { id, packageNumberCustom: reference, packageNumberCarrier: `N${id}` };
			const result = [{ ...row, carrierCode: 'ANT', statusCode: 200 }];
			const batch = { batchId: id, labelsHash: `hash of ${reference}`, packagesCount: 1 };
			return responseOf(200, { ...batch, result, correlationId: '' });
		}
		if (path.includes('/PrintLabel')) printed.push(given.hash);
		if (path.includes('/Printer')) return responseOf(200, { result: true, correlationId: '' });
		return responseOf(400, { message: 'Not now' });
	});
	const orders = ['A', 'B'].map((reference, itemIndex) => orderWith(reference, { itemIndex }));
	const run = runOf(client);
	const options = readCreationOptions({});
	await createAndPrint(run, { orders, invalid: [], hints: [] }, options, () => 'P');
	expect([lists, printed]).toEqual([4, []]);
});

test('a retry whose item is invalid now names that, and the order whose outcome is unknown', async () => {
	const store: IDataObject = {};
	let isDown = true;
	const { client } = clientOf(({ path }) => {
		if (!path.includes('/Create')) return responseOf(200, { result: { data: [], total: 0 } });
		const row = { id: 7, packageNumberCustom: 'D', carrierCode: 'ANT', statusCode: 200 };
		return isDown ? responseOf(500, {}) : responseOf(200, { result: [row] });
	});
	const options = readCreationOptions({ maxRetryWait: 0 });
	// This process has created A in another test.
	const valid = { orders: [orderWith('D')], invalid: [], hints: [] };
	await createAndPrint(runOf(client, { store }), valid, options, undefined);
	const failure = new ItemError('Invalid Recipient Email', '');
	const invalid = { orders: [], invalid: [{ itemIndex: 0, failure }], hints: [] };
	const messagesIn = async (execution: string) => {
		const run = runOf(client, { store, execution });
		const results = await createAndPrint(run, invalid, options, undefined);
		return results.map((each) => 'failure' in each && (each.failure as ItemError).message);
	};
	const unknown = expect.stringContaining('Could not confirm');
	// n8n tries again, and would not send the order if it were valid.
	expect(await messagesIn('1')).toEqual([unknown]);
	expect(await messagesIn('2')).toEqual(['Invalid Recipient Email', unknown]);
	// Once it is valid, it is sent, and has only its new outcome.
	isDown = false;
	const run = runOf(client, { store, execution: '3' });
	expect(await createAndPrint(run, valid, options, undefined)).toMatchObject([{ json: { id: 7 } }]);
});

test('a piece whose row has no reference is output once if the records show of which order it is', async () => {
	let lists = 0;
	const { client } = clientOf(({ path }) => {
		const record = (id: number, packageNumberCustom: string, more: object) => {
			const fields = { carrierCode: 'ANT', packageNumberCarrier: `N${id}`, packageNumberCustom };
			return { id, ...fields, canceled: false, printed: false, ...more };
		};
		if (path.includes('/Package/Find')) {
			lists++;
			const main = record(5, 'A', { pieceCount: 2, isMaster: true });
			const second = record(7, 'A', { pieceCount: 2, masterId: 5 });
			// The list is behind until the check for duplicates.
			const listed = [...(lists > 2 ? [main, second] : [main]), record(9, 'B', { pieceCount: 1 })];
			const data = lists === 1 ? [] : listed;
			return responseOf(200, { result: { data, total: data.length }, correlationId: '' });
		}
		if (path.includes('/Create')) {
			const row = { carrierCode: 'ANT', statusCode: 200 };
			const result = [
				{ ...row, id: 5, packageNumberCustom: 'A', packageNumberCarrier: 'N5' },
				{ ...row, id: 7, packageNumberCustom: null, packageNumberCarrier: 'N7' },
				{ ...row, id: 9, packageNumberCustom: 'B', packageNumberCarrier: 'N9' },
			];
			return responseOf(200, { batchId: 1, labelsHash: 'h', packagesCount: 3, result });
		}
		return responseOf(404, { message: 'No detail' });
	});
	const orders = ['A', 'B'].map((reference, itemIndex) => orderWith(reference, { itemIndex }));
	Object.assign(orders[0]?.body ?? {}, { pieceCount: 2 });
	const run = runOf(client);
	const options = readCreationOptions({});
	const results = await createAndPrint(run, { orders, invalid: [], hints: [] }, options, () => '');
	const rows = results.flatMap((each) =>
		'json' in each ? [[each.json.id, each.json.unmatched]] : [],
	);
	expect(rows).toEqual([
		[5, undefined],
		[7, undefined],
		[9, undefined],
	]);
});

test.each<[string, string, object]>([
	['n8n tries again, and then the second one is canceled', '1', { id: 5, canceled: ['N11'] }],
	['a person retries, and then both stay', '2', { id: 11, canceled: [] }],
])('the shipment of another process may be listed only when %s', async (_, execution, expected) => {
	const store: IDataObject = {};
	const canceled: string[] = [];
	const tryOf = async (name: string, isListed: boolean) => {
		const { client } = clientOf(({ path, body = '{}' }) => {
			if (path.includes('/Package/Find')) {
				const data = (isListed ? [5, 11] : []).map((id) => {
					const fields = { carrierCode: 'ANT', packageNumberCarrier: `N${id}`, pieceCount: 1 };
					return { id, ...fields, packageNumberCustom: 'A', canceled: false };
				});
				return responseOf(200, { result: { data, total: data.length } });
			}
			if (path.includes('/Cancel')) {
				const { packages } = JSON.parse(body) as { packages: string[] };
				canceled.push(...packages);
				const result = packages.map((number) => {
					return { packageNumberCarrier: number, successfull: true };
				});
				return responseOf(200, { result });
			}
			if (!path.includes('/Create')) return responseOf(404, { message: 'No detail' });
			const row = { id: 11, packageNumberCustom: 'A', packageNumberCarrier: 'N11' };
			const result = [{ ...row, carrierCode: 'ANT', statusCode: 200 }];
			return responseOf(200, { batchId: 1, labelsHash: 'h', packagesCount: 1, result });
		});
		const run = runOf(client, { store, execution: name });
		const orders = [orderWith('A')];
		const options = readCreationOptions({});
		const given = { orders, invalid: [], hints: [] };
		const [result] = await createAndPrint(run, given, options, () => null as unknown as string);
		return result && 'json' in result ? result.json.id : result;
	};
	expect(await tryOf('1', false)).toBe(11);
	expect({ id: await tryOf(execution, true), canceled }).toEqual(expected);
});
