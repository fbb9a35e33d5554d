import { DateTime, IANAZone } from 'luxon';

export interface Clock {
	now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The zone in which the service means its timestamps and dates. */
export const SERVICE_ZONE = 'Europe/Prague';

/** A clock that runs as another one does, set forward by `advance`. */
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

// Asking the zone database is slow, and offsets change on quarter hours only.
function offsetMinutes(ms: number): number {
	const quarter = Math.floor(ms / (15 * 60_000));
	let offset = offsetByQuarterHour.get(quarter);
	if (offset === undefined) {
		offset = zone.offset(ms);
		offsetByQuarterHour.set(quarter, offset);
	}
	return offset;
}

/** 2026-01-14T09:31:07.250, without a zone, as the service writes it. */
export function localTimestamp(ms: number): string {
	return new Date(ms + offsetMinutes(ms) * 60_000).toISOString().slice(0, 23);
}

/** 2026-01-14T09:31:07 */
export function localSecond(ms: number): string {
	return localTimestamp(ms).slice(0, 19);
}

export interface DayRange {
	fromMs: number;
	beforeMs: number;
}

/** Both days are included, as days of the service's zone. */
export function dayRange(from?: string | null, to?: string | null): DayRange {
	const startOf = (date: string) => DateTime.fromISO(date, { zone: SERVICE_ZONE }).startOf('day');
	return {
		fromMs: from ? startOf(from).toMillis() : -Infinity,
		beforeMs: to ? startOf(to).plus({ days: 1 }).toMillis() : Infinity,
	};
}
