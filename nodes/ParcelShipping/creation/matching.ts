import { labelOf, type Order, pieceCountOf } from './order';
import { isRefused, type Row } from './piece';

/** How the rows of one request belong to its orders. */
export interface Match {
	/** What is certain. An order without a row has an empty list. */
	given: Map<Order, Row[]>;
	/** Rows that can't be given to one order with certainty. */
	stray: Row[];
	/** Orders that have fewer rows than pieces and were not refused. */
	short: Order[];
}

/**
 * Gives rows to orders by label, never by position alone: an answer in another order than the
 * request looks just like one in the same order. `told` has the labels that the service's own
 * records name for shipment ids; they count more than what a row of the answer says.
 * No two of the orders have the same label (see `planLanes`).
 */
export function matchRows(
	orders: readonly Order[],
	rows: readonly Row[],
	told: ReadonlyMap<number, string> = new Map(),
): Match {
	const byLabel = new Map(orders.map((order) => [labelOf(order), order]));
	const given = new Map<Order, Row[]>(orders.map((order) => [order, []]));
	const stray: Row[] = [];
	for (const row of withoutRepeats(rows)) {
		const label = told.get(Number(row.id)) ?? row.packageNumberCustom;
		const order = byLabel.get(String(label ?? ''));
		(order ? (given.get(order) as Row[]) : stray).push(row);
	}
	takeBackSurplus(given, stray, told);
	giveLastRefusal(given, stray);
	return { given, stray, short: orders.filter((order) => isShort(order, given)) };
}

/** A shipment that the answer lists twice is one shipment. A refused row has no id to go by. */
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
 * More rows with a label than its order has pieces, while another order lacks some: a label may be
 * wrong, and nothing says which.
 */
function takeBackSurplus(
	given: Map<Order, Row[]>,
	stray: Row[],
	told: ReadonlyMap<number, string>,
): void {
	const crowded = [...given].filter(([order, rows]) => rows.length > pieceCountOf(order));
	for (const [order, rows] of crowded) {
		const isAnotherShort = [...given.keys()].some(
			(other) => other !== order && isShort(other, given),
		);
		if (!isAnotherShort) continue;
		given.set(
			order,
			rows.filter((row) => told.has(Number(row.id))),
		);
		stray.push(...rows.filter((row) => !told.has(Number(row.id))));
	}
}

/** One refusal without a label and one order without a row: there is nobody else it could be for. */
function giveLastRefusal(given: Map<Order, Row[]>, stray: Row[]): void {
	const lacking = [...given.keys()].filter((order) => isShort(order, given));
	const [order] = lacking;
	const [row] = stray;
	if (lacking.length !== 1 || stray.length !== 1 || !order || !row) return;
	if (!isRefused(row) || row.packageNumberCustom || given.get(order)?.length !== 0) return;
	given.set(order, [row]);
	stray.length = 0;
}

function isShort(order: Order, given: Map<Order, Row[]>): boolean {
	const rows = given.get(order) ?? [];
	return rows.length < pieceCountOf(order) && !rows.some(isRefused);
}
