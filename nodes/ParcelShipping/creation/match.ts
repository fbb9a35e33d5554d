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

/** What the journal and the form say. */
export interface JournalFacts {
	/** Whether the journal has the order as done, from an earlier try or another request. */
	isDone: (order: Order) => boolean;
	/** IDs of shipments that belong to orders that are done, and of their duplicates that were canceled. */
	doneIds: ReadonlySet<number>;
	/** References that another pending request of the carrier contains, too. */
	inOtherPendingRequests: ReadonlySet<string>;
	ifExists: IfExists;
}

/** What is the same for all rows and orders of the request. */
interface MatchInput extends JournalFacts {
	known: Known<CreateAct>;
	batch: BatchInfo | null;
	correlationId: string | null;
	/** What all searches have found. */
	shipments: ShipmentWithBatch[];
	/** IDs of what does not come from this request. */
	oldIds: ReadonlySet<number>;
	/** IDs in the response. */
	responseIds: ReadonlySet<number>;
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
 * 6. Records are searched for each order without a row and a record, unless as many rows without a reference are
 *    refused as pieces are missing: records say of which order a row is, and complete a shipment. A missing piece is searched for once.
 */
export function match(known: Known<CreateAct>, journalFacts: JournalFacts): Verdict<CreateAct> {
	const { request, searches } = known;
	const input = readInput(known, journalFacts);
	// 1.
	const { matched, unmatched } = matchRows(input);
	// 2.
	const undecided = matched.filter(({ order }) => !input.isDone(order));
	const createdUnmatched = unmatched.filter((row) => !isRefused(row));
	for (const each of undecided.filter(lacksIds)) {
		if (idsIn(each.rows).length > 0) each.shipment = shipmentOfRows(each, input);
		else Object.assign(each, findShipment(each, createdUnmatched.length > 0, input));
	}

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
	const possibleShipments = withoutEvidence
		.flatMap(({ possible }) => possible)
		.filter(({ id, reference }) => reference !== '' && !input.responseIds.has(id));
	const ofRows = unmatched.toSorted(comparePieces).flatMap((row): OrderOutcome[] => {
		const outcome = outcomeOfUnmatched(row, possibleShipments, input);
		return isNonEmpty(possibleOrders) ? [{ targets: possibleOrders, outcome }] : [];
	});

	// 5. and 6. Example: A has its row, and the two other rows have no reference. So B and C are not unknown: these rows
	// are of them, and records may say which. If both are refusals, B and C were refused, and nothing is searched for.
	const missingCount = lacking.reduce((sum, each) => sum + each.missingCount, 0);
	const withoutReference = unmatched.filter((row) => !row.packageNumberCustom);
	const unknown = withoutReference.length >= missingCount ? [] : withoutEvidence;
	const refusedCount = withoutReference.filter(isRefused).length;
	const stillToSearch = refusedCount >= missingCount ? [] : withoutEvidence;
	// A missing piece of a shipment that exists is searched for once, like a missing ID. With rows for A and the first of
	// two pieces of B, but none for C, all of B and C are searched for at first, and then only C.
	const searchedOnce = searches === 0 ? withEvidence.filter(lacksIds) : [];
	return {
		outcomes: [
			...withEvidence.map(({ order, outcome }): OrderOutcome => ({ targets: [order], outcome })),
			...ofRows,
			...unknown.map((each): OrderOutcome => {
				const outcome = unknownOutcome(each, createdUnmatched, input);
				return { targets: [each.order], outcome };
			}),
		],
		toSearch: [...searchedOnce, ...stillToSearch].map(({ order }) => order),
	};
}

function readInput(known: Known<CreateAct>, journalFacts: JournalFacts): MatchInput {
	const { request, response, failure, records } = known;
	const { idsBefore } = request;
	const batch = response ? toBatchInfo(response) : null;
	const ofFailure = failure?.details.correlationId as string | undefined;
	return {
		...journalFacts,
		known,
		batch,
		correlationId: batch?.correlationId ?? ofFailure ?? null,
		// Of a shipment that several searches have found, the latest records count.
		shipments: [...new Map(records.map((record) => [record.id, record])).values()],
		oldIds: new Set([...(idsBefore === 'notRead' ? [] : idsBefore), ...journalFacts.doneIds]),
		responseIds: new Set(idsIn(response?.result ?? [])),
	};
}

/** An order that may or may not have been created. */
function unknownOutcome(
	{ order, possible }: OrderEvidence,
	unmatched: readonly Row[],
	input: MatchInput,
): Outcome<Shipment> {
	const possibleIds = possible.map(({ id }) => id);
	const errors = [unknownError(order, input.known, { ...input, possibleIds, unmatched })];
	// Without *Create Another One*, the look-up finds it before the order is sent again.
	const personMayRepeat = input.ifExists !== 'create' || possibleIds.length === 0;
	return { state: 'unknown', errors, personMayRepeat };
}

/** A row that belongs to no order for certain. The records of these orders may have shipments of another process. */
function outcomeOfUnmatched(
	row: Row,
	possibleShipments: readonly FoundShipment[],
	input: MatchInput,
): Outcome<Shipment> {
	if (isRefused(row)) {
		const { carrierCode } = input.known.request;
		return { state: 'notDone', errors: [refusedError(carrierCode, row, input)] };
	}
	const pieces: Piece[] = [{ row, batch: input.batch, via: 'response' }];
	// Without an ID, it may be one of them.
	const named = idOf(row) > 0 ? possibleShipments.toSorted(lowestFirst).map(toDuplicate) : [];
	return {
		state: 'unmatched',
		value: { pieces, ...(named.length > 0 ? { duplicates: { named } } : {}) },
	};
}

/** An order, and what is known to belong to it. */
interface OrderEvidence {
	order: Order;
	rows: Row[];
	/** Its shipment, as it was read back. */
	shipment?: ShipmentWithBatch | undefined;
	/** Other shipments that may be it instead. */
	alternatives: FoundShipment[];
	/** Shipments that may or may not come from this request. */
	possible: FoundShipment[];
}

function matchRows({ known: { request, response }, shipments, doneIds }: MatchInput): {
	matched: OrderEvidence[];
	unmatched: Row[];
} {
	const pieces = shipments.flatMap((shipment) => shipment.pieces);
	const recordedReferences = new Map(
		pieces.filter(({ reference }) => reference !== '').map(({ id, reference }) => [id, reference]),
	);
	const matched = request.targets.map((order): OrderEvidence => {
		return { order, rows: [], alternatives: [], possible: [] };
	});
	const byReference = new Map(matched.map((each) => [referenceOf(each.order), each]));
	// A row without a reference can only be of the order, if the request has no other one. With several, even the
	// last row may be a second one of an order that has its row already.
	const [only] = matched;
	if (only && matched.length === 1) byReference.set('', only);
	const unmatched: Row[] = [];
	// A shipment that the response lists twice is one shipment, and one of an order that is done belongs to no
	// other order. The ID of a refused row means nothing: several can have the same.
	const usedKeys = new Set<unknown>();
	const sources = (response?.result ?? []).map((row) => ({ row }));
	for (const { row } of withRecordedIds(sources, pieces)) {
		const id = idOf(row);
		const key = isRefused(row) ? `${id} ${row.packageNumberCustom}` : id;
		if (id > 0 && (usedKeys.has(key) || (!isRefused(row) && doneIds.has(id)))) continue;
		usedKeys.add(key);
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
	matched: readonly OrderEvidence[],
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
const lacksIds = ({ order, rows }: OrderEvidence) =>
	idsIn(rows).length < pieceCountOf(order) && !rows.some(isRefused);

/** The shipment of which the response names a piece. */
function shipmentOfRows(
	{ order, rows }: OrderEvidence,
	{ shipments, oldIds }: MatchInput,
): ShipmentWithBatch | undefined {
	const rowIds = new Set(idsIn(rows));
	const shipment = shipments.find(
		({ id, reference, pieces }) =>
			reference === referenceOf(order) &&
			(rowIds.has(id) || pieces.some((piece) => rowIds.has(piece.id))),
	);
	// Pieces that were there before are of another shipment, also if they are guessed to belong to this one.
	return shipment && { ...shipment, pieces: shipment.pieces.filter(({ id }) => !oldIds.has(id)) };
}

/**
 * Finds the shipment of an order of which the response names no piece. If it is not certain that this request has
 * created it, it is one of the `possible` ones.
 */
function findShipment(
	{ order, rows }: OrderEvidence,
	hasCreatedUnmatched: boolean,
	{ known, shipments, oldIds, responseIds, inOtherPendingRequests, ifExists }: MatchInput,
): Pick<OrderEvidence, 'shipment' | 'alternatives'> | Pick<OrderEvidence, 'possible'> {
	const reference = referenceOf(order);
	const ofReference = shipments.filter((shipment) => shipment.reference === reference);
	const isNew = (each: FoundShipment) =>
		isLiving(each) && !each.pieces.some(({ id }) => oldIds.has(id));
	// A row without an ID may have the number of its carrier.
	const rowNumbers = rows.map(carrierNumberOf).filter((number) => number !== '');
	const hasRowNumber = ({ pieces }: FoundShipment) =>
		rowNumbers.length === 0 ||
		pieces.some(({ number }) => number === '' || rowNumbers.includes(number));
	const candidates = ofReference
		.filter((each) => isNew(each) && hasRowNumber(each))
		.sort(lowestFirst);
	// Of these, the service does not say the order. Without *Create Another One*, the look-up deals with them.
	const pieceIds = new Set(ofReference.flatMap((each) => each.pieces.map(({ id }) => id)));
	const ofAnyOrder = shipments.filter(
		(each) =>
			each.reference === '' &&
			ifExists === 'create' &&
			isNew(each) &&
			!responseIds.has(each.id) &&
			!pieceIds.has(each.id),
	);
	const [lowest, ...alternatives] = candidates;
	// Several can be new, because another process created the order at the same moment: then the lowest ID counts, and
	// `duplicates.ts` cancels the others. With *Create Another One*, all of them stay, so that none is certain. Neither is
	// one if the response names created shipments of no order: one of these may be the order's own.
	const isOfThisRequest =
		known.request.idsBefore !== 'notRead' &&
		!inOtherPendingRequests.has(reference) &&
		!hasCreatedUnmatched &&
		!candidates.some(({ lacksDetail }) => lacksDetail) &&
		(ifExists !== 'create' || candidates.length + ofAnyOrder.length === 1);
	return lowest && isOfThisRequest
		? { shipment: lowest, alternatives }
		: { possible: [...candidates, ...ofAnyOrder] };
}

/** The outcome of an order from its rows and records, and how many of its pieces may or may not have been created. */
function combine(
	{ order, rows, shipment, alternatives }: OrderEvidence,
	input: MatchInput,
): { outcome: Outcome<Shipment>; missingCount: number } {
	const { batch, correlationId } = input;
	// A row with another reference, or without one, belongs to the order according to its record, or as the only row.
	const ownRows = rows.map((row) => ({ ...row, packageNumberCustom: referenceOf(order) }));
	const refused = ownRows.filter(isRefused);
	const created = ownRows.filter((row) => !isRefused(row));
	// A piece that the response leaves out is in the batch of the others.
	const batchOfShipment = shipment?.batch ? { ...shipment.batch, correlationId } : null;
	const batchOfOthers = idsIn(created).length > 0 ? batch : batchOfShipment;
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
	const missingCount = countUnknownPieces(order, { pieces, refused });
	const value: Shipment = {
		pieces,
		...(refused.length > 0 ? { refused } : {}),
		...(missingCount > 0 ? { isIncomplete: true } : {}),
		...(alternatives.length > 0 ? { duplicates: { named: alternatives.map(toDuplicate) } } : {}),
	};
	return { outcome: { state: 'done', value }, missingCount };
}
