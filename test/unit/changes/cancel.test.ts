import type { IDataObject } from 'n8n-workflow';

import { cancel as cancelNamed, cancelNotes } from '../../../nodes/ParcelShipping/changes/cancel';
import { piecesWithId, piecesWithNumber } from '../../../nodes/ParcelShipping/changes/records';
import type { ItemResult } from '../../../nodes/ParcelShipping/run';
import { describeError } from '../../../nodes/ParcelShipping/transport/errors';
import type { PieceRecord } from '../../../nodes/ParcelShipping/transport/shipments';
import { pieceOf } from '../../support/orders';
import { clientOf, pageOf, responseOf } from '../../support/respondingClient';
import { runOf } from '../../support/tries';

// What is canceled at which provider, whatever goes wrong, is in the simulation. Here is what single responses mean.

interface Piece {
	id: number;
	main: number;
	number: string;
	canceled?: boolean;
	/** Why the carrier refuses to cancel it. */
	refusal?: string;
	carrierCode?: string;
}

interface Behavior {
	/** Another response to a cancellation. Undefined: as usual. */
	cancels?(packages: string[]): ReturnType<typeof responseOf> | undefined;
	/** The numbers of a request are canceled although its response is not as usual. */
	acts?: boolean;
	isBroken?: boolean;
	carriers?: object[];
	/** The list has no numbers. */
	hasBareList?: boolean;
	/** A carrier of whose shipments there is no detail. */
	hides?: string;
}

/** What an item names: an ID, a tracking number, or what the list shows of its order. */
interface Named {
	item: number;
	by: number | string | PieceRecord[];
	carrierCode?: string | undefined;
}

interface Try {
	execution?: string;
	continues?: boolean;
	failedBefore?: ItemResult[];
}

/** A provider with these pieces, of order A, which cancels each with its own number. */
function providerWith(pieces: Piece[], behavior: Behavior = {}) {
	const store: IDataObject = {};
	let sent: string[][] = [];
	const toRecord = ({ id, main, number, canceled = false, carrierCode = 'ANT' }: Piece) => ({
		...{ id, carrierCode, packageNumberCarrier: number, canceled, packageNumberCustom: 'A' },
		...(main === id ? {} : { masterId: main }),
	});
	const { client } = clientOf(({ path, body = '{}' }) => {
		const { packages, search } = JSON.parse(body) as { packages: string[]; search: string };
		if (path.includes('/Cancel')) {
			sent.push(packages);
			const response = behavior.cancels?.(packages);
			const result = packages.flatMap((number) => {
				const own = pieces.find((each) => each.number === number);
				if (!own) return [{ packageNumberCarrier: number, successfull: false, message: 'Unknown' }];
				const { refusal: message } = own;
				if (!message && (!response || behavior.acts)) own.canceled = true;
				return { packageNumberCarrier: number, successfull: !message, message };
			});
			return response ?? responseOf(200, { result, correlationId: `c${sent.length}` });
		}
		if (behavior.isBroken) return responseOf(500, '');
		if (path.includes('/Carrier')) return responseOf(200, { result: behavior.carriers });
		if (path.includes('/Find')) {
			const { carrierCodes: codes } = JSON.parse(body) as { carrierCodes?: string[] };
			const data = pieces
				.filter(({ number }) => number === search)
				.filter(({ carrierCode = 'ANT' }) => codes?.includes(carrierCode) ?? true)
				.map((piece) => toRecord(behavior.hasBareList ? { ...piece, number: '' } : piece));
			return pageOf(data);
		}
		const own = pieces.find(
			({ id, carrierCode = 'ANT' }) =>
				id === Number(/\d+/.exec(path)?.[0]) &&
				path.includes(`/${carrierCode}/`) &&
				carrierCode !== behavior.hides,
		);
		const result = pieces.filter(({ main }) => main === own?.main).map(toRecord);
		return result.length > 0
			? responseOf(200, { result })
			: responseOf(404, { message: 'Not found', reference: '1' });
	});
	/** One try, with the outputs and errors of its items, and the numbers of each request. */
	return async (
		items: Named[],
		{ execution = '1', continues = true, failedBefore = [] }: Try = {},
	) => {
		sent = [];
		const run = runOf(client, { store, execution, continues });
		const named = items.map(({ item, by, carrierCode }) => ({
			...{ name: Array.isArray(by) ? 'A' : `${carrierCode} ${by}`, item },
			...(typeof by === 'string' ? {} : { id: typeof by === 'number' ? by : (by[0]?.id ?? 0) }),
			read: async () =>
				typeof by === 'number'
					? piecesWithId(client, by, carrierCode)
					: typeof by === 'string'
						? piecesWithNumber(client, by, carrierCode)
						: by,
		}));
		const results = await cancelNamed(run, named, cancelNotes(run.context), failedBefore);
		const inOrder = results.toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
		const outputs = inOrder.map((result) =>
			'failure' in result
				? { items: result.items, ...describeError(result.failure) }
				: { items: result.items, ...result.json },
		);
		return { outputs, sent };
	};
}

