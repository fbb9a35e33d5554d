import {
	type ItemShipments,
	describeMissingPieces,
	selectLabels,
} from '../../../nodes/ParcelShipping/labels/select';
import { progressOfLabels } from '../../../nodes/ParcelShipping/labels/createLabels';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

test('a piece that only the list shows as canceled is not printed', async () => {
	const piece = { carrierCode: 'ANT', printed: false };
	const listed = [
		{ ...piece, id: 1, pieceCount: 3 },
		{ ...piece, id: 2, masterId: 1, canceled: true },
	];
	const { client } = clientOf(({ path }) =>
		responseOf(200, {
			result: path.includes('/1')
				? [
						{ id: 1, printed: false },
						{ id: 2, masterId: 1, printed: false },
						{ id: 3, masterId: 1, printed: false },
					]
				: { data: listed, total: 2, filtered: 2 },
		}),
	);
	const context = Object.assign(contextOf({}), {
		getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
	});
	const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
	const all = { item: 0 };
	const { wanted } = await selectLabels(run, [all]);
	expect(wanted.map(({ id }) => id)).toEqual([1, 3]);
});

describe('With All Not Printed', () => {
	/** Selects the labels of a list. `details` has what the details of some say; a number is a status. */
	async function select(listed: object[], details: Record<number, object[] | number> = {}) {
		const hints: string[] = [];
		const { client, requests } = clientOf(({ path }) => {
			const [, id = 0] = /\/ANT\/(\d+)/.exec(path) ?? [];
			const data = listed.map((each) => ({ carrierCode: 'ANT', ...each }));
			if (!id) return responseOf(200, { result: { data, total: data.length } });
			const detail = details[Number(id)] ?? 404;
			return typeof detail === 'number'
				? responseOf(detail, { message: 'Broken' })
				: responseOf(200, { result: detail });
		});
		const context = Object.assign(contextOf({}), {
			getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
			continueOnFail: () => true,
		});
		const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
		const all = { item: 0 };
		const { wanted, results } = await selectLabels(run, [all]);
		const says = results.map((result) => {
			if ('json' in result) return result.json.message;
			const { message, details: of } = describeError(result.failure);
			return [message, of.shipmentIds];
		});
		return { ids: wanted.map(({ id }) => id), says, hints, requests: requests.length };
	}
	const one = { pieceCount: 1, printed: false };

	test('labels that cannot be printed yet are named, and do not count as printed', async () => {
		const waiting = { ...one, id: 1, printable: false };
		const hints = ['1 label cannot be printed yet: 1.'];
		expect(await select([waiting, { ...one, id: 3, printed: true }])).toMatchObject({
			...{ ids: [], says: ['Nothing to print'], hints },
		});
		expect(await select([waiting, { ...one, id: 2 }])).toMatchObject({
			...{ ids: [2], says: [], hints },
		});
	});

	test('a shipment whose detail fails, or whose record does not say it, is named, and the others are printed', async () => {
		const listed = [
			{ ...one, id: 1 },
			{ id: 2, printed: false },
			{ id: 3, pieceCount: 1 },
		];
		const { ids, says } = await select(listed, { 2: 400, 3: [{ id: 3 }] });
		expect(ids).toEqual([1]);
		expect(says).toEqual([['The service does not say which labels were printed', [2, 3]]]);
	});

	test('without the credential, no further detail is read, and the error says so', async () => {
		const listed = [1, 2, 3].map((id) => ({ id, printed: false }));
		const { ids, says } = await select(listed, { 1: 401, 2: 401, 3: 401 });
		expect(ids).toEqual([]);
		expect(says).toEqual([['The service refused the credential (401)', undefined]]);
	});

	test('pieces that are listed cost no detail', async () => {
		const listed = [
			{ id: 1, printed: false, pieceCount: 2 },
			{ id: 2, printed: false, masterId: 1 },
		];
		expect(await select(listed)).toMatchObject({ ids: [1, 2], requests: 1 });
	});
});

