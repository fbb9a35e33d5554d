import { checkDuplicates, decide } from '../../../nodes/ParcelShipping/creation/duplicates';
import type {
	CreateAct,
	CreationRun,
	OrderOutcome,
	Piece,
	Shipment,
} from '../../../nodes/ParcelShipping/creation/types';
import { type FoundShipment, isLiving } from '../../../nodes/ParcelShipping/transport/pieces';
import { shipmentOf, withMissingPieces } from '../../../nodes/ParcelShipping/creation/shipments';
import { Journal } from '../../../nodes/ParcelShipping/writes/journal';
import { createdRow, orderWith, pieceOf, shipmentWith } from '../../support/orders';
import { clientOf, responseOf } from '../../support/respondingClient';
import { contextOf } from '../../support/tries';

const order = orderWith('A');

/** The shipment that this run has created, or read back. */
const ownWith = (
	via: 'response' | 'records',
	[id = 2]: number[] = [],
	more: Partial<Shipment> = {},
): Shipment => ({ pieces: [{ row: createdRow(id, 'A'), batch: null, via }], ...more });

const living = (id: number, carrierCode = 'ANT') => shipmentWith(pieceOf(id, 'A', {}, carrierCode));
const canceled = (id: number) => shipmentWith({ ...pieceOf(id, 'A'), isCanceled: true });
const idsOf = (shipments: readonly FoundShipment[]) => shipments.map(({ id }) => id);

/** What is canceled, beside which first shipment, or what is named. */
function decisionFor(of: typeof order, own: Shipment, found: FoundShipment[]): Expected {
	const ids = own.pieces.map(({ row }) => row.id);
	const isListed = (each: FoundShipment) =>
		isLiving(each) && each.pieces.some(({ id }) => ids.includes(id));
	const listed = found.find(isListed);
	const { named, cancel } = decide(of, withMissingPieces(of, own, listed), listed, found);
	return cancel
		? { cancels: idsOf(cancel.surplus), first: cancel.lowest.id }
		: { names: idsOf(named) };
}

test('A creates 10, B creates 11. A sees 11 and does nothing. B sees 10, cancels 11 and returns 10', () => {
	const both = [living(10), living(11)];
	expect(decisionFor(order, ownWith('response', [10]), both)).toEqual({ names: [] });
	expect(decisionFor(order, ownWith('response', [11]), both)).toEqual({ cancels: [11], first: 10 });
});

const READ_BACK = ownWith('records');
const EXCHANGE = orderWith('A');
Object.assign(EXCHANGE.body, { exchangeOrder: true });

const OF_TWO = orderWith('A', { pieceCount: 2 });
const INCOMPLETE = ownWith('response');
const TWO_OWN: Shipment = {
	pieces: [...INCOMPLETE.pieces, ...ownWith('response', [3]).pieces],
};
const TWO_PIECES = shipmentWith(pieceOf(2, 'A'), pieceOf(3, 'A'));

interface Case {
	of?: typeof order;
	own?: Shipment;
	found: FoundShipment[];
}
interface Expected {
	names?: number[];
	cancels?: number[];
	first?: number;
}