const byNumbers = (...numbers: string[]): Named[] =>
	numbers.map((by) => ({ item: 0, by, carrierCode: 'ANT' }));
const byIds = (item: number, ...ids: number[]): Named[] =>
	ids.map((by) => ({ item, by, carrierCode: 'ANT' }));
/** What the list shows of order A. */
const byOrder = (...listed: Array<[id: number, number: string, canceled?: boolean]>): Named[] => [
	{
		item: 0,
		by: listed.map(([id, number, isCanceled = false]) => ({
			...{ ...pieceOf(id, 'A'), number, isCanceled },
		})),
	},
];

const first: Piece = { id: 1001, main: 1001, number: 'N1' };
const second: Piece = { id: 1002, main: 1001, number: 'N2' };
const createdAgain: Piece = { id: 1005, main: 1005, number: 'N5' };
const lost = () => responseOf(500, '');

test.each<[name: string, items: Named[], json: object]>([
	['the ID', byIds(0, 1002), { id: 1002 }],
	['the tracking number', byNumbers('N2'), { packageNumberCarrier: 'N2' }],
])('%s of a piece cancels this piece alone', async (_, items, json) => {
	const cancel = providerWith([{ ...first }, { ...second }]);
	const done = { canceled: true, alreadyCanceled: false, recovered: false, correlationId: 'c1' };
	expect(await cancel(items)).toMatchObject({ outputs: [{ ...json, ...done }], sent: [['N2']] });
});

test.each<[name: string, item: Named[], message: string]>([
	[
		'without a number',
		byIds(0, 1003),
		'Shipment ID 1003 of order A was not canceled: The carrier has not assigned a tracking number',
	],
	['that does not exist', byIds(0, 9), 'No shipment of ANT has ID 9'],
	['whose number no record has', byNumbers('A'), 'No shipment of ANT has the tracking number A'],
])('a shipment %s is not reported as canceled', async (_, item, message) => {
	const cancel = providerWith([{ id: 1003, main: 1003, number: '' }]);
	const { outputs, sent } = await cancel(item);
	expect(outputs).toMatchObject([{ message: expect.stringContaining(message) }]);
	expect(sent).toEqual([]);
});

test('a number that the carrier refuses is canceled if its record says it by then', async () => {
	const piece: Piece = { ...first, refusal: 'Already canceled' };
	const cancels = () => {
		piece.canceled = true;
		return undefined;
	};
	const cancel = providerWith([piece], { cancels });
	const { outputs } = await cancel(byNumbers('N1'));
	expect(outputs).toMatchObject([{ canceled: true, alreadyCanceled: false, recovered: true }]);
});

test('a number that a later shipment uses again is not canceled because the first shipment is', async () => {
	const again = { ...createdAgain, number: 'N1' };
	const cancel = providerWith([{ ...first, canceled: true }, again], { cancels: lost });
	expect((await cancel(byNumbers('N1'))).outputs).toMatchObject([
		{ message: 'Could not confirm whether shipment N1 of order A was canceled' },
	]);
});

