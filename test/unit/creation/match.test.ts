import fc from 'fast-check';
import { groupBy } from 'lodash';

import {
	type CreationRequest,
	isRefused,
	match,
	type Others,
} from '../../../nodes/ParcelShipping/creation/match';
import { shipmentOf } from '../../../nodes/ParcelShipping/creation/output';
import type {
	OrderOutcome,
	RecoveredShipment,
	Row,
	Shipment,
} from '../../../nodes/ParcelShipping/creation/types';
import { type Order, referenceOf } from '../../../nodes/ParcelShipping/orders/order';
import type { CreationEnvelope } from '../../../nodes/ParcelShipping/transport/contract';
import type { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { createdRow, orderWith, pieceOf, refusedRow, shipmentWith } from '../../support/orders';

// Short forms. Orders: "A B*2" is order A, and B of two pieces. Rows and records: "1=A" is shipment 1
// with reference A, "1=" has none, "no=A" is refused, "1+2=A" is a recorded shipment of two pieces. Outcomes: "A: 1 +5 no ?" is order A with shipment
// 1 of the response and 5 of the records; a piece was refused, and one may or may not exist.
// "A: ? 5" may or may not be shipment 5. "A|B: 1" is shipment 1, which belongs to A or B.

const ordersOf = (text: string): Order[] =>
	words(text).map((word, itemIndex) => {
		const [reference = '', pieces = '1'] = word.split('*');
		return orderWith(reference, { itemIndex, pieceCount: Number(pieces) });
	});
const rowsOf = (text: string): Row[] =>
	words(text).map((word) => {
		const [id, reference] = word.split('=');
		return id === 'no' ? refusedRow(reference || null) : createdRow(Number(id), reference || null);
	});
const recordsOf = (text: string) =>
	words(text).map((word): RecoveredShipment => {
		const [ids = '', reference = ''] = word.split('=');
		const [main, ...others] = ids.split('+').map((id) => pieceOf(Number(id), reference));
		return shipmentWith(main as ReturnType<typeof pieceOf>, ...others);
	});
const words = (text: string) => text.split(' ').filter(Boolean);

/** What is known besides the orders and the rows. */
interface More {
	/** The records that searches have found; absent if nothing was searched. */
	found?: string;
	idsBefore?: number[] | null;
	/** Orders that an earlier try settled. */
	done?: string;
	doneIds?: number[];
	contested?: string[];
	/** No response at all. */
	isLost?: boolean;
	ifExists?: Others['ifExists'];
}

function matched(orders: Order[], rows: Row[], more: More = {}) {
	const { found, idsBefore = [], done = '', doneIds = [], contested = [], isLost } = more;
	const { ifExists = 'reuse' } = more;
	const request = { about: orders, carrierCode: 'ANT', idsBefore, since: '2026-11-19' };
	const others: Others = {
		isDone: (order) => words(done).includes(referenceOf(order)),
		doneIds: new Set(doneIds),
		contested: new Set(contested),
		ifExists,
	};
	const records = recordsOf(found ?? '');
	const searches = found === undefined ? 0 : 1;
	const response = isLost ? {} : { response: { result: rows } as CreationEnvelope };
	return match({ request, ...response, found: records, searches }, others);
}

function describeOutcome(result: OrderOutcome): string {
	const { about, outcome } = result;
	const { pieces, refused, isIncomplete }: Shipment = shipmentOf(result) ?? { pieces: [] };
	const errors = outcome.kind === 'done' ? [] : outcome.errors;
	const possible = errors.flatMap((error) => {
		const { checked } = (error as ItemError).details as { checked?: { found: number[] } };
		return checked ? ['?', ...checked.found] : ['no'];
	});
	const parts = [
		...pieces.map(({ row, via }) => `${via === 'records' ? '+' : ''}${row.id}`),
		...(refused ?? []).map(() => 'no'),
		...(isIncomplete ? ['?'] : []),
		...possible,
	];
	return `${about.map(referenceOf).join('|')}: ${parts.join(' ')}`;
}

test.each<
	[name: string, orders: string, rows: string, more: More, outcomes: string, unsure: string]
>([
	['all created', 'A B', '1=A 2=B', {}, 'A: 1, B: 2', ''],
	['in another order than the request', 'A B', '2=B 1=A', {}, 'A: 1, B: 2', ''],
	['one created, one refused', 'A B', '1=A no=B', {}, 'A: 1, B: no', ''],
	['one piece refused', 'A*2', '1=A no=A', {}, 'A: 1 no', ''],
	['all pieces refused with one row', 'A*2', 'no=A', {}, 'A: no', ''],
	['each piece refused, without IDs', 'A*2', 'no=A no=A', {}, 'A: no no', ''],
	['one piece refused, one missing', 'A*3', '1=A no=A', {}, 'A: 1 no ?', ''],
	['the same shipment twice', 'A', '1=A 1=A', {}, 'A: 1', ''],
	['more pieces than ordered', 'A B', '1=A 2=A 3=B', {}, 'A: 1 2, B: 3', ''],

	['an order missing', 'A B', '1=A', {}, 'A: 1, B: ?', 'B'],
	['an order missing, not in the records', 'A B', '1=A', { found: '' }, 'A: 1, B: ?', 'B'],
	['an order missing, in the records', 'A B', '1=A', { found: '2=B' }, 'A: 1, B: +2', ''],
	['a piece missing', 'A*3 B', '1=A 2=A 3=B', {}, 'A: 1 2 ?, B: 3', 'A'],
	['a piece missing, searched once', 'A*3', '1=A 2=A', { found: '1=A' }, 'A: 1 2 ?', ''],
	['a piece missing, in the records', 'A*2', '1=A', { found: '1+2=A' }, 'A: 1 +2', ''],
	['a piece missing, beside a duplicate', 'A*2', '3=A', { found: '1+2=A 3+4=A' }, 'A: 3 +4', ''],

	['a reference twice', 'A B', '1=A 2=A', {}, 'A|B: 1, A|B: 2, A: ?, B: ?', 'A B'],
	['a reference twice, one right', 'A B', '1=A 2=A', { found: '1=A' }, 'A: 1, B: 2, B: ?', 'B'],
	[
		'a reference twice, and the shipment belongs to a settled order',
		'A B',
		'1=A no=A',
		{ found: '', done: 'A', doneIds: [1] },
		'A: no, B: ?',
		'B',
	],
	['one without a reference, one order left', 'A B', '1=A 2=', {}, 'A: 1, B: 2', 'B'],
	['as many without a reference as orders', 'A B', '1= 2=', {}, 'A|B: 1, A|B: 2', 'A B'],
	['fewer without a reference', 'A B*2', '1= 2=', {}, 'A|B: 1, A|B: 2, A: ?, B: ?', 'A B'],
	['unknown references', 'A B', '1=X 2=Y', {}, 'A|B: 1, A|B: 2, A: ?, B: ?', 'A B'],
	['an unknown reference besides', 'A C', '1=A 3=C 9=X', {}, 'A: 1, C: 3, A|C: 9', ''],
	['refused without a reference, one left', 'A B', '1=A no=', {}, 'A: 1, B: no', ''],
	['both refused, no reference', 'A B C', 'no= no= 3=C', {}, 'C: 3, A|B: no, A|B: no', ''],
	['one refused, no reference', 'A B', 'no=', {}, 'A|B: no, A: ?, B: ?', 'A B'],
	['a piece refused, no reference', 'A*2 B', '1=A no= 3=B', {}, 'A: 1 ?, B: 3, A|B: no', 'A'],
	['refused more often than orders left', 'A B', '1=A no= no=', {}, 'A: 1, B: no, B: no', ''],
	['refused with an unknown reference', 'A', 'no=X', {}, 'A: no, A: ?', 'A'],

	['records with other references', 'A B', '1=B 2=A', { found: '1=A 2=B' }, 'A: 1, B: 2', ''],
	['records instead of references', 'A B', '2= 1=', { found: '1=A 2=B' }, 'A: 1, B: 2', ''],
	['one reference, but records', 'A B', '1=A 2=A', { found: '1=A 2=B' }, 'A: 1, B: 2', ''],
])('Rows: %s', (_, orders, rows, more, outcomes, unsure) => {
	const verdict = matched(ordersOf(orders), rowsOf(rows), more);
	expect(verdict.settled.map(describeOutcome).join(', ')).toBe(outcomes);
	expect(verdict.unsure.map(referenceOf).join(' ')).toBe(unsure);
});

test.each<[name: string, orders: string, more: More, outcomes: string]>([
	['nothing was searched', 'A', {}, 'A: ?'],
	['nothing was found', 'A', { found: '' }, 'A: ?'],
	['it was created', 'A', { found: '1=A' }, 'A: +1'],
	['all pieces were created', 'A*2', { found: '1+2=A' }, 'A: +1 +2'],
	['another run has created it as well', 'A*2', { found: '1+2=A 3+4=A' }, 'A: +1 +2'],
	['a piece is not there yet', 'A*2', { found: '1=A' }, 'A: +1 ?'],
	['several searches found it', 'A', { found: '1=A 1=A' }, 'A: +1'],
	['another reference begins like it', 'A', { found: '1=AA' }, 'A: ?'],
	['a canceled one was there before', 'A', { found: '1=A 2=A', idsBefore: [1] }, 'A: +2'],
	['only the one from before is there', 'A', { found: '1=A', idsBefore: [1] }, 'A: ?'],
	['what was there before is not known', 'A', { found: '1=A', idsBefore: null }, 'A: ? 1'],
	['another order of the run has it', 'A', { found: '1=A 2=A', doneIds: [1] }, 'A: +2'],
	['another open request has it, too', 'A', { found: '1=A', contested: ['A'] }, 'A: ? 1'],
	['another one is wanted anyway', 'A', { found: '1=A', ifExists: 'create' }, 'A: +1'],
	['two, one is wanted anyway', 'A', { found: '1=A 2=A', ifExists: 'create' }, 'A: ? 1 2'],
	['another order is contested', 'A', { found: '1=A', contested: ['B'] }, 'A: +1'],
	['an earlier try settled the other order', 'A B', { found: '2=B', done: 'A' }, 'B: +2'],
	['an earlier try settled it', 'A B', { found: '1=A', done: 'A' }, 'B: ?'],
])('A lost response: %s', (_, orders, more, outcomes) => {
	const { settled } = matched(ordersOf(orders), [], { ...more, isLost: true });
	expect(settled.map(describeOutcome).join(', ')).toBe(outcomes);
});

describe('The outcome', () => {
	const about = ordersOf('A B');
	const request = { about, carrierCode: 'ANT', idsBefore: null, since: '2026-11-19' };
	const others = { isDone: () => false, doneIds: new Set<number>(), contested: new Set<string>() };
	/** The outcomes of a request, with fields that replace those of the request. */
	const outcomesOf = (seen: object, replaced: Partial<CreationRequest> = {}) =>
		match(
			{ request: { ...request, ...replaced }, found: [], searches: 0, ...seen },
			{ ...others, ifExists: 'reuse' },
		).settled.map(({ outcome }) => outcome);

	const errorsOf = (outcome: OrderOutcome['outcome']) =>
		'errors' in outcome ? outcome.errors : [];

	test('that is unknown says what is known', () => {
		const failure = { message: 'No response', description: '', details: { correlationId: '0b9f' } };
		const searched = { found: recordsOf('1=A'), searches: 3, searchError: 'down' };
		const checked = { createdFrom: '2026-11-19', looks: 3 };
		const common = { outcome: 'unknown', correlationId: '0b9f' };
		const found1 = /No response.*Searched 3 times.*found 1, which may/;
		expect(outcomesOf({ failure, ...searched }).flatMap(errorsOf)).toMatchObject([
			{
				description: expect.stringMatching(found1),
				details: { ...common, packageNumberCustom: 'A', checked: { ...checked, found: [1] } },
			},
			{ details: { ...common, packageNumberCustom: 'B', checked: { ...checked, found: [] } } },
		]);
		const response = { result: rowsOf('9='), errors: [{ message: 'Slow' }] };
		const [, unknown] = outcomesOf({ response, searchError: 'down' });
		const words =
			/does not contain it. The service said: Slow.*could not be searched for it: down.*It may be one of the shipments 9/;
		expect(unknown).toMatchObject({
			kind: 'unknown',
			errors: [{ description: expect.stringMatching(words) }],
		});
		const [interrupted] = outcomesOf({}).flatMap(errorsOf);
		expect(interrupted).toMatchObject({
			description: expect.stringContaining('interrupted before'),
		});
	});

	test('has the batch of the response, also of refused and unmatched rows', () => {
		const files = { labelsUrl: '/l', labelsHash: 'l', ordersUrl: '/o', ordersHash: 'o' };
		const batch = { batchId: 7, ...files, packagesCount: 3, correlationId: 'c' };
		const details = expect.objectContaining({ batchId: 7, correlationId: 'c' });
		const refused = expect.objectContaining({ details });
		expect(outcomesOf({ response: { result: rowsOf('1=A no=B 9=X'), ...batch } })).toEqual([
			{ kind: 'done', value: { pieces: [{ row: createdRow(1, 'A'), batch, via: 'response' }] } },
			{ kind: 'notDone', errors: [refused] },
			{
				kind: 'unknown',
				errors: [],
				candidates: { pieces: [{ row: createdRow(9, 'X'), batch, via: 'response' }] },
			},
		]);
	});

	test('has rows like those of a response for records, with free piece numbers', () => {
		const fields = {
			packageNumberCarrier: 'N5',
			orderId: 8,
			trackingUrl: 'https://service.example/5',
		};
		const record = { ...fields, serviceCode: 'ANT-HOME', packageNumberOrder: 4 };
		const batch = { batchId: 9 } as NonNullable<RecoveredShipment['batch']>;
		const known = {
			response: {
				result: [
					{ ...createdRow(3, 'A'), pieceIndex: 2 },
					{ ...createdRow(1, 'A'), pieceIndex: 0 },
				],
				correlationId: 'c',
			},
			found: [
				{
					...shipmentWith(
						pieceOf(1, 'A'),
						pieceOf(3, 'A'),
						pieceOf(5, 'A', record),
						pieceOf(6, 'A', { packageNumberOrder: 2, pieceIndex: 1 }),
					),
					batch,
				},
			],
			searches: 1,
		};
		const message = 'Created; read back from the service';
		const read = { id: 5, carrierCode: 'ANT', packageNumberCustom: 'A', statusCode: 200, message };
		const row5 = { ...read, ...fields, serviceType: 'ANT-HOME', pieceIndex: 3 };
		const [outcome] = outcomesOf(known, { about: ordersOf('A*4'), idsBefore: [] });
		expect(outcome).toMatchObject({
			value: {
				pieces: [
					{ row: { id: 1, pieceIndex: 0 } },
					{ row: { id: 6, pieceIndex: 1 }, via: 'records' },
					{ row: { id: 3, pieceIndex: 2 } },
					// It is in the batch of the others.
					{ row: row5, via: 'records', batch: { batchId: null, correlationId: 'c' } },
				],
			},
		});
	});
});

test.each([
	[199, true],
	[200, false],
	[299, false],
	[300, true],
])('a row with the status %i is refused: %s', (statusCode, expected) => {
	expect(isRefused({ statusCode })).toBe(expected);
});

test('whatever rows are missing, every order has an outcome, and no shipment is lost or mixed up', () => {
	const shape = fc.record({ count: fc.integer({ min: 1, max: 3 }), isBad: fc.boolean() });
	const idsOf = (result: OrderOutcome) =>
		(shipmentOf(result)?.pieces ?? []).map(({ row }) => Number(row.id));
	const isCreated = (row: string) => !row.startsWith('no');
	fc.assert(
		fc.property(fc.gen(), (generate) => {
			const shapes = generate(() => fc.array(shape, { minLength: 1, maxLength: 12 }));
			const orders = ordersOf(shapes.map(({ count }, at) => `O${at}*${count}`).join(' '));
			const all = shapes.flatMap(({ count, isBad }, at) =>
				isBad ? [`no=O${at}`] : [1, 2, 3].slice(0, count).map((id) => `${at * 3 + id}=O${at}`),
			);
			// Rows are shuffled, some are missing, some lack their reference; some have records.
			const sent = generate(() => fc.shuffledSubarray(all));
			const rows = sent.map((row) => (generate(fc.boolean) ? row : row.replace(/=.*/, '=')));
			const shipments = Object.entries(groupBy(all.filter(isCreated), (row) => row.split('=')[1]));
			const listed = generate(() => fc.shuffledSubarray(shipments));
			const found = listed.flatMap(([, pieces]) => pieces);
			const records = listed.map(
				([of, pieces]) => `${pieces.map(Number.parseFloat).join('+')}=${of}`,
			);
			const { settled } = matched(orders, rowsOf(rows.join(' ')), { found: records.join(' ') });

			const known = [...rows, ...found].filter(isCreated).map((row) => Number.parseInt(row, 10));
			expect(settled.flatMap(idsOf).sort()).toEqual([...new Set(known)].sort());
			for (const each of settled.filter(({ outcome }) => outcome.kind === 'done')) {
				const reference = each.about.map(referenceOf).join();
				expect(all).toEqual(expect.arrayContaining(idsOf(each).map((id) => `${id}=${reference}`)));
			}
			expect(new Set(settled.flatMap(({ about }) => about))).toEqual(new Set(orders));
			const refusals = settled.flatMap((each) => describeOutcome(each).match(/\bno\b/g) ?? []);
			expect(refusals).toHaveLength(rows.filter((row) => !isCreated(row)).length);
		}),
		// Making a failed run smaller takes minutes.
		{ endOnFailure: true },
	);
});
