import { isNonEmpty } from '../lists';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { isLiving } from '../transport/pieces';
import type { Outcome } from '../writes/journal';
import type { Known, Verdict } from '../writes/writeOnce';
import { refusedError, unknownError, withoutIdError } from './messages';
import {
	comparePieces,
	countMissing,
	idsIn,
	isRefused,
	lacksId,
	lowestFirst,
	toBatchInfo,
	withRecords,
} from './shipments';
import type {
	BatchInfo,
	CreateAct,
	IfExists,
	OrderOutcome,
	Piece,
	ShipmentWithBatch,
	Row,
	Shipment,
} from './types';

/** What the journal and the form say. */
export interface JournalFacts {
	/** Whether the journal has the order as done, from an earlier try or another request. */
	isDone: (order: Order) => boolean;
	/** IDs of shipments that belong to orders that are done. */
	doneIds: ReadonlySet<number>;
	ifExists: IfExists;
}

/** What is the same for all rows and orders of the request. */
interface MatchInput extends JournalFacts {
	known: Known<CreateAct>;
	batch: BatchInfo | null;
	correlationId: string | null;
	/** What all searches have found. */
	shipments: ShipmentWithBatch[];
}

/**
 * Gives the orders of a request their outcomes, from the rows of the response and the records found at the
 * service. The reference of a record counts more than that of a row, but a row that refuses an order is final. An
 * order that is done already gets none.
 * 1. Rows belong to orders by reference, never by position, because a response in another order than the request
 *    looks the same as one in the same order. Only in a request for one order, a row without a reference is its. A
 *    created row without an ID counts as no row, and as an error if no piece is missing.
 * 2. Records belong to the orders that lack pieces then. With *Create Another One*, a record says only that a shipment
 *    may be that of an order without a row, because other runs create shipments of the same order.
 * 3. An order with a row or a record is done, or was refused.
 * 4. A row that is of no order for certain may be of any that lacks pieces. These orders share its outcome.
 * 5. An order without a row and a record is unknown, unless there are enough rows without a reference for all that lack
 *    pieces.
 * 6. Records are searched for each order without a row and a record, unless as many rows without a reference are
 *    refused as pieces are missing: records say of which order a row is, and complete a shipment. A missing piece is searched for once.
 */
export function match(known: Known<CreateAct>, journalFacts: JournalFacts): Verdict<CreateAct> {
	const { request, searches } = known;
	const input = readInput(known, journalFacts);
	// 1.
	const { undecided, unmatched, withoutId } = matchRows(input);
	// 2.
	const createdUnmatched = unmatched.filter((row) => !isRefused(row));
	// If the response names created shipments of no order, one of these may be the order's own.
	const isCertain = input.ifExists !== 'create' && createdUnmatched.length === 0;
	for (const each of undecided.filter(lacksPiece))
		Object.assign(each, findShipment(each, isCertain, input));

	// 3.
	const hasEvidence = ({ rows, shipment }: OrderEvidence) =>
		rows.length > 0 || shipment !== undefined;
	const withEvidence = undecided
		.filter(hasEvidence)
		.map((each) => ({ ...each, ...combine(each, input) }));
	const lackingPieces = withEvidence.filter(({ missingCount }) => missingCount > 0);
	const withoutEvidence = undecided
		.filter((each) => !hasEvidence(each))
		.map((each) => ({ ...each, missingCount: pieceCountOf(each.order) }));

	// 4. If no order lacks pieces, it may be of any, also of one that is done.
	const lacking = [...withoutEvidence, ...lackingPieces];
	const lackingOrders = lacking.map(({ order }) => order);
	const possibleOrders = request.targets.filter(
		(order) => lacking.length === 0 || lackingOrders.includes(order),
	);
	const ofRows = unmatched.toSorted(comparePieces).flatMap((row): OrderOutcome[] => {
		const outcome = outcomeOfUnmatched(row, input);
		return isNonEmpty(possibleOrders) ? [{ targets: possibleOrders, outcome }] : [];
	});

	// 5. and 6. Example: A has its row, and the two other rows have no reference. So B and C are not unknown: these rows
	// are of them, and records may say which. If both are refusals, B and C were refused, and nothing is searched for.
	const missingCount = lacking.reduce((sum, each) => sum + each.missingCount, 0);
	const withoutReference = withEachIdOnce(unmatched.filter((row) => !row.packageNumberCustom));
	const unknown = withoutReference.length >= missingCount ? [] : withoutEvidence;
	const refusedCount = withoutReference.filter(isRefused).length;
	const stillToSearch = refusedCount >= missingCount ? [] : withoutEvidence;
	// A missing piece of a shipment that exists is searched for once. With rows for A and the first of two pieces of B, but
	// none for C, all of B and C are searched for at first, and then only C.
	const searchedOnce = searches === 0 ? withEvidence.filter(lacksPiece) : [];
	return {
		outcomes: [
			...withEvidence.map(({ order, outcome }): OrderOutcome => ({ targets: [order], outcome })),
			...ofRows,
			...withoutId,
			...unknown.map((each): OrderOutcome => {
				const outcome = unknownOutcome(each, createdUnmatched, input);
				return { targets: [each.order], outcome };
			}),
		],
		toSearch: [...searchedOnce, ...stillToSearch].map(({ order }) => order),
	};
}

