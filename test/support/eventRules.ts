import { groupBy, memoize } from 'lodash';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { SandboxShipment } from '../../sandbox';
import type { TrackingEvent } from '../../sandbox/contract.generated';
import type { History } from './historyPlayer';

// The promises of the trigger, in terms of what the service has and what the workflow got, without
// anything about how the trigger decides. Where that is open, an event may come, but never twice.

/** Categories that the sandbox writes alike in every dialect. */
export const MOVING = ['TransitCarrier', 'TransitOnTheWay', 'TransitReady'];

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ZONE = 'Europe/Prague';

const GROUPS: Record<string, string> = {
	...{ Created: 'created', Ordered: 'created', TransitCarrier: 'handedOver' },
	...{ TransitOnTheWay: 'inTransit', TransitReady: 'readyForPickup', Delivered: 'delivered' },
	...{ DeliveredPickup: 'readyForPickup', DeliveredBack: 'returned', Canceled: 'canceled' },
};

/** The longest pace, 60 minutes, and the longest pause after the service has limited requests, 15. */
const LATEST_MS = 75 * MINUTE_MS;

/** A shipment is followed for three days after its end. The last hours are open. */
const AFTER_END_MS = 70 * 60 * MINUTE_MS;

/** It occurs twice, so that dates in it have two meanings. */
const HOUR_TWICE = '2026-10-25T02';

interface Entry {
	key: string;
	number: string;
	group: string;
	event: TrackingEvent;
	/** -Infinity without a date. */
	dateMs: number;
	/** When the service had it at a poll for the first time. */
	appearedMs: number;
	isWatched: boolean;
	/** By one of the selections since then, and by all of them. */
	isSelected: { once: boolean; always: boolean };
	/** The trigger has read and saved it, so that later selections do not apply to it. */
	isSettled: boolean;
	timesEmitted: number;
}

type PeriodType = 'noMovement' | 'waitingForPickup';

export class EventRules {
	readonly errors: string[] = [];

	/** Infinity as long as the service has a fault. */
	healthySince = -Infinity;

	/** Numbers that the service refuses. */
	readonly refused = new Set<string>();

	/** The trigger may not have read everything at the start. Then the dates say what is new. */
	isStartUnsure = false;

	private readonly entries = new Map<string, Entry>();
	private readonly periods: Array<{ type: PeriodType; number: string; sinceMs: number }> = [];

	/** Numbers of shipments from before the start. */
	private readonly earlier = new Set<string>();

	constructor(
		private readonly history: History,
		private readonly startMs: number,
		private selection = history.selection,
	) {}

	/** Notes what the service has at a poll. */
	note(shipment: SandboxShipment, events: TrackingEvent[], nowMs: number): void {
		const { packageNumberCarrier: number, carrierCode } = shipment;
		if (nowMs === this.startMs) this.earlier.add(number);
		const isListed = this.earlier.has(number);
		const watched = { account: true, carrier: carrierCode === 'ANT', list: isListed };
		for (const event of events) {
			const key = keyOf(number, event);
			if (this.entries.has(key)) continue;
			this.entries.set(key, {
				...{
					key,
					number,
					group: groupOf(event),
					event,
					appearedMs: nowMs,
					isSettled: false,
					timesEmitted: 0,
				},
				dateMs: event.date === '' ? -Infinity : momentOf(event.date),
				isWatched: watched[this.history.watch],
				isSelected: { once: this.selects(event), always: this.selects(event) },
			});
		}
	}

	/** Whether a new selection applies is open for events that the trigger may not have read yet. */
	select(selection: History['selection']): void {
		this.selection = selection;
		for (const { event, isSelected, isSettled } of this.entries.values()) {
			isSelected.always &&= this.selects(event);
			if (!isSettled) isSelected.once ||= this.selects(event);
		}
	}

	/** The trigger has read and saved all events that are due. */
	settle(nowMs: number): void {
		for (const entry of this.entries.values()) entry.isSettled ||= this.isDue(entry, nowMs);
	}

