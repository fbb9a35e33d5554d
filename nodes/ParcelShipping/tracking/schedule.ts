import { DAY_MS } from '../records';
import { NUMBERS_PER_REQUEST } from '../transport/contract';
import { MINUTE_MS, toMinute } from './dates';
import { lastPlacedGroup, placeOf, type ReadEvent, withoutPlanned } from './events';
import { overAt } from './periods';
import type { WatchedShipment } from './state';
import { periodTypesOf, type Watch } from './watch';

/** After how many minutes a shipment is requested again with *Balanced*. docs/trigger.md says why. */
const PACE_MINUTES = {
	moving: 10,
	inactive: 30,
	/** Also for a number that is refused. */
	arrived: 60,
};

/** How long a shipment that is new in the list or has a new event is requested in every poll. */
export const ACTIVE_MS = 120 * MINUTE_MS;

/** After how long without an event a shipment is inactive. */
const INACTIVE_MS = 2 * DAY_MS;

/** How long a delivered or canceled shipment is requested after its last new event. */
const LATE_EVENTS_MS = 3 * DAY_MS;

/** How many numbers one poll requests alone. */
const MAX_ALONE_PER_POLL = 10;

/** Shipments that are due within this time fill requests that have room. */
const AHEAD_MS = 10 * MINUTE_MS;

/** No request is planned further ahead, unless the clock was wrong at that moment. */
const LONGEST_PACE_MS = 60 * MINUTE_MS;

type PaceOptions = Pick<Watch, 'freshness' | 'limits'>;

/** The shipments that are due at this moment, in their order. */
export function selectDue(
	shipments: readonly WatchedShipment[],
	atMs: number,
	{ freshness, limits }: PaceOptions,
): WatchedShipment[] {
	const types = periodTypesOf({ limits });
	return shipments.filter((shipment) => {
		const { listed, nextRequestAt, endedAt, number, status } = shipment;
		if (listed === 'unlisted' || status === 'finished') return false;
		if (nextRequestAt === undefined || nextRequestAt <= atMs) return true;
		if (nextRequestAt > atMs + LONGEST_PACE_MS) return true;
		if (number === '' || endedAt !== undefined || status !== 'usual') return false;
		if (freshness === 'everyPoll') return true;
		// Whether the days are over is certain only if there was no event since the last response.
		return types.some((type) => overAt(shipment, type, limits) <= atMs);
	});
}

/** Shipments of one carrier whose events are requested together. */
export interface EventRequest {
	carrier: string;
	shipments: WatchedShipment[];
}

/**
 * The requests of a poll, as few as possible, ordered by their first shipments. Those of refused shipments have only one.
 * Shipments that are due soon take the room that is left: no request more now, and one less later.
 */
export function selectRequests(
	shipments: readonly WatchedShipment[],
	nowMs: number,
	options: PaceOptions,
): EventRequest[] {
	const numbered = shipments.filter(({ number }) => number !== '');
	const due = new Set(selectDue(numbered, nowMs, options));
	const requests: EventRequest[] = [];
	/** The latest request of each carrier. */
	const latest = new Map<string, EventRequest>();
	const requestWithRoom = ({ carrier }: WatchedShipment) => {
		const request = latest.get(carrier);
		return request && request.shipments.length < NUMBERS_PER_REQUEST ? request : undefined;
	};
	let aloneLeft = MAX_ALONE_PER_POLL;
	for (const shipment of due) {
		const { carrier, status } = shipment;
		const isAlone = status === 'refused';
		if (isAlone && aloneLeft-- <= 0) continue;
		const existing = isAlone ? undefined : requestWithRoom(shipment);
		const request = existing ?? { carrier, shipments: [] };
		request.shipments.push(shipment);
		if (!isAlone) latest.set(carrier, request);
		if (!existing) requests.push(request);
	}
	for (const shipment of selectDue(numbered, nowMs + AHEAD_MS, options))
		if (!due.has(shipment) && shipment.status === 'usual')
			requestWithRoom(shipment)?.shipments.push(shipment);
	return requests;
}

/** The moment of a response, and the position of the shipment in its request. */
interface ResponseMoment {
	nowMs: number;
	position?: number | undefined;
}

/** When a shipment is requested next. */
type Schedule = Required<
	Pick<WatchedShipment, 'activeUntil' | 'endedAt' | 'nextRequestAt' | 'status'>
>;

