import type { TrackingEvent, TrackingResult } from '../transport/contract';
import type { SplitAnswer } from '../transport/refusals';
import { byNumber, rowOf, type TrackingBatch } from '../transport/trackingRequests';
import { isLocalDate, secondOf, sortByDate } from './dates';
import { categoryNameOf, eventIdOf, isKnown, markOf } from './events';
import { type PeriodComparison, updatePeriods } from './periods';
import { isEvent } from './output';
import { nextTurn, scheduleAfter } from './select';
import { type NewEvent, toMinute, type WatchedShipment, without } from './state';

/** How long a delivered or canceled shipment is requested after its last new event. */
export const LATE_EVENTS_MS = 72 * 3_600_000;

/** How often a refused number is requested, alone. */
export const REFUSED_INTERVAL_MS = 3_600_000;

export interface RequestCounts {
	responses: number;
	failures: unknown[];
}

export interface Comparison extends PeriodComparison {
	/** Set in the poll in which watching starts: shipments with this `newSince` have only known events. */
	baselineSince?: number;
	/** The position of the shipment in its response. */
	position?: number;
}

export type Response = SplitAnswer<TrackingResult> & TrackingBatch<WatchedShipment>;

/** What a response says about its shipments, in relation to what was known of them. */
export interface ComparedResponse {
	carrier: string;
	/** Whether the carrier responded to a request, even if its rows have no events to compare. */
	hasResponse: boolean;
	/** The shipments after the response, by the shipments before it. */
	answered: Map<WatchedShipment, WatchedShipment>;
	/** The next poll requests these again. */
	failed: WatchedShipment[];
	refused: Array<{ shipment: WatchedShipment; failure: unknown }>;
	failures: unknown[];
	newEvents: NewEvent[];
	hasLocalDates: boolean;
}

/** What all responses of a poll change. */
export interface Tracked {
	/**
	 * In the order for the next poll: first the shipments that this poll did not request, then those that
	 * failed, then the others. So every shipment gets its turn, even if one carrier never responds.
	 */
	shipments: WatchedShipment[];
	newEvents: NewEvent[];
	requests: RequestCounts;
	/** Shipments that this poll found to be refused. */
	newlyRefused: ComparedResponse['refused'];
	hasLocalDates: boolean;
}

/** Compares the events in a response with those that are known. */
export function compareResponse(response: Response, comparison: Comparison): ComparedResponse {
	const { carrier, failures, rows } = response;
	const byItsNumber = new Map(response.shipments.map((each) => [each.number, each]));
	const shipmentsOf = (numbers: readonly string[]) =>
		numbers.flatMap((number) => byItsNumber.get(number) ?? []);
	const compared: ComparedResponse = {
		carrier,
		hasResponse: response.answered.length > 0,
		answered: new Map(),
		failed: shipmentsOf(response.failed),
		refused: response.refused.flatMap(({ number, failure }) =>
			shipmentsOf([number]).map((shipment) => ({ shipment, failure })),
		),
		failures: [...failures],
		newEvents: [],
		hasLocalDates: false,
	};
	const rowsByNumber = byNumber(rows);
	for (const [position, shipment] of shipmentsOf(response.answered).entries()) {
		const { number } = shipment;
		const row = rowOf(rowsByNumber, { carrierCode: carrier, number, correlationId: '' });
		const listed: unknown = row instanceof Error ? undefined : (row.events ?? []);
		if (!Array.isArray(listed)) {
			compared.failed.push(shipment);
			continue;
		}
		const events = listed.filter(isEvent);
		compared.hasLocalDates ||= events.some(({ date }) => isLocalDate(date));
		const after = compareEvents(shipment, events, { ...comparison, position });
		compared.answered.set(shipment, after.shipment);
		compared.newEvents.push(...after.newEvents);
	}
	return compared;
}

/** The shipments and new events after all responses of a poll. */
export function applyResponses(
	shipments: readonly WatchedShipment[],
	responses: readonly ComparedResponse[],
	nowMs: number,
): Tracked {
	const answered = new Map(responses.flatMap((response) => [...response.answered]));
	const failed = new Set(responses.flatMap((response) => response.failed));
	const failures = responses.flatMap((response) => response.failures);
	const trackedCarriers = new Set(
		responses.filter((each) => each.hasResponse).map(({ carrier }) => carrier),
	);
	const newlyRefused: Tracked['newlyRefused'] = [];
	for (const refused of responses.flatMap((response) => response.refused)) {
		const { shipment, failure } = refused;
		const { carrier, refusedSince = nowMs } = shipment;
		const isKnown = shipment.refusedSince !== undefined;
		// If the carrier did not respond to any request, the carrier may be the problem.
		if (isKnown || trackedCarriers.has(carrier)) {
			const nextRequestAt = toMinute(nowMs + REFUSED_INTERVAL_MS);
			answered.set(shipment, { ...shipment, refusedSince, nextRequestAt });
			if (!isKnown) newlyRefused.push(refused);
		} else {
			failures.push(failure);
			failed.add(shipment);
		}
	}
	return {
		shipments: [
			...shipments.filter((shipment) => !answered.has(shipment) && !failed.has(shipment)),
			...failed,
			...answered.values(),
		],
		newEvents: responses.flatMap((response) => response.newEvents),
		requests: { responses: responses.filter((each) => each.hasResponse).length, failures },
		newlyRefused,
		hasLocalDates: responses.some((response) => response.hasLocalDates),
	};
}