test.each<[string, Case, Expected]>([
	['no other shipment exists', { found: [living(2)] }, { names: [] }],
	['the list does not show its own yet', { found: [] }, { names: [] }],
	['the other one is canceled', { found: [canceled(1), living(2)] }, { names: [] }],
	[
		'others came before and after',
		{ found: [living(1), living(2), living(3)] },
		{ cancels: [2], first: 1 },
	],
	['another one came later', { found: [living(2), living(3)] }, { names: [] }],
	[
		'the response was lost, and another one came later',
		{ own: READ_BACK, found: [living(2), living(3)] },
		{ cancels: [3], first: 2 },
	],
	[
		'the response was lost, and another one came before',
		{ own: READ_BACK, found: [living(1), living(2), living(3)] },
		{ cancels: [2, 3], first: 1 },
	],
	[
		'the response was lost, and the other one is of another carrier',
		{ own: READ_BACK, found: [living(2), living(3, 'DPD')] },
		{ names: [] },
	],
	[
		'it was read back and is not listed any more',
		{ own: READ_BACK, found: [living(3)] },
		{ names: [3] },
	],
	[
		'the response lacks a piece, which may be the other one',
		{ of: OF_TWO, own: INCOMPLETE, found: [living(1), living(2)] },
		{ names: [1] },
	],
	[
		'the response lacks a piece, which is in the list now',
		{ of: OF_TWO, own: INCOMPLETE, found: [living(1), TWO_PIECES] },
		{ cancels: [2], first: 1 },
	],
	[
		'it has more pieces than ordered, one of which may be of another shipment',
		{ own: TWO_OWN, found: [living(1), TWO_PIECES] },
		{ names: [1] },
	],
	['it is an exchange', { of: EXCHANGE, found: [living(1), living(2)] }, { names: [1] }],
])(
	'after creating shipment 2: %s',
	(_, { of = order, own = ownWith('response'), found }, expected) => {
		expect(decisionFor(of, own, found)).toEqual(expected);
	},
);

/** A run at a service with these shipments, which cancels the numbers that are not too late. */
function runAt(find: () => Promise<FoundShipment[]>, tooLate: string[] = []) {
	const { client } = clientOf(({ path }) => {
		const result = ['N2', 'N3'].map((packageNumberCarrier) => {
			const successfull = !tooLate.includes(packageNumberCarrier);
			return { packageNumberCarrier, successfull, message: successfull ? null : 'Too late' };
		});
		return path.includes('Cancel')
			? responseOf(200, { result, correlationId: '' })
			: responseOf(200, { result: [{ id: 3, packageNumberCarrier: 'N3', canceled: false }] });
	});
	const context = contextOf({});
	return {
		...{ context, client },
		journal: new Journal<CreateAct>(context, 'create', ({ itemIndex }) => `${itemIndex}`),
		records: { find, unread: new Map(), withDetail: async (shipment: FoundShipment) => shipment },
		options: { ifShipped: 'return' },
	} as unknown as CreationRun;
}

const doneWith = (value: Shipment): OrderOutcome => ({
	targets: [order],
	outcome: { state: 'done', value },
});

const numberedPieces = (ids: number[], via: Piece['via'] = 'response') =>
	ids.map((id): Piece => {
		return { row: { ...createdRow(id, 'A'), packageNumberCarrier: `N${id}` }, batch: null, via };
	});

test('what an earlier try has canceled stays known if the list cannot be read', async () => {
	const before = { id: 3, carrierCode: 'ANT', packageNumberCarrier: 'A3' };
	const value = ownWith('response', [2], { duplicates: { named: [], canceled: before } });
	const run = runAt(async () => {
		throw new Error('No list');
	});
	const [checked] = await checkDuplicates([doneWith(value)], run);
	expect(checked?.outcome).toMatchObject({
		value: { duplicates: { canceled: before, notRead: 'No list' } },
	});
});

test('if only a part of the second shipment could be canceled, the reason names what was', async () => {
	const pieces = numberedPieces([2, 3]);
	const run = runAt(async () => [living(1)], ['N3']);
	const [checked] = await checkDuplicates([{ ...doneWith({ pieces }), targets: [OF_TWO] }], run);
	const notCanceled = 'Too late. Only N2 was canceled';
	expect(checked?.outcome).toMatchObject({ value: { duplicates: { notCanceled } } });
});

test('a second shipment is canceled with the piece that the response has left out, once the list shows it', async () => {
	const listedPiece = (id: number) => pieceOf(id, 'A', { packageNumberCarrier: `N${id}` });
	const listed = shipmentWith(listedPiece(2), listedPiece(3));
	const run = runAt(async () => [living(1), listed]);
	const own = { ...doneWith({ pieces: numberedPieces([2]) }), targets: [OF_TWO] } as OrderOutcome;
	const [checked] = await checkDuplicates([own], run);
	expect(checked?.outcome).toMatchObject({
		value: { pieces: [{ row: { id: 1 } }], duplicates: { canceled: { id: 2 } } },
	});
});

