import { type ItemShipments, selectLabels } from '../../../nodes/ParcelShipping/labels/select';
import { requestedLabels } from '../../../nodes/ParcelShipping/labels/labels';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import { clientOf, responseOf } from '../../support/respondingClient';
import { pieceOf } from '../../support/orders';
import { contextOf } from '../../support/tries';

const UNKNOWN = 'The provider does not say whether the labels of these shipments were printed';

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

	test('a shipment whose detail fails, or whose record does not say it, is named, and the others are printed', async () => {
		const listed = [
			{ ...one, id: 1 },
			{ id: 2, printed: false },
			{ id: 3, pieceCount: 1 },
		];
		const { ids, says } = await select(listed, { 2: 400, 3: [{ id: 3 }] });
		expect(ids).toEqual([1]);
		expect(says).toEqual([[`${UNKNOWN}: 2, 3`, [2, 3]]]);
	});

	test('without the credential, no further detail is read, and the error says so', async () => {
		const listed = [1, 2, 3].map((id) => ({ id, printed: false }));
		const { ids, says } = await select(listed, { 1: 401, 2: 401, 3: 401 });
		expect(ids).toEqual([]);
		expect(says).toEqual([[expect.stringContaining('(401)'), undefined]]);
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
	/** Selects shipments 1 and 2, of which the list and the detail say this. */
	async function select(inList: Array<boolean | undefined>, inDetail?: boolean, store = {}) {
		const { client } = clientOf(() =>
			inDetail === undefined
				? responseOf(404, { message: 'Not found' })
				: responseOf(200, { result: [{ id: 1 }, { id: 2, printed: inDetail }] }),
		);
		const run = { context: contextOf(store), client, items: [] } as unknown as NodeRun;
		const pieces = inList.map((printed, at) => ({ ...pieceOf(at + 1, 'A-1'), printed }));
		const { wanted, results } = await selectLabels(run, [{ item: 0, pieces }], true);
		const says = results.map((each) =>
			'json' in each ? each.json.alreadyPrinted : describeError(each.failure).message,
		);
		return { ids: wanted.map(({ id }) => id), says };
	}
	const unknown = `${UNKNOWN}: 2`;

	test.each<[string, Array<boolean | undefined>, boolean | undefined, number[], unknown[]]>([
		['the list shows as printed is left out', [false, true], undefined, [1], [[2]]],
		['only the detail shows as printed is left out', [false, undefined], true, [1], [[2]]],
		[
			'no record says is an error, and not printed twice',
			[false, undefined],
			undefined,
			[1],
			[unknown],
		],
	])('what %s', async (_, inList, inDetail, ids, says) => {
		expect(await select(inList, inDetail)).toEqual({ ids, says });
	});

	test('a label that an earlier try has only created is printed, whatever its record says', async () => {
		const store = {};
		requestedLabels(contextOf(store))[2] = true;
		expect((await select([false, true], undefined, store)).ids).toEqual([1, 2]);
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
	expect(wanted.map(({ id, orderNumber }) => [id, orderNumber])).toEqual([
		[1, 'A-1'],
		[3, 'A-1'],
	]);
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
		'The provider may not show all pieces of 1 shipment: ID 1 (1 of 2). Unless the others are canceled, enter their IDs, which Shipment: Create has returned.';

	test('if its ID was chosen, and not that of the other piece', async () => {
		expect(await hintsFor({ item: 0, shipmentIds: [1] })).toEqual([hint]);
		expect(await hintsFor({ item: 0, shipmentIds: [1, 2] })).toEqual([]);
		expect(await hintsFor({ item: 0, shipmentIds: [1] }, [{ id: 1 }, { id: 2 }])).toEqual([]);
	});
});
