import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';

import { type CancelItem, cancelShipments } from '../../../nodes/ParcelShipping/changes/cancel';
import type { NodeRun } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import type { FoundShipment } from '../../../nodes/ParcelShipping/transport/pieces';
import { pieceOf, shipmentWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

interface Service {
	/** The pieces in the detail, whichever ID is asked for. */
	detail: object[] | 'broken';
	/** The detail after a cancellation. */
	after?: object[];
	/** The numbers that are canceled, each with its own piece only. */
	accepts: string[];
}

/** One try to cancel shipment 1001, or the piece with this ID. Says what the output says of it. */
async function tryToCancel(service: Service, store: IDataObject = {}, id = 1001) {
	const { client, requests } = clientOf(({ path }) => {
		if (path.endsWith('/Cancel/') || path.endsWith('/Cancel')) {
			const result = ['N1', 'N2'].map((packageNumberCarrier) => {
				const successfull = service.accepts.includes(packageNumberCarrier);
				return { packageNumberCarrier, successfull, message: successfull ? null : 'Too late' };
			});
			return responseOf(200, { result, correlationId: '' });
		}
		const isAfter = requests.some((each) => each.path.includes('Cancel'));
		const result = (isAfter && service.after) || service.detail;
		return result === 'broken'
			? responseOf(400, { message: 'Broken' })
			: responseOf(200, { result, correlationId: '' });
	});
	const context = Object.assign(contextOf(store) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const [result] = await cancelShipments(run, [{ item: 0, carrierCode: 'ANT', shipmentIds: [id] }]);
	const hasSent = requests.some(({ path }) => path.includes('Cancel'));
	if (result && 'json' in result) return { said: result.json.canceled, hasSent };
	const { message: said, description: advice } = describeError(result?.failure);
	return { said, advice, hasSent };
}

const piece = (id: number | string, number: string | null, canceled = false) => ({
	...{ id, packageNumberCarrier: number, packageNumberCustom: '', canceled },
});

test('a shipment is canceled with the numbers of all of its pieces', async () => {
	const detail = [piece(1001, 'N1'), piece(1002, 'N2')];
	expect(await tryToCancel({ detail, accepts: ['N1', 'N2'] })).toEqual({
		said: true,
		hasSent: true,
	});
});

test('a piece that the service does not show with its ID is not reported as canceled', async () => {
	const detail = [piece(1001, 'N1')];
	expect(await tryToCancel({ detail, accepts: ['N1'] }, {}, 1002)).toMatchObject({
		said: 'The service does not show piece 1002 of shipment 1001',
		hasSent: false,
	});
});

test('an ID that the service writes as text is the same ID', async () => {
	const detail = [piece('1001', 'N1')];
	expect(await tryToCancel({ detail, accepts: ['N1'] })).toEqual({ said: true, hasSent: true });
});

test('a retry does not report a shipment as canceled of which one piece was refused', async () => {
	const store: IDataObject = {};
	const before = { detail: [piece(1001, 'N1'), piece(1002, 'N2')], accepts: ['N1'] };
	const refused = 'Shipment N2 was not canceled. The service said: Too late. Canceled with it: N1';
	expect((await tryToCancel(before, store)).said).toBe(refused);
	const after = { detail: [piece(1001, 'N1', true), piece(1002, 'N2')], accepts: ['N1'] };
	expect((await tryToCancel(after, store)).said).toBe(
		'Shipment N2 was not canceled. The service said: Too late',
	);
	// The other piece is canceled by then.
	const done = { detail: [piece(1001, 'N1', true), piece(1002, 'N2', true)], accepts: [] };
	expect(await tryToCancel(done, store)).toEqual({ said: true, hasSent: false });
});

test('a piece that an earlier try has canceled by its ID does not stand for its order', async () => {
	const ofOrder = (each: object) => ({ ...each, packageNumberCustom: 'A' });
	const { client, requests } = clientOf(({ path, body = '' }) => {
		if (!path.includes('/Cancel')) {
			return responseOf(200, { result: [piece(1001, 'N1'), piece(1002, 'N2')].map(ofOrder) });
		}
		const { packages } = JSON.parse(body) as { packages: string[] };
		const result = packages.map((number) => ({ packageNumberCarrier: number, successfull: true }));
		return responseOf(200, { result });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const byId = { item: 0, carrierCode: 'ANT', shipmentIds: [1002] };
	await cancelShipments(run, [byId]);
	const found = shipmentWith(
		{ ...pieceOf(1001, 'A'), number: 'N1' },
		{ ...pieceOf(1002, 'A'), number: 'N2', isCanceled: true },
	);
	const byOrder = { ...byId, item: 1, shipmentIds: [1001], found: new Map([[1001, found]]) };
	expect(await cancelShipments(run, [byId, byOrder])).toMatchObject([
		{ items: [0], json: { id: 1002 } },
		{ items: [1], json: { id: 1001, packageNumberCarrier: 'N1' } },
	]);
	const sent = requests.flatMap(({ path, body }) => (path.includes('/Cancel') ? body : []));
	expect(sent).toEqual(['{"packages":["N2"]}', '{"packages":["N1"]}']);
});

describe('A retry by order number after the shipment was created again since', () => {
	interface Found {
		execution: string;
		/** The living shipment of order A-1. Only 1001 can be canceled in the records. */
		id: number;
		isCanceled?: boolean;
		/** Requests to cancel, and those for details after them, are lost. */
		isBroken?: boolean;
	}
	const tryAgain = async (store: IDataObject, given: Found) => {
		const { execution, id, isCanceled = false, isBroken = false } = given;
		const { client, requests } = clientOf(({ path, body }) => {
			if (isBroken && requests.some((each) => each.path.includes('Cancel')))
				return responseOf(500, '');
			if (path.includes('Cancel')) {
				const { packages } = JSON.parse(body ?? '') as { packages: string[] };
				const result = packages.map((each) => ({ packageNumberCarrier: each, successfull: true }));
				return responseOf(200, { result, correlationId: '' });
			}
			const own = Number(/\d+/.exec(path)?.[0]);
			const detail = piece(own, `N${own}`, isCanceled && own === 1001);
			return responseOf(200, { result: [{ ...detail, packageNumberCustom: 'A-1' }] });
		});
		const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
			continueOnFail: () => true,
		}) as IExecuteFunctions;
		const pieces = [{ id, number: `N${id}`, isCanceled: isCanceled && id === 1001 }];
		const found = { id, carrierCode: 'ANT', reference: 'A-1', isGuessed: false, pieces };
		const byId = new Map([[id, found as FoundShipment]]);
		const items = [{ item: 0, carrierCode: 'ANT', shipmentIds: [id], found: byId }];
		const run = { context, client, items: [] } as NodeRun;
		const [result] = await cancelShipments(run, items);
		const sent = requests.flatMap(({ path, body }) => (path.includes('Cancel') ? body : []));
		return { output: result && 'json' in result ? result.json.id : 'error', sent };
	};
	const sent = ['{"packages":["N1001"]}'];

	test('returns what an earlier try has canceled, and leaves the new one alone', async () => {
		const store: IDataObject = {};
		expect(await tryAgain(store, { execution: '1', id: 1001 })).toEqual({ output: 1001, sent });
		const again = { execution: '2', id: 1003, isCanceled: true };
		expect(await tryAgain(store, again)).toEqual({ output: 1001, sent: [] });
	});

	test('leaves the new one alone also if the first one was canceled before', async () => {
		const store: IDataObject = {};
		const first = { execution: '1', id: 1001, isCanceled: true };
		expect(await tryAgain(store, first)).toEqual({ output: 1001, sent: [] });
		const again = { execution: '2', id: 1003, isCanceled: true };
		expect(await tryAgain(store, again)).toEqual({ output: 1001, sent: [] });
	});

	test('leaves the new one alone also if it was not certain what was canceled', async () => {
		const store: IDataObject = {};
		const lost = { execution: '1', id: 1001, isBroken: true };
		expect(await tryAgain(store, lost)).toEqual({ output: 'error', sent });
		const again = { execution: '2', id: 1003 };
		// The records say that 1001 is not canceled, so it is sent again.
		expect(await tryAgain(store, again)).toEqual({ output: 1001, sent });
	});
});

test('the error of a shipment that is canceled in part names the canceled numbers', async () => {
	const detail = [piece(1001, 'N1'), piece(1002, 'N2')];
	const { said } = await tryToCancel({ detail, accepts: ['N1'] });
	expect(said).toBe(
		'Shipment N2 was not canceled. The service said: Too late. Canceled with it: N1',
	);
});

test('a shipment with a piece without a number is reported as canceled only if its records say it', async () => {
	const detail = [piece(1001, 'N1'), piece(1002, null)];
	expect(await tryToCancel({ detail, accepts: ['N1'] })).toMatchObject({
		said: 'Could not confirm whether shipment 1001 was canceled. Canceled with it: N1',
		advice: expect.stringContaining('A piece has no shipment number yet'),
	});
	// The service cancels all pieces with one number.
	const after = [piece(1001, 'N1', true), piece(1002, null, true)];
	expect((await tryToCancel({ detail, after, accepts: ['N1'] })).said).toBe(true);
});

test('what is left of a shipment that was canceled in part is canceled, although it has no detail', async () => {
	const tryWith = async (found: FoundShipment, before: CancelItem[] = []) => {
		const { client, requests } = clientOf(({ path }) =>
			path.includes('/Cancel')
				? responseOf(200, { result: [{ packageNumberCarrier: 'N2', successfull: true }] })
				: responseOf(404, { message: 'Not found', reference: '1002' }),
		);
		const context = Object.assign(contextOf({}) as unknown as object, {
			continueOnFail: () => true,
		}) as IExecuteFunctions;
		const byOrder = { carrierCode: 'ANT', shipmentIds: [1002], found: new Map([[1002, found]]) };
		const items = [...before, { item: 0, ...byOrder }];
		const results = await cancelShipments({ context, client, items: [] } as NodeRun, items);
		return { results, hasSent: requests.some(({ path }) => path.includes('/Cancel')) };
	};
	const left = shipmentWith({ ...pieceOf(1002, 'A'), number: 'N2' });
	expect(await tryWith(left)).toMatchObject({
		results: [{ json: { canceled: true, packageNumberCarrier: 'N2' } }],
		hasSent: true,
	});
	// The ID alone says too little, which is no reason against the order number.
	expect(await tryWith(left, [{ item: 1, carrierCode: 'ANT', shipmentIds: [1002] }])).toMatchObject(
		{
			results: [{ failure: {} }, { json: { canceled: true, packageNumberCarrier: 'N2' } }],
			hasSent: true,
		},
	);
	// It may contain a piece of another shipment.
	expect(await tryWith({ ...left, isGuessed: true })).toMatchObject({
		results: [{ failure: {} }],
		hasSent: false,
	});
});

test.each([undefined, null])(
	'a number that the list has as %j was canceled before if the detail says so',
	async (packageNumberCarrier) => {
		const { client } = clientOf(({ path }) => {
			if (path.includes('/Cancel')) {
				const row = { packageNumberCarrier: 'N1', successfull: false, message: 'Canceled' };
				return responseOf(200, { result: [row] });
			}
			const listed = { id: 1001, carrierCode: 'ANT', packageNumberCarrier };
			return path.includes('/Find')
				? responseOf(200, { result: { data: [listed], total: 1 } })
				: responseOf(200, { result: [piece(1001, 'N1', true)] });
		});
		const context = Object.assign(contextOf({}) as unknown as object, {
			continueOnFail: () => true,
		}) as IExecuteFunctions;
		const run = { context, client, items: [] } as NodeRun;
		const items = [{ item: 0, carrierCode: 'ANT', numbers: ['N1'] }];
		expect(await cancelShipments(run, items)).toMatchObject([
			{ json: { canceled: true, alreadyCanceled: true } },
		]);
	},
);

test('a number that two carriers have is two outputs, also if the retry has other items', async () => {
	const { client } = clientOf(() =>
		responseOf(200, { result: [{ packageNumberCarrier: 'N1', successfull: true }] }),
	);
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const items = ['ANT', 'BEE'].map((carrierCode, item) => ({ item, carrierCode, numbers: ['N1'] }));
	const first = await cancelShipments(run, items);
	expect(first).toMatchObject([{ json: { carrierCode: 'ANT' } }, { json: { carrierCode: 'BEE' } }]);
	expect(await cancelShipments(run, [])).toEqual(first);
});

describe('A shipment of two pieces of which the detail has only the main one', () => {
	const detailOf = (canceled?: boolean) => {
		const detail = omit(piece(1001, 'N1'), 'canceled');
		return { ...detail, packageNumberCustom: 'A', ...(canceled === undefined ? {} : { canceled }) };
	};
	/** One try by order number. `found` has what is listed of the order. */
	const tryWith = async (
		found: FoundShipment,
		detail: object,
		{ accepts = ['N1'], store = {} }: { accepts?: string[]; store?: IDataObject } = {},
	) => {
		const { client, requests } = clientOf(({ path, body = '' }) => {
			if (path.includes('/Find')) return responseOf(200, { result: { data: [], total: 0 } });
			if (!path.includes('/Cancel')) return responseOf(200, { result: [detail] });
			const { packages } = JSON.parse(body) as { packages: string[] };
			const result = packages.map((number) => ({
				packageNumberCarrier: number,
				successfull: accepts.includes(number),
			}));
			return responseOf(200, { result });
		});
		const context = Object.assign(contextOf(store) as unknown as object, {
			continueOnFail: () => true,
		}) as IExecuteFunctions;
		const { id } = found;
		const items = [
			{ item: 0, carrierCode: 'ANT', shipmentIds: [id], found: new Map([[id, found]]) },
		];
		const [result] = await cancelShipments({ context, client, items: [] } as NodeRun, items);
		const said =
			result && 'failure' in result ? describeError(result.failure).message : result?.json;
		return { said, hasSent: requests.some(({ path }) => path.includes('/Cancel')) };
	};
	const first = { ...pieceOf(1001, 'A'), number: 'N1' };
	const second = { ...pieceOf(1002, 'A'), number: 'N2' };
	const part =
		'Could not confirm whether shipment 1001 of order A was canceled. Canceled with it: N1';

	test('is canceled in a retry if only its additional piece was canceled before', async () => {
		const store = {};
		const both = shipmentWith(first, second);
		await tryWith(both, detailOf(false), { store, accepts: ['N2'] });
		const retried = await tryWith(shipmentWith(first), detailOf(false), { store });
		expect(retried).toMatchObject({ said: { canceled: true }, hasSent: true });
	});

	test('is not confirmed as canceled without the piece that has no number', async () => {
		const withoutNumber = { ...second, number: '' };
		const { said } = await tryWith(shipmentWith(first, withoutNumber), detailOf(true));
		expect(said).toEqual(part);
	});

	test('is canceled without a piece that nothing but the order connects with it', async () => {
		const guessed = { ...shipmentWith(first, second), isGuessed: true };
		const before = shipmentWith({ ...first, isCanceled: true }, { ...second, isCanceled: true });
		for (const [found, canceled] of [[guessed, false] as const, [before, true] as const]) {
			const tried = await tryWith({ ...found, isGuessed: true }, detailOf(canceled));
			expect(tried).toEqual({
				said: expect.objectContaining({ canceled: true, alreadyCanceled: canceled }),
				hasSent: !canceled,
			});
		}
	});

	test('was canceled before if only the list says it', async () => {
		const canceled = shipmentWith({ ...first, isCanceled: true });
		expect(await tryWith(canceled, detailOf())).toMatchObject({
			said: { canceled: true, alreadyCanceled: true },
			hasSent: false,
		});
	});
});

test.each([
	['was canceled before', true, { json: { canceled: true, alreadyCanceled: true } }],
	[
		'is not known',
		undefined,
		{ failure: { message: expect.stringContaining('lists no shipment') } },
	],
])(
	'a single number that the service refuses as a whole and that %s',
	async (_, canceled, result) => {
		const { client } = clientOf(({ path }) => {
			if (path.includes('/Cancel')) return responseOf(400, { message: 'Invalid' });
			const listed = { id: 1001, carrierCode: 'ANT', packageNumberCarrier: 'N1', canceled };
			const data = canceled === undefined ? [] : [listed];
			return responseOf(200, { result: { data, total: data.length } });
		});
		const context = Object.assign(contextOf({}) as unknown as object, {
			continueOnFail: () => true,
		}) as IExecuteFunctions;
		const run = { context, client, items: [] } as NodeRun;
		const items = [{ item: 0, carrierCode: 'ANT', numbers: ['N1'] }];
		expect(await cancelShipments(run, items)).toMatchObject([result]);
	},
);

test('numbers that were all canceled before, and that the service refuses, are canceled', async () => {
	const { client } = clientOf(({ path, body = '' }) => {
		if (path.includes('/Cancel')) return responseOf(400, { message: 'Invalid' });
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, carrierCode: 'ANT', packageNumberCarrier: search, canceled: true };
		return responseOf(200, { result: { data: [listed], total: 1 } });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const items = [{ item: 0, carrierCode: 'ANT', numbers: ['N1', 'N2'] }];
	const json = { canceled: true, alreadyCanceled: true };
	expect(await cancelShipments(run, items)).toMatchObject([{ json }, { json }]);
});

/** What comes of numbers N1 and N2, by their order. The responses to the requests come from `respond`. */
async function cancelNumbers(respond: Parameters<typeof clientOf>[0]) {
	const { client } = clientOf(respond);
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const run = { context, client, items: [] } as NodeRun;
	const items = [{ item: 0, carrierCode: 'ANT', numbers: ['N1', 'N2'] }];
	const results = await cancelShipments(run, items);
	const said = results.map((result) =>
		'failure' in result ? describeError(result.failure) : result.json,
	);
	return { said };
}

test('each canceled number has the correlation ID of its own request', async () => {
	const { said } = await cancelNumbers(({ body = '' }) => {
		const { packages } = JSON.parse(body) as { packages: string[] };
		if (packages.length > 1) return responseOf(400, { message: 'One by one' });
		const result = packages.map((number) => ({ packageNumberCarrier: number, successfull: true }));
		return responseOf(200, { result, correlationId: `of ${packages.join()}` });
	});
	expect(said).toMatchObject([{ correlationId: 'of N1' }, { correlationId: 'of N2' }]);
});

test('a number without a row has the correlation ID of the response', async () => {
	const { said } = await cancelNumbers(({ path, body = '' }) => {
		if (path.includes('/Cancel')) {
			const result = [{ packageNumberCarrier: 'N1', successfull: true }];
			return responseOf(200, { result, correlationId: 'c' });
		}
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, carrierCode: 'ANT', packageNumberCarrier: search, canceled: true };
		return responseOf(200, { result: { data: [listed], total: 1 } });
	});
	expect(said).toMatchObject([
		{ correlationId: 'c', recovered: false },
		{ correlationId: 'c', recovered: true },
	]);
});

test('numbers that the service refuses each are looked up, and each error has the reason', async () => {
	const { said } = await cancelNumbers(({ path, body = '{}' }) => {
		if (path.includes('/Cancel')) return responseOf(400, { message: 'No contract' });
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, carrierCode: 'ANT', packageNumberCarrier: search, canceled: false };
		return responseOf(200, { result: { data: [listed], total: 1 } });
	});
	expect(said).toMatchObject(
		['N1', 'N2'].map((number) => ({
			message: `Shipment ${number} was not canceled. The service said: No contract`,
		})),
	);
});

test('a number that the service refuses alone does not fail the others', async () => {
	const { said } = await cancelNumbers(({ path, body = '' }) => {
		if (!path.includes('/Cancel')) return responseOf(403, { message: 'Not allowed' });
		const { packages } = JSON.parse(body) as { packages: string[] };
		if (packages.includes('N2')) return responseOf(400, { message: 'N2 is too old' });
		const result = [{ packageNumberCarrier: 'N1', successfull: true }];
		return responseOf(200, { result, correlationId: 'c' });
	});
	expect(said).toMatchObject([
		{ packageNumberCarrier: 'N1', canceled: true },
		{ description: expect.stringContaining('N2 is too old') },
	]);
});

test('if the response without the refused number is lost, the records say what is canceled', async () => {
	const { said } = await cancelNumbers(({ path, body = '' }) => {
		if (path.includes('/Cancel')) {
			const { packages } = JSON.parse(body) as { packages: string[] };
			return packages.includes('N2')
				? responseOf(400, { message: 'N2 is too old' })
				: responseOf(502, 'Bad gateway');
		}
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, packageNumberCarrier: search, canceled: search === 'N1' };
		return responseOf(200, { result: { data: [{ ...listed, carrierCode: 'ANT' }], total: 1 } });
	});
	expect(said).toMatchObject([
		{ packageNumberCarrier: 'N1', canceled: true, recovered: true },
		{ message: expect.stringContaining('N2 is too old') },
	]);
});
