import type { History } from './history';
import { lateEvents, type TimedEvent } from './paceLog';
import { periodErrors } from './periodLog';

import { memoize } from 'lodash';
import { DateTime } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';

export interface ShownEvent {
	date: string;
	code: string;
	category: string;
	item: string | null;
	carrierCode: string | null;
	type: string;
	delivered: boolean;
	canceled: boolean;
}

interface Shown {
	event: ShownEvent;
	number: string;
	/** Time when the service first returned the event. */
	atMs: number;
	atActivation: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** When SNAIL assigns a number in the documented dialect. */
const NUMBER_LATE_MS = 5 * MINUTE_MS;

/** The trigger asks for a missing number again after this time. */
const NUMBER_RETRY_MS = 10 * MINUTE_MS;
const ZONE = 'Europe/Prague';

/** Occurs twice, because daylight saving time ends, so its dates without an offset are ambiguous. */
const HOUR_TWICE = '2026-10-25T02';

/** The trigger polls shipments for three days after their end. Ignores the last hours. */
const SURELY_POLLED_MS = 70 * HOUR_MS;

/**
 * Records all events that the service has returned and derives what the trigger must have emitted.
 * Independent of the implementation of the trigger.
 */
export class EventLog {
	private readonly shown = new Map<string, Shown>();

	private activatedAtMs = 0;

	private isActivated = false;

	/** Shipments whose events at activation are no longer known to n8n. */
	private readonly unsure = new Set<string>();

	/** Numbers that the service refuses, together with every request that contains them. */
	private readonly poisoned = new Set<string>();

	private existing: string[] = [];

	constructor(
		private readonly sandbox: Sandbox,
		private readonly clock: { nowMs: number },
	) {}

	/** Records all events that the service returns now. */
	async note(): Promise<void> {
		for (const { packageNumberCarrier: number } of this.sandbox.database.shipments()) {
			const response = await fetch(
				`${this.sandbox.home}/sandbox/tracking/${encodeURIComponent(number)}`,
			);
			const { events } = (await response.json()) as { events: ShownEvent[] };
			for (const event of events) {
				const key = keyOf(number, event);
				if (this.shown.has(key)) continue;
				const atMs = this.clock.nowMs;
				this.shown.set(key, { event, number, atMs, atActivation: !this.isActivated });
			}
		}
	}

	/** `hadFaults`: the first poll may have failed completely or in part. */
	noteActivation(hadFaults: boolean): void {
		this.isActivated = true;
		this.activatedAtMs = this.clock.nowMs;
		this.existing = this.sandbox.database
			.shipments()
			.map((shipment) => shipment.packageNumberCarrier);
		if (hadFaults) this.existing.forEach((number) => this.unsure.add(number));
	}

	/** If n8n is killed before it saves anything, the results of the first poll are lost. */
	noteKill(savedState: string | undefined): void {
		if (savedState === undefined) this.existing.forEach((number) => this.unsure.add(number));
	}

	notePoison(number: string): void {
		this.poisoned.add(number);
	}

	add(
		number: string,
		event: { date: string; code: string; category: string; delivered: boolean },
	): void {
		this.sandbox.addEvent(number, event);
	}

	/** Repeats an event, optionally with another text. */
	repeat(number: string, isReworded: boolean): void {
		const known = [...this.shown.values()].filter((shown) => shown.number === number).at(-1);
		if (!known) return;
		const name = isReworded ? 'In other words' : 'Something happened on the way';
		this.sandbox.addEvent(number, { ...known.event, name });
	}

