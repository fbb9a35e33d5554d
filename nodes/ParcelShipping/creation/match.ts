import { isNonEmpty } from '../lists';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { isLiving } from '../transport/pieces';
import type { Journal, Outcome } from '../writes/journal';
import type { Known, Verdict } from '../writes/writeOnce';
import { refusedError, unknownError, withoutIdError } from './messages';
import {
	comparePieces,
	countMissing,
	idsIn,
	isRefused,
	lowestFirst,
	toBatchInfo,
	withRecords,
} from './shipments';
import type {
	BatchInfo,
	CreateAct,
	OrderOutcome,
	Piece,
	ShipmentWithBatch,
	Row,
	Shipment,
} from './types';

/** What the journal has as done, from an earlier try or another request. */
export type JournalFacts = Pick<Journal<CreateAct>, 'isDone' | 'isDoneId'>;

/** What is the same for all rows and orders of the request. */
interface MatchInput {
	known: Known<CreateAct>;
	journal: JournalFacts;
	batch: BatchInfo | null;
	correlationId: string | null;
	/** What all searches have found. */
	shipments: ShipmentWithBatch[];
}

/**
 * Gives the orders of a request their outcomes, from the rows of the response and the records found at the
 * service. A row that refuses an order is final. An order that is done already gets no outcome of its own.
 * 1. Rows belong to orders by reference, never by position, because a response in another order than the request
 *    looks the same as one in the same order. If a search has found the record of a row, its reference counts instead
 *    of that of the row. Only in a request for one order, a row without a reference is its. A created row without an ID
 *    counts as no row, and as an error if no piece is missing.
 * 2. Records belong to the orders that lack pieces then.
 * 3. An order with a row or a record is done, or was refused.
 * 4. A row that is of no order for certain may be of any that lacks pieces. These orders share its outcome. If none lacks
 *    pieces, all orders of the request share it, also those that are done.
 * 5. An order without a row and a record is unknown, unless there are enough rows without a reference for all that lack
 *    pieces.
 * 6. Records are searched for each order without a row and a record, unless as many rows without a reference are
 *    refused as pieces are missing: records say of which order a row is, and complete a shipment. A missing piece is
 *    searched for once.
 */
export function match(known: Known<CreateAct>, journal: JournalFacts): Verdict<CreateAct> {
	const { request, searches } = known;
	const input = readInput(known, journal);
	// 1.
	const { evidence, unmatched, surplus } = matchRows(input);
	// 2.
	const createdUnmatched = unmatched.filter((row) => !isRefused(row));
	// If the response names created shipments of no order, one of these may be the order's own.
	const isCertain = createdUnmatched.length === 0;
	const undecided = evidence.map((each) =>
		lacksPiece(each) ? { ...each, ...findShipment(each, isCertain, input) } : each,
	);

	// 3.
	const withEvidence = undecided
		.filter(hasEvidence)
		.map((each) => ({ ...each, ...combine(each, input) }));
	const lackingPieces = withEvidence.filter(({ missingCount }) => missingCount > 0);
	const withoutEvidence = undecided
		.filter((each) => !hasEvidence(each))
		.map((each) => ({ ...each, missingCount: pieceCountOf(each.order) }));

	// 4.
	const lacking = [...withoutEvidence, ...lackingPieces];
	const lackingOrders = lacking.map(({ order }) => order);
	const possibleOrders = request.targets.filter(
		(order) => lacking.length === 0 || lackingOrders.includes(order),
	);
	const ofRows = unmatched.toSorted(comparePieces).flatMap((row): OrderOutcome[] => {
		const outcome = outcomeOfUnmatched(row, input);
		return isNonEmpty(possibleOrders) ? [{ targets: possibleOrders, outcome }] : [];
	});

	// 5. and 6.
	const missingCount = lacking.reduce((sum, each) => sum + each.missingCount, 0);
	const { unknown, toSearch } = judgeWithoutEvidence(withoutEvidence, missingCount, unmatched);
	// With rows for A and the first of two pieces of B, but none for C, all of B and C are searched for at first, and then
	// only C.
	const searchedOnce = searches === 0 ? withEvidence.filter(lacksPiece) : [];
	return {
		outcomes: [
			...withEvidence.map(({ order, outcome }): OrderOutcome => ({ targets: [order], outcome })),
			...ofRows,
			...surplus,
			...unknown.map((each): OrderOutcome => {
				const outcome = unknownOutcome(each, createdUnmatched, input);
				return { targets: [each.order], outcome };
			}),
		],
		toSearch: [...searchedOnce, ...toSearch].map(({ order }) => order),
	};
}

