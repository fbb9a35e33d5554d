import { match } from '../../../nodes/ParcelShipping/creation/match';
import { toItems } from '../../../nodes/ParcelShipping/creation/output';
import { countMissing, isRefused } from '../../../nodes/ParcelShipping/creation/shipments';
import type {
	OrderOutcome,
	ShipmentWithBatch,
	Row,
} from '../../../nodes/ParcelShipping/creation/types';
import { type Order, referenceOf } from '../../../nodes/ParcelShipping/orders/order';
import type { CreationEnvelope } from '../../../nodes/ParcelShipping/transport/contract';
import type { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import {
	createdRow as created,
	orderWith,
	pieceOf,
	refusedRow as refused,
	shipmentWith,
} from '../../support/orders';

const A = orderWith('A');
const B = orderWith('B', { itemIndex: 1 });
const C = orderWith('C', { itemIndex: 2 });
const AB = [A, B];
const EXCHANGE = orderWith('A');
Object.assign(EXCHANGE.body, { exchangeOrder: true });
const A_OF_TWO = orderWith('A', { pieceCount: 2 });
const A_OF_THREE = orderWith('A', { pieceCount: 3 });

const [A1, A2, B2] = [created(1, 'A'), created(2, 'A'), created(2, 'B')];
const [NO_A, NO] = [refused('A'), refused(null)];

/** A shipment that the service has. */
const recorded = (reference: string, id: number, ...more: number[]): ShipmentWithBatch =>
	shipmentWith(pieceOf(id, reference), ...more.map((each) => pieceOf(each, reference)));

/** What is known besides the orders. Without rows, the response was lost. */
interface Known {
	rows?: Row[];
	/** What a search has found; absent if nothing was searched. */
	found?: ShipmentWithBatch[];
	/** References of orders that an earlier try settled, and the IDs of their shipments. */
	done?: string[];
	doneIds?: number[];
	batch?: Partial<CreationEnvelope>;
}

function matched(orders: Order[], known: Known) {
	const { rows, found, done = [], doneIds = [] } = known;
	const request = { targets: orders, carrierCode: 'ANT', since: '2026-11-19' };
	const response = rows && { response: { result: rows, ...known.batch } as CreationEnvelope };
	return match(
		{ request, ...response, records: found ?? [], searches: found ? 1 : 0 },
		{
			isDone: (order) => done.includes(referenceOf(order)),
			isDoneId: (id) => doneIds.includes(id),
		},
	);
}

/** An outcome in short. */
interface Summary {
	/** The references of the orders that it may be about. */
	of: string;
	/** The pieces, and those of them that only the records have. */
	ids?: number[];
	fromRecords?: number[];
	refused?: number;
	isIncomplete?: boolean;
	/** Shipments that may be that of the order, if the outcome is unknown. */
	maybe?: number[];
}

const [RECORD_A, RECORD_B, BOTH_A] = [recorded('A', 1), recorded('B', 2), recorded('A', 1, 2)];

const IS_A1: Summary = { of: 'A', ids: [1] };
const IS_B2: Summary = { of: 'B', ids: [2] };
const FOUND_A1: Summary = { of: 'A', ids: [1], fromRecords: [1] };
const FOUND_A2: Summary = { of: 'A', ids: [2], fromRecords: [2] };
const A1_OF_TWO: Summary = { ...IS_A1, isIncomplete: true };
const MAYBE_A: Summary = { of: 'A', maybe: [] };
const MAYBE_A1: Summary = { of: 'A', maybe: [1] };
const MAYBE_B: Summary = { of: 'B', maybe: [] };
const EITHER_NO: Summary = { of: 'A or B', refused: 1 };
const either = (...ids: number[]): Summary[] => ids.map((id) => ({ of: 'A or B', maybe: [id] }));

function summarize({ targets, outcome }: OrderOutcome): Summary {
	const of = targets.map(referenceOf).join(' or ');
	if (outcome.state === 'notDone') return { of, refused: outcome.errors.length };
	if (outcome.state === 'unknown') {
		const details = (outcome.errors[0] as ItemError | undefined)?.details;
		const { found = [] } = (details?.checked ?? {}) as { found?: number[] };
		return { of, maybe: found };
	}
	const { pieces, refused: rows } = outcome.value;
	const isIncomplete = countMissing(targets[0], outcome.value) > 0;
	if (outcome.state === 'unmatched') return { of, maybe: pieces.map(({ row }) => Number(row.id)) };
	const idsOf = (chosen: typeof pieces) => chosen.map(({ row }) => Number(row.id));
	const fromRecords = idsOf(pieces.filter(({ via }) => via === 'records'));
	return {
		of,
		ids: idsOf(pieces),
		...(fromRecords.length > 0 ? { fromRecords } : {}),
		...(rows ? { refused: rows.length } : {}),
		...(isIncomplete ? { isIncomplete } : {}),
	};
}

test('rows belong to orders by their reference, not by their position', () => {
	const { outcomes, toSearch } = matched([A, B, C], { rows: [B2, A1, refused('C')] });
	expect(outcomes.map(summarize)).toEqual([IS_A1, IS_B2, { of: 'C', refused: 1 }]);
	expect(toSearch).toEqual([]);
});

const REFUSED: Summary = { of: 'A or B', refused: 1 };
/** A row without an ID. */
const NO_ID: Row = { ...created(0, 'A'), id: null, packageNumberCarrier: 'N1' };

test.each<[name: string, Order[], Row[], ShipmentWithBatch[], Summary[]]>([
	['its shipment is read back', [A], [NO_ID], [RECORD_A], [FOUND_A1]],
	['the order is unknown without a record', [A], [NO_ID], [], [MAYBE_A]],
	['it is no row of an order that lacks one', AB, [NO_ID, B2], [], [IS_B2, MAYBE_A]],
	['other rows are refused', AB, [NO_ID, NO, NO], [], [REFUSED, REFUSED, MAYBE_A]],
	['an additional piece is not confirmed', [A_OF_TWO], [A1, NO_ID], [RECORD_A], [A1_OF_TWO]],
	[
		'an additional piece is read back',
		[A_OF_TWO],
		[A1, NO_ID],
		[BOTH_A],
		[{ of: 'A', ids: [1, 2], fromRecords: [2] }],
	],
	[
		'a refused piece beside it does not say that nothing exists',
		[A_OF_TWO],
		[NO_ID, NO_A],
		[],
		[MAYBE_A],
	],
	[
		'a refused piece beside it keeps its error',
		[A_OF_TWO],
		[NO_ID, NO_A],
		[RECORD_A],
		[{ ...FOUND_A1, refused: 1 }],
	],
	[
		'without a reference, it may be the shipment in the records',
		AB,
		[created(0, null), created(0, null)],
		[RECORD_A],
		[FOUND_A1, MAYBE_B],
	],
])('a created row without an ID counts as none: %s', (_, orders, rows, found, outcomes) => {
	expect(matched(orders, { rows }).toSearch).toContain(orders[0]);
	expect(matched(orders, { rows, found }).outcomes.map(summarize)).toEqual(outcomes);
});

const NO_ID_OF_NONE: Row = { ...NO_ID, packageNumberCustom: null };
const NO_ID_OF_X: Row = { ...NO_ID, packageNumberCustom: 'X' };
const second = (row: Row): Row => ({ ...row, packageNumberCarrier: 'N2' });

test.each<[name: string, Order[], Row[], repeatable: string[]]>([
	['its own', [A], [NO_ID], []],
	['its own in a request for several', AB, [NO_ID], ['B']],
	[
		'one without a reference, which may be of each that has no row',
		[A, B, C],
		[A1, NO_ID_OF_NONE],
		[],
	],
	['one of another order', [A], [NO_ID_OF_X], []],
	['none', AB, [A1], ['B']],
])(
	'a person who retries sends nothing that a row without an ID may be of: %s',
	(_, orders, rows, repeatable) => {
		const { outcomes } = matched(orders, { rows, found: [] });
		const found = outcomes.filter(
			({ outcome }) => outcome.state === 'unknown' && outcome.isRepeatable,
		);
		expect(found.map(({ targets: [order] }) => referenceOf(order))).toEqual(repeatable);
	},
);

test.each<[name: string, Order[], Row[], of: string]>([
	['a second row of one piece', [A], [A1, NO_ID], 'A'],
	['the second row of an exchange', [EXCHANGE], [A1, NO_ID], 'A'],
	['a row without a reference beside those of all orders', AB, [A1, B2, NO_ID_OF_NONE], 'A or B'],
	['a row of no order beside one without an ID', AB, [NO_ID, B2, NO_ID_OF_NONE], 'A or B'],
])('a created row without an ID that is one too many is an error: %s', (_, orders, rows, of) => {
	const { outcomes } = matched(orders, { rows, found: [] });
	const errors = outcomes.filter(({ outcome }) => outcome.state === 'notDone');
	const message = 'The response has another shipment (N1), without an ID';
	expect(errors).toMatchObject([{ outcome: { errors: [{ message }] } }]);
	expect(errors.map(summarize)).toEqual([{ of, refused: 1 }]);
});

test('a row without a reference belongs to its order only if the request has no other one', () => {
	expect(matched([A], { rows: [created(1, null)] }).outcomes.map(summarize)).toEqual([IS_A1]);
	// Of two orders, nobody can say whose it is, so both get it, marked as unmatched.
	const ofTwo = matched([A, B], { rows: [created(1, null), created(2, null)] });
	expect(ofTwo.outcomes.map(summarize)).toEqual([
		{ of: 'A or B', maybe: [1] },
		{ of: 'A or B', maybe: [2] },
	]);
	// Their records may say it, so they are searched for.
	expect(ofTwo.toSearch).toEqual([A, B]);
	const withRecords = { rows: [created(1, null), created(2, null)], found: [RECORD_A, RECORD_B] };
	expect(matched([A, B], withRecords).outcomes.map(summarize)).toEqual([IS_A1, IS_B2]);
});

test('a refusal without a reference is shared by the orders that it may be of, and leaves them unknown', () => {
	const { outcomes, toSearch } = matched([A, B], { rows: [NO], found: [] });
	expect(outcomes.map(summarize)).toEqual([
		{ of: 'A or B', refused: 1 },
		{ of: 'A', maybe: [] },
		{ of: 'B', maybe: [] },
	]);
	expect(toSearch).toEqual([A, B]);
});

test.each<[name: string, Order[], Row[], Omit<Known, 'rows'>, Summary[]]>([
	[
		'one piece refused: the other one is the shipment',
		[A_OF_TWO],
		[A1, NO_A],
		{},
		[{ ...IS_A1, refused: 1 }],
	],
	['a shipment twice: it counts once', [A], [A1, A1], {}, [IS_A1]],
	['more pieces than ordered: all are output', [A], [A1, A2], {}, [{ of: 'A', ids: [1, 2] }]],
	['a piece missing: the shipment is incomplete', [A_OF_TWO], [A1], { found: [] }, [A1_OF_TWO]],
	[
		'a piece missing that the records have, beside another shipment of the order: it is added',
		[A_OF_TWO],
		[A1],
		{ found: [recorded('A', 3, 4), BOTH_A] },
		[{ of: 'A', ids: [1, 2], fromRecords: [2] }],
	],
	[
		'a piece missing, and one in the records that is only guessed to be of the shipment: it is not added',
		[A_OF_TWO],
		[A1],
		{ found: [{ ...BOTH_A, isGuessed: true }] },
		[A1_OF_TWO],
	],
	['an order missing: it is unknown', AB, [B2], { found: [] }, [IS_B2, MAYBE_A]],
	[
		'an order missing that the records have: it is read back',
		AB,
		[B2],
		{ found: [RECORD_A] },
		[FOUND_A1, IS_B2],
	],
	[
		'one reference missing: its row may be of the order without a row',
		AB,
		[created(1, null), B2],
		{},
		[IS_B2, { of: 'A', maybe: [1] }],
	],
	[
		'a created and a refused piece without a reference, and a shipment that lacks one: they may be of both orders',
		[A_OF_TWO, B],
		[A1, created(2, null), NO],
		{ found: [] },
		[A1_OF_TWO, ...either(2), EITHER_NO],
	],
	[
		'a piece missing, a refusal without a reference, and no row of another order: that order is unknown',
		[A_OF_TWO, B],
		[A1, NO],
		{ found: [] },
		[A1_OF_TWO, EITHER_NO, MAYBE_B],
	],
	[
		'no references, and the records only show the shipment of another process: the rows stay unmatched',
		AB,
		[created(2, null), created(3, null)],
		{ found: [RECORD_A] },
		either(2, 3),
	],
	[
		'one reference for two orders, and a record without one: the rows are of the order that they name',
		AB,
		[A1, A2],
		{ found: [RECORD_A, recorded('', 2)] },
		[{ of: 'A', ids: [1, 2] }, MAYBE_B],
	],
	[
		'a reference that the record of its piece lacks: the row counts',
		AB,
		[A1, B2],
		{ found: [recorded('', 1)] },
		[IS_A1, IS_B2],
	],
	[
		'two refusals with one ID: both orders were refused',
		AB,
		[
			{ ...NO_A, id: 7 },
			{ ...refused('B'), id: 7 },
		],
		{},
		[
			{ of: 'A', refused: 1 },
			{ of: 'B', refused: 1 },
		],
	],
	[
		'a reference twice, another one missing: the rows are of the order that they name',
		AB,
		[A1, A2],
		{},
		[{ of: 'A', ids: [1, 2] }, MAYBE_B],
	],
	[
		'references that the records correct: the records count',
		AB,
		[A1, A2],
		{ found: [RECORD_A, RECORD_B] },
		[IS_A1, IS_B2],
	],
	[
		'the shipment of an order that an earlier try settled: only the other one is unknown',
		AB,
		[A1, NO_A],
		{ found: [], done: ['A'], doneIds: [1] },
		[MAYBE_B],
	],
	[
		'the shipment of an order of another request, without a reference: it is of no other order',
		[B],
		[created(1, null)],
		{ found: [], doneIds: [1] },
		[MAYBE_B],
	],
	[
		'refusals without a reference for all orders left: these were refused',
		AB,
		[NO, NO],
		{},
		[EITHER_NO, EITHER_NO],
	],
	[
		'one refusal without a reference twice, by its ID: it counts once',
		AB,
		[
			{ ...NO, id: 7 },
			{ ...NO, id: 7 },
		],
		{ found: [] },
		[EITHER_NO, EITHER_NO, MAYBE_A, MAYBE_B],
	],
])('a response has %s', (_, orders, rows, known, outcomes) => {
	expect(matched(orders, { ...known, rows }).outcomes.map(summarize)).toEqual(outcomes);
});

test.each<[name: string, Order[], Row[], ShipmentWithBatch[] | undefined, Order[]]>([
	['an order without a row', AB, [A1], undefined, [B]],
	['an order that no search has found', AB, [A1], [], [B]],
	['an order that a search has found', AB, [A1], [RECORD_B], []],
	['a missing piece', [A_OF_TWO], [A1], undefined, [A_OF_TWO]],
	['a missing piece after the first search', [A_OF_TWO], [A1], [], []],
	['an order that is not the only one to lack a row', [A_OF_TWO, B], [A1, refused(null)], [], [B]],
])('the records are searched, or not, for %s', (_, orders, rows, found, toSearch) => {
	expect(matched(orders, { rows, ...(found ? { found } : {}) }).toSearch).toEqual(toSearch);
});

const ONE = [RECORD_A];
const TWO = [recorded('A', 2), RECORD_A];

test.each<[name: string, Omit<Known, 'rows'>, Summary[]]>([
	['it was created', { found: ONE }, [FOUND_A1]],
	['nothing was found', { found: [] }, [MAYBE_A]],
	['another run has created it as well', { found: TWO }, [FOUND_A1]],
	['several searches found it', { found: [...ONE, ...ONE] }, [FOUND_A1]],
	['another order of the run has one', { found: TWO, doneIds: [1] }, [FOUND_A2]],
	['its detail cannot be read', { found: [{ ...RECORD_A, lacksDetail: true }] }, [MAYBE_A1]],
	['an earlier try settled it', { found: ONE, done: ['A'] }, []],
])('a response is lost, and %s', (_, known, outcomes) => {
	expect(matched([A], known).outcomes.map(summarize)).toEqual(outcomes);
});

test('an unknown outcome says what is known', () => {
	const request = { targets: [A], carrierCode: 'ANT', since: '2026-11-19' };
	const journal = { isDone: () => false, isDoneId: () => false };
	const outcomeOf = (seen: object) =>
		match({ request, records: [], searches: 0, ...seen }, journal).outcomes.at(-1)?.outcome;
	const says = (words: RegExp, details: object = {}) => ({
		state: 'unknown',
		errors: [{ description: expect.stringMatching(words), details }],
	});

	const failure = { message: 'No response', description: '', details: { correlationId: '0b9f' } };
	expect(outcomeOf({ failure, searches: 3 })).toMatchObject(
		says(/No response.*The records do not show it for certain/, {
			correlationId: '0b9f',
			checked: { createdFrom: '2026-11-19', searches: 3, found: [] },
		}),
	);
	const response = { result: [], errors: [{ message: 'Slow' }] };
	expect(outcomeOf({ response, searchError: 'down' })).toMatchObject(
		says(/does not contain it. The service said: Slow.*records could not be read: down/),
	);
	expect(outcomeOf({})).toMatchObject(says(/interrupted before/));
	expect(outcomeOf({ response: { result: [NO_ID] } })).toMatchObject(
		says(/The response has its shipment \(N1\), but without an ID\..*Look for it by its number/),
	);
	expect(outcomeOf({ response: { result: [NO_ID_OF_X, second(NO_ID_OF_X)] } })).toMatchObject(
		says(/The response has shipments without an ID \(N1, N2\).*Look for these shipments/),
	);
});

test.each<[name: string, Order[], Row[], found: ShipmentWithBatch[], words: RegExp]>([
	[
		'a refused piece beside a row without an ID',
		[A_OF_TWO],
		[NO_ID, { ...NO_A, message: 'weight too high' }],
		[],
		/has its shipment \(N1\), but without an ID\. ANT refused another piece: Weight too high\./,
	],
	[
		'a refusal that comes twice once',
		[A_OF_TWO],
		[NO_ID, { ...NO_A, message: 'weight' }, { ...NO_A, message: 'weight' }],
		[],
		/^(?!.*Weight.*Weight).*another piece: Weight\./,
	],
	[
		'a row without an ID that is its own, and one that may be',
		[A_OF_TWO, B],
		[NO_ID, second(NO_ID_OF_NONE), B2],
		[],
		/its shipment \(N1\), but without an ID\. The response has shipments without an ID \(N2\)/,
	],
	[
		'a refused piece, and two rows without an ID, one of which is one too many',
		[A_OF_TWO, B],
		[NO_ID, NO_A, second(NO_ID_OF_NONE), B2],
		[],
		/another shipment \(N2\), without an ID.*its shipment \(N1\), but without an ID/,
	],
])('the error of an unknown order names %s', (_, orders, rows, found, words) => {
	const { outcomes } = matched(orders, { rows, found });
	const errors = outcomes.flatMap(({ outcome }) => ('errors' in outcome ? outcome.errors : []));
	const texts = (errors as ItemError[]).map((each) => `${each.message} ${each.description}`);
	expect(texts.join(' ')).toMatch(words);
});

test.each<[name: string, Order[], Row[]]>([
	['its own', [A_OF_TWO], [A1, NO_ID]],
	['its own beside a refusal', [A_OF_TWO], [A1, NO_A, NO_ID]],
	['its own beside a refusal that comes twice', [A_OF_THREE], [A1, NO_A, NO_A, NO_ID]],
	['without a reference, in a request for one order', [A_OF_TWO], [A1, NO_ID_OF_NONE]],
	['without a reference, in a request for several', [A_OF_TWO, B], [A1, NO_ID_OF_NONE, B2]],
])('a piece that is missing is named by its row without an ID: %s', (_, orders, rows) => {
	const { outcomes } = matched(orders, { rows, found: [RECORD_A] });
	const failures = toItems(outcomes).flatMap((each) => ('failure' in each ? [each.failure] : []));
	const message = expect.stringMatching(
		/ were confirmed\. The response has a piece without an ID \(N1\)$/,
	);
	expect(failures[0]).toMatchObject({ message });
});

test('every piece is in the batch of the response, and the records fill free piece numbers', () => {
	const batch = { batchId: 7, labelsHash: 'l', packagesCount: 3, correlationId: 'c' };
	const result = [{ ...created(1, 'A'), pieceIndex: 0 }, refused('B'), created(9, 'X')];
	const numbered = { packageNumberOrder: 3, packageNumberCarrier: 'N5' };
	const secondPiece = pieceOf(6, 'A', { packageNumberOrder: 2 });
	const found = [shipmentWith(pieceOf(1, 'A'), pieceOf(5, 'A', numbered), secondPiece)];
	const orders = [A_OF_THREE, B];
	const { outcomes } = matched(orders, { rows: result, found, batch });
	const ofBatch = expect.objectContaining(batch);
	expect(outcomes.map(({ outcome }) => outcome)).toMatchObject([
		{
			value: {
				pieces: [
					{ row: { id: 1, pieceIndex: 0 }, via: 'response', batch: ofBatch },
					{ row: { id: 6, pieceIndex: 1 }, via: 'records', batch: ofBatch },
					{ row: { id: 5, pieceIndex: 2, packageNumberCarrier: 'N5' }, batch: ofBatch },
				],
			},
		},
		{ state: 'notDone', errors: [{ details: { batchId: 7, correlationId: 'c' } }] },
		{ state: 'unmatched', value: { pieces: [{ row: { id: 9 }, batch: ofBatch }] } },
	]);
});

test('a row with another status than 200 to 299 is refused', () => {
	expect([199, 200, 299, 300].filter((statusCode) => isRefused({ statusCode }))).toEqual([
		199, 300,
	]);
});

test('the error of a refused order names it, although its only row has no order number', () => {
	const row = { ...NO, message: 'packageNumberCustom.invalid' };
	const { outcomes } = matched([A], { rows: [row] });
	const message = 'Invalid Order Number: "A" (packageNumberCustom.invalid)';
	const error = { message, details: { packageNumberCustom: 'A' } };
	expect(outcomes).toMatchObject([{ targets: [A], outcome: { errors: [error] } }]);
});

test('the pieces that only the records show do not lack a row', () => {
	const found = [recorded('A', 1, 2)];
	const { outcomes } = matched([A_OF_THREE, B], { rows: [A1, NO, NO], found });
	const unknown = outcomes.filter(({ outcome }) => outcome.state === 'unknown');
	expect(unknown).toEqual([]);
});
