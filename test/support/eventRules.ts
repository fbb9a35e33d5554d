import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { TrackingEvent } from '../../sandbox/contract.generated';
import { type History, MOVING, type Selection } from './history';

// What a user of the trigger is promised, said about what the service has and what the workflow got.
// Nothing here knows how the trigger decides. Where that is open, an event may come or not, but never
// twice.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONE = 'Europe/Prague';

/** The longest pace, and the longest pause after the service has limited requests. */
const LATEST_MS = 75 * MINUTE_MS;

/** Shipments are asked about for three days after their end. The last hours are open. */
const AFTER_END_MS = 70 * HOUR_MS;

/** Occurs twice, so a date without an offset in it has two meanings. */
const HOUR_TWICE = '2026-10-25T02';

export interface Entry {
	key: string;
	number: string;
	event: TrackingEvent;
	/** -Infinity without a date. */
	dateMs: number;
	/** When the service first had it at a poll. */
	appearedMs: number;
	/** Whether one of, and whether each of the selections since then includes it. */
	isSelected: { once: boolean; always: boolean };
	emitted: number;
}

interface Period {
	type: 'noMovement' | 'waitingForPickup';
	number: string;
	sinceMs: number;
}

export class EventRules {
	readonly errors: string[] = [];

	readonly entries = new Map<string, Entry>();

	readonly periods: Period[] = [];

	/** Infinity while the service has a fault. */
	healthySince = -Infinity;

	/** Numbers that the service refuses. */
	readonly refused = new Set<string>();

	/** The first poll may not have read everything, so that the dates say what is new. */
	isStartUnsure = false;

	private startMs = Infinity;

	/** Shipments from before the start. */
	private earlier = new Set<string>();

	/** Events of which nothing may come any more, because it had to come before. */
	private readonly closed = new Set<Entry>();

	private selection: Selection;

	constructor(
		private readonly history: History,
		private readonly isWatched: (number: string) => boolean,
	) {
		this.selection = history.selection;
	}

	start(numbers: string[], nowMs: number): void {
		this.startMs = nowMs;
		this.earlier = new Set(numbers);
	}

	/** Notes an event that the service has now. */
	note(number: string, event: TrackingEvent, nowMs: number): void {
		const key = keyOf(number, event);
		if (this.entries.has(key)) return;
		const isSelected = this.isSelected(event);
		this.entries.set(key, {
			...{ key, number, event, appearedMs: nowMs, emitted: 0 },
			dateMs: event.date === '' ? -Infinity : momentOf(event.date),
			isSelected: { once: isSelected, always: isSelected },
		});
	}

	/** Another selection applies to the events that appeared shortly before, or it does not. */
	select(selection: Selection): void {
		this.selection = selection;
		for (const entry of this.entries.values()) {
			const isSelected = this.isSelected(entry.event);
			entry.isSelected.always &&= isSelected;
			if (!this.closed.has(entry)) entry.isSelected.once ||= isSelected;
		}
	}

	/** n8n has saved the state, so events that are due were emitted, or were skipped for good. */
	close(nowMs: number): void {
		for (const entry of this.entries.values()) {
			if (this.isDue(entry, nowMs)) this.closed.add(entry);
		}
	}

	/** Checks what the workflow got at a poll. */
	readExecution(items: INodeExecutionData[], nowMs: number): void {
		if (items.length === 0) this.errors.push('an execution without items');
		const events = items.map(({ json }) => json);
		let last = -Infinity;
		for (const json of events.filter(({ type }) => type !== 'Trigger')) {
			const number = String(json.packageNumberCarrier);
			const date = String(json.date);
			const key = keyOf(number, json as unknown as TrackingEvent);
			const entry = this.entries.get(key);
			if (!entry) this.fail(nowMs, 'the service has no such event', key);
			else if (++entry.emitted > 1) this.fail(nowMs, 'came twice', key);
			else if (!this.mayCome(entry)) this.fail(nowMs, 'must not come', key);
			if (date === '' || date.startsWith(HOUR_TWICE)) continue;
			if (momentOf(date) < last) this.fail(nowMs, 'came after a later event', key);
			last = momentOf(date);
		}
		for (const json of events.filter(({ type }) => type === 'Trigger'))
			this.readPeriod(json, nowMs);
	}

	/** Checks what has to have come by the end of a poll. */
	checkDue(nowMs: number): void {
		const late = [...this.entries.values()].filter(
			(entry) => entry.emitted === 0 && this.mustCome(entry) && this.isDue(entry, nowMs),
		);
		for (const { key } of late) this.fail(nowMs, 'has not come', key);
		if (!this.history.limits) return;
		for (const number of new Set([...this.entries.values()].map((entry) => entry.number))) {
			this.checkDuePeriods(number, nowMs);
		}
	}

	private isSelected({ category }: TrackingEvent): boolean {
		return this.selection === 'all' || MOVING.includes(category);
	}

	private mayCome(entry: Entry): boolean {
		return this.isWatched(entry.number) && entry.isSelected.once && !this.isBeforeStart(entry);
	}

	private isBeforeStart({ number, appearedMs, dateMs }: Entry): boolean {
		if (this.history.startFrom === 'existing' || !this.earlier.has(number)) return false;
		return appearedMs <= this.startMs && (!this.isStartUnsure || dateMs < this.startMs);
	}