describe('Without a carrier in the item', () => {
	const carriers = ['ANT', 'BEE'].map((code) => ({ code, name: code }));
	const unsaid = (by: number | string): Named[] => [{ item: 0, by }];

	test.each([1001, 'N1'])('the records say which carrier has %p', async (by) => {
		const cancel = providerWith([{ ...first, carrierCode: 'BEE' }], { carriers });
		const { outputs, sent } = await cancel(unsaid(by));
		expect(outputs).toMatchObject([{ carrierCode: 'BEE', canceled: true }]);
		expect(sent).toEqual([['N1']]);
	});

	test('a number is canceled at none as long as a listed shipment, which may have it, has no detail', async () => {
		const pieces = [{ ...first }, { ...createdAgain, number: 'N1', carrierCode: 'BEE' }];
		const cancel = providerWith(pieces, { carriers, hasBareList: true, hides: 'BEE' });
		const { outputs, sent } = await cancel(unsaid('N1'));
		const message = expect.stringContaining('lists shipment 1005 of BEE, which may be the wanted');
		expect(outputs).toMatchObject([{ message }]);
		expect(sent).toEqual([]);
	});

	test('a number of two carriers is canceled at none', async () => {
		const cancel = providerWith([first, { ...createdAgain, number: 'N1', carrierCode: 'BEE' }]);
		const { outputs, sent } = await cancel(unsaid('N1'));
		const message = 'Several carriers have a shipment with the tracking number N1: ANT, BEE';
		expect(outputs).toMatchObject([{ message }]);
		expect(sent).toEqual([]);
	});
});

test('each item that names a shipment has an output or an error', async () => {
	const cancel = providerWith([{ ...first }, { ...createdAgain, refusal: 'Too late' }]);
	const { outputs } = await cancel([...byIds(0, 1001, 1005), ...byIds(1, 1005), ...byIds(2, 1001)]);
	const linked = outputs.map((each) => [each.items, 'message' in each]);
	expect(linked).toEqual([
		[[0, 2], false],
		[[0], true],
		[[1], true],
	]);
});

test('a refused number does not fail the others, and its error says what is canceled and what is not', async () => {
	const cancels = (packages: string[]) =>
		packages.includes('N2') ? responseOf(400, { message: 'N2 is too late' }) : undefined;
	const pieces = [{ ...first }, { ...second, refusal: 'Too late' }, { ...createdAgain }];
	const cancel = providerWith(pieces, { cancels });
	const { outputs, sent } = await cancel([...byIds(0, 1001), ...byIds(1, 1005)]);
	expect(outputs).toMatchObject([
		{
			message: 'Shipment N2 of order A was not canceled: N2 is too late. Canceled with it: N1',
			details: { id: 1001, packageNumberCarrier: 'N2' },
		},
		{ id: 1005, canceled: true, correlationId: 'c2' },
	]);
	expect(sent).toEqual([
		['N1', 'N2', 'N5'],
		['N1', 'N5'],
	]);
});

test('text instead of yes or no does not say that a number is canceled', async () => {
	const result = [{ packageNumberCarrier: 'N1', successfull: 'true' }];
	const cancel = providerWith([{ ...first }], { cancels: () => responseOf(200, { result }) });
	expect((await cancel(byNumbers('N1'))).outputs).toMatchObject([
		{ message: 'Could not confirm whether shipment N1 of order A was canceled' },
	]);
});

