import { checkDuplicates, decide } from '../../../nodes/ParcelShipping/creation/duplicates';
import type {
	CreateAct,
	CreationRun,
	OrderOutcome,
	Piece,
	Shipment,
} from '../../../nodes/ParcelShipping/creation/types';
import type { FoundShipment } from '../../../nodes/ParcelShipping/transport/pieces';
import { shipmentOf } from '../../../nodes/ParcelShipping/creation/shipments';
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

const IN_THIS_TRY = { isOfEarlierExecution: false, isRepeated: false };

test('A creates 10, B creates 11. A sees 11 and does nothing. B sees 10, cancels 11 and returns 10', () => {
	const both = [living(10), living(11)];
	const ofA = decide(order, ownWith('response', [10]), both, IN_THIS_TRY);
	expect(ofA).toMatchObject({ act: 'keepAll', named: [] });

	const ofB = decide(order, ownWith('response', [11]), both, IN_THIS_TRY);
	if (ofB.act !== 'cancel') throw new Error(ofB.act);
	expect([idsOf(ofB.toCancel), ofB.lowest.id]).toEqual([[11], 10]);
});

const READ_BACK = ownWith('records');
const EXCHANGE = orderWith('A');
Object.assign(EXCHANGE.body, { exchangeOrder: true });

const OF_TWO = orderWith('A', { pieceCount: 2 });
const INCOMPLETE = ownWith('response', [2], { isIncomplete: true });
const TWO_PIECES = shipmentWith(pieceOf(2, 'A'), pieceOf(3, 'A'));

interface Case {
	of?: typeof order;
	own?: Shipment;
	found: FoundShipment[];
	isOfEarlierExecution?: true;
	isRepeated?: true;
}
interface Expected {
	names?: number[];
	cancels?: number[];
	first?: number;
	act?: 'fail' | 'useOthers';
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
		'another one came later, perhaps of a request of this execution that was lost before',
		{ found: [living(2), living(3)], isRepeated: true },
		{ names: [3] },
	],
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
	['it is an exchange', { of: EXCHANGE, found: [living(1), living(2)] }, { names: [1] }],
	[
		'a person has retried the execution that created it, and somebody may have wanted the other one',
		{ found: [living(1), living(2)], isOfEarlierExecution: true },
		{ names: [1] },
	],
	[
		'somebody has canceled it since, and created others',
		{ found: [canceled(2), living(4), living(3)], isOfEarlierExecution: true },
		{ act: 'useOthers', names: [3, 4] },
	],
	[
		'somebody has canceled it since',
		{ found: [canceled(2)], isOfEarlierExecution: true },
		{ act: 'fail' },
	],
	[
		'somebody has canceled the exchange since',
		{ of: EXCHANGE, found: [canceled(2), living(3)], isOfEarlierExecution: true },
		{ act: 'fail' },
	],
])(
	'after creating shipment 2: %s',
	(_, { of = order, own = ownWith('response'), ...known }, expected) => {
		const { found, isOfEarlierExecution = false, isRepeated = false } = known;
		const decision = decide(of, own, found, { isOfEarlierExecution, isRepeated });
		const { act } = decision;
		const seen =
			act === 'cancel'
				? { cancels: idsOf(decision.toCancel), first: decision.lowest.id }
				: {
						...(act === 'keepAll' ? { names: idsOf(decision.named) } : { act }),
						...(act === 'useOthers' ? { names: idsOf(decision.others) } : {}),
					};
		expect(seen).toEqual(expected);
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
		options: { ifExists: 'reuse', lookbackDays: 30, maxRetryWait: 0 },
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
	const [checked] = await checkDuplicates([doneWith(value)], [], run);
	expect(checked?.outcome).toMatchObject({
		value: { duplicates: { canceled: before, notRead: 'No list' } },
	});
});

test('if only a part of the second shipment could be canceled, the reason names what was', async () => {
	const pieces = numberedPieces([2, 3]);
	const run = runAt(async () => [living(1)], ['N3']);
	const [checked] = await checkDuplicates([doneWith({ pieces })], [], run);
	const notCanceled = 'Too late. Only N2 was canceled';
	expect(checked?.outcome).toMatchObject({ value: { duplicates: { notCanceled } } });
});

test('a row without a reference is of the shipment that was canceled if the list says so', async () => {
	const numbered = (id: number) => pieceOf(id, 'A', { packageNumberCarrier: `N${id}` });
	const run = runAt(async () => [living(1), shipmentWith(numbered(2), numbered(3))]);
	const nameless = { row: createdRow(3, null), batch: null, via: 'response' as const };
	const ofOther: OrderOutcome = {
		targets: [orderWith('B', { itemIndex: 1 })],
		outcome: { state: 'unmatched', value: { pieces: [nameless] } },
	};
	const checked = await checkDuplicates(
		[doneWith({ pieces: numberedPieces([2]) }), ofOther],
		[],
		run,
	);
	expect(checked.map(({ outcome }) => outcome.state)).toEqual(['done']);
	expect(checked[0]?.outcome).toMatchObject({
		value: { canceledPieceIds: [2, 3] },
	});
});

test.each<[string, string, Piece['via']]>([
	['the same carrier may be its own', 'ANT', 'records'],
	['another carrier is of another process', 'DPD', 'otherProcess'],
])('after a lost response, a shipment that stays at %s', async (_, carrierCode, via) => {
	const run = runAt(async () => [living(1, carrierCode), living(2)]);
	const own = { pieces: numberedPieces([2], 'records') };
	const [checked] = await checkDuplicates([doneWith(own)], [], run);
	expect(checked?.outcome).toMatchObject({ value: { pieces: [{ row: { id: 1 }, via }] } });
});