/**
 * The orders without a row and a record that are unknown, and for which records are searched. Example: A has its row, and
 * the two other rows have no reference. So B and C are not unknown: these rows are of them, and records may say which. If
 * both are refusals, B and C were refused, and nothing is searched for. An order with a created row without an ID is unknown
 * all the same.
 */
function judgeWithoutEvidence(
	orders: OrderEvidence[],
	missingCount: number,
	unmatched: readonly Row[],
): { unknown: OrderEvidence[]; toSearch: OrderEvidence[] } {
	const withoutReference = withEachIdOnce(unmatched.filter((row) => !row.packageNumberCustom));
	const refusedCount = withoutReference.filter(isRefused).length;
	const withRow = orders.filter(({ withoutId }) => withoutId.length > 0);
	return {
		unknown: withoutReference.length >= missingCount ? withRow : orders,
		toSearch: refusedCount >= missingCount ? withRow : orders,
	};
}

function readInput(known: Known<CreateAct>, journal: JournalFacts): MatchInput {
	const { response, failure, records } = known;
	const batch = response ? toBatchInfo(response) : null;
	const ofFailure = failure?.details.correlationId as string | undefined;
	return {
		known,
		journal,
		batch,
		correlationId: batch?.correlationId ?? ofFailure ?? null,
		// Of a shipment that several searches have found, the latest records count.
		shipments: [...new Map(records.map((record) => [record.id, record])).values()],
	};
}

/** An order that may or may not have been created. */
function unknownOutcome(
	{ order, possible, withoutId, refused }: OrderEvidence,
	unmatched: readonly Row[],
	input: MatchInput,
): Outcome<Shipment> {
	const possibleIds = possible.map(({ id }) => id);
	const facts = { ...input, possibleIds, unmatched, withoutId, refused };
	const errors = [unknownError(order, input.known, facts)];
	// If the response says that it was created, that the list does not show it proves nothing.
	const isRepeatable = withoutId.length === 0;
	return { state: 'unknown', errors, isRepeatable };
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
	created: Row[];
	refused: Row[];
	/** Created rows without an ID that are of the order, or may be. */
	withoutId: Row[];
	/** Its shipment, as it was read back. */
	shipment: ShipmentWithBatch | undefined;
	/** Shipments that may or may not come from this request. */
	possible: ShipmentWithBatch[];
}

/** Not beside a row without an ID: that piece was created. */
const isRefusedForCertain = ({ refused, withoutId }: OrderEvidence) =>
	refused.length > 0 && withoutId.length === 0;

const hasEvidence = (each: OrderEvidence) =>
	each.created.length > 0 || isRefusedForCertain(each) || each.shipment !== undefined;

const lacksPiece = (each: OrderEvidence) =>
	each.created.length < pieceCountOf(each.order) && !isRefusedForCertain(each);

/** Whether it lacks a piece that has no row at all, not even one without an ID. */
const lacksRow = (each: OrderEvidence) =>
	lacksPiece(each) &&
	each.created.length + each.refused.length + each.withoutId.length < pieceCountOf(each.order);

interface MatchedRows {
	/** Of the orders that are not done. */
	evidence: OrderEvidence[];
	/** Rows that belong to no order for certain, except created ones without an ID. */
	unmatched: Row[];
	/** Errors of created rows without an ID that are of no missing piece. */
	surplus: OrderOutcome[];
}

function matchRows(input: MatchInput): MatchedRows {
	const { known, journal, shipments } = input;
	const { request, response } = known;
	const pieces = shipments.flatMap((shipment) => shipment.pieces);
	const recordedReferences = new Map(
		pieces.filter(({ reference }) => reference !== '').map(({ id, reference }) => [id, reference]),
	);
	const evidence = request.targets.map((order): OrderEvidence => {
		return { order, created: [], refused: [], withoutId: [], shipment: undefined, possible: [] };
	});
	const byReference = new Map(evidence.map((each) => [referenceOf(each.order), each]));
	// A row without a reference can only be of the order, if the request has no other one. With several, even the
	// last row may be a second one of an order that has its row already.
	const [only] = evidence;
	if (only && evidence.length === 1) byReference.set('', only);
	const unmatched: Row[] = [];
	const unmatchedWithoutId: Row[] = [];
	// A shipment that the response lists twice is one shipment, and one of an order that is done belongs to no
	// other order. The ID of a refused row means nothing: several can have the same.
	const usedIds = new Set<number>();
	for (const row of response?.result ?? []) {
		const id = idOf(row);
		const own = byReference.get(
			String(recordedReferences.get(id) ?? row.packageNumberCustom ?? ''),
		);
		if (isRefused(row)) (own?.refused ?? unmatched).push(row);
		else if (id === 0) (own?.withoutId ?? unmatchedWithoutId).push(row);
		else if (!usedIds.has(id) && !journal.isDoneId(id)) {
			usedIds.add(id);
			(own?.created ?? unmatched).push(row);
		}
	}
	const undecided = evidence.filter(({ order }) => !journal.isDone(order));
	return { unmatched, ...shareWithoutId(undecided, unmatchedWithoutId, input) };
}