	localTime(ms: number): string {
		return DateTime.fromMillis(ms, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
	}

	findErrors(
		history: History,
		executions: INodeExecutionData[][],
		failures: Error[],
		polls: { executionTimes: number[]; completePolls: number[] },
	): string[] {
		const emittedAt = new Map<string, number>();
		const emitted = new Map<string, number>();
		const errors: string[] = [];
		for (const [index, items] of executions.entries()) {
			const last = new Map<string, string>();
			if (items.length === 0) errors.push('started an empty execution');
			for (const { json } of items) {
				const event = {
					...json,
					carrierCode: json.eventCarrierCode,
				} as unknown as ShownEvent & { packageNumberCarrier: string };
				const number = event.packageNumberCarrier;
				const key = keyOf(number, event);
				const atMs = polls.executionTimes[index] ?? this.clock.nowMs;
				if (event.type !== 'Trigger') {
					emitted.set(key, (emitted.get(key) ?? 0) + 1);
					if (!emittedAt.has(key)) emittedAt.set(key, atMs);
				}
				const date = localSecondOf(event.date) || '~';
				const before = last.get(number) ?? '';
				const isUnclear = [before, date].every((each) => each.startsWith(HOUR_TWICE));
				if (before > date && !isUnclear) errors.push(`out of order: ${key}`);
				last.set(number, date);
			}
		}
		for (const [key, shown] of this.shown) {
			const times = emitted.get(key) ?? 0;
			const expected = this.expected(history, shown, emittedAt);
			if (expected === 'once' && times === 0 && this.poisoned.has(shown.number)) continue;
			emitted.delete(key);
			if (times > 1) errors.push(`emitted ${times} times: ${key}`);
			if (times === 0 && expected === 'once') errors.push(`never emitted: ${key}`);
			if (times > 0 && expected === 'never') errors.push(`existed before activation: ${key}`);
		}
		for (const key of emitted.keys()) errors.push(`unknown to the service: ${key}`);
		errors.push(...this.findLateEvents(history, emittedAt, polls.completePolls));
		if (history.limits) {
			const { limits, watch, startFrom } = history;
			const { executionTimes, completePolls } = polls;
			const numbers = this.sandbox.database
				.shipments()
				.filter(({ canceled }) => !canceled)
				.map(({ packageNumberCarrier }) => packageNumberCarrier)
				.filter((number) => !this.poisoned.has(number))
				.filter((number) => watch === 'filtered' || this.existing.includes(number));
			const facts = [...this.shown].map(([key, { number, event, atMs }]) => {
				return { number, event, shownAt: atMs, emittedAt: emittedAt.get(key) };
			});
			errors.push(
				...periodErrors({
					limits,
					activatedAtMs: this.activatedAtMs,
					isExisting: startFrom === 'existing',
					facts,
					numbers,
					executions: executions.map((items, index) => ({
						items,
						atMs: executionTimes[index] ?? this.clock.nowMs,
					})),
					completePolls,
				}),
			);
		}
		for (const failure of failures) {
			if (failure.name !== 'NodeApiError') errors.push(`threw ${failure.stack}`);
		}
		return errors;
	}

	private findLateEvents(
		history: History,
		emittedAt: ReadonlyMap<string, number>,
		completePolls: number[],
	): string[] {
		const events = [...this.shown].map(([key, shown]): TimedEvent => {
			const { number, event, atMs, atActivation } = shown;
			const dateMs = event.date === '' ? -Infinity : this.momentOf(event.date);
			const knownAt = emittedAt.get(key) ?? (atActivation ? this.activatedAtMs : undefined);
			const isExpected =
				this.expected(history, shown, emittedAt) === 'once' && !this.poisoned.has(number);
			const numberKnownAt = this.numberKnownAt(number, history);
			return { ...shown, shownAt: atMs, dateMs, knownAt, numberKnownAt, isExpected };
		});
		return lateEvents({ freshness: history.freshness, events, completePolls });
	}

	/** When the trigger must have read the number: a carrier may assign it later, see `seed.yaml`. */
	private numberKnownAt(number: string, { service }: History): number {
		const shipment = this.sandbox.database
			.shipments()
			.find(({ packageNumberCarrier }) => packageNumberCarrier === number);
		const isLate = service === 'documented' && shipment?.carrierCode === 'SNAIL';
		return isLate ? this.momentOf(shipment.created) + NUMBER_LATE_MS + NUMBER_RETRY_MS : -Infinity;
	}

	private expected(
		history: History,
		shown: Shown,
		emittedAt: ReadonlyMap<string, number>,
	): 'once' | 'never' | 'atMostOnce' {
		const { number, event, atActivation, atMs } = shown;
		if (history.watch === 'list' && !this.existing.includes(number)) return 'never';
		if (this.endedLongAgo(number, atMs)) return 'atMostOnce';
		if (hasLimitedAnswers(history) && this.wasAnsweredLate(number, emittedAt)) return 'atMostOnce';
		// The trigger polls an ended shipment once an hour, so the history may be over before that.
		if (this.hasEnded(number) && this.clock.nowMs - atMs < HOUR_MS) return 'atMostOnce';
		if (history.startFrom === 'existing') return 'once';
		if (!this.unsure.has(number)) return atActivation ? 'never' : 'once';
		// Only the date decides, because the response of the first poll is missing.
		if (event.date !== '' && this.momentOf(event.date) >= this.activatedAtMs) return 'once';
		// If the first response omitted the event, it looks like a late event.
		return atActivation && !hasLimitedAnswers(history) ? 'never' : 'atMostOnce';
	}

	private endedLongAgo(number: string, atMs: number): boolean {
		return [...this.shown.values()].some((shown) => {
			const { event } = shown;
			if (shown.number !== number || !(event.delivered || event.canceled)) return false;
			const endedAtMs = event.date === '' ? shown.atMs : this.momentOf(event.date);
			return atMs - Math.min(endedAtMs, shown.atMs) > SURELY_POLLED_MS;
		});
	}

	/** The first answer came so long after the end that the trigger asked only once. */
	private wasAnsweredLate(number: string, emittedAt: ReadonlyMap<string, number>): boolean {
		const ofShipment = [...this.shown].filter(([, shown]) => shown.number === number);
		const firstMs = Math.min(...ofShipment.flatMap(([key]) => emittedAt.get(key) ?? []));
		if (firstMs === Infinity) return false;
		return ofShipment.some(
			([, { event }]) =>
				(event.delivered || event.canceled) &&
				event.date !== '' &&
				firstMs - this.momentOf(event.date) > SURELY_POLLED_MS,
		);
	}

	private hasEnded(number: string): boolean {
		return [...this.shown.values()].some(
			({ number: each, event }) => each === number && (event.delivered || event.canceled),
		);
	}

	private momentOf(date: string): number {
		return DateTime.fromISO(date, { zone: ZONE }).toMillis();
	}
}

/** Whether the service may have omitted events that it returned before. */
function hasLimitedAnswers({ steps }: History): boolean {
	return steps.some(
		(step) =>
			(step.what === 'fault' && step.fault === 'limited') ||
			(step.what === 'carrier' && step.lateHours > 0),
	);
}

/** The same for the same event, in whatever dialect and form the service writes it. */
function keyOf(number: string, event: ShownEvent): string {
	const { date, code, item, carrierCode } = event;
	const category = /^(Cancel|Delivered)/.exec(event.category)?.[0] ?? event.category;
	const type = String(event.type) === '0' ? 'Event' : event.type;
	const parts = [number, localSecondOf(date), code, category, item, carrierCode, type];
	return parts.join(' | ');
}

/** Every answer contains the same dates again. */
const localSecondOf = memoize((date: string): string => {
	if (!date) return date;
	return DateTime.fromISO(date, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
});
