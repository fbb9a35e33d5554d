import { type Order, pieceCountOf, referenceOf } from '../orders/order';
import type { Batch, CreationEnvelope } from '../transport/contract';
import { reasonOf } from '../transport/errors';
import { messageBeside } from '../transport/serviceMessage';
import type { Journal, Outcome, Request } from '../writes/journal';
import { isLiving, type PieceRecord, type ShipmentRecord } from '../transport/shipmentRecords';
import type { Known, Verdict } from '../writes/writeOnce';
import { refusedError, unknownError } from './messages';
import type {
	BatchInfo,
	Creation,
	Duplicate,
	IfExists,
	OrderOutcome,
	Piece,
	RecoveredShipment,
	Row,
	Shipment,
} from './types';

/** Orders of one carrier that are sent together. No two of them have the same reference. */
export type CreationRequest = Request<Creation>;

export type CreationJournal = Journal<Creation>;

/** What this execution knows besides the request. */
export interface Others {
	/** Whether an earlier try has done the order. */
	isDone: (order: Order) => boolean;
	/** IDs of shipments that belong to orders that are done. */
	doneIds: ReadonlySet<number>;
	/** References that another open request of the carrier contains, too. */
	contested: ReadonlySet<string>;
	ifExists: IfExists;
}

type KnownCreation = Known<Creation>;

/**
 * Gives every order of a request an outcome, from the rows of the response and the records found at the
 * service. Rows belong to orders by reference, never by position, because a response in another order
 * than the request looks the same as one in the same order. The service's records outweigh a row.
 */
export function match(known: KnownCreation, others: Others): Verdict<Creation> {
	const { request, response, searches } = known;
	const orders = request.targets;
	const batch = response ? toBatchInfo(response) : null;
	// Of a shipment that several searches have found, the latest records count.
	const shipments = [...new Map(known.records.map((record) => [record.id, record])).values()];
	// A shipment that the response lists twice is one shipment, and one of an order that is done belongs to no
	// other order. Refused rows have no ID to compare.
	const ids = new Set<number>();
	const rows = (response?.result ?? []).filter((row) => {
		const id = Number(row.id);
		const isRepeated = id > 0 && (ids.has(id) || others.doneIds.has(id));
		ids.add(id);
		return !isRepeated;
	});
	const { rowsOf, unmatched } = matchRows(orders, rows, shipments);
	const incomplete = orders.filter((order) => isIncomplete(order, rowsOf) && !others.isDone(order));
	const { recovered, possible } = findCreated(incomplete, shipments, rowsOf, { request, others });

	const ofFailure = known.failure?.details.correlationId as string | undefined;
	const correlationId = batch?.correlationId ?? ofFailure ?? null;
	const outcomes: OrderOutcome[] = [];
	const withoutPiece: Order[] = [];
	const withoutAllPieces: Order[] = [];
	for (const order of orders) {
		const ofOrder = rowsOf.get(order) ?? [];
		const readBack = recovered.get(order);
		if (ofOrder.length > 0 || readBack) {
			const outcome = combine(order, ofOrder, readBack, {
				batch,
				correlationId,
				ifExists: others.ifExists,
			});
			outcomes.push({ targets: [order], outcome });
			if (outcome.state === 'done' && outcome.value.isIncomplete) withoutAllPieces.push(order);
		} else if (!others.isDone(order)) withoutPiece.push(order);
	}

	const rest = outcomesOfRest(
		known,
		{ batch, correlationId, unmatched, withoutPiece, withoutAllPieces, possible },
		others,
	);
	outcomes.push(...rest.outcomes);
	// A missing piece of a shipment that exists is searched for once. With rows for A and the first of two
	// pieces of B, but none for C, all of B and C are searched for at first, and then only C.
	const { missing } = rest;
	const isShort = (order: Order) => missing.includes(order) || !withoutPiece.includes(order);
	return { outcomes, unsure: searches === 0 ? incomplete.filter(isShort) : missing };
}

interface Rest {
	batch: BatchInfo | null;
	correlationId: string | null;
	/** Rows without an order. */
	unmatched: readonly Row[];
	/** Orders without a row or record. */
	withoutPiece: Order[];
	/** Orders of which only some pieces have a row or record. */
	withoutAllPieces: Order[];
	/** Records that may belong to them. */
	possible: ReadonlyMap<Order, number[]>;
}

