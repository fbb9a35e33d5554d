import { DateTime } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';

import type { ShownEvent } from './eventLog';

// Derives from what the service showed which events of No Movement and Waiting for Pickup the trigger
// must have emitted. Independent of the implementation of the trigger.

const DAY_MS = 86_400_000;
const ZONE = 'Europe/Prague';
const LEAVING = /^(Transit(OnTheWay|Carrier|Pickup)?$|Deliver|Cancel)/;

export interface DayLimits {
	noMovement: number;
	waitingForPickup: number;
}

type PeriodType = keyof DayLimits;

/** An event of the service. `emittedAt` is undefined for an event from before the activation. */
interface Fact {
	number: string;
	event: ShownEvent;
	shownAt: number;
	emittedAt: number | undefined;
}

interface PeriodItem {
	type: PeriodType;
	number: string;
	sinceMs: number;
	limitMs: number;
	emittedAt: number;
	eventId: unknown;
}

export interface PeriodCheck {
	limits: DayLimits;
	activatedAtMs: number;
	isExisting: boolean;
	facts: Fact[];
	/** Shipments that the trigger watches and the service can always track. */
	numbers: string[];
	executions: Array<{ items: INodeExecutionData[]; atMs: number }>;
	/** Polls in which the service answered everything. */
	completePolls: number[];
}

export function periodErrors(check: PeriodCheck): string[] {
	const items = check.executions.flatMap(({ items: emitted, atMs }) =>
		emitted.filter(({ json }) => json.type === 'Trigger').map(({ json }) => toItem(json, atMs)),
	);
	const ids = new Set(items.map(({ eventId }) => eventId));
	return [
		...(ids.size < items.length ? ['the same period was reported twice'] : []),
		...items.flatMap((item) => wrongItem(item, check)),
		...check.numbers.flatMap((number) =>
			check.completePolls.flatMap((atMs) => missingItems(number, atMs, items, check)),
		),
	];
}

function wrongItem(item: PeriodItem, check: PeriodCheck): string[] {
	const { type, number, sinceMs, limitMs, emittedAt } = item;
	const wrong = (what: string) => [`${type} of ${number} at ${toText(emittedAt)}: ${what}`];
	if (limitMs !== sinceMs + check.limits[type] * DAY_MS) return wrong('another limit');
	if (limitMs > emittedAt) return wrong('too early');
	const known = factsOf(number, check).filter((fact) => (fact.emittedAt ?? -1) <= emittedAt);
	// An event with an old date that arrives after the activation is new, and so is its period.
	const isNew = known.some(
		({ event, emittedAt: at }) => at !== undefined && momentOf(event.date) === sinceMs,
	);
	const isOld = !isNew && !isVague(number, check) && limitMs < toSecond(check.activatedAtMs);
	if (isOld && !check.isExisting) return wrong('an old period');
	if (known.some(({ event, emittedAt: at }) => at !== undefined && isEnd(event))) {
		return wrong('the shipment has ended');
	}
	if (isVague(number, check)) return [];
	const moments = known.map(({ event }) => momentOf(event.date));
	if (type === 'noMovement') {
		if (isReturned(known)) return wrong('the shipment was returned');
		if (!moments.includes(sinceMs)) return wrong(`no event at ${toText(sinceMs)}`);
		const later = known.filter(
			(fact) => fact.emittedAt !== undefined && momentOf(fact.event.date) > sinceMs,
		);
		return later.length > 0 ? wrong(`there was a later event, ${later[0]?.event.date}`) : [];
	}
	const ready = known.filter(({ event }) => event.category === 'TransitReady');
	if (!ready.some(({ event }) => momentOf(event.date) === sinceMs)) return wrong('not ready');
	const left = known.filter(
		({ event, emittedAt: at }) =>
			at !== undefined && LEAVING.test(event.category) && isAfter(event, sinceMs),
	);
	return left.length > 0 ? wrong('the shipment had left') : [];
}