test('the first shipment may be the one whose response was lost before a person retried', async () => {
	const run = runAt(async () => [living(1), living(2)]);
	const request = { targets: [order], carrierCode: 'ANT', since: '2026-11-20' };
	run.journal.begin(request);
	run.journal.allowRepeat([order]);
	run.journal.begin(request);
	const [checked] = await checkDuplicates([doneWith({ pieces: numberedPieces([2]) })], [], run);
	expect(checked?.outcome).toMatchObject({
		value: { pieces: [{ row: { id: 1 }, via: 'records' }] },
	});
});

test('a piece that could not be confirmed before is output once the list shows it', async () => {
	const listed = shipmentWith(pieceOf(2, 'A'), pieceOf(3, 'A'));
	const own: OrderOutcome = {
		targets: [orderWith('A', { pieceCount: 2 })],
		outcome: { state: 'done', value: { pieces: numberedPieces([2]), isIncomplete: true } },
	};
	const [checked] = await checkDuplicates(
		[own],
		[],
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
	expect(checked?.outcome).not.toHaveProperty('value.isIncomplete');
});

test('the IDs of a shipment that somebody has canceled stay known if another one takes its place', async () => {
	const run = runAt(async () => [canceled(2), living(4)]);
	const before = doneWith(ownWith('response', [2]));
	run.journal.keepDone(before.targets[0], ownWith('response', [2]), 'earlier execution');
	const [checked] = await checkDuplicates(
		[doneWith(ownWith('response', [2], { canceledPieceIds: [1] }))],
		[],
		run,
	);
	expect(checked?.outcome).toMatchObject({
		value: { pieces: [{ row: { id: 4 } }], canceledPieceIds: [1, 2] },
	});
});

test.each(['ifExists', 'ifDiffers'])(
	'the shipment that somebody has created instead of a canceled one fails the order with %s set to fail',
	async (option) => {
		const run = runAt(async () => [canceled(2), living(4, 'DPD')]);
		Object.assign(run.options, { [option]: 'fail' });
		const own = ownWith('response', [2]);
		run.journal.keepDone(order, own, 'earlier execution');
		const [checked] = await checkDuplicates([doneWith(own)], [], run);
		expect(checked?.outcome).toMatchObject({
			state: 'notDone',
			errors: [
				{ description: expect.stringContaining('this item has been canceled since (ID 2)') },
			],
		});
		// No retry creates it again.
		expect(run.journal.isDone(order)).toBe(true);
	},
);

test('the order fails if another process has created it with other values', async () => {
	const other = shipmentWith(pieceOf(1, 'A', { codPrice: 100, codCurrency: 'CZK' }));
	const run = runAt(async () => [other, living(2)]);
	Object.assign(run.options, { ifDiffers: 'fail' });
	const own = doneWith({ pieces: numberedPieces([2]) });
	const [checked] = await checkDuplicates([own], [], run);
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
	const [again] = await checkDuplicates(run.journal.doneOutcomes, [], run);
	expect(again?.outcome.state).toBe('notDone');
});

test('a shipment of which the service does not say the order may be a duplicate, unless it is the own one', async () => {
	const run = runAt(async () => [living(2)]);
	const unread = (id: number) => run.records.unread.set(id, { id, carrierCode: 'ANT' } as never);
	unread(2);
	const check = async () => {
		const [checked] = await checkDuplicates([doneWith(ownWith('response', [2]))], [], run);
		return checked?.outcome;
	};
	expect(await check()).not.toHaveProperty('value.duplicates.notRead');
	unread(7);
	expect(await check()).toHaveProperty(
		'value.duplicates.notRead',
		'the service lists shipment 7 of ANT without its order number, and has no detail of it',
	);
});

test('what was read back with other values may be of another process, so the output names the differences', async () => {
	const listed = shipmentWith(pieceOf(2, 'A', { codPrice: 100, codCurrency: 'CZK' }));
	const run = runAt(async () => [listed]);
	Object.assign(run.options, { ifDiffers: 'fail' });
	const differencesOf = async (via: 'records' | 'response') => {
		const [checked] = await checkDuplicates([doneWith(ownWith(via))], [], run);
		return checked && shipmentOf(checked)?.differences;
	};
	expect(await differencesOf('records')).toMatchObject([{ field: 'cod' }]);
	expect(await differencesOf('response')).toBeUndefined();
});

test('who corrects an order that was created before a retry is told how its shipment differs', async () => {
	const run = runAt(async () => [
		shipmentWith(pieceOf(2, 'A', { codPrice: 100, codCurrency: 'CZK' })),
	]);
	run.journal.keepDone(order, ownWith('response', [2]), 'earlier execution');
	const check = async (current: typeof order) => {
		const [checked] = await checkDuplicates(run.journal.doneOutcomes, [current], run);
		return checked?.outcome;
	};
	const corrected = orderWith('A');
	Object.assign(corrected.body, { recStreet: 'Other' });
	expect(await check(corrected)).toMatchObject({
		value: { differences: [{ field: 'cod', ordered: null, existing: '100.00 CZK' }] },
	});
	const paid = orderWith('A');
	Object.assign(paid.body, { cod: true, codPrice: 100, codCurrency: 'CZK' });
	expect(await check(paid)).toMatchObject({ value: { differences: undefined } });
	// The person has undone the correction. The service may have written a value in another way.
	expect(await check(corrected)).toHaveProperty('value.differences.length', 1);
	expect(await check(orderWith('A'))).toMatchObject({ value: { differences: undefined } });
});