/** Rows that belong to no order for certain, and orders without a row. */
function outcomesOfRest(known: KnownCreation, rest: Rest, { ifExists }: Others) {
	const { request, searches, searchError } = known;
	const { batch, correlationId, unmatched, withoutPiece, withoutAllPieces, possible } = rest;
	const outcomes: OrderOutcome[] = [];
	const nameless = unmatched.filter((row) => !row.packageNumberCustom);
	// If there are as many refusals without a reference as orders without a row, each was refused: of A, B
	// and C, A has a row, and two refusals have no reference.
	const isEachRefused = nameless.filter(isRefused).length >= withoutPiece.length;
	const missing = isEachRefused ? [] : withoutPiece;
	const lacking = request.targets.filter(
		(order) => withoutPiece.includes(order) || withoutAllPieces.includes(order),
	);
	const candidates = lacking.length > 0 ? lacking : request.targets;
	for (const row of unmatched.toSorted(comparePieces)) {
		const pieces: Piece[] = [{ row, batch, via: 'response' }];
		const error = () => refusedError(request.carrierCode, row, batch, ifExists);
		const outcome: Outcome<Shipment> = isRefused(row)
			? { state: 'notDone', errors: [error()] }
			: { state: 'unknown', errors: [], candidates: { pieces } };
		// It belongs to no order for certain, so none of them is sent again.
		outcomes.push({ targets: candidates, outcome });
	}
	// Rows without a reference may be enough for all pieces of these orders.
	const isExplained =
		nameless.length >= missing.reduce((sum, order) => sum + pieceCountOf(order), 0);
	const created = unmatched.filter((row) => !isRefused(row));
	for (const order of isExplained ? [] : missing) {
		const error = unknownError(order, ifExists, {
			since: request.since,
			reason: reasonWithoutRow(known),
			correlationId,
			searches,
			searchError,
			possibleIds: possible.get(order) ?? [],
			unmatchedIds: created.map(({ id }) => Number(id)),
		});
		outcomes.push({ targets: [order], outcome: { state: 'unknown', errors: [error] } });
	}
	return { outcomes, missing };
}

/** Why an order without a row has an unknown outcome. */
function reasonWithoutRow({ response, failure }: KnownCreation): string {
	if (!response) {
		return failure ? reasonOf(failure) : 'The node was interrupted before the response arrived';
	}
	const message = messageBeside(response);
	return `The response of the service does not contain it${message ? `. The service said: ${message}` : ''}`;
}

type RowsOf = Map<Order, Row[]>;

