import {
	type BatchInfo,
	type FoundRecord,
	isRefused,
	type OrderResult,
	type Piece,
	type Row,
	type UnknownOutcome,
} from './types';
import { type Order, pieceCountOf, referenceOf } from '../orders/order';

/** A request that was sent, or was about to be sent, with everything known about its answer. */
export interface SentRequest {
	/** Orders without a certain result. No two of them have the same reference. */
	orders: Order[];
	/** Rows of the answer, empty if the answer was lost. */
	rows: Row[];
	/** Orders that rows without a certain order may belong to. */
	candidates: Order[];
	batch: BatchInfo | null;
	/**
	 * IDs of shipments that were at the service before, so that they do not come from this request.
	 * Null if they could not be read.
	 */
	idsBefore: number[] | null;
	/** The day from which records are searched for the orders of this request. */
	since: string;
	/** Why an order without a row has an unknown outcome. */
	reason: string;
	correlationId: string | null;
}

/** What was found at the service, and what limits the conclusions from it. */
export interface Evidence {
	records: readonly FoundRecord[];
	/** IDs of shipments with a result of their own in this execution. */
	settledIds: readonly number[];
	/** References that another request with an unknown outcome contains, too. */
	contested: ReadonlySet<string>;
	searches: number;
	searchError?: string;
}

export const NO_EVIDENCE: Evidence = {
	records: [],
	settledIds: [],
	contested: new Set(),
	searches: 0,
};

export interface Reconciliation {
	/** One result per order, and one per row that matches no order for certain. */
	results: OrderResult[];
	/** Orders for which the answer has fewer rows than pieces. */
	incomplete: Order[];
	/** Orders without row, record or refusal: a later search may still find them. */
	missing: Order[];
	/** What a retry of the execution must still clear up; undefined if nothing. */
	pending?: SentRequest;
}

/**
 * Gives every order of a request one result, from the rows of the answer and the records found at the
 * service. Rows belong to orders by reference, never by position, because an answer in another order
 * than the request looks the same as one in the same order. The service's records outweigh a row.
 */
export function reconcile(request: SentRequest, evidence: Evidence): Reconciliation {
	const { orders, batch } = request;
	const { rowsOf, unmatched } = matchRows(request, evidence.records);
	const incomplete = orders.filter((order) => isIncomplete(order, rowsOf));
	const { recovered, possible } = findCreated(request, evidence, incomplete);

	const results: OrderResult[] = [];
	const withoutPiece: Order[] = [];
	for (const order of orders) {
		const rows = rowsOf.get(order) ?? [];
		const records = recovered.get(order) ?? [];
		if (rows.length + records.length === 0) withoutPiece.push(order);
		else results.push(combine(order, rows, records, batch));
	}

	const missing = withoutMatchingRefusals(withoutPiece, unmatched);
	const createdUnmatched = unmatched.filter((row) => !isRefused(row));
	const candidates =
		[withoutPiece, request.candidates, orders].find((some) => some.length > 0) ?? [];
	const unknownOf = (order: Order): UnknownOutcome => ({
		since: request.since,
		reason: request.reason,
		correlationId: request.correlationId,
		searches: evidence.searches,
		...(evidence.searchError === undefined ? {} : { searchError: evidence.searchError }),
		possible: possible.get(order) ?? [],
		unmatchedIds: createdUnmatched.map(({ id }) => id),
	});
	return {
		results: [
			...results.map((result) => withMissingPieces(result, unknownOf)),
			...sortByPiece(unmatched).map((row) => unmatchedResult(row, candidates, batch)),
			...(areAllInUnmatched(missing, unmatched)
				? []
				: missing.map((order) => ({ ...emptyResult([order]), unknown: unknownOf(order) }))),
		],
		incomplete,
		missing,
		...(missing.length > 0 || createdUnmatched.length > 0
			? { pending: { ...request, orders: withoutPiece, candidates, rows: unmatched } }
			: {}),
	};
}