	/** Checks what the workflow got. */
	readExecution(execution: INodeExecutionData[], nowMs: number): void {
		const items = execution.map(({ json }) => json);
		if (items.length === 0) this.fail(nowMs, 'execution', 'has no items');
		let last = -Infinity;
		for (const item of items.filter(({ type }) => type !== 'Trigger')) {
			const event = item as unknown as TrackingEvent;
			const key = keyOf(String(item.packageNumberCarrier), event);
			const entry = this.entries.get(key);
			if (!entry) this.fail(nowMs, key, 'is not in the service');
			else if (++entry.timesEmitted > 1) this.fail(nowMs, key, 'came twice');
			else if (!this.mayCome(entry)) this.fail(nowMs, key, 'must not come');
			if (entry) this.readFlags(entry, item, nowMs);
			if (isVague(event)) continue;
			if (momentOf(event.date) < last) this.fail(nowMs, key, 'came after a later event');
			last = momentOf(event.date);
		}
		for (const item of items.filter(({ type }) => type === 'Trigger')) this.readPeriod(item, nowMs);
	}

	/** Checks what the item says of its place among the events of its piece. */
	private readFlags(entry: Entry, item: IDataObject, nowMs: number): void {
		const { number, key, group, dateMs } = entry;
		const { eventGroup, isFirstOfGroup, isLatest } = item;
		const fail = (what: string) => this.fail(nowMs, key, what);
		if (eventGroup !== group) fail(`is ${String(eventGroup)}`);
		const others = [...this.entries.values()].filter(
			(other) => other !== entry && other.number === number,
		);
		// The trigger may not have read the others, unless it has emitted them.
		const emitted = others.filter(({ timesEmitted }) => timesEmitted > 0);
		const isOfGroup = (other: Entry) => other.group === group;
		if (isFirstOfGroup === true && emitted.some(isOfGroup)) fail('is not the first of its group');
		if (isFirstOfGroup === false && !others.some(isOfGroup)) fail('is the first of its group');
		if (isFirstOfGroup !== true && this.history.repeated === 'first') fail('is repeated');
		if (isVague(entry.event)) return;
		const isLater = (other: Entry) => !isVague(other.event) && other.dateMs > dateMs;
		const mayBeLater = (other: Entry) => isLater(other) || isVague(other.event);
		if (isLatest === true && emitted.some(isLater)) fail('is not the latest');
		if (isLatest === false && !others.some(mayBeLater)) fail('is the latest');
	}

	/** Checks what had to come by the end of a poll. */
	checkDue(nowMs: number): void {
		for (const entries of Object.values(groupBy([...this.entries.values()], 'number'))) {
			const endsMs = entries.filter(hasEnded).map(({ dateMs, appearedMs }) => {
				return dateMs === -Infinity ? appearedMs : Math.min(dateMs, appearedMs);
			});
			const untilMs = Math.min(...endsMs) + AFTER_END_MS;
			for (const entry of entries.filter((each) => this.mustCome(each, entries))) {
				const isFollowed = Math.max(entry.appearedMs, this.healthySince) <= untilMs;
				if (isFollowed && this.isDue(entry, nowMs)) this.fail(nowMs, entry.key, 'has not come');
			}
			if (this.history.limits) this.checkPeriods(entries, nowMs);
		}
	}

	private selects({ category }: TrackingEvent): boolean {
		return this.selection === 'all' || MOVING.includes(category);
	}

	/** Whether the shipment may have events that must not come, because they are from before the start. */
	private hasHistory({ number }: Entry): boolean {
		return this.history.startFrom === 'now' && this.earlier.has(number);
	}

	private mayCome(entry: Entry): boolean {
		const { isWatched, isSelected, appearedMs, dateMs } = entry;
		const isEarlier = appearedMs <= this.startMs && (!this.isStartUnsure || dateMs < this.startMs);
		return isWatched && isSelected.once && !(isEarlier && this.hasHistory(entry));
	}

	private isExpected(entry: Entry): boolean {
		const isOpen = this.isStartUnsure && this.hasHistory(entry) && entry.dateMs <= this.startMs;
		const isWanted = this.mayCome(entry) && entry.isSelected.always && !isOpen;
		return isWanted && entry.timesEmitted === 0;
	}

	private mustCome(entry: Entry, ofPiece: Entry[]): boolean {
		const isEarlier = (other: Entry) =>
			other !== entry && other.group === entry.group && !this.isExpected(other);
		const isRepeated = this.history.repeated === 'first' && ofPiece.some(isEarlier);
		return this.isExpected(entry) && !isRepeated;
	}

	private isDue({ number, appearedMs }: Entry, nowMs: number): boolean {
		const visibleMs = Math.max(appearedMs, this.healthySince);
		return !this.refused.has(number) && visibleMs + LATEST_MS <= nowMs;
	}

	private limitOf(type: PeriodType, sinceMs: number): number {
		return sinceMs + (this.history.limits?.[type] ?? Infinity) * DAY_MS;
	}