test('a second shipment without a number of the carrier does not count as canceled', async () => {
	const run = runAt(async () => [living(1), living(2)]);
	const [checked] = await checkDuplicates([doneWith(ownWith('response'))], run);
	const notCanceled = 'The carrier has not assigned its number yet';
	expect(checked?.outcome).toMatchObject({ value: { duplicates: { notCanceled } } });
});

test.each<[string, string, Piece['via']]>([
	['the same carrier may be its own', 'ANT', 'records'],
	['another carrier is of another process', 'DPD', 'otherProcess'],
])('after a lost response, a shipment that stays at %s', async (_, carrierCode, via) => {
	const run = runAt(async () => [living(1, carrierCode), living(2)]);
	const own = { pieces: numberedPieces([2], 'records') };
	const [checked] = await checkDuplicates([doneWith(own)], run);
	expect(checked?.outcome).toMatchObject({ value: { pieces: [{ row: { id: 1 }, via }] } });
});

test('a piece that could not be confirmed before is output once the list shows it', async () => {
	const listed = shipmentWith(pieceOf(2, 'A'), pieceOf(3, 'A'));
	const own: OrderOutcome = {
		targets: [orderWith('A', { pieceCount: 2 })],
		outcome: { state: 'done', value: { pieces: numberedPieces([2]) } },
	};
	const [checked] = await checkDuplicates(
		[own],
		runAt(async () => [listed]),
	);
	expect(checked?.outcome).toMatchObject({
		value: {
			pieces: [
				{ row: { id: 2 }, via: 'response' },
				{ row: { id: 3 }, via: 'records' },
			],
		},
	});
});

test('the order fails if another process has created it with other values', async () => {
	const other = shipmentWith(pieceOf(1, 'A', { codPrice: 100, codCurrency: 'CZK' }));
	const run = runAt(async () => [other, living(2)]);
	Object.assign(run.options, { ifShipped: 'returnUnchanged' });
	const own = doneWith({ pieces: numberedPieces([2]) });
	const [checked] = await checkDuplicates([own], run);
	expect(checked?.outcome).toMatchObject({
		state: 'notDone',
		errors: [
			{
				message: expect.stringContaining('already exists, but with Cash on Delivery 100'),
				description: expect.stringContaining('the shipment of this item was canceled (ID 2)'),
			},
		],
	});
	// Also in n8n's next try.
	const [again] = await checkDuplicates(run.journal.doneOutcomes, run);
	expect(again?.outcome.state).toBe('notDone');
});

test('a shipment of which the service does not say the order may be a duplicate, unless it is the own one', async () => {
	const run = runAt(async () => [living(2)]);
	const unread = (id: number) => run.records.unread.set(id, { id, carrierCode: 'ANT' } as never);
	unread(2);
	const check = async () => {
		const [checked] = await checkDuplicates([doneWith(ownWith('response', [2]))], run);
		return checked?.outcome;
	};
	expect(await check()).not.toHaveProperty('value.duplicates.notRead');
	unread(7);
	expect(await check()).toHaveProperty(
		'value.duplicates.notRead',
		expect.stringContaining('shipment 7 of ANT without its order number'),
	);
});

test('what was read back with other values may be of another process, so the output names the differences', async () => {
	const listed = shipmentWith(pieceOf(2, 'A', { codPrice: 100, codCurrency: 'CZK' }));
	const run = runAt(async () => [listed]);
	Object.assign(run.options, { ifShipped: 'returnUnchanged' });
	const differencesOf = async (via: 'records' | 'response') => {
		const [checked] = await checkDuplicates([doneWith(ownWith(via))], run);
		return checked && shipmentOf(checked)?.differences;
	};
	expect(await differencesOf('records')).toMatchObject([{ field: 'cod' }]);
	expect(await differencesOf('response')).toBeUndefined();
});