function readInput(known: Known<CreateAct>, journalFacts: JournalFacts): MatchInput {
	const { response, failure, records } = known;
	const batch = response ? toBatchInfo(response) : null;
	const ofFailure = failure?.details.correlationId as string | undefined;
	return {
		...journalFacts,
		known,
		batch,
		correlationId: batch?.correlationId ?? ofFailure ?? null,
		// Of a shipment that several searches have found, the latest records count.
		shipments: [...new Map(records.map((record) => [record.id, record])).values()],
	};
}

/** An order that may or may not have been created. */
function unknownOutcome(
	{ order, possible, withoutId }: OrderEvidence,
	unmatched: readonly Row[],
	input: MatchInput,
): Outcome<Shipment> {
	const possibleIds = possible.map(({ id }) => id);
	const errors = [
		unknownError(order, input.known, { ...input, possibleIds, unmatched, withoutId }),
	];
	// With *Create Another One*, no look-up finds it before the order is sent again. If the response says that it was
	// created, that the list does not show it proves nothing.
	const personMayRepeat = input.ifExists !== 'create' && withoutId.length === 0;
	return { state: 'unknown', errors, personMayRepeat };
}

/** A row that belongs to no order for certain. */
function outcomeOfUnmatched(row: Row, input: MatchInput): Outcome<Shipment> {
	if (isRefused(row)) {
		const { carrierCode } = input.known.request;
		return { state: 'notDone', errors: [refusedError(carrierCode, row, input)] };
	}
	return {
		state: 'unmatched',
		value: { pieces: [{ row, batch: input.batch, via: 'response' }] },
	};
}

/** An order, and what is known to belong to it. */
interface OrderEvidence {
	order: Order;
	rows: Row[];
	/** Created rows without an ID that are of the order, or may be. */
	withoutId: Row[];
	/** Refused pieces of an order that has a row without an ID, so that they do not settle it. */
	refusedBeside: Row[];
	/** Its shipment, as it was read back. */
	shipment?: ShipmentWithBatch | undefined;
	/** Shipments that may or may not come from this request. */
	possible: ShipmentWithBatch[];
}

function matchRows(input: MatchInput): {
	undecided: OrderEvidence[];
	unmatched: Row[];
	/** Errors of created rows without an ID that are of no missing piece. */
	withoutId: OrderOutcome[];
} {
	const { known, shipments, doneIds } = input;
	const { request, response } = known;
	const pieces = shipments.flatMap((shipment) => shipment.pieces);
	const recordedReferences = new Map(
		pieces.filter(({ reference }) => reference !== '').map(({ id, reference }) => [id, reference]),
	);
	const matched = request.targets.map((order): OrderEvidence => {
		return { order, rows: [], withoutId: [], refusedBeside: [], possible: [] };
	});
	const byReference = new Map(matched.map((each) => [referenceOf(each.order), each]));
	// A row without a reference can only be of the order, if the request has no other one. With several, even the
	// last row may be a second one of an order that has its row already.
	const [only] = matched;
	if (only && matched.length === 1) byReference.set('', only);
	const unmatched: Row[] = [];
	// A shipment that the response lists twice is one shipment, and one of an order that is done belongs to no
	// other order. The ID of a refused row means nothing: several can have the same.
	const usedIds = new Set(doneIds);
	for (const row of response?.result ?? []) {
		const id = idOf(row);
		if (!isRefused(row) && usedIds.has(id)) continue;
		if (!isRefused(row) && id > 0) usedIds.add(id);
		const reference = recordedReferences.get(id) ?? row.packageNumberCustom;
		const { rows = unmatched } = byReference.get(String(reference ?? '')) ?? {};
		rows.push(row);
	}
	const undecided = matched.filter(({ order }) => !input.isDone(order));
	const withoutId = setApartWithoutId(undecided, unmatched, input);
	return { undecided, unmatched: unmatched.filter((row) => !lacksId(row)), withoutId };
}