	private mustCome(entry: Entry): boolean {
		if (!this.mayCome(entry) || !entry.isSelected.always) return false;
		const isUnsure =
			this.isStartUnsure &&
			this.history.startFrom === 'now' &&
			this.earlier.has(entry.number) &&
			entry.dateMs <= this.startMs;
		return !isUnsure && Math.max(entry.appearedMs, this.healthySince) <= this.askedUntil(entry);
	}

	private askedUntil({ number }: Entry): number {
		const ends = this.entriesOf(number).filter(({ event }) => event.delivered || event.canceled);
		const times = ends.map(({ dateMs, appearedMs, event }) =>
			event.date === '' ? appearedMs : Math.min(dateMs, appearedMs),
		);
		return Math.min(...times) + AFTER_END_MS;
	}

	private isDue({ number, appearedMs }: Entry, nowMs: number): boolean {
		if (this.refused.has(number)) return false;
		return Math.max(appearedMs, this.healthySince) + LATEST_MS <= nowMs;
	}

	private readPeriod(json: IDataObject, nowMs: number): void {
		const type = json.eventGroup as Period['type'];
		const number = String(json.packageNumberCarrier);
		const sinceMs = Date.parse(String(json.since));
		const what = `${type} of ${number} since ${String(json.since)}`;
		const days = this.history.limits?.[type] ?? Infinity;
		const isSame = (each: Period) =>
			each.type === type && each.number === number && each.sinceMs === sinceMs;
		if (this.periods.some(isSame)) this.fail(nowMs, 'came twice', what);
		this.periods.push({ type, number, sinceMs });
		if (!this.isWatched(number)) this.fail(nowMs, 'must not come', what);
		if (nowMs < sinceMs + days * DAY_MS) this.fail(nowMs, 'came early', what);

		const entries = this.entriesOf(number);
		const emitted = entries.filter((entry) => entry.emitted > 0);
		if (emitted.some(({ event }) => isEnd(event))) this.fail(nowMs, 'came after the end', what);
		if (entries.some(isVague)) return;
		const beginnings = entries.filter(({ dateMs }) => dateMs === sinceMs);
		const isWait = type === 'waitingForPickup';
		if (!beginnings.some(({ event }) => !isWait || event.category === 'TransitReady')) {
			this.fail(nowMs, 'began with no event', what);
		}
		const endings = emitted.filter(({ dateMs }) => dateMs > sinceMs);
		if (endings.some(({ event }) => !isWait || !isNoPlace(event))) {
			this.fail(nowMs, 'came although a later event had come', what);
		}
	}

	/** Only for shipments whose events say clearly when the period began. */
	private checkDuePeriods(number: string, nowMs: number): void {
		const entries = this.entriesOf(number).sort((a, b) => a.dateMs - b.dateMs);
		if (!this.isWatched(number) || entries.some((entry) => !this.isDue(entry, nowMs))) return;
		if (entries.some((entry) => isVague(entry) || isEnd(entry.event))) return;
		const { limits, startFrom } = this.history;
		const check = (type: Period['type'], firstMs: number, lastMs: number) => {
			const limitMs = lastMs + (limits?.[type] ?? Infinity) * DAY_MS;
			if (startFrom === 'now' && limitMs <= this.startMs) return;
			if (Math.max(limitMs, this.healthySince) + LATEST_MS > nowMs) return;
			const isReported = this.periods.some(
				(each) => each.type === type && each.number === number && each.sinceMs >= firstMs,
			);
			if (!isReported) this.fail(nowMs, 'has not come', `${type} of ${number}`);
		};
		const newestMs = entries.at(-1)?.dateMs ?? 0;
		check('noMovement', newestMs, newestMs);
		const leftMs = entries.findLast(({ event }) => !isNoPlace(event))?.dateMs ?? 0;
		const arrival = entries.find(
			({ event, dateMs }) => event.category === 'TransitReady' && dateMs > leftMs,
		);
		if (arrival) check('waitingForPickup', arrival.dateMs, arrival.dateMs);
	}

	private entriesOf(number: string): Entry[] {
		return [...this.entries.values()].filter((entry) => entry.number === number);
	}

	private fail(nowMs: number, what: string, of: string): void {
		this.errors.push(`${new Date(nowMs).toISOString()}: ${of}: ${what}`);
	}
}

/** The shipment, the second and the code: what the sandbox's events differ in, in every dialect. */
function keyOf(number: string, { date, code }: TrackingEvent): string {
	return `${number} ${date === '' ? 'no date' : localSecond(momentOf(date))} ${code}`;
}

export function localSecond(ms: number): string {
	return DateTime.fromMillis(ms, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
}

const moments = new Map<string, number>();

/** Whole seconds. Every response contains the same dates again, and reading them is slow. */
function momentOf(date: string): number {
	const ms =
		moments.get(date) ?? DateTime.fromISO(date, { zone: ZONE }).startOf('second').toMillis();
	moments.set(date, ms);
	return ms;
}

function isVague({ event: { date } }: Entry): boolean {
	return date === '' || date.startsWith(HOUR_TWICE);
}

function isEnd({ delivered, canceled, category }: TrackingEvent): boolean {
	return delivered || canceled || category === 'DeliveredBack';
}

/** Does not say that the shipment has left the pickup point. */
function isNoPlace({ category }: TrackingEvent): boolean {
	return ['Created', 'Ordered', 'TransitReady'].includes(category);
}