export function emptyResult(orders: Order[]): OrderResult {
	return { orders, pieces: [], refused: [], batch: null };
}

type RowsOf = Map<Order, Row[]>;

function matchRows(
	{ orders, rows }: SentRequest,
	records: readonly FoundRecord[],
): { rowsOf: RowsOf; unmatched: Row[] } {
	const recordedReferences = new Map(records.map(({ id, reference }) => [id, reference]));
	const orderOf = new Map(orders.map((order) => [referenceOf(order), order]));
	const rowsOf: RowsOf = new Map(orders.map((order) => [order, []]));
	const unmatched: Row[] = [];
	for (const row of withoutRepeats(rows)) {
		const reference = recordedReferences.get(Number(row.id)) ?? row.packageNumberCustom;
		const order = orderOf.get(String(reference ?? ''));
		(order ? (rowsOf.get(order) as Row[]) : unmatched).push(row);
	}
	unmatchSurplus(rowsOf, unmatched, recordedReferences);
	matchLastRefusal(rowsOf, unmatched);
	return { rowsOf, unmatched };
}

/** A shipment that the answer lists twice is one shipment. Refused rows have no ID to compare. */
function withoutRepeats(rows: readonly Row[]): Row[] {
	const seen = new Set<number>();
	return rows.filter((row) => {
		const id = Number(row.id);
		if (!(id > 0)) return true;
		const isRepeated = seen.has(id);
		seen.add(id);
		return !isRepeated;
	});
}

/**
 * If an order has more rows than pieces while another order lacks rows, a reference may be wrong, and
 * only the service's records can say which.
 */
function unmatchSurplus(
	rowsOf: RowsOf,
	unmatched: Row[],
	recordedReferences: ReadonlyMap<number, string>,
): void {
	const isRecorded = (row: Row) => recordedReferences.has(Number(row.id));
	const crowded = [...rowsOf].filter(([order, rows]) => rows.length > pieceCountOf(order));
	for (const [order, rows] of crowded) {
		const doesAnotherLackRows = [...rowsOf.keys()].some((other) => isIncomplete(other, rowsOf));
		if (!doesAnotherLackRows) continue;
		rowsOf.set(order, rows.filter(isRecorded));
		unmatched.push(...rows.filter((row) => !isRecorded(row)));
	}
}

/** A single refusal without a reference and a single order without a row belong together. */
function matchLastRefusal(rowsOf: RowsOf, unmatched: Row[]): void {
	const [order, ...others] = [...rowsOf.keys()].filter((each) => isIncomplete(each, rowsOf));
	const [row, ...otherRows] = unmatched;
	if (!order || !row || others.length > 0 || otherRows.length > 0) return;
	if (!isRefused(row) || row.packageNumberCustom || rowsOf.get(order)?.length !== 0) return;
	rowsOf.set(order, [row]);
	unmatched.length = 0;
}

function isIncomplete(order: Order, rowsOf: RowsOf): boolean {
	const rows = rowsOf.get(order) ?? [];
	return rows.length < pieceCountOf(order) && !rows.some(isRefused);
}

/** Records of shipments that this request has created, and those that it may have created. */
function findCreated(
	{ rows, idsBefore }: SentRequest,
	{ records, settledIds, contested }: Evidence,
	incomplete: readonly Order[],
) {
	const known = new Set([...(idsBefore ?? []), ...settledIds, ...rows.map(({ id }) => Number(id))]);
	const recovered = new Map<Order, FoundRecord[]>();
	const possible = new Map<Order, FoundRecord[]>();
	for (const order of incomplete) {
		const reference = referenceOf(order);
		const created = records.filter(
			(record) => record.reference === reference && !known.has(record.id),
		);
		if (created.length === 0) continue;
		const isCertain = idsBefore !== null && !contested.has(reference);
		(isCertain ? recovered : possible).set(order, created);
	}
	return { recovered, possible };
}