describe('A retry by order number after the order was shipped again', () => {
	test.each<[name: string, own: Piece[], behavior: Behavior, afterwards: Partial<Piece>]>([
		['what it has canceled', [first], {}, {}],
		['what was canceled before', [{ ...first, canceled: true }], {}, {}],
		['what a lost request has canceled', [first], { cancels: lost, acts: true }, {}],
		['what it may have canceled', [first], { cancels: lost }, { canceled: true }],
		['what it has canceled in part', [first, { ...second, refusal: 'No' }], {}, { canceled: true }],
	])('returns %s, and leaves the new one alone', async (_, own, behavior, afterwards) => {
		const pieces = own.map((each) => ({ ...each }));
		const cancel = providerWith(pieces, behavior);
		const listed = own.map(({ id, number, canceled }) => [id, number, canceled]);
		await cancel(byOrder(...(listed as Parameters<typeof byOrder>)));
		for (const piece of pieces) Object.assign(piece, afterwards);
		pieces.push({ ...createdAgain });
		const { outputs, sent } = await cancel(byOrder([1005, 'N5']), { execution: '2' });
		expect(outputs).toMatchObject([{ id: 1001, canceled: true }]);
		expect(sent).toEqual([]);
	});
});

test('a retry leaves the new shipment alone if the carrier has refused the rest of the first one', async () => {
	const rest: Piece = { ...second, refusal: 'Too late' };
	// The list does not show yet that a piece was canceled before.
	const pieces = [{ ...first, canceled: true, refusal: 'Already canceled' }, rest];
	const cancel = providerWith(pieces);
	await cancel(byOrder([1001, 'N1'], [1002, 'N2']));
	rest.canceled = true;
	pieces.push({ ...createdAgain, refusal: '' });
	const { outputs, sent } = await cancel(byOrder([1005, 'N5']), { execution: '2' });
	expect(outputs).toMatchObject([{ id: 1001, canceled: true }]);
	expect(sent).toEqual([]);
});

describe('What may be canceled', () => {
	test('is sent again by a person only', async () => {
		const behavior: Behavior = { cancels: lost };
		const cancel = providerWith([{ ...first }], behavior);
		await cancel(byIds(0, 1001));
		const unknown = { message: expect.stringContaining('Could not confirm whether') };
		expect(await cancel(byIds(0, 1001))).toMatchObject({ outputs: [unknown], sent: [] });
		behavior.isBroken = true;
		expect((await cancel(byIds(0, 1001), { execution: '2' })).sent).toEqual([['N1']]);
		Object.assign(behavior, { isBroken: false, cancels: undefined });
		const last = await cancel(byIds(0, 1001), { execution: '3' });
		expect(last).toMatchObject({ outputs: [{ id: 1001, canceled: true }], sent: [['N1']] });
	});

	test('is named by a retry that sends nothing, and what was canceled is output', async () => {
		const cancels = (packages: string[]) => (packages.includes('N1') ? lost() : undefined);
		const bee = { ...createdAgain, carrierCode: 'BEE' };
		const cancel = providerWith([{ ...first }, bee], { cancels });
		await cancel([
			...byIds(0, 1001),
			...byIds(1, 1005).map((each) => ({ ...each, carrierCode: 'BEE' })),
		]);
		const failedBefore = [{ items: [2], failure: new Error('No item') }];
		const more = { execution: '2', continues: false, failedBefore };
		expect(await cancel([], more)).toMatchObject({
			outputs: [
				{ items: [0], message: 'Could not confirm whether shipment N1 of order A was canceled' },
				{ items: [1], id: 1005, canceled: true },
			],
			sent: [],
		});
	});

	test('is new again if the carrier has refused it, or the request had no effect', async () => {
		const behavior: Behavior = { cancels: () => responseOf(403, { message: 'Not now' }) };
		const piece: Piece = { ...first };
		const cancel = providerWith([piece], behavior);
		expect((await cancel(byIds(0, 1001))).outputs).toMatchObject([
			{ message: 'Shipment N1 of order A was not canceled: Not now' },
		]);
		Object.assign(behavior, { cancels: undefined });
		piece.refusal = 'Not yet';
		expect((await cancel(byIds(0, 1001))).sent).toEqual([['N1']]);
		delete piece.refusal;
		expect((await cancel(byIds(0, 1001))).outputs).toMatchObject([{ id: 1001, canceled: true }]);
	});
});
