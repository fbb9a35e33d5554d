import { groupBy } from '../lists';
import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { carrierNumberOf, idOf } from '../records';
import type { PieceName } from '../writes/sent';
import type { BatchInfo, Row, Shipment } from './types';

/** What the rows of an order prove. */
interface MatchedOrder {
	order: Order;
	rows: Row[];
	/**
	 * Created: a row with an ID for each piece, or a refusal for the others. Refused: as a whole. Anything else proves
	 * nothing: the records decide.
	 */
	state: 'created' | 'refused' | 'open';
}

/**
 * Rows belong to orders by order number, never by position, because a response in another order than the request looks
 * the same as one in the same order. Only in a request for one order, a row without an order number is its.
 */
export function matchRows(
	orders: readonly Order[],
	rows: readonly Row[],
): { matched: MatchedOrder[]; unassigned: Row[] } {
	const [only] = orders;
	const ofNone = only && orders.length === 1 ? referenceOf(only) : '';
	// A shipment that the response lists twice is one shipment.
	const ids = new Set<number>();
	const distinct = rows.filter((row) => {
		const id = isRefused(row) ? 0 : idOf(row);
		return id === 0 || (!ids.has(id) && ids.add(id));
	});
	const byReference = groupBy(distinct, (row) => String(row.packageNumberCustom || ofNone));
	const matched = orders.map((order): MatchedOrder => {
		const own = byReference.get(referenceOf(order)) ?? [];
		byReference.delete(referenceOf(order));
		const created = own.filter((row) => !isRefused(row));
		const count = pieceCountOf(order);
		// The carrier creates a second shipment for an exchange, and may return the rows of both.
		const isWhole = own.length === count || (isExchange(order) && own.length === 2 * count);
		const isCertain = isWhole && created.every((row) => idOf(row) > 0);
		const isRefusedWhole = created.length === 0 && own.length > 0;
		return { order, rows: own, state: isRefusedWhole ? 'refused' : isCertain ? 'created' : 'open' };
	});
	const unassigned = [...byReference.values()].flat().filter((row) => !isRefused(row));
	// A row may name the wrong order. If the response lacks one, or has one too many, the records decide about all of them.
	const isAllRefused = matched.every(({ state }) => state === 'refused');
	if (unassigned.length > 0 || matched.some(({ state }) => state === 'open'))
		for (const each of matched) if (isAllRefused || each.state === 'created') each.state = 'open';
	return { matched, unassigned };
}

export const isRefused = ({ statusCode }: Row) =>
	!(Number(statusCode) >= 200 && Number(statusCode) <= 299);

/** The IDs of created rows, or else the carrier's numbers. Undefined if nothing was created. */
export function namesOf(rows: readonly Row[]): PieceName[] | undefined {
	const created = rows.filter((row) => !isRefused(row));
	if (created.length === 0) return undefined;
	const names = created.map((row) => ({ id: idOf(row), number: carrierNumberOf(row) }));
	return names.filter(({ id, number }) => id > 0 || number !== '');
}

/** The shipment of an order as far as these rows say it, main piece first. */
export function fromRows(order: Order, rows: readonly Row[], batch: BatchInfo | null): Shipment {
	const named = rows
		.map((row) => ({ ...row, packageNumberCustom: referenceOf(order) }))
		.sort((a, b) => (a.pieceIndex ?? 0) - (b.pieceIndex ?? 0));
	const refused = named.filter(isRefused);
	const created = named.filter((row) => !isRefused(row));
	return {
		pieces: created.map((row) => ({ row, batch, via: 'response' as const })),
		...(refused.length > 0 ? { refused } : {}),
	};
}