describe('With Skip Printed', () => {
	/** Selects shipment 1 and its additional piece 2, which has no detail. */
	async function select(listed: object[] | number, { printed = false, store = {} } = {}) {
		const hints: string[] = [];
		const { client, requests } = clientOf(({ path }) => {
			if (path.includes('/ANT/1')) return responseOf(200, { result: [{ id: 1, printed }] });
			if (path.includes('/ANT/2')) return responseOf(404, { message: 'Not found' });
			if (typeof listed === 'number') return responseOf(listed, { message: 'Broken' });
			const data = listed.map((each) => ({ carrierCode: 'ANT', ...each }));
			return responseOf(200, { result: { data, total: data.length } });
		});
		const context = Object.assign(contextOf(store), {
			getNodeParameter: () => true,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		});
		const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
		const item = { item: 0, carrierCode: 'ANT', shipmentIds: [1, 2] };
		const { wanted, results } = await selectLabels(run, [item, { ...item, item: 1 }]);
		const lists = requests.filter(({ path }) => path.includes('/Find')).length;
		const ofFirst = wanted.filter((each) => each.item === 0);
		return { ids: ofFirst.map(({ id }) => id), results, hints, lists };
	}

	test('an additional piece that only the list shows as printed is left out', async () => {
		const listed = [
			{ id: 1, printed: false },
			{ id: 2, printed: true },
		];
		const json = { skipped: true, alreadyPrinted: [2] };
		expect(await select(listed)).toMatchObject({
			ids: [1],
			results: [
				{ items: [0], json },
				{ items: [1], json },
			],
			...{ hints: [], lists: 1 },
		});
	});

	test.each([
		['no record shows', []],
		['the list shows as not printed, because it can be behind', [{ id: 2, printed: false }]],
		['nobody knows of, because the list cannot be read', 400],
	])('an additional piece that %s is printed, and named', async (_, listed) => {
		const hint = expect.stringContaining('does not say whether the labels of these shipments');
		expect(await select(listed)).toMatchObject({ ids: [1, 2], results: [], hints: [hint] });
	});

	test('a piece whose label an earlier try has created is printed, whatever the list says', async () => {
		const store = {};
		progressOfLabels(contextOf(store))[2] = 'created';
		const listed = [{ id: 2, printed: true }];
		expect(await select(listed, { store })).toMatchObject({ ids: [1, 2], hints: [], lists: 0 });
	});

	test('an item fails alone if nobody says its carrier, or if its record cannot be read', async () => {
		const { client } = clientOf(({ path }) =>
			path.includes('/ANT/1')
				? responseOf(400, { message: 'Broken' })
				: responseOf(200, { result: [{ id: 2, printed: false }] }),
		);
		const context = Object.assign(contextOf({}), { getNodeParameter: () => true });
		const jsons = [{}, { carrierCode: 'ANT' }, { carrierCode: 'ANT' }];
		const items = jsons.map((json) => ({ json }));
		const run = { context, client, items } as unknown as NodeRun;
		const named = [3, 1, 2].map((id, item) => ({ item, shipmentIds: [id] }));
		const { wanted, results } = await selectLabels(run, named);
		expect(wanted).toEqual([{ item: 2, id: 2, carrierCode: 'ANT' }]);
		expect(results.map(({ items: of }) => of)).toEqual([[0], [1]]);
	});
});

test('a canceled piece of a chosen shipment has no label', async () => {
	const detail = [{ id: 1 }, { id: 2, canceled: true }, { id: 3 }];
	const { client } = clientOf(() => responseOf(200, { result: detail }));
	const context = Object.assign(contextOf({}), {
		getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
	});
	const json = { id: 1, carrierCode: 'ANT', pieceCount: 3, packageNumberCustom: 'A-1' };
	const run = { context, client, items: [{ json }] } as unknown as NodeRun;
	const { wanted } = await selectLabels(run, [{ item: 0, shipmentIds: [1] }]);
	expect(wanted).toEqual(
		[1, 3].map((id) => ({ item: 0, id, carrierCode: 'ANT', orderNumber: 'A-1', incomplete: [] })),
	);
});

describe('A shipment of which the service does not show all pieces is named', () => {
	/** The hints for these items. The detail of shipment 1 of two pieces has one. */
	async function hintsFor(wanted: ItemShipments, detail: object[] = [{ id: 1 }]) {
		const hints: string[] = [];
		const { client } = clientOf(() => responseOf(200, { result: detail }));
		const context = Object.assign(contextOf({}), {
			getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		});
		const items = [{ json: { id: 1, carrierCode: 'ANT', pieceCount: 2 } }];
		await selectLabels({ context, client, items } as unknown as NodeRun, [wanted]);
		return hints;
	}
	const hint =
		'The service shows fewer pieces of these shipments than it counts: 1 (1 of 2). Unless the others are canceled, enter their IDs, which Shipment: Create has returned: pieces whose IDs you do not enter get no label.';

	test('if its ID was chosen, and not that of the other piece', async () => {
		expect(await hintsFor({ item: 0, shipmentIds: [1] })).toEqual([hint]);
		expect(await hintsFor({ item: 0, shipmentIds: [1, 2] })).toEqual([]);
		expect(await hintsFor({ item: 0, shipmentIds: [1] }, [{ id: 1 }, { id: 2 }])).toEqual([]);
	});

	test('if its order was chosen', async () => {
		const incomplete = describeMissingPieces(1, 1, 2);
		const ofOrder = { item: 0, carrierCode: 'ANT', shipmentIds: [1], incomplete };
		expect(await hintsFor(ofOrder)).toEqual([hint]);
	});
});