/** What the trigger must have emitted by the end of a poll in which the service answered everything. */
function missingItems(
	number: string,
	atMs: number,
	all: readonly PeriodItem[],
	check: PeriodCheck,
): string[] {
	if (isVague(number, check)) return [];
	const { limits, isExisting } = check;
	// Whether the trigger knows an event in time is a question of paces; see `paceLog.ts`.
	const shown = factsOf(number, check).filter(
		({ shownAt, emittedAt = shownAt }) => shownAt <= atMs && emittedAt <= atMs,
	);
	if (shown.length === 0 || shown.some(({ event }) => isEnd(event))) return [];
	// At the second of the activation, the days may be over before it or after it.
	const isDue = (limitMs: number) =>
		limitMs <= atMs && (isExisting || limitMs > toSecond(check.activatedAtMs));
	const items = all.filter((item) => item.number === number && item.emittedAt <= atMs);
	const missing = (type: PeriodType, sinceMs: number) => [
		`${type} of ${number} since ${toText(sinceMs)} was not emitted by ${toText(atMs)}`,
	];
	const errors: string[] = [];

	const movedAt = Math.max(...shown.map(({ event }) => momentOf(event.date)));
	const quietUntil = movedAt + limits.noMovement * DAY_MS;
	const isReported = items.some(
		({ type, sinceMs }) => type === 'noMovement' && sinceMs === movedAt,
	);
	if (isDue(quietUntil) && !isReported && !isReturned(shown)) {
		errors.push(...missing('noMovement', movedAt));
	}

	const leaving = shown.filter(({ event }) => LEAVING.test(event.category));
	const leftAt = Math.max(-Infinity, ...leaving.map(({ event }) => momentOf(event.date)));
	const arrivals = shown
		.filter(({ event }) => event.category === 'TransitReady' && momentOf(event.date) > leftAt)
		.map(({ event }) => momentOf(event.date));
	const areAllDue = arrivals.every((ms) => isDue(ms + limits.waitingForPickup * DAY_MS));
	const isWaitReported = items.some(
		({ type, sinceMs }) => type === 'waitingForPickup' && arrivals.includes(sinceMs),
	);
	if (arrivals.length > 0 && areAllDue && !isWaitReported) {
		errors.push(...missing('waitingForPickup', Math.min(...arrivals)));
	}
	return errors;
}

function toItem(json: Record<string, unknown>, emittedAt: number): PeriodItem {
	return {
		type: json.eventGroup as PeriodType,
		number: String(json.packageNumberCarrier),
		sinceMs: momentOf(String(json.since)),
		limitMs: momentOf(String(json.dateTime)),
		emittedAt,
		eventId: json.eventId,
	};
}

function factsOf(number: string, { facts }: PeriodCheck): Fact[] {
	return facts.filter((fact) => fact.number === number);
}

/** Without dates, and in the hour that occurs twice, only the trigger knows the moment. */
function isVague(number: string, check: PeriodCheck): boolean {
	return factsOf(number, check).some(
		({ event: { date } }) => date === '' || date.startsWith('2026-10-25T02'),
	);
}

function isEnd({ delivered, canceled }: ShownEvent): boolean {
	return delivered || canceled;
}

function isReturned(facts: readonly Fact[]): boolean {
	const places = facts.filter(({ event }) => /^(Transit|Deliver|Cancel)/.test(event.category));
	const latest = Math.max(...places.map(({ event }) => momentOf(event.date)));
	return places.some(
		({ event }) => event.category === 'DeliveredBack' && momentOf(event.date) === latest,
	);
}

function isAfter({ date }: ShownEvent, ms: number): boolean {
	return momentOf(date) >= ms;
}

const moments = new Map<string, number>();

function momentOf(date: string): number {
	const known = moments.get(date);
	if (known !== undefined) return known;
	const moment = toSecond(DateTime.fromISO(date, { zone: ZONE }).toMillis());
	moments.set(date, moment);
	return moment;
}

function toSecond(ms: number): number {
	return Math.floor(ms / 1000) * 1000;
}

function toText(ms: number): string {
	return DateTime.fromMillis(ms, { zone: ZONE }).toISO() ?? '';
}
