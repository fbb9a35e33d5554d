import type { History } from './history';

import { DateTime } from 'luxon';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';

interface ShownEvent {
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
	/** When the service showed it first. */
	atMs: number;
	atActivation: boolean;
}

const HOUR_MS = 3_600_000;
const ZONE = 'Europe/Prague';

/** Shipments are asked for three days after their end; the last hours are left to chance. */
const SURELY_ASKED_MS = 70 * HOUR_MS;

/**
 * What the service has shown since the beginning, and from that, what the trigger should have
 * emitted. Knows nothing of how the trigger works.
 */
export class EventLog {
	private readonly shown = new Map<string, Shown>();

	private activatedAtMs = 0;

	private isActivated = false;

	/** Shipments of which n8n can't know any more what was there at activation. */
	private readonly unsure = new Set<string>();

	private existing: string[] = [];

	constructor(
		private readonly sandbox: Sandbox,
		private readonly clock: { nowMs: number },
	) {}

	/** Looks at everything the service shows now. */
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

	/** `isTroubled`: the first poll may not have been answered, as a whole or in part. */
	noteActivation(isTroubled: boolean): void {
		this.isActivated = true;
		this.activatedAtMs = this.clock.nowMs;
		this.existing = this.sandbox.database
			.shipments()
			.map((shipment) => shipment.packageNumberCarrier);
		if (isTroubled) this.existing.forEach((number) => this.unsure.add(number));
	}

	/** Killed before n8n has saved anything: the answers of the first poll are forgotten. */
	noteKill(savedState: string | undefined): void {
		if (savedState === undefined) this.existing.forEach((number) => this.unsure.add(number));
	}

	add(number: string, event: { date: string; code: string; delivered: boolean }): void {
		this.sandbox.addEvent(number, {
			...event,
			...(event.delivered ? { category: 'Delivered' } : {}),
		});
	}

	/** The same event once more, perhaps in other words. */
	repeat(number: string, isReworded: boolean): void {
		const known = [...this.shown.values()].filter((shown) => shown.number === number).at(-1);
		if (!known) return;
		const name = isReworded ? 'In other words' : 'Something happened on the way';
		this.sandbox.addEvent(number, { ...known.event, name });
	}

	localTime(ms: number): string {
		return DateTime.fromMillis(ms, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
	}

	complaints(history: History, executions: INodeExecutionData[][], failures: Error[]): string[] {
		const emitted = new Map<string, number>();
		const complaints: string[] = [];
		for (const items of executions) {
			const last = new Map<string, string>();
			if (items.length === 0) complaints.push('an empty execution was started');
			for (const { json } of items) {
				const event = json as unknown as ShownEvent & { packageNumberCarrier: string };
				const number = event.packageNumberCarrier;
				const key = keyOf(number, event);
				emitted.set(key, (emitted.get(key) ?? 0) + 1);
				const date = event.date || '~';
				if ((last.get(number) ?? '') > date) complaints.push(`not in order: ${key}`);
				last.set(number, date);
			}
		}
		for (const [key, shown] of this.shown) {
			const times = emitted.get(key) ?? 0;
			const expected = this.expected(history, shown);
			emitted.delete(key);
			if (times > 1) complaints.push(`${times} times: ${key}`);
			if (times === 0 && expected === 'once') complaints.push(`never: ${key}`);
			if (times > 0 && expected === 'never') complaints.push(`was there before: ${key}`);
		}
		for (const key of emitted.keys()) complaints.push(`never shown: ${key}`);
		for (const failure of failures) {
			if (failure.name !== 'NodeApiError') complaints.push(`threw ${failure.stack}`);
		}
		return complaints;
	}

	private expected(history: History, shown: Shown): 'once' | 'never' | 'atMostOnce' {
		const { number, event, atActivation, atMs } = shown;
		if (history.watch === 'list' && !this.existing.includes(number)) return 'never';
		if (this.isLongOver(number, atMs)) return 'atMostOnce';
		if (history.startFrom === 'existing') return 'once';
		if (!this.unsure.has(number)) return atActivation ? 'never' : 'once';
		// By its date alone: the answer that would tell was not to be had, or is forgotten.
		if (event.date !== '' && this.momentOf(event.date) >= this.activatedAtMs) return 'once';
		// A first answer that left it out makes it look like one that arrives late.
		return atActivation && !hasLimitedAnswers(history) ? 'never' : 'atMostOnce';
	}

	private isLongOver(number: string, atMs: number): boolean {
		return [...this.shown.values()].some((shown) => {
			const { event } = shown;
			if (shown.number !== number || !(event.delivered || event.canceled)) return false;
			const endedAtMs = event.date === '' ? shown.atMs : this.momentOf(event.date);
			return atMs - Math.min(endedAtMs, shown.atMs) > SURELY_ASKED_MS;
		});
	}

	private momentOf(date: string): number {
		return DateTime.fromISO(date, { zone: ZONE }).toMillis();
	}
}

/** Whether the service may have hidden for a while what it had shown before. */
function hasLimitedAnswers({ happenings }: History): boolean {
	return happenings.some(
		(happening) =>
			(happening.what === 'fault' && happening.fault === 'limited') ||
			(happening.what === 'carrier' && happening.lateHours > 0),
	);
}

function keyOf(number: string, event: ShownEvent): string {
	const { date, code, category, item, carrierCode, type } = event;
	return [number, date, code, category, item, carrierCode, type].join(' | ');
}