function matchRows(
	orders: readonly Order[],
	rows: readonly Row[],
	shipments: readonly ShipmentRecord[],
): { rowsOf: RowsOf; unmatched: Row[] } {
	const pieces = shipments.flatMap((shipment) => shipment.pieces);
	const recordedReferences = new Map(pieces.map(({ id, reference }) => [id, reference]));
	const orderOf = new Map(orders.map((order) => [referenceOf(order), order]));
	const rowsOf: RowsOf = new Map(orders.map((order) => [order, []]));
	const unmatched: Row[] = [];
	for (const row of rows) {
		const reference = recordedReferences.get(Number(row.id)) ?? row.packageNumberCustom;
		const order = orderOf.get(String(reference ?? ''));
		(order ? (rowsOf.get(order) as Row[]) : unmatched).push(row);
	}
	unmatchSurplus(rowsOf, unmatched, recordedReferences);
	return { rowsOf, unmatched };
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

function isIncomplete(order: Order, rowsOf: RowsOf): boolean {
	const rows = rowsOf.get(order) ?? [];
	return rows.length < pieceCountOf(order) && !rows.some(isRefused);
}

/** The shipment of an order that was read back, and others that may be it instead. */
interface Recovered {
	shipment: RecoveredShipment;
	others: readonly ShipmentRecord[];
}

/**
 * The shipment of each order, and shipments that may or may not come from this request. With a row, it is the
 * shipment that contains the row's piece. Without one, several can be new, because another run created the
 * order at the same moment: then the lowest ID counts, and `duplicates.ts` cancels the others. With
 * *Create Another One*, all of them stay, and none is certain.
 */
function findCreated(
	incomplete: readonly Order[],
	shipments: readonly RecoveredShipment[],
	rowsOf: RowsOf,
	{ request, others }: { request: CreationRequest; others: Others },
) {
	const before = new Set(request.idsBefore);
	const isNew = ({ pieces }: ShipmentRecord) =>
		!pieces.some(({ id }) => before.has(id) || others.doneIds.has(id));
	const recovered = new Map<Order, Recovered>();
	const possible = new Map<Order, number[]>();
	for (const order of incomplete) {
		const reference = referenceOf(order);
		const ofReference = shipments.filter((shipment) => shipment.reference === reference);
		const rowIds = new Set((rowsOf.get(order) ?? []).map(({ id }) => Number(id)));
		const own = ofReference.find(
			({ id, pieces }) => rowIds.has(id) || pieces.some((piece) => rowIds.has(piece.id)),
		);
		if (own) recovered.set(order, { shipment: own, others: [] });
		if (rowIds.size > 0) continue;
		const created = ofReference
			.filter((shipment) => isLiving(shipment) && isNew(shipment))
			.sort((a, b) => a.id - b.id);
		const [lowest, ...higher] = created;
		const isCertain =
			request.idsBefore !== null &&
			!others.contested.has(reference) &&
			(others.ifExists !== 'create' || created.length === 1);
		if (lowest && isCertain) recovered.set(order, { shipment: lowest, others: higher });
		else
			possible.set(
				order,
				created.map(({ id }) => id),
			);
	}
	return { recovered, possible };
}

/** The pieces that were created, and those that were refused or may be missing. */
function combine(
	order: Order,
	rows: readonly Row[],
	recovered: Recovered | undefined,
	{
		batch,
		correlationId,
		ifExists,
	}: { batch: BatchInfo | null; correlationId: string | null; ifExists: IfExists },
): Outcome<Shipment> {
	const refused = rows.filter(isRefused);
	const created = rows.filter((row) => !isRefused(row));
	const rowIds = new Set(created.map(({ id }) => Number(id)));
	const usedIndexes = new Set(created.map(({ pieceIndex }) => pieceIndex));
	const { shipment, others = [] } = recovered ?? {};
	const unlisted = shipment?.pieces.filter(({ id, isCanceled }) => !rowIds.has(id) && !isCanceled);
	const message = 'Created; read back from the service';
	const readBack = unlisted?.length ? toRows(order, unlisted, message, usedIndexes) : [];
	// A piece that the response leaves out is in the batch of the others.
	const ownBatch = shipment?.batch ? { ...shipment.batch, correlationId } : null;
	const pieces = [
		...created.map((row): Piece => ({ row, batch, via: 'response' })),
		...readBack.map((row): Piece => {
			return { row, batch: created.length > 0 ? batch : ownBatch, via: 'records' };
		}),
	].sort((a, b) => comparePieces(a.row, b.row));
	if (pieces.length === 0) {
		const errors = refused.map((row) =>
			refusedError(order.carrierCode, row, batch, ifExists, order),
		);
		return { state: 'notDone', errors };
	}
	// A piece that is neither in the response nor in the records may exist anyway.
	const isShort = pieces.length + refused.length < pieceCountOf(order);
	return {
		state: 'done',
		value: {
			pieces,
			...(refused.length > 0 ? { refused } : {}),
			...(isShort ? { isIncomplete: true } : {}),
			...(others.length > 0 ? { duplicates: others.map(toDuplicate) } : {}),
		},
	};
}

export function isRefused(row: Row): boolean {
	const status = Number(row.statusCode);
	return !(status >= 200 && status <= 299);
}

export function toBatchInfo(source: Partial<CreationEnvelope> & Partial<Batch>): BatchInfo {
	return {
		batchId: source.batchId ?? source.id ?? null,
		labelsUrl: source.labelsUrl ?? null,
		labelsHash: source.labelsHash ?? null,
		ordersUrl: source.ordersUrl ?? null,
		ordersHash: source.ordersHash ?? null,
		packagesCount: source.packagesCount ?? null,
		correlationId: source.correlationId ?? null,
	};
}

export function toDuplicate({ id, carrierCode, pieces: [main] }: ShipmentRecord): Duplicate {
	return { id, carrierCode, packageNumberCarrier: main?.number || null };
}

/** Writes records as rows, as if they had come in the response to their creation. */
export function toRows(
	order: Order,
	records: readonly PieceRecord[],
	message: string,
	usedIndexes: ReadonlySet<unknown> = new Set(),
): Row[] {
	const indexes = Array.from({ length: records.length + usedIndexes.size }, (_, index) => index);
	const free = indexes.filter((index) => !usedIndexes.has(index));
	const byPiece = (a: PieceRecord, b: PieceRecord) =>
		(a.record.packageNumberOrder ?? 0) - (b.record.packageNumberOrder ?? 0) || a.id - b.id;
	return [...records].sort(byPiece).map(({ id, carrierCode, record, number }, position) => {
		// Lists call it `serviceCode`, details `serviceType`.
		const serviceType = record.serviceType ?? record.serviceCode;
		return {
			id,
			carrierCode,
			packageNumberCarrier: number || null,
			packageNumberCustom: referenceOf(order),
			pieceIndex: record.pieceIndex ?? free[position] ?? position,
			orderId: record.orderId ?? null,
			orderNumber: null,
			labelUrl: null,
			trackingUrl: record.trackingUrl ?? null,
			statusCode: 200,
			message,
			carrierErrors: null,
			...(serviceType ? { serviceType } : {}),
		};
	});
}

function comparePieces(a: Row, b: Row): number {
	return (a.pieceIndex ?? 0) - (b.pieceIndex ?? 0);
}