/** Sets created rows without an ID apart, and returns the errors of those that are one too many. */
function setApartWithoutId(
	undecided: readonly OrderEvidence[],
	unmatched: readonly Row[],
	{ known: { request }, batch }: MatchInput,
): OrderOutcome[] {
	const errorsOf = (targets: Order[], rows: readonly Row[]): OrderOutcome[] => {
		if (!isNonEmpty(targets) || rows.length === 0) return [];
		const errors = [withoutIdError(request.carrierCode, rows, batch)];
		return [{ targets, outcome: { state: 'notDone', errors } }];
	};
	const ofOrders = undecided.flatMap((each) => {
		each.withoutId = each.rows.filter(lacksId);
		if (each.withoutId.length === 0) return [];
		// A refusal does not mean that nothing exists if another piece was created.
		each.refusedBeside = each.rows.filter(isRefused);
		each.rows = each.rows.filter((row) => !isRefused(row) && !lacksId(row));
		return lacksPiece(each) ? [] : errorsOf([each.order], each.withoutId);
	});
	const others = unmatched.filter(lacksId);
	const lacking = undecided.filter(
		(each) =>
			lacksPiece(each) && each.rows.length + each.withoutId.length < pieceCountOf(each.order),
	);
	for (const each of lacking)
		if (each.rows.length === 0 && each.withoutId.length === 0) each.withoutId = others;
	return lacking.length > 0 ? ofOrders : [...ofOrders, ...errorsOf(request.targets, others)];
}

/** One refusal without a reference may come twice. */
const withEachIdOnce = (rows: readonly Row[]) =>
	rows.filter((row, at) => {
		const id = idOf(row);
		return id === 0 || rows.findIndex((each) => idOf(each) === id) === at;
	});

const lacksPiece = ({ order, rows }: OrderEvidence) =>
	rows.length < pieceCountOf(order) && !rows.some(isRefused);

/**
 * The shipment of an order in the records: that of which the response names a piece, or the only certain one. If none is
 * certain, those that it may be.
 */
function findShipment(
	{ order, rows }: OrderEvidence,
	isCertain: boolean,
	{ shipments, doneIds }: MatchInput,
): Pick<OrderEvidence, 'shipment'> | Pick<OrderEvidence, 'possible'> {
	const rowIds = new Set(idsIn(rows));
	const ofOrder = shipments.filter(({ reference }) => reference === referenceOf(order));
	if (rowIds.size > 0) {
		const withRow = ofOrder.find(({ pieces }) => pieces.some(({ id }) => rowIds.has(id)));
		// A piece that is only guessed to belong to it may be of another shipment.
		return { shipment: withRow?.isGuessed ? undefined : withRow };
	}
	// Several can be new, because another process created the order at the same moment: then the lowest ID counts, and
	// `duplicates.ts` cancels the others.
	const candidates = ofOrder
		.filter((each) => isLiving(each) && !each.pieces.some(({ id }) => doneIds.has(id)))
		.sort(lowestFirst);
	return isCertain && !candidates.some(({ lacksDetail }) => lacksDetail)
		? { shipment: candidates[0] }
		: { possible: candidates };
}

/** The outcome of an order from its rows and records, and how many of its pieces may or may not have been created. */
function combine(
	{ order, rows, refusedBeside, shipment }: OrderEvidence,
	input: MatchInput,
): { outcome: Outcome<Shipment>; missingCount: number } {
	const { batch, correlationId } = input;
	// A row with another reference, or without one, belongs to the order according to its record, or as the only row.
	const ownRows = [...rows, ...refusedBeside].map((row) => ({
		...row,
		packageNumberCustom: referenceOf(order),
	}));
	const refused = ownRows.filter(isRefused);
	const created = ownRows.filter((row) => !isRefused(row));
	// A piece that the response leaves out is in the batch of the others.
	const batchOfShipment = shipment?.batch ? { ...shipment.batch, correlationId } : null;
	const batchOfOthers = created.length > 0 ? batch : batchOfShipment;
	const pieces = withRecords(
		order,
		created.map((row): Piece => ({ row, batch, via: 'response' })),
		shipment,
		batchOfOthers,
	);
	if (pieces.length === 0) {
		const errors = refused.map((row) => refusedError(order.carrierCode, row, input));
		return { outcome: { state: 'notDone', errors }, missingCount: 0 };
	}
	const value: Shipment = { pieces, ...(refused.length > 0 ? { refused } : {}) };
	return { outcome: { state: 'done', value }, missingCount: countMissing(order, value) };
}
