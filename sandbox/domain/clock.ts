export interface Clock {
	now(): Date;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The time zone of the timestamps and dates of the provider, which carry no offset. */
export const SERVICE_ZONE = 'Europe/Prague';

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

const inZone = new Intl.DateTimeFormat('en-US', {
	timeZone: SERVICE_ZONE,
	timeZoneName: 'longOffset',
});
const offsetByQuarterHour = new Map<number, number>();

// Looking up a zone is slow, and offsets only change on a quarter hour.
function offsetMinutes(ms: number): number {
	const quarter = Math.floor(ms / (15 * 60_000));
	let offset = offsetByQuarterHour.get(quarter);
	if (offset === undefined) {
		const [, hours = 0, minutes = 0] = /GMT\+(\d\d):(\d\d)/.exec(inZone.format(ms)) ?? [];
		offset = Number(hours) * 60 + Number(minutes);
		offsetByQuarterHour.set(quarter, offset);
	}
	return offset;
}

/** The format of the provider: 2026-01-14T09:31:07.250, without an offset. */
export function localTimestamp(ms: number): string {
	return new Date(ms + offsetMinutes(ms) * 60_000).toISOString().slice(0, 23);
}

export function localSecond(ms: number): string {
	return localTimestamp(ms).slice(0, 19);
}

/** The moment of a local time. Of two moments, the first. */
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

/** Includes both days, in the time zone of the provider. */
export function dayRange(from?: string | null, to?: string | null) {
	const startOf = (date: string, later = 0) =>
		localToMs(new Date(Date.parse(date.slice(0, 10)) + later).toISOString().slice(0, 19));
	return {
		fromMs: from ? startOf(from) : -Infinity,
		beforeMs: to ? startOf(to, DAY_MS) : Infinity,
	};
}