/**
 * A created row without an ID that is of no order for certain may be of each that lacks a row. If none does, it is one too
 * many, and so is one of an order that lacks no piece.
 */
function shareWithoutId(
	evidence: readonly OrderEvidence[],
	unmatched: readonly Row[],
	{ known: { request }, batch }: MatchInput,
): Pick<MatchedRows, 'evidence' | 'surplus'> {
	const errorsOf = (targets: Order[], rows: readonly Row[]): OrderOutcome[] => {
		if (!isNonEmpty(targets) || rows.length === 0) return [];
		const errors = [withoutIdError(request.carrierCode, rows, batch)];
		return [{ targets, outcome: { state: 'notDone', errors } }];
	};
	return {
		evidence: evidence.map((each) =>
			lacksRow(each) ? { ...each, withoutId: [...each.withoutId, ...unmatched] } : each,
		),
		surplus: [
			...evidence.flatMap((each) =>
				lacksPiece(each) ? [] : errorsOf([each.order], each.withoutId),
			),
			...(evidence.some(lacksRow) ? [] : errorsOf(request.targets, unmatched)),
		],
	};
}

/** One refusal without a reference may come twice. */
const withEachIdOnce = (rows: readonly Row[]) =>
	rows.filter((row, at) => {
		const id = idOf(row);
		return id === 0 || rows.findIndex((each) => idOf(each) === id) === at;
	});

/**
 * The shipment of an order in the records: that of which the response names a piece, or the only certain one. If none is
 * certain, those that it may be.
 */
function findShipment(
	{ order, created }: OrderEvidence,
	isCertain: boolean,
	{ shipments, journal }: MatchInput,
): Pick<OrderEvidence, 'shipment' | 'possible'> {
	const rowIds = new Set(idsIn(created));
	const ofOrder = shipments.filter(({ reference }) => reference === referenceOf(order));
	if (rowIds.size > 0) {
		const withRow = ofOrder.find(({ pieces }) => pieces.some(({ id }) => rowIds.has(id)));
		// A piece that is only guessed to belong to it may be of another shipment.
		return { shipment: withRow?.isGuessed ? undefined : withRow, possible: [] };
	}
	// Several can be new, because another process created the order at the same moment: then the lowest ID counts, and
	// `duplicates.ts` cancels the others.
	const candidates = ofOrder
		.filter((each) => isLiving(each) && !each.pieces.some(({ id }) => journal.isDoneId(id)))
		.sort(lowestFirst);
	return isCertain && !candidates.some(({ lacksDetail }) => lacksDetail)
		? { shipment: candidates[0], possible: [] }
		: { shipment: undefined, possible: candidates };
}

/** The outcome of an order from its rows and records, and how many of its pieces may or may not have been created. */
function combine(
	{ order, created, refused, withoutId, shipment }: OrderEvidence,
	input: MatchInput,
): { outcome: Outcome<Shipment>; missingCount: number } {
	const { batch, correlationId } = input;
	// A row with another reference, or without one, belongs to the order according to its record, or as the only row.
	const withReference = (row: Row): Row => ({ ...row, packageNumberCustom: referenceOf(order) });
	const refusedRows = refused.map(withReference);
	// A piece that the response leaves out is in the batch of the others.
	const batchOfShipment = shipment?.batch ? { ...shipment.batch, correlationId } : null;
	const batchOfOthers = created.length > 0 ? batch : batchOfShipment;
	const pieces = withRecords(
		order,
		created.map((row): Piece => ({ row: withReference(row), batch, via: 'response' })),
		shipment,
		batchOfOthers,
	);
	if (pieces.length === 0) {
		const errors = refusedRows.map((row) => refusedError(order.carrierCode, row, input));
		return { outcome: { state: 'notDone', errors }, missingCount: 0 };
	}
	const value: Shipment = {
		pieces,
		...(refused.length > 0 ? { refused: refusedRows } : {}),
		...(withoutId.length > 0 ? { withoutId } : {}),
	};
	return { outcome: { state: 'done', value }, missingCount: countMissing(order, value) };
}