/** If there are as many refusals without a reference as orders without a row, each was refused. */
function withoutMatchingRefusals(orders: Order[], unmatched: readonly Row[]): Order[] {
	const refusals = unmatched.filter((row) => isRefused(row) && !row.packageNumberCustom);
	return refusals.length >= orders.length ? [] : orders;
}

/** Whether the rows without a reference are enough for all pieces of these orders. */
function areAllInUnmatched(orders: readonly Order[], unmatched: readonly Row[]): boolean {
	const pieces = orders.reduce((sum, order) => sum + pieceCountOf(order), 0);
	return unmatched.filter((row) => !row.packageNumberCustom).length >= pieces;
}

function combine(
	order: Order,
	rows: readonly Row[],
	records: readonly FoundRecord[],
	batch: BatchInfo | null,
): OrderResult {
	const created = rows.filter((row) => !isRefused(row));
	const usedIndexes = new Set(created.map(({ pieceIndex }) => pieceIndex));
	const readBack = toRows(order, records, 'Created; read back from the service', usedIndexes);
	const pieces = [
		...created.map((row): Piece => ({ row, batch, alreadyExisted: false, recovered: false })),
		...readBack.map((row): Piece => ({ row, batch, alreadyExisted: false, recovered: true })),
	];
	return {
		orders: [order],
		pieces: pieces.sort((a, b) => comparePieces(a.row, b.row)),
		refused: rows.filter(isRefused),
		batch,
	};
}

/** A piece that is neither in the answer nor in the service's records may exist nevertheless. */
function withMissingPieces(
	result: OrderResult,
	unknownOf: (order: Order) => UnknownOutcome,
): OrderResult {
	const { orders, pieces, refused } = result;
	const [order] = orders;
	const isShort =
		order && pieces.length > 0 && pieces.length + refused.length < pieceCountOf(order);
	return isShort ? { ...result, unknown: unknownOf(order) } : result;
}

function unmatchedResult(row: Row, candidates: Order[], batch: BatchInfo | null): OrderResult {
	if (isRefused(row)) return { ...emptyResult(candidates), refused: [row], batch };
	const piece = { row, batch, alreadyExisted: false, recovered: false };
	return { ...emptyResult(candidates), pieces: [piece], batch, isUnmatched: true };
}

/** Writes records as rows, as if they had come in the answer to their creation. */
export function toRows(
	order: Order,
	records: readonly FoundRecord[],
	message: string,
	usedIndexes: ReadonlySet<unknown> = new Set(),
): Row[] {
	const indexes = Array.from({ length: records.length + usedIndexes.size }, (_, index) => index);
	const free = indexes.filter((index) => !usedIndexes.has(index));
	const byPiece = (a: FoundRecord, b: FoundRecord) =>
		(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id;
	return [...records].sort(byPiece).map(({ id, carrierCode, record }, position) => ({
		id,
		carrierCode,
		packageNumberCarrier: record.packageNumberCarrier ?? null,
		packageNumberCustom: referenceOf(order),
		pieceIndex: free[position] ?? position,
		orderId: record.orderId ?? null,
		orderNumber: null,
		labelUrl: null,
		trackingUrl: record.trackingUrl ?? null,
		statusCode: 200,
		message,
		carrierErrors: null,
		...serviceTypeOf(record),
	}));
}

/** List records call the service `serviceCode`, details `serviceType`. */
function serviceTypeOf({ serviceType, serviceCode }: FoundRecord['record']) {
	const code = serviceType ?? serviceCode;
	return code ? { serviceType: code } : {};
}

function sortByPiece(rows: readonly Row[]): Row[] {
	return [...rows].sort(comparePieces);
}

function comparePieces(a: Row, b: Row): number {
	return (a.pieceIndex ?? 0) - (b.pieceIndex ?? 0);
}
