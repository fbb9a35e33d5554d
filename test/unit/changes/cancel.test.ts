import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { omit } from 'lodash';

import { type CancelItem, cancelShipments } from '../../../nodes/ParcelShipping/changes/cancel';
import { keyOfCanceled } from '../../../nodes/ParcelShipping/changes/cancelAct';
import { cancelWrite } from '../../../nodes/ParcelShipping/changes/cancelWrite';
import type { ItemResult, NodeRun } from '../../../nodes/ParcelShipping/run';
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

test('a shipment without any number is not reported as canceled', async () => {
	expect(await tryToCancel({ detail: [piece(1001, null)], accepts: [] })).toMatchObject({
		said: 'Shipment 1001 has no shipment number of carrier ANT yet',
		hasSent: false,
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
	expect(await tryToCancel(after, store)).toMatchObject({ said: refused, hasSent: false });
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
		given: { accepts?: string[]; store?: IDataObject; execution?: string } = {},
	) => {
		const { accepts = ['N1'], store = {}, execution = '1' } = given;
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
		const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
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

	test('is canceled in a retry by a person if only its additional piece was canceled before', async () => {
		const store = {};
		const both = shipmentWith(first, second);
		await tryWith(both, detailOf(false), { store, accepts: ['N2'] });
		const again = { store, execution: '2' };
		const retried = await tryWith(shipmentWith(first), detailOf(false), again);
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

test('the records are read again as long as they do not show a piece without a number as canceled', () => {
	const { client } = clientOf(() => responseOf(200, {}));
	const target = {
		...{ carrierCode: 'ANT', id: 1001, reference: 'A', isOfOrder: false, items: [0] },
		...{ number: 'N1', numbers: ['N1'], pieceCount: 2 },
	};
	const row = { number: 'N1', state: 'canceled', said: null, correlationId: null } as const;
	const toSearch = (isCanceled: boolean) => {
		const pieces = [
			{ ...pieceOf(1001, 'A'), number: 'N1', isCanceled: true },
			{ ...pieceOf(1002, 'A'), number: '', isCanceled },
		];
		const records = [{ key: keyOfCanceled(target), pieces }];
		const request = { carrierCode: 'ANT', targets: [target] };
		const known = { request, response: { rows: [row] }, records, searches: 1 };
		return cancelWrite(client).judge(known).toSearch;
	};
	expect(toSearch(false)).toEqual([target]);
	expect(toSearch(true)).toEqual([]);
});

test('text instead of yes or no does not say that a number is canceled', async () => {
	const { said } = await cancelNumbers(({ path }) => {
		if (!path.includes('/Cancel')) return responseOf(200, { result: { data: [], total: 0 } });
		const result = ['N1', 'N2'].map((packageNumberCarrier) => {
			return { packageNumberCarrier, successfull: 'false' };
		});
		return responseOf(200, { result });
	});
	const message = expect.stringContaining('Could not confirm');
	expect(said).toMatchObject([{ message }, { message }]);
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

test.each([
	['the records do not show them as canceled', 200],
	['the records cannot be read', 400],
])('numbers that the service refuses each fail with its reason, if %s', async (_, status) => {
	const { said } = await cancelNumbers(({ path, body = '{}' }) => {
		if (path.includes('/Cancel')) return responseOf(400, { message: 'No contract' });
		if (status !== 200) return responseOf(status, { message: 'Broken' });
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, carrierCode: 'ANT', packageNumberCarrier: search, canceled: false };
		return responseOf(200, { result: { data: [listed], total: 1 } });
	});
	const message = 'The service said: No contract';
	expect(said).toMatchObject([{ message }, { message }]);
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
		{
			description:
				'The service said: N2 is too old. The service does not allow this request (403). Check the shipment with Shipment: Get before you cancel it again.',
			details: { statusCode: 400, endpoint: expect.stringContaining('Cancel') },
		},
	]);
});

test('if the response without the refused number is lost, the records say what is canceled', async () => {
	const { said } = await cancelNumbers(({ path, body = '' }) => {
		if (path.includes('/Cancel')) {
			const { packages } = JSON.parse(body) as { packages: string[] };
			return packages.includes('N2')
				? responseOf(400, { message: 'N2 is too old' })
				: { ...responseOf(502, 'Bad gateway'), headers: { 'x-correlation-id': 'lost' } };
		}
		const { search } = JSON.parse(body) as { search: string };
		const listed = { id: 1, packageNumberCarrier: search, canceled: search === 'N1' };
		return responseOf(200, { result: { data: [{ ...listed, carrierCode: 'ANT' }], total: 1 } });
	});
	expect(said).toMatchObject([
		{ packageNumberCarrier: 'N1', canceled: true, recovered: true, correlationId: 'lost' },
		{ message: expect.stringContaining('N2 is too old') },
	]);
});

interface PieceAtService {
	id: number;
	main: number;
	number: string;
	reference?: string;
	canceled?: boolean;
	/** Why it cannot be canceled. */
	refusal?: string;
}

/** A service with these pieces, which cancels each with its own number. `refuse` may give another response to a cancellation. */
function serviceWith(
	pieces: PieceAtService[],
	refuse: (packages: string[]) => ReturnType<typeof responseOf> | undefined = () => undefined,
) {
	let sent: string[][] = [];
	let searched: string[] = [];
	const toRecord = ({ id, main, number, canceled = false, reference = 'A' }: PieceAtService) => ({
		...{ id, carrierCode: 'ANT', packageNumberCarrier: number, canceled },
		...{ packageNumberCustom: reference, ...(main === id ? {} : { masterId: main }) },
	});
	const { client } = clientOf(({ path, body = '{}' }) => {
		const { packages, search } = JSON.parse(body) as { packages: string[]; search: string };
		if (path.includes('/Cancel')) {
			sent.push(packages);
			const result = packages.flatMap((number) => {
				const own = pieces.find((each) => each.number === number);
				if (!own) return [];
				const { refusal: message } = own;
				if (!message) own.canceled = true;
				return { packageNumberCarrier: number, successfull: !message, message };
			});
			return refuse(packages) ?? responseOf(200, { result });
		}
		if (path.includes('/Find')) {
			searched.push(search);
			const data = pieces.filter(({ number }) => number === search).map(toRecord);
			return responseOf(200, { result: { data, total: data.length } });
		}
		const id = Number(/\d+/.exec(path)?.[0]);
		const own = pieces.find((each) => each.id === id);
		const result = pieces.filter(({ main }) => main === own?.main).map(toRecord);
		return result.length > 0
			? responseOf(200, { result })
			: responseOf(404, { message: 'Not found', reference: `${id}` });
	});
	const cancel = async (
		items: CancelItem[],
		store: IDataObject = {},
		execution = '1',
		continues = true,
		failedBefore: ItemResult[] = [],
	) => {
		[sent, searched] = [[], []];
		const context = Object.assign(contextOf(store, { execution }) as unknown as object, {
			continueOnFail: () => continues,
		}) as IExecuteFunctions;
		const run = { context, client, items: [] } as NodeRun;
		const results = await cancelShipments(run, items, failedBefore);
		const outputs = results.map((result) =>
			'failure' in result
				? { items: result.items, ...describeError(result.failure) }
				: { items: result.items, ...result.json },
		);
		return { outputs, sent, searched };
	};
	return { cancel, client };
}

const byNumbers = (...numbers: string[]): CancelItem[] => [
	{ item: 0, carrierCode: 'ANT', numbers },
];
const byIds = (item: number, ...shipmentIds: number[]): CancelItem => ({
	...{ item, carrierCode: 'ANT', shipmentIds },
});
/** What the list shows of order A. */
const byOrder = (
	item: number,
	...listed: Array<[id: number, number: string, canceled?: boolean]>
) => {
	const pieces = listed.map(([id, number, isCanceled = false]) => ({
		...pieceOf(id, 'A'),
		...{ number, isCanceled },
	}));
	const found = shipmentWith(...(pieces as Parameters<typeof shipmentWith>));
	return { ...byIds(item, found.id), found: new Map([[found.id, found]]) } as CancelItem;
};
const first: PieceAtService = { id: 1001, main: 1001, number: 'N1' };
const second: PieceAtService = { id: 1002, main: 1001, number: 'N2' };

test('a shipment is not canceled because the list shows only its main piece, which is', async () => {
	const tooLate = { ...second, refusal: 'Too late' };
	const pieces = [{ ...first }, tooLate];
	const { cancel } = serviceWith(pieces);
	expect((await cancel([byOrder(0, [1001, 'N1'], [1002, 'N2'])])).outputs).toMatchObject([
		{
			message:
				'Shipment N2 of order A was not canceled. The service said: Too late. Canceled with it: N1',
		},
	]);
	tooLate.refusal = '';
	expect(await cancel([byOrder(0, [1001, 'N1', true])])).toMatchObject({
		outputs: [{ id: 1001, canceled: true, alreadyCanceled: false }],
		sent: [['N2']],
	});
});

describe('A retry after a shipment was canceled in part', () => {
	const createdAgain: PieceAtService = { id: 1005, main: 1005, number: 'N5' };

	test.each([
		['a piece was refused', { ...second, refusal: 'Too late' }],
		['a piece has no number', { ...second, number: '' }],
	])('leaves the one alone that was created again, if %s', async (_, other) => {
		const store = {};
		const pieces = [{ ...first }, other];
		const { cancel } = serviceWith(pieces);
		const { outputs } = await cancel([byOrder(0, [1001, 'N1'], [1002, other.number])], store);
		expect(outputs).toMatchObject([{ message: expect.stringContaining('Canceled with it: N1') }]);
		other.canceled = true;
		pieces.push({ ...createdAgain });
		expect(await cancel([byOrder(0, [1005, 'N5'])], store, '2')).toMatchObject({
			outputs: [{ id: 1001, canceled: true }],
			sent: [],
		});
	});

	test('leaves the one alone that was created again, also if the records do not show the rest as canceled', async () => {
		const store = {};
		const pieces = [{ ...first }, { ...second, refusal: 'Too late' }];
		const { cancel } = serviceWith(pieces);
		await cancel([byOrder(0, [1001, 'N1'], [1002, 'N2'])], store);
		pieces.push({ ...createdAgain, refusal: '' });
		const { sent } = await cancel([byOrder(0, [1005, 'N5'])], store, '2');
		expect(sent.flat()).not.toContain('N5');
	});

	test('leaves it alone also after a retry in which the rest was refused again', async () => {
		const store = {};
		const pieces = [{ ...first }, { ...second, refusal: 'Too late' }];
		const { cancel } = serviceWith(pieces);
		await cancel([byOrder(0, [1001, 'N1'], [1002, 'N2'])], store);
		const again = await cancel([byOrder(0, [1001, 'N1', true], [1002, 'N2'])], store, '2');
		expect(again.outputs).toMatchObject([{ message: expect.stringContaining('with it: N1') }]);
		expect(again.sent).toEqual([['N2']]);
		Object.assign(pieces[1] ?? {}, { canceled: true });
		pieces.push({ ...createdAgain });
		expect(await cancel([byOrder(0, [1005, 'N5'])], store, '3')).toMatchObject({
			outputs: [{ id: 1001, canceled: true }],
			sent: [],
		});
	});

	test('sends the rest of which the request failed without an effect', async () => {
		const store = {};
		let isBusy = true;
		const pieces: PieceAtService[] = [{ ...first }, { ...second }];
		const { cancel } = serviceWith(pieces, (packages) => {
			if (!isBusy || packages.join() === 'N2') return undefined;
			for (const each of pieces) if (packages.includes(each.number)) each.canceled = false;
			return packages.length > 1
				? responseOf(400, { message: 'One by one' })
				: responseOf(401, { message: 'No' });
		});
		const failed = await cancel([byIds(0, 1001)], store);
		expect(failed.outputs).toMatchObject([{ message: expect.stringContaining('with it: N2') }]);
		isBusy = false;
		const { outputs, sent } = await cancel([byIds(0, 1001)], store, '2');
		expect(outputs).toMatchObject([{ id: 1001, canceled: true }]);
		expect(sent).toEqual([['N1']]);
	});

	test('sends the rest if a person retries, also what has got its number since', async () => {
		const store = {};
		const other = { ...second, number: '' };
		const { cancel } = serviceWith([{ ...first }, other]);
		await cancel([byIds(0, 1001)], store);
		other.number = 'N2';
		// Not by itself.
		expect(await cancel([byIds(0, 1001)], store)).toMatchObject({
			outputs: [{ message: expect.stringContaining('Could not confirm') }],
			sent: [],
		});
		expect(await cancel([byIds(0, 1001)], store, '2')).toMatchObject({
			outputs: [{ id: 1001, canceled: true }],
			sent: [['N2']],
		});
	});
});

test('a number that a later shipment uses again is not canceled because the first shipment is', async () => {
	const pieces = [
		{ ...first, canceled: true, refusal: 'Too late' },
		{ ...first, id: 1005, main: 1005, refusal: 'Too late' },
	];
	const { cancel } = serviceWith(pieces);
	const message = 'Shipment N1 was not canceled. The service said: Too late';
	expect((await cancel(byNumbers('N1'))).outputs).toMatchObject([{ message }]);
});

test('a retry by a person sends again what is not known, although the shipment cannot be read', async () => {
	const store = {};
	let isLost = true;
	const piece = { ...first, refusal: 'x' };
	const { cancel } = serviceWith([piece], () => (isLost ? responseOf(502, '') : undefined));
	await cancel([byIds(0, 1001)], store);
	isLost = false;
	// It has no detail any more.
	Object.assign(piece, { id: 1009, refusal: '' });
	expect(await cancel([byIds(0, 1001)], store, '2')).toMatchObject({
		outputs: [{ id: 1001, canceled: true }],
		sent: [['N1']],
	});
});

test('what an earlier try has canceled of a shipment is named, also if the retry of a person sends nothing', async () => {
	const store = {};
	const { cancel } = serviceWith([{ ...first }, { ...second, refusal: 'Too late' }]);
	await cancel([byIds(0, 1001)], store);
	const { outputs, sent } = await cancel([byIds(0, 1001), byIds(1, 9)], store, '2', false);
	expect(outputs).toMatchObject([
		{ message: 'Carrier ANT has no shipment with ID 9' },
		{ message: expect.stringContaining('Canceled with it: N1') },
	]);
	expect(sent).toEqual([]);
});

test('a retry that sends nothing, because an item fails before, names what is still unknown', async () => {
	const store = {};
	const { cancel } = serviceWith([{ ...first, refusal: 'x' }], () => responseOf(502, ''));
	await cancel([byIds(0, 1001)], store);
	const failedBefore = [{ items: [1], failure: new Error('Invalid item') }];
	expect(await cancel([], store, '2', false, failedBefore)).toMatchObject({
		outputs: [{ items: [0], message: expect.stringContaining('Could not confirm') }],
		sent: [],
	});
});

test('a retry in which another shipment is refused names what is still unknown', async () => {
	const store = {};
	let isLost = true;
	const pieces = [{ ...first }, { ...first, id: 1005, main: 1005, number: 'N9', refusal: 'x' }];
	const { cancel } = serviceWith(pieces, () => (isLost ? responseOf(502, '') : undefined));
	Object.assign(pieces[0] ?? {}, { refusal: 'x' });
	await cancel(byNumbers('N1'), store);
	isLost = false;
	const { outputs } = await cancel(byNumbers('N9'), store, '2', false);
	expect(outputs).toMatchObject([
		{ message: expect.stringContaining('Shipment N9 was not canceled') },
		{ message: expect.stringContaining('Could not confirm') },
	]);
});

test('a shipment that items name by its ID and its order number stands for the order in a retry', async () => {
	const store = {};
	const { cancel } = serviceWith([{ ...first }, { id: 1005, main: 1005, number: 'N5' }]);
	await cancel([byIds(0, 1001), byOrder(1, [1001, 'N1'])], store);
	expect(await cancel([byIds(0, 1001), byOrder(1, [1005, 'N5'])], store, '2')).toMatchObject({
		outputs: [
			{ items: [0], id: 1001 },
			{ items: [1], id: 1001 },
		],
		sent: [],
	});
});

describe('Numbers of which it is certain that they were not canceled', () => {
	test('fail with the reason that the carrier gives for each, and n8n may send them again', async () => {
		const numbers = Array.from({ length: 20 }, (_, at) => `N${at + 1}`);
		const pieces = numbers.map((number, at) => ({
			...{ id: at + 1, main: at + 1, number, refusal: 'No contract' },
		}));
		const { cancel } = serviceWith(pieces, () => responseOf(400, { message: 'No contract' }));
		const store = {};
		const { outputs, searched } = await cancel(byNumbers(...numbers), store);
		expect(outputs).toMatchObject(
			numbers.map(() => ({ message: 'The service said: No contract' })),
		);
		expect(searched.length).toBeLessThan(10);
		const again = await cancel(byNumbers(...numbers), store);
		expect(new Set(again.sent.flat())).toEqual(new Set(numbers));
	});

	test('are not looked up, and have the error of their request', async () => {
		const { cancel } = serviceWith([{ ...first }, { ...second, main: 1002 }], (packages) =>
			packages.includes('N2')
				? responseOf(400, { message: 'N2 is too old' })
				: responseOf(403, { message: 'Not allowed' }),
		);
		const store = {};
		const { outputs, searched } = await cancel(byNumbers('N1', 'N2'), store);
		expect(outputs[0]).toMatchObject({
			message: 'The service does not allow this request (403)',
			details: { statusCode: 403, packageNumberCarrier: 'N1' },
		});
		expect(searched).toEqual(['N2']);
		expect((await cancel(byNumbers('N1', 'N2'), store)).sent.flat()).toContain('N1');
	});
});

test('a part whose response is lost does not keep the other parts from being sent', async () => {
	const pieces = ['N1', 'N2', 'N3', 'N4'].map((number, at) => ({ id: at, main: at, number }));
	const { cancel } = serviceWith(pieces, (packages) => {
		if (packages.length > 2) return responseOf(400, { message: 'Too many' });
		return packages.includes('N4') ? responseOf(502, 'Bad gateway') : undefined;
	});
	const { outputs, sent } = await cancel(byNumbers('N1', 'N2', 'N3', 'N4'));
	expect(sent).toContainEqual(['N1', 'N2']);
	expect(outputs).toMatchObject(Array.from({ length: 4 }, () => ({ canceled: true })));
});

test.each([
	['a message beside no result', responseOf(200, { result: null, message: 'Accepted' })],
	['a refusal that is cut off', responseOf(400, '{"result":[{"packageNumberCarrier":"N1"')],
])('what may be canceled after %s is not sent again', async (_, response) => {
	const pieces = [
		{ ...first, refusal: 'x' },
		{ ...second, main: 1002, refusal: 'x' },
	];
	const { cancel } = serviceWith(pieces, () => response);
	const store = {};
	const { outputs, sent } = await cancel(byNumbers('N1', 'N2'), store);
	const message = expect.stringContaining('Could not confirm') as string;
	expect(outputs).toMatchObject([{ message }, { message }]);
	expect(sent).toEqual([['N1', 'N2']]);
	expect((await cancel(byNumbers('N1', 'N2'), store)).sent).toEqual([]);
});

test('each item that names a shipment has an output or an error', async () => {
	const items = [byIds(0, 1001), byIds(1, 1001)];
	expect((await serviceWith([{ ...first }]).cancel(items)).outputs).toMatchObject([
		{ items: [0], id: 1001 },
		{ items: [1], id: 1001 },
	]);
	const refused = serviceWith([{ ...first, refusal: 'Too late' }]);
	const message = expect.stringContaining('Too late') as string;
	expect((await refused.cancel(items)).outputs).toMatchObject([
		{ items: [0], message },
		{ items: [1], message },
	]);
});

test('two items that name one shipment cancel all pieces that one of them shows', async () => {
	const detail = { ...first };
	const { cancel } = serviceWith([detail, { ...second, main: 1002 }]);
	const items = [byIds(0, 1001), byOrder(1, [1001, 'N1'], [1002, 'N2'])];
	expect((await cancel(items)).sent).toEqual([['N1', 'N2']]);
	// The piece without a number is not canceled.
	const hidden = [byIds(0, 1001), byOrder(1, [1001, 'N1'], [1002, ''])];
	const message = expect.stringContaining('Could not confirm') as string;
	expect((await serviceWith([{ ...first }]).cancel(hidden)).outputs).toMatchObject([
		{ message },
		{ message },
	]);
});

test('a refusal without words of the service gets none', async () => {
	const { cancel } = serviceWith([{ ...first, refusal: 'x' }], () => responseOf(400, ''));
	const [output] = (await cancel(byNumbers('N1'))).outputs;
	expect(output).toMatchObject({
		message: 'The service did not cancel shipment N1',
		details: { statusCode: 400 },
	});
	expect(output).not.toHaveProperty('details.serviceMessage');
});

test('a search that fails does not hide what others have found', async () => {
	const { client } = clientOf(({ path, body = '{}' }) => {
		if (path.includes('/Cancel')) return responseOf(502, '');
		if (!path.includes('/Find'))
			return responseOf(404, { message: 'Not found', reference: '1001' });
		const { search } = JSON.parse(body) as { search: string };
		if (search === 'N2') return responseOf(400, { message: 'Broken' });
		const listed = { id: 1001, carrierCode: 'ANT', packageNumberCarrier: 'N1', canceled: true };
		return responseOf(200, { result: { data: [listed], total: 1 } });
	});
	const context = Object.assign(contextOf({}) as unknown as object, {
		continueOnFail: () => true,
	}) as IExecuteFunctions;
	const items = [byOrder(0, [1001, 'N1'], [1002, 'N2'])];
	const [result] = await cancelShipments({ context, client, items: [] } as NodeRun, items);
	expect(result && 'failure' in result && describeError(result.failure).message).toBe(
		'Could not confirm whether shipment N2 of order A was canceled. Canceled with it: N1',
	);
});

test('the records are read until each number is known, also if one was refused', async () => {
	const pieces = [
		{ ...first, refusal: 'x' },
		{ ...second, refusal: 'x' },
	];
	const { cancel, client } = serviceWith(pieces, () => {
		setTimeout(() => {
			for (const each of pieces) Object.assign(each, { canceled: true });
		}, 30);
		return responseOf(200, { result: [{ packageNumberCarrier: 'N1', successfull: false }] });
	});
	Object.defineProperty(client, 'maxRetryWaitMs', { value: 200 });
	expect((await cancel([byIds(0, 1001)])).outputs).toMatchObject([{ canceled: true }]);
});

test('a piece that an earlier try has canceled does not stand for its order, also if it is not listed', async () => {
	const pieces = [{ ...first }, { ...second }];
	const { cancel } = serviceWith(pieces);
	const store = {};
	await cancel([byIds(0, 1002)], store);
	expect(await cancel([byIds(0, 1002), byOrder(1, [1001, 'N1'])], store)).toMatchObject({
		outputs: [
			{ items: [0], id: 1002 },
			{ items: [1], id: 1001 },
		],
		sent: [['N1']],
	});
});
