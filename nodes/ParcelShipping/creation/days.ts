const DAY_MS = 86_400_000;

/**
 * The day to search from so that nothing younger than `days` is missed, yyyy-mm-dd. The service
 * counts whole days by a clock and in a time zone of its own, so a day is added.
 */
export function searchFrom(nowMs: number, days: number): string {
	return new Date(nowMs - (days + 1) * DAY_MS).toISOString().slice(0, 10);
}