	private periodsOf(type: PeriodType, number: string): number[] {
		const own = this.periods.filter((each) => each.type === type && each.number === number);
		return own.map(({ sinceMs }) => sinceMs);
	}

	private readPeriod(
		{ eventGroup, packageNumberCarrier, since, isFirstOfGroup }: IDataObject,
		nowMs: number,
	): void {
		const type = eventGroup as PeriodType;
		const number = String(packageNumberCarrier);
		const sinceMs = Date.parse(String(since));
		const fail = (what: string) => this.fail(nowMs, `${type} ${number} ${String(since)}`, what);
		if (this.periodsOf(type, number).includes(sinceMs)) fail('came twice');
		const isFirst = this.periodsOf(type, number).length === 0;
		if (isFirstOfGroup !== isFirst) fail(`says it is first: ${String(isFirstOfGroup)}`);
		this.periods.push({ type, number, sinceMs });
		if (this.limitOf(type, sinceMs) > nowMs) fail('came early');

		const entries = [...this.entries.values()].filter((entry) => entry.number === number);
		const emitted = entries.filter(({ timesEmitted }) => timesEmitted > 0);
		if (!entries.some(({ isWatched }) => isWatched)) fail('must not come');
		if (emitted.some(hasEnded)) fail('came after the end');
		if (entries.some(({ event }) => isVague(event))) return;
		const isQuiet = type === 'noMovement';
		const began = entries.filter(({ dateMs }) => dateMs === sinceMs);
		if (!began.some(isQuiet ? (each) => !isReturned(each) : isReady)) fail('began with no event');
		const later = emitted.filter(({ dateMs }) => dateMs > sinceMs);
		if (later.some((each) => isQuiet || hasLeft(each))) fail('came although it was over');
	}

	/** Only for shipments whose events leave no doubt about when the period began. */
	private checkPeriods(all: Entry[], nowMs: number): void {
		const entries = all.sort((a, b) => a.dateMs - b.dateMs);
		const isClear = (entry: Entry) =>
			entry.isWatched && this.isDue(entry, nowMs) && !isVague(entry.event);
		if (!entries.every(isClear) || entries.some(hasEnded) || entries.some(isReturned)) return;
		const check = (type: PeriodType, { number, dateMs }: Entry) => {
			const limitMs = this.limitOf(type, dateMs);
			if (this.history.startFrom === 'now' && limitMs <= this.startMs) return;
			if (Math.max(limitMs, this.healthySince) + LATEST_MS > nowMs) return;
			const reported = this.periodsOf(type, number);
			if (reported.some((sinceMs) => sinceMs >= dateMs)) return;
			if (this.history.repeated === 'first' && reported.length > 0) return;
			this.fail(nowMs, `${type} ${number} ${localSecond(dateMs)}`, 'has not come');
		};
		const leftMs = entries.findLast(hasLeft)?.dateMs ?? -Infinity;
		const arrival = entries.find((entry) => isReady(entry) && entry.dateMs > leftMs);
		if (arrival) check('waitingForPickup', arrival);
		check('noMovement', entries.at(-1) as Entry);
	}

	private fail(nowMs: number, of: string, what: string): void {
		this.errors.push(`${localSecond(nowMs)}: ${of} ${what}`);
	}
}

/** What the sandbox's events differ in, however the service writes them. */
function keyOf(number: string, { date, code }: TrackingEvent): string {
	return `${number} ${date === '' ? 'without a date' : localSecond(momentOf(date))} ${code}`;
}

export const localSecond = memoize((ms: number): string =>
	DateTime.fromMillis(ms, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss"),
);

const momentOf = memoize((date: string): number =>
	DateTime.fromISO(date, { zone: ZONE }).startOf('second').toMillis(),
);

const groupOf = (event: TrackingEvent) => {
	if (event.category === 'DeliveredBack') return 'returned';
	return event.delivered ? 'delivered' : (GROUPS[event.category] ?? '');
};
const isVague = ({ date }: TrackingEvent) => date === '' || date.startsWith(HOUR_TWICE);
const hasEnded = ({ event }: Entry) => event.delivered || event.canceled;
const isReturned = ({ event }: Entry) => event.category === 'DeliveredBack';
const isReady = ({ group }: Entry) => group === 'readyForPickup';
const hasLeft = (entry: Entry) =>
	!isReady(entry) && !['Created', 'Ordered'].includes(entry.event.category);
