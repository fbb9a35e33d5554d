import { isNonEmpty } from '../lists';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import { carrierNumberOf, idOf } from '../records';
import { isLiving, type FoundShipment } from '../transport/pieces';
import type { Outcome } from '../writes/journal';
import type { Known, Verdict } from '../writes/writeOnce';
import { refusedError, unknownError } from './messages';
import {
	comparePieces,
	countUnknownPieces,
	idsIn,
	isRefused,
	lowestFirst,
	toBatchInfo,
	toDuplicate,
	withRecordedIds,
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

/** What counts besides the request and what is known of it. */
export interface MatchFacts {
	/** Whether the journal has the order as done, from an earlier try or another request. */
	isDone: (order: Order) => boolean;
	/** IDs of shipments that belong to orders that are done, and of their duplicates that were canceled. */
	doneIds: ReadonlySet<number>;
	/** References that another pending request of the carrier contains, too. */
	inOtherPendingRequests: ReadonlySet<string>;
	ifExists: IfExists;
}

/** What is the same for all rows and orders of the request. */
interface Common {
	batch: BatchInfo | null;
	correlationId: string | null;
	ifExists: IfExists;
}

/**
 * Gives the orders of a request their outcomes, from the rows of the response and the records found at the
 * service. The reference of a record counts more than that of a row, but a row that refuses an order is final. An
 * order that is done already gets none.
 * 1. Rows belong to orders by reference, never by position, because a response in another order than the request
 *    looks the same as one in the same order. Only in a request for one order, a row without a reference is its.
 * 2. Records belong to the orders that lack pieces then.
 * 3. An order with a row or a record is done, or was refused.
 * 4. A row that is of no order for certain may be of any that lacks pieces. These orders share its outcome.
 * 5. An order without a row and a record is unknown, unless there are enough rows without a reference for all that lack
 *    pieces.
 * 6. Records are searched for each order without a row and a record, unless these rows are enough refusals: records say
 *    of which order a row is, and complete a shipment. A missing piece is searched for once.
 */
export function match(known: Known<CreateAct>, facts: MatchFacts): Verdict<CreateAct> {
	const { request, searches } = known;
	const common = readCommon(known, facts);
	// Of a shipment that several searches have found, the latest records count.
	const shipments = [...new Map(known.records.map((record) => [record.id, record])).values()];
	// 1.
	const { matched, unmatched } = matchRows(known, shipments, facts);
	// 2.
	const undecided = matched.filter(({ order }) => !facts.isDone(order));
	const createdUnmatched = unmatched.filter((row) => !isRefused(row));
	for (const each of undecided.filter(lacksIds))
		Object.assign(each, findShipment(each, shipments, createdUnmatched.length > 0, known, facts));

	// 3.
	const isFound = ({ rows, shipment }: Matched) => rows.length > 0 || shipment !== undefined;
	const found = undecided.filter(isFound).map((each) => ({ ...each, ...combine(each, common) }));
	const lackingPieces = found.filter(({ missingCount }) => missingCount > 0);
	const notFound = undecided
		.filter((each) => !isFound(each))
		.map((each) => ({ ...each, missingCount: pieceCountOf(each.order) }));

	// 4. If no order lacks pieces, it may be of any, also of one that is done.
	const lacking = [...notFound, ...lackingPieces];
	const lackingOrders = lacking.map(({ order }) => order);
	const possibleOrders = request.targets.filter(
		(order) => lacking.length === 0 || lackingOrders.includes(order),
	);
	const ofResponse = new Set(idsIn(known.response?.result ?? []));
	const others = notFound
		.flatMap((each) => each.possible)
		.filter(({ id, reference }) => reference !== '' && !ofResponse.has(id));
	const ofRows = unmatched.toSorted(comparePieces).flatMap((row): OrderOutcome[] => {
		const outcome = outcomeOfUnmatched(row, request.carrierCode, others, common);
		return isNonEmpty(possibleOrders) ? [{ targets: possibleOrders, outcome }] : [];
	});

	// 5. and 6. Example: A has its row, and the two other rows have no reference. So B and C are not unknown: these rows
	// are of them, and records may say which. If both are refusals, B and C were refused, and nothing is searched for.
	const missingCount = lacking.reduce((sum, each) => sum + each.missingCount, 0);
	const withoutReference = unmatched.filter((row) => !row.packageNumberCustom);
	const unconfirmed = withoutReference.length >= missingCount ? [] : notFound;
	const refusedCount = withoutReference.filter(isRefused).length;
	const stillToSearch = refusedCount >= missingCount ? [] : notFound;
	// A missing piece of a shipment that exists is searched for once, like a missing ID. With rows for A and the first of
	// two pieces of B, but none for C, all of B and C are searched for at first, and then only C.
	const searchedOnce = searches === 0 ? found.filter(lacksIds) : [];
	return {
		outcomes: [
			...found.map(({ order, outcome }): OrderOutcome => ({ targets: [order], outcome })),
			...ofRows,
			...unconfirmed.map((each): OrderOutcome => {
				const outcome = outcomeOfUnconfirmed(each, createdUnmatched, known, common);
				return { targets: [each.order], outcome };
			}),
		],
		toSearch: [...searchedOnce, ...stillToSearch].map(({ order }) => order),
	};
}

function readCommon({ response, failure }: Known<CreateAct>, { ifExists }: MatchFacts): Common {
	const batch = response ? toBatchInfo(response) : null;
	const ofFailure = failure?.details.correlationId as string | undefined;
	return { batch, correlationId: batch?.correlationId ?? ofFailure ?? null, ifExists };
}

/** An order that may or may not have been created. */
function outcomeOfUnconfirmed(
	{ order, possible }: Matched,
	unmatched: readonly Row[],
	known: Known<CreateAct>,
	common: Common,
): Outcome<Shipment> {
	const possibleIds = possible.map(({ id }) => id);
	const errors = [unknownError(order, known, { ...common, possibleIds, unmatched })];
	// Without *Create Another One*, the look-up finds it before the order is sent again.
	const personMayRepeat = common.ifExists !== 'create' || possibleIds.length === 0;
	return { state: 'unknown', errors, personMayRepeat };
}

/** A row that belongs to no order for certain. The records of these orders may have shipments of another process. */
function outcomeOfUnmatched(
	row: Row,
	carrierCode: string,
	others: readonly FoundShipment[],
	common: Common,
): Outcome<Shipment> {
	if (isRefused(row)) return { state: 'notDone', errors: [refusedError(carrierCode, row, common)] };
	const pieces: Piece[] = [{ row, batch: common.batch, via: 'response' }];
	// Without an ID, it may be one of them.
	const named = idOf(row) > 0 ? others.toSorted(lowestFirst).map(toDuplicate) : [];
	return {
		state: 'unmatched',
		value: { pieces, ...(named.length > 0 ? { duplicates: { named } } : {}) },
	};
}

/** An order, and what is known to belong to it. */
interface Matched {
	order: Order;
	rows: Row[];
	/** Its shipment, as it was read back. */
	shipment?: ShipmentWithBatch;
	/** Other shipments that may be it instead. */
	alternatives: FoundShipment[];
	/** Shipments that may or may not come from this request. */
	possible: FoundShipment[];
}

function matchRows(
	{ request, response }: Known<CreateAct>,
	shipments: readonly FoundShipment[],
	{ doneIds }: MatchFacts,
): { matched: Matched[]; unmatched: Row[] } {
	const pieces = shipments.flatMap((shipment) => shipment.pieces);
	const recordedReferences = new Map(
		pieces.filter(({ reference }) => reference !== '').map(({ id, reference }) => [id, reference]),
	);
	const matched = request.targets.map((order): Matched => {
		return { order, rows: [], alternatives: [], possible: [] };
	});
	const byReference = new Map(matched.map((each) => [referenceOf(each.order), each]));
	// A row without a reference can only be of the order, if the request has no other one. With several, even the
	// last row may be a second one of an order that has its row already.
	const [first] = matched;
	if (first && matched.length === 1) byReference.set('', first);
	const unmatched: Row[] = [];
	// A shipment that the response lists twice is one shipment, and one of an order that is done belongs to no
	// other order. The ID of a refused row means nothing: several can have the same.
	const seen = new Set<unknown>();
	const sources = (response?.result ?? []).map((row) => ({ row }));
	for (const { row } of withRecordedIds(sources, pieces)) {
		const id = idOf(row);
		const key = isRefused(row) ? `${id} ${row.packageNumberCustom}` : id;
		if (id > 0 && (seen.has(key) || (!isRefused(row) && doneIds.has(id)))) continue;
		seen.add(key);
		const reference = recordedReferences.get(id) ?? row.packageNumberCustom;
		const { rows = unmatched } = byReference.get(String(reference ?? '')) ?? {};
		rows.push(row);
	}
	unmatchSurplus(matched, unmatched, recordedReferences);
	return { matched, unmatched };
}

/**
 * If an order has more rows than pieces while another order lacks rows, a reference may be wrong, and
 * only the service's records can say which.
 */
function unmatchSurplus(
	matched: readonly Matched[],
	unmatched: Row[],
	recordedReferences: ReadonlyMap<number, string>,
): void {
	const isRecorded = (row: Row) => recordedReferences.has(idOf(row));
	const crowded = matched.filter(({ order, rows }) => rows.length > pieceCountOf(order));
	for (const each of crowded) {
		if (!matched.some(lacksIds)) continue;
		unmatched.push(...each.rows.filter((row) => !isRecorded(row)));
		each.rows = each.rows.filter(isRecorded);
	}
}

/** A row without the ID of its shipment says too little. */
const lacksIds = ({ order, rows }: Matched) =>
	idsIn(rows).length < pieceCountOf(order) && !rows.some(isRefused);

/** Finds the shipment of an order in the records, and shipments that may or may not come from this request. */
function findShipment(
	{ order, rows }: Matched,
	shipments: readonly ShipmentWithBatch[],
	hasCreatedUnmatched: boolean,
	{ request: { idsBefore }, response }: Known<CreateAct>,
	{ doneIds, inOtherPendingRequests, ifExists }: MatchFacts,
): Partial<Matched> {
	const reference = referenceOf(order);
	const ofReference = shipments.filter((shipment) => shipment.reference === reference);
	const before = new Set(idsBefore === 'notRead' ? [] : idsBefore);
	const isOld = ({ id }: { id: number }) => before.has(id) || doneIds.has(id);
	const rowIds = new Set(idsIn(rows));
	// The response names a piece of it.
	if (rowIds.size > 0) {
		const own = ofReference.find(
			({ id, pieces }) => rowIds.has(id) || pieces.some((piece) => rowIds.has(piece.id)),
		);
		// Pieces that were there before are of another shipment, also if they are guessed to belong to this one.
		const shipment = own && { ...own, pieces: own.pieces.filter((piece) => !isOld(piece)) };
		return shipment ? { shipment } : {};
	}
	const isNew = (each: FoundShipment) => isLiving(each) && !each.pieces.some(isOld);
	// A row without an ID may have the number of its carrier.
	const rowNumbers = rows.map(carrierNumberOf).filter((number) => number !== '');
	const hasRowNumber = ({ pieces }: FoundShipment) =>
		rowNumbers.length === 0 ||
		pieces.some(({ number }) => number === '' || rowNumbers.includes(number));
	const created = ofReference.filter((each) => isNew(each) && hasRowNumber(each)).sort(lowestFirst);
	// Of these, the service does not say the order. Without *Create Another One*, the look-up deals with them.
	const known = new Set([
		...idsIn(response?.result ?? []),
		...ofReference.flatMap((each) => each.pieces.map(({ id }) => id)),
	]);
	const unread = shipments.filter(
		(each) => each.reference === '' && ifExists === 'create' && isNew(each) && !known.has(each.id),
	);
	const [lowest, ...higher] = created;
	// Several can be new, because another process created the order at the same moment: then the lowest ID counts, and
	// `duplicates.ts` cancels the others. With *Create Another One*, all of them stay, so that none is certain. Neither is
	// one if the response names created shipments of no order: one of these may be the order's own.
	const isCertain =
		idsBefore !== 'notRead' &&
		!inOtherPendingRequests.has(reference) &&
		!hasCreatedUnmatched &&
		!created.some(({ lacksDetail }) => lacksDetail) &&
		(ifExists !== 'create' || created.length + unread.length === 1);
	return lowest && isCertain
		? { shipment: lowest, alternatives: higher }
		: { possible: [...created, ...unread] };
}

/** The outcome of an order from its rows and records, and how many of its pieces may or may not have been created. */
function combine(
	{ order, rows, shipment, alternatives }: Matched,
	common: Common,
): { outcome: Outcome<Shipment>; missingCount: number } {
	const { batch, correlationId } = common;
	// A row with another reference, or without one, belongs to the order according to its record, or as the only row.
	const own = rows.map((row) => ({ ...row, packageNumberCustom: referenceOf(order) }));
	const refused = own.filter(isRefused);
	const created = own.filter((row) => !isRefused(row));
	// A piece that the response leaves out is in the batch of the others.
	const ownBatch = shipment?.batch ? { ...shipment.batch, correlationId } : null;
	const batchOfOthers = idsIn(created).length > 0 ? batch : ownBatch;
	const pieces = withRecords(
		order,
		created.map((row): Piece => ({ row, batch, via: 'response' })),
		shipment,
		batchOfOthers,
	);
	if (pieces.length === 0) {
		const errors = refused.map((row) => refusedError(order.carrierCode, row, common));
		return { outcome: { state: 'notDone', errors }, missingCount: 0 };
	}
	const missingCount = countUnknownPieces(order, { pieces, refused });
	const value: Shipment = {
		pieces,
		...(refused.length > 0 ? { refused } : {}),
		...(missingCount > 0 ? { isIncomplete: true } : {}),
		...(alternatives.length > 0 ? { duplicates: { named: alternatives.map(toDuplicate) } } : {}),
	};
	return { outcome: { state: 'done', value }, missingCount };
}
