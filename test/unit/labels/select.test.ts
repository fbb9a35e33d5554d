import { selectShipments } from '../../../nodes/ParcelShipping/labels/select';
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
	async function select(listed: object[] | number) {
		const hints: string[] = [];
		const { client } = clientOf(({ path }) => {
			if (path.includes('/ANT/1')) return responseOf(200, { result: [{ id: 1, printed: false }] });
			if (path.includes('/ANT/2')) return responseOf(404, { message: 'Not found' });
			if (typeof listed === 'number') return responseOf(listed, { message: 'Broken' });
			const data = listed.map((each) => ({ carrierCode: 'ANT', ...each }));
			return responseOf(200, { result: { data, total: data.length } });
		});
		const context = Object.assign(contextOf({}), {
			getNodeParameter: () => true,
			addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		});
		const run = { context, client, items: [{ json: {} }] } as unknown as NodeRun;
		const item = { item: 0, way: 'orderNumbers' as const, carrierCode: 'ANT', shipmentIds: [1, 2] };
		const { toPrint, results } = await selectShipments(run, [item]);
		return { ids: toPrint.map(({ id }) => id), results, hints };
	}

	test('an additional piece that only the list shows as printed is left out', async () => {
		const listed = [
			{ id: 1, printed: false },
			{ id: 2, printed: true },
		];
		const json = { skipped: true, alreadyPrinted: [2] };
		expect(await select(listed)).toEqual({ ids: [1], results: [{ items: [0], json }], hints: [] });
	});

	test('an additional piece that no record shows is printed, and named', async () => {
		const hint = expect.stringContaining('does not say whether the labels of these shipments');
		expect(await select([])).toEqual({ ids: [1, 2], results: [], hints: [hint] });
	});

	test('nothing is printed if the list that should say it cannot be read', async () => {
		const { ids, results } = await select(400);
		expect([ids, results]).toEqual([[], [{ items: [0], failure: expect.anything() }]]);
	});
});

test('pieces that the detail of a chosen shipment does not show are named', async () => {
	const hints: string[] = [];
	const { client } = clientOf(() => responseOf(200, { result: [{ id: 1 }] }));
	const context = Object.assign(contextOf({}), {
		getNodeParameter: (_: string, __: number, fallback: unknown) => fallback,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
	});
	const items = [{ json: { id: 1, carrierCode: 'ANT', pieceCount: 2 } }];
	const run = { context, client, items } as unknown as NodeRun;
	await selectShipments(run, [{ item: 0, way: 'ids', shipmentIds: [1] }]);
	expect(hints).toEqual([expect.stringContaining(': 1 (1 of 2).')]);
});
