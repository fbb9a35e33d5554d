import type { Found } from './found';
import { labelOf, type Order, pieceCountOf } from './order';
import { matchRows, type Match } from './matching';
import { isRefused, type Row } from './piece';
import type { Surroundings } from './service';

/** A request of which it is not known, or not known completely, what it came to. */
export interface Doubt {
	orders: Order[];
	/** What an answer said, if there was one. */
	rows: Row[];
	/** Shipments with these ids are not of this request. Null: it is not known which ones are. */
	known: ReadonlySet<number> | null;
	/** Labels that another request in doubt has as well: what is found could be of either. */
	contested: ReadonlySet<string>;
}

export interface ReadBack {
	match: Match;
	/** Shipments that no row of an answer tells of, and that are certainly of this request. */
	recovered: Map<Order, Found[]>;
	/** Shipments with the label of an order that may or may not be of this request. */
	possible: Map<Order, Found[]>;
	looks: number;
	/** Why the last look gave nothing, if it could not be taken. */
	lastThrown?: unknown;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Pauses between looks: growing, together not more than `maxWaitMs`. */
export function pausesBetweenLooks(maxWaitMs: number): number[] {
	const pauses: number[] = [];
	let next = Math.min(FIRST_PAUSE_MS, maxWaitMs / 8);
	for (let left = maxWaitMs; next > 0 && left > 0; left -= next, next *= 2) {
		next = Math.min(next, LONGEST_PAUSE_MS, left);
		pauses.push(Math.round(next));
	}
	return pauses;
}

/**
 * Looks again and again for what a request came to, and never sends anything. A service may finish
 * after its gateway has given up, so not finding a shipment is no proof that there is none.
 */
export async function readBack(
	doubt: Doubt,
	look: (labels: string[]) => Promise<Found[]>,
	pauses: readonly number[],
	surroundings: Surroundings,
): Promise<ReadBack> {
	let result: ReadBack = { ...judge(doubt, []), looks: 0 };
	const labels = result.match.short.map(labelOf);
	const found = new Map<number, Found>();
	const startedMs = surroundings.nowMs();
	// Looks at a service in trouble take their time as well, which must not add up.
	const longestMs = 2 * pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
	for (const pauseMs of [0, ...pauses]) {
		const tookMs = surroundings.nowMs() - startedMs;
		if (surroundings.isStopped() || (pauseMs > 0 && tookMs > longestMs)) break;
		if (pauseMs > 0) await surroundings.pause(pauseMs);
		try {
			for (const shipment of await look(labels)) found.set(shipment.id, shipment);
		} catch (lastThrown) {
			result = { ...result, lastThrown };
			continue;
		}
		result = { ...judge(doubt, [...found.values()]), looks: result.looks + 1 };
		if (silentOrders(doubt.orders, result).length === 0) break;
	}
	return result;
}

/** What the rows of the answer and the service's own records say together. */
export function judge(
	doubt: Doubt,
	found: readonly Found[],
): Pick<ReadBack, 'match' | 'recovered' | 'possible'> {
	const { orders, rows, known, contested } = doubt;
	const match = matchRows(orders, rows, new Map(found.map(({ id, label }) => [id, label])));
	const answered = new Set(rows.map(({ id }) => Number(id)));
	const recovered = new Map<Order, Found[]>();
	const possible = new Map<Order, Found[]>();
	for (const order of match.short) {
		const label = labelOf(order);
		const unanswered = found.filter(
			(shipment) => shipment.label === label && !answered.has(shipment.id),
		);
		// What was there before the request was sent is not what the request made.
		const fresh = unanswered.filter(({ id }) => !known?.has(id));
		if (fresh.length === 0) continue;
		const isCertain = known !== null && !contested.has(label);
		(isCertain ? recovered : possible).set(order, fresh);
	}
	return { match, recovered, possible };
}

/** Orders of which there is nothing, neither in an answer nor found, and that nothing accounts for. */
export function silentOrders(
	orders: readonly Order[],
	{ match, recovered }: Pick<ReadBack, 'match' | 'recovered'>,
): Order[] {
	const silent = orders.filter(
		(order) => match.given.get(order)?.length === 0 && !recovered.has(order),
	);
	const refusals = match.stray.filter((row) => isRefused(row) && !row.packageNumberCustom);
	// As many refusals without a label as orders without a row: each of them was refused.
	return refusals.length >= silent.length ? [] : silent;
}

/** Whether the rows that belong to somebody, but not certainly to whom, are enough for all. */
export function areAccountedFor(silent: readonly Order[], { match }: Pick<ReadBack, 'match'>) {
	const wanted = silent.reduce((sum, order) => sum + pieceCountOf(order), 0);
	return match.stray.filter((row) => !row.packageNumberCustom).length >= wanted;
}