/** Whether the event ends the shipment: only corrections follow. */
export const isEnd = ({ event }: ReadEvent) => event.delivered === true || event.canceled === true;

/** The schedule of a shipment after a response with these events. `end` is the one that ends it. */
export function scheduleAfter(
	shipment: WatchedShipment,
	events: readonly ReadEvent[],
	end: ReadEvent | undefined,
	hasUnknownEvents: boolean,
	moment: ResponseMoment,
): Schedule {
	const { nowMs } = moment;
	const isFirstResponse = shipment.newSince !== undefined;
	let { endedAt } = shipment;
	if (end && isFirstResponse) {
		// If it had no event for long, no late ones are expected. A later shipment with its number may have some.
		const newest = Math.max(...events.map(({ ms = -Infinity }) => ms));
		endedAt = end.ms === undefined ? nowMs : Math.min(newest, nowMs);
	} else if (endedAt === undefined ? end : hasUnknownEvents) {
		endedAt = nowMs;
	}
	if (endedAt === undefined) {
		const hasNewEvent = hasUnknownEvents && !isFirstResponse;
		const next = scheduleWatched(shipment, events, hasNewEvent, moment);
		return { endedAt, status: 'usual', ...next };
	}
	const isFinished = hasEndedLongAgo({ endedAt }, nowMs);
	// If only the list says that it has ended, the event of that is still to come.
	const pace = end || nowMs - endedAt >= ACTIVE_MS ? 'arrived' : 'moving';
	return {
		endedAt,
		status: isFinished ? 'finished' : 'usual',
		activeUntil: undefined,
		nextRequestAt: isFinished ? undefined : scheduleNext(shipment, pace, moment),
	};
}

/** Whether no further event of the shipment is expected. */
export function hasEndedLongAgo(
	{ endedAt }: Pick<WatchedShipment, 'endedAt'>,
	nowMs: number,
): boolean {
	return endedAt !== undefined && nowMs - endedAt >= LATE_EVENTS_MS;
}

/** For a shipment that has not ended. */
function scheduleWatched(
	shipment: WatchedShipment,
	events: readonly ReadEvent[],
	hasNewEvent: boolean,
	moment: ResponseMoment,
): Pick<Schedule, 'activeUntil' | 'nextRequestAt'> {
	const { nowMs } = moment;
	const happened = withoutPlanned(events, nowMs);
	const newest = Math.max(...happened.map(({ ms = -Infinity }) => ms));
	const activeAt = hasNewEvent ? nowMs : Math.min(newest, nowMs);
	const activeUntil = Math.max(shipment.activeUntil ?? 0, toMinute(activeAt + ACTIVE_MS));
	// A shipment without dates has been inactive for as long as it has been watched.
	const inactiveSince = newest === -Infinity ? shipment.addedDay * DAY_MS : newest;
	let pace: keyof typeof PACE_MINUTES = 'moving';
	if (placeOf(lastPlacedGroup(happened)) === 'final') pace = 'arrived';
	else if (activeUntil > nowMs) return { activeUntil, nextRequestAt: undefined };
	else if (nowMs - inactiveSince >= INACTIVE_MS) pace = 'inactive';
	return { activeUntil: undefined, nextRequestAt: scheduleNext(shipment, pace, moment) };
}

/**
 * When a shipment is requested next. One that was requested on time follows after its pace. The others (first responses,
 * after an outage) would all come at once again, so the shipments of each response are spread over the pace.
 */
export function scheduleNext(
	{ nextRequestAt }: WatchedShipment,
	pace: keyof typeof PACE_MINUTES,
	{ nowMs, position = 0 }: ResponseMoment,
): number {
	const minutes = PACE_MINUTES[pace];
	const wasOnTime =
		nextRequestAt !== undefined && nowMs - nextRequestAt < (minutes * MINUTE_MS) / 2;
	return toMinute(nowMs) + (wasOnTime ? minutes : minutes - (position % minutes)) * MINUTE_MS;
}

/** The same after a response without a list of events. */
export function scheduleWithoutEvents(
	shipment: WatchedShipment,
	moment: ResponseMoment,
): number | undefined {
	const { activeUntil = 0, endedAt, status } = shipment;
	const { nowMs } = moment;
	if (status === 'refused' || endedAt !== undefined)
		return scheduleNext(shipment, 'arrived', moment);
	return activeUntil > nowMs ? undefined : scheduleNext(shipment, 'moving', moment);
}
