import { groupBy } from '../lists';
import { limitMs, openSince } from './periods';
import {
	NUMBERS_PER_REQUEST,
	planBatches,
	type TrackingBatch,
} from '../transport/trackingRequests';
import type { WatchedShipment } from './state';
import { type PeriodType, periodTypesOf, type Watch } from './watch';

/** How many refused numbers one poll requests. */
const MAX_REFUSED_PER_POLL = 10;

/** Shipments that are due within this time fill requests that have room. */
const AHEAD_MS = 10 * 60_000;

type Wanted = Pick<Watch, 'freshness' | 'limits'>;

/** The shipments to request now, in their order. */
export function selectDue(
	shipments: readonly WatchedShipment[],
	nowMs: number,
	wanted: Wanted,
): WatchedShipment[] {
	const types = periodTypesOf(wanted);
	return shipments.filter(
		(shipment) => isRequestable(shipment) && isDue(shipment, nowMs, wanted, types),
	);
}

function isDue(
	shipment: WatchedShipment,
	nowMs: number,
	{ freshness, limits }: Wanted,
	types: readonly PeriodType[],
): boolean {
	const { nextRequestAt, endedAt, number } = shipment;
	if (nextRequestAt === undefined || nextRequestAt <= nowMs) return true;
	if (number === '' || endedAt !== undefined || isRefused(shipment)) return false;
	if (freshness === 'everyPoll') return true;
	// Whether the days are over is certain only if there was no event since the last answer.
	return types.some((type) => {
		const since = openSince(shipment, type);
		return since !== undefined && limitMs(since, limits[type] ?? Infinity) <= nowMs;
	});
}

function isRequestable({ listed, isFinished }: WatchedShipment): boolean {
	return listed !== 'no' && !isFinished;
}

function isRefused({ refusedSince }: WatchedShipment): boolean {
	return refusedSince !== undefined;
}

/** The requests of a poll, ordered by their first shipments. Refused shipments are alone in theirs. */
export function planPoll(
	shipments: readonly WatchedShipment[],
	nowMs: number,
	wanted: Wanted,
): Array<TrackingBatch<WatchedShipment>> {
	let refusedLeft = MAX_REFUSED_PER_POLL;
	const due = selectDue(shipments, nowMs, wanted).filter(
		(shipment) => shipment.number !== '' && (!isRefused(shipment) || refusedLeft-- > 0),
	);
	const batches = planBatches(due, isRefused);
	fill(batches, shipments, nowMs, wanted);
	return batches;
}

/**
 * Adds the shipments that are due next to requests with room: this costs no request now, and they need
 * none of their own later.
 */
function fill(
	batches: ReadonlyArray<TrackingBatch<WatchedShipment>>,
	shipments: readonly WatchedShipment[],
	nowMs: number,
	wanted: Wanted,
): void {
	const withRoom = new Map<string, WatchedShipment[]>();
	for (const { carrier, shipments: batch } of batches) {
		const hasRoom = batch.length < NUMBERS_PER_REQUEST && !batch.some(isRefused);
		if (hasRoom) withRoom.set(carrier, batch);
	}
	const types = periodTypesOf(wanted);
	const dueNext = shipments.filter(
		(shipment) =>
			withRoom.has(shipment.carrier) &&
			(shipment.nextRequestAt ?? Infinity) <= nowMs + AHEAD_MS &&
			shipment.number !== '' &&
			isRequestable(shipment) &&
			!isRefused(shipment) &&
			!isDue(shipment, nowMs, wanted, types),
	);
	for (const [carrier, found] of groupBy(dueNext, ({ carrier }) => carrier)) {
		const batch = withRoom.get(carrier);
		const soonest = found.sort((a, b) => (a.nextRequestAt ?? 0) - (b.nextRequestAt ?? 0));
		batch?.push(...soonest.slice(0, NUMBERS_PER_REQUEST - batch.length));
	}
}
