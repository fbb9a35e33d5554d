import { type ItemShipments, selectLabels } from '../../../nodes/ParcelShipping/labels/select';
import { requestedLabels } from '../../../nodes/ParcelShipping/labels/labels';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, recordsFor } from '../../support/respondingClient';
import { pieceOf } from '../../support/orders';
import { contextOf, runOf } from '../../support/tries';

const UNKNOWN = 'The provider does not say whether the labels of these shipments were printed';

/** Selects the labels for an item at a provider with this list and these details, by ID. */
async function select(
	wanted: ItemShipments,
	listed: object[] = [],
	details: Parameters<typeof recordsFor>[2] = {},
	{ json = {}, skipsPrinted = false, store = {} } = {},
) {
	const hints: string[] = [];
	const list = listed.map((each) => ({ carrierCode: 'ANT', ...each }));
	const { client, requests } = clientOf((sent) => recordsFor(sent, list, details));
	const run = runOf(client, { store, items: [json], hints });
	const { wanted: labels, results } = await selectLabels(run, [wanted], skipsPrinted);
	const says = results.map((result) => {
		if ('json' in result) return result.json.alreadyPrinted ?? result.json.message;
		const { message, details: of } = describeError(result.failure);
		return [message, of.shipmentIds];
	});
	const ids = labels.map(({ id }) => id);
	return { ids, labels, says, hints, requests: requests.length };
}

const ALL = { item: 0 };

test('a piece that only the list shows as canceled is not printed', async () => {
	const piece = { masterId: 1, printed: false };
	const main = { id: 1, printed: false };
	const listed = [
		{ ...main, pieceCount: 3 },
		{ ...piece, id: 2, canceled: true },
	];
	const detail = [main, { ...piece, id: 2 }, { ...piece, id: 3 }];
	expect((await select(ALL, listed, { 1: detail })).ids).toEqual([1, 3]);
});

describe('With All Not Printed', () => {
	const one = { pieceCount: 1, printed: false };

	test('a shipment whose detail fails, or whose record does not say it, is named, and the others are printed', async () => {
		const listed = [
			{ ...one, id: 1 },
			{ id: 2, printed: false },
			{ id: 3, pieceCount: 1 },
		];
		const { ids, says } = await select(ALL, listed, { 2: 400, 3: [{ id: 3 }] });
		expect(ids).toEqual([1]);
		expect(says).toEqual([[`${UNKNOWN}: 2, 3`, [2, 3]]]);
	});

	test('without the credential, no further detail is read, and the error says so', async () => {
		const listed = [1, 2, 3].map((id) => ({ id, printed: false }));
		const { ids, says } = await select(ALL, listed, { 1: 401, 2: 401, 3: 401 });
		expect(ids).toEqual([]);
		expect(says).toEqual([[expect.stringContaining('(401)'), undefined]]);
	});
});

describe('With Skip Printed', () => {
	type Printed = boolean | undefined;
	/** Selects shipments 1 and 2, of which the list and the detail say this. */
	const selectTwo = async (inList: Printed[], inDetail?: Printed, store = {}) => {
		const pieces = inList.map((printed, at) => ({ ...pieceOf(at + 1, 'A-1'), printed }));
		const detail = inDetail === undefined ? 404 : [{ id: 1 }, { id: 2, printed: inDetail }];
		const how = { skipsPrinted: true, store };
		return await select({ item: 0, pieces }, [], { 1: detail, 2: detail }, how);
	};

	test.each<[string, Printed[], Printed, unknown[]]>([
		['the list shows as printed is left out', [false, true], undefined, [[2]]],
		['only the detail shows as printed is left out', [false, undefined], true, [[2]]],
		[
			'no record says is an error, and not printed twice',
			[false, undefined],
			undefined,
			[[`${UNKNOWN}: 2`, [2]]],
		],
	])('what %s', async (_, inList, inDetail, says) => {
		expect(await selectTwo(inList, inDetail)).toMatchObject({ ids: [1], says });
	});

	test('a label that an earlier try has only created is printed, whatever its record says', async () => {
		const store = {};
		requestedLabels(contextOf(store))[2] = true;
		expect((await selectTwo([false, true], undefined, store)).ids).toEqual([1, 2]);
	});
});

describe('Of a shipment that was chosen by its ID,', () => {
	const json = { id: 1, carrierCode: 'ANT', pieceCount: 2, packageNumberCustom: 'A-1' };
	const selectIds = async (shipmentIds: number[], detail: object[]) =>
		await select({ item: 0, shipmentIds }, [], { 1: detail, 2: detail }, { json });

	test('a canceled piece has no label', async () => {
		const { labels } = await selectIds([1], [{ id: 1 }, { id: 2, canceled: true }, { id: 3 }]);
		expect(labels).toMatchObject([1, 3].map((id) => ({ id, orderNumber: 'A-1' })));
	});

	test('pieces are named that the service does not show, unless they were chosen as well', async () => {
		expect((await selectIds([1], [{ id: 1 }])).hints).toEqual([
			'The provider may not show all pieces of 1 shipment: A-1 (1 of 2). Unless the others are canceled, enter their IDs, which Shipment: Create has returned.',
		]);
		expect((await selectIds([1, 2], [{ id: 1 }])).hints).toEqual([]);
		expect((await selectIds([1], [{ id: 1 }, { id: 2 }])).hints).toEqual([]);
	});
});
