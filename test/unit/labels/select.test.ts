import { type ItemShipments, selectShipments } from '../../../nodes/ParcelShipping/labels/select';
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
	const all = { item: 0, way: 'notPrinted' as const, shipmentIds: [] };
	const { toPrint } = await selectShipments(run, [all]);
	expect(toPrint.map(({ id }) => id)).toEqual([1, 3]);
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
		const all = { item: 0, way: 'notPrinted' as const, shipmentIds: [] };
		const { toPrint, results } = await selectShipments(run, [all]);
		const says = results.map((result) => {
			if ('json' in result) return result.json.message;
			const { message, details: of } = describeError(result.failure);
			return [message, of.shipmentIds];
		});
		return { ids: toPrint.map(({ id }) => id), says, hints, requests: requests.length };
	}
	const one = { pieceCount: 1, printed: false };

	test('labels that cannot be printed yet are named, and do not count as printed', async () => {
		const waiting = { ...one, id: 1, printable: false };
		const said = '1 label cannot be printed yet: 1';
		expect(await select([waiting, { ...one, id: 3, printed: true }])).toMatchObject({
			...{ ids: [], says: [said], hints: [`${said}.`] },
		});
		expect(await select([waiting, { ...one, id: 2 }])).toMatchObject({
			...{ ids: [2], says: [], hints: [`${said}.`] },
		});
	});

	test('a shipment whose detail fails, or whose record does not say it, fails alone', async () => {
		const listed = [
			{ ...one, id: 1 },
			{ id: 2, printed: false },
			{ id: 3, pieceCount: 1 },
		];
		const { ids, says } = await select(listed, { 2: 400, 3: [{ id: 3 }] });
		expect(ids).toEqual([1]);
		expect(says).toEqual([
			['The service cannot show these shipments: The service said: Broken', [2]],
			['The service does not say which labels were printed', [3]],
		]);
	});

	test('without the credential, no further detail is read, and the error says so', async () => {
		const listed = [1, 2, 3].map((id) => ({ id, printed: false }));
		const { ids, says } = await select(listed, { 1: 401, 2: 401, 3: 401 });
		expect(ids).toEqual([]);
		expect(says).toEqual([['The service refused the credential (401)', undefined]]);
	});

	test('pieces that the service does not show are named', async () => {
		const main = { id: 1, printed: false, pieceCount: 2 };
		const detail = { 1: [{ id: 1, printed: false }] };
		const hint = expect.stringContaining('not show all pieces of these shipments: 1 (1 of 2).');
		expect(await select([main], detail)).toMatchObject({ ids: [1], hints: [hint] });
		// The list has the other piece, and no record says what belongs together.
		const order = { packageNumberCustom: 'A-1' };
		const listed = [1, 2].map((id) => ({ ...main, ...order, id }));
		expect(await select(listed, detail)).toMatchObject({ ids: [1, 2], hints: [] });
		// Or it says to which shipment the other piece belongs, and not what is printed.
		const states = [
			{ id: 1, pieceCount: 2 },
			{ id: 2, masterId: 1 },
		];
		const details = { ...detail, 2: [{ id: 2, printed: false }] };
		expect(await select(states, details)).toMatchObject({ ids: [1, 2], hints: [] });
	});

	test('of an order, pieces that the service does not show are named once', async () => {
		const order = { packageNumberCustom: 'A-1', printed: false, pieceCount: 3 };
		const hint = expect.stringContaining('not show all pieces of these shipments: 1 (2 of 3).');
		const listed = [1, 2].map((id) => ({ ...order, id }));
		expect(await select(listed)).toMatchObject({ ids: [1, 2], hints: [hint] });
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
		const incomplete = [{ id: 1, shown: 2, pieceCount: 3 }];
		const item = { item: 0, way: 'orderNumbers' as const, carrierCode: 'ANT', shipmentIds: [1, 2] };
		const selecting = selectShipments(run, [printed ? { ...item, incomplete } : item]);
		const { toPrint, results } = await selecting;
		const lists = requests.filter(({ path }) => path.includes('/Find')).length;
		return { ids: toPrint.map(({ id }) => id), results, hints, lists };
	}

	test('an additional piece that only the list shows as printed is left out', async () => {
		const listed = [
			{ id: 1, printed: false },
			{ id: 2, printed: true },
		];
		const json = { skipped: true, alreadyPrinted: [2] };
		expect(await select(listed)).toMatchObject({
			ids: [1],
			results: [{ items: [0], json }],
			hints: [],
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

	test('a shipment that is skipped as printed is not named as incomplete', async () => {
		const { ids, hints } = await select([], { printed: true });
		expect([ids, hints]).toEqual([[2], [expect.stringContaining('so they are not skipped: 2.')]]);
	});
});

describe('A shipment of which the service does not show all pieces is named', () => {
	/** The hints for shipment 1 of two pieces, of which the detail has these. */
	async function hintsFor(
		items: ItemShipments[],
		detail: object[] | number,
		jsons: object[] = [{}],
	) {
		const hints: string[] = [];
		const { client } = clientOf(() =>
			typeof detail === 'number'
				? responseOf(detail, { message: 'Broken' })
				: responseOf(200, { result: detail }),
		);
		const context = Object.assign(contextOf({}), {
			getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		});
		const main = { carrierCode: 'ANT', pieceCount: 2, packageNumberCustom: 'A' };
		const run = {
			...{ context, client },
			items: jsons.map((json) => ({ json: { ...main, ...json } })),
		} as unknown as NodeRun;
		await selectShipments(run, items);
		return hints;
	}
	const byId = (item: number, ...shipmentIds: number[]) => {
		return { item, way: 'ids' as const, shipmentIds };
	};
	const ofOrder = {
		...{ item: 0, way: 'orderNumbers' as const, carrierCode: 'ANT', shipmentIds: [1] },
		incomplete: [{ id: 1, shown: 1, pieceCount: 2 }],
	};

	test('if its ID was chosen', async () => {
		expect(await hintsFor([byId(0, 1)], [{ id: 1 }], [{ id: 1 }])).toEqual([
			"The service does not show all pieces of these shipments: 1 (1 of 2). Pieces whose IDs you do not enter get no label. Choose 'By Order Number', or enter the IDs that Shipment: Create has returned.",
		]);
	});

	test('unless an item has the ID of the other piece', async () => {
		expect(await hintsFor([byId(0, 1, 2)], [{ id: 1 }], [{ id: 1 }])).toEqual([]);
		const pieces = [{ id: 1 }, { id: 2 }];
		expect(await hintsFor([byId(0, 1), byId(1, 2)], [{ id: 1 }], pieces)).toEqual([]);
	});

	test('if its order was chosen', async () => {
		expect(await hintsFor([ofOrder], [{ id: 1 }])).toEqual([
			'The service does not show all pieces of these shipments: 1 (1 of 2). Pieces whose IDs you do not enter get no label. Enter the IDs that Shipment: Create has returned.',
		]);
	});

	test('unless its detail has the canceled piece, or cannot be read', async () => {
		expect(await hintsFor([ofOrder], [{ id: 1 }, { id: 2, canceled: true }])).toEqual([]);
		expect(await hintsFor([ofOrder], 400)).toEqual([]);
	});
});