/** The shipment after a response, and the new events in it, oldest first. */
export function compareEvents(
	before: WatchedShipment,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): { shipment: WatchedShipment; newEvents: NewEvent[] } {
	const unknown = new Map<string, TrackingEvent>();
	for (const event of events) {
		const eventId = eventIdOf(before.carrier, before.number, event, comparison.timezone);
		// A carrier may repeat an event with another text. The first text counts.
		if (!isKnown(before.known, eventId) && !unknown.has(eventId)) unknown.set(eventId, event);
	}
	// Events that are missing from a response stay known: the next one may contain them again.
	const known = [before.known, ...[...unknown.keys()].map(markOf)].join('');
	const scheduled = scheduleNextRequest(before, known, events, comparison);
	const periods = updatePeriods(before, events, new Set(unknown.values()), comparison);
	const shipment = periods ? { ...scheduled, periods } : scheduled;
	const isNew = newEventTest(before, events, comparison);
	const newEvents = [...unknown]
		.filter(([, event]) => isNew(event))
		.map(([eventId, event]) => ({ shipment, eventId, event }));
	return { shipment, newEvents: sortByDate(newEvents, comparison.timezone) };
}

/**
 * Decides which of the unknown events are new. All of them are, except in a shipment's first response.
 *
 * In the poll in which watching starts, nothing in it is new: it all existed before. A shipment whose
 * first response arrives later (its carrier was down, or the list showed it later) needs the dates:
 * events dated since `newSince` are new, older events and events without a date are not. If the
 * shipment itself was created since then, all of its events are new, even those without a time.
 *
 * Dates are compared by the second, as the service gives them; the second of `newSince` itself counts
 * as new. If the time zone is not the service's, only this comparison is off by the difference.
 */
function newEventTest(
	{ newSince }: WatchedShipment,
	events: readonly TrackingEvent[],
	{ timezone, baselineSince }: Comparison,
): (event: TrackingEvent) => boolean {
	if (newSince === undefined || newSince === 0) return () => true;
	if (newSince === baselineSince) return () => false;
	const fromMs = Math.floor(newSince / 1000) * 1000;
	const isRecent = ({ date }: TrackingEvent) => (secondOf(date, timezone) ?? 0) >= fromMs;
	const wasCreatedSince = events.some(
		(event) =>
			categoryNameOf(event.category) === 'created' &&
			(event.item ?? null) === null &&
			isRecent(event),
	);
	return wasCreatedSince ? () => true : isRecent;
}

/** A shipment that has ended is requested until three days pass without a new event. */
function scheduleNextRequest(
	before: WatchedShipment,
	known: string,
	events: readonly TrackingEvent[],
	comparison: Comparison,
): WatchedShipment {
	const { nowMs, timezone } = comparison;
	const shipment = {
		...without(before, 'newSince', 'nextRequestAt', 'activeUntil', 'refusedSince'),
		known,
	};
	const isFirstResponse = before.newSince !== undefined;
	const hasUnknownEvents = known !== before.known;
	const end = events.find(({ delivered, canceled }) => delivered === true || canceled === true);
	let { endedAt } = before;
	if (end && isFirstResponse) {
		// If it ended long ago, no late events are expected.
		endedAt = Math.min(secondOf(end.date, timezone) ?? nowMs, nowMs);
	} else if (endedAt === undefined ? end : hasUnknownEvents) {
		endedAt = nowMs;
	}
	if (endedAt === undefined) {
		const hasNewEvent = hasUnknownEvents && !isFirstResponse;
		return { ...shipment, ...scheduleAfter(before, events, hasNewEvent, comparison) };
	}
	if (nowMs - endedAt >= LATE_EVENTS_MS) {
		return { ...shipment, endedAt, known: '', isFinished: true };
	}
	return { ...shipment, endedAt, nextRequestAt: nextTurn(before, 'arrived', comparison) };
}
