import { DateTime, IANAZone } from 'luxon';

export interface Clock {
	now(): Date;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The time zone of the timestamps and dates of the service, which carry no offset. */
export const SERVICE_ZONE = 'Europe/Prague';

/** Runs at the pace of the base clock. `advance` moves it forward. */
export class ShiftedClock {
	offsetMs = 0;
	constructor(private readonly base: Clock) {}

	nowMs(): number {
		return this.base.now().getTime() + this.offsetMs;
	}

	advance(hours: number): void {
		this.offsetMs += hours * HOUR_MS;
	}
}

const zone = IANAZone.create(SERVICE_ZONE);
const offsetByQuarterHour = new Map<number, number>();

// Zone lookups are slow, and offsets only change on a quarter hour.
function offsetMinutes(ms: number): number {
	const quarter = Math.floor(ms / (15 * 60_000));
	let offset = offsetByQuarterHour.get(quarter);
	if (offset === undefined) {
		offset = zone.offset(ms);
		offsetByQuarterHour.set(quarter, offset);
	}
	return offset;
}

/** The format of the service: 2026-01-14T09:31:07.250, without an offset. */
export function localTimestamp(ms: number): string {
	return new Date(ms + offsetMinutes(ms) * 60_000).toISOString().slice(0, 23);
}

/** 2026-01-14T09:31:07 */
export function localSecond(ms: number): string {
	return localTimestamp(ms).slice(0, 19);
}

/** The moment of a local time such as 2026-01-14T09:31:07. Of two moments, the first. */
export function localToMs(local: string): number {
	const asUtc = Date.parse(`${local}Z`);
	const dayBefore = offsetMinutes(asUtc - DAY_MS);
	const ms = asUtc - dayBefore * 60_000;
	const offset = offsetMinutes(ms);
	return offset === dayBefore ? ms : asUtc - offset * 60_000;
}

/** +02:00. The zone is east of Greenwich. */
export function offsetText(ms: number): string {
	return `+${new Date(offsetMinutes(ms) * 60_000).toISOString().slice(11, 16)}`;
}

export interface DayRange {
	fromMs: number;
	beforeMs: number;
}

/** Includes both days, in the time zone of the service. */
export function dayRange(from?: string | null, to?: string | null): DayRange {
	return {
		fromMs: from ? dayOf(from).fromMs : -Infinity,
		beforeMs: to ? dayOf(to).beforeMs : Infinity,
	};
}

const days = new Map<string, DayRange>();

// Remembered like the offsets above, because luxon is slow.
function dayOf(date: string): DayRange {
	let day = days.get(date);
	if (!day) {
		const start = DateTime.fromISO(date, { zone: SERVICE_ZONE }).startOf('day');
		day = { fromMs: start.toMillis(), beforeMs: start.plus({ days: 1 }).toMillis() };
		days.set(date, day);
	}
	return day;
}
