import { keepLatest } from '../lists';
import type { ErrorFacts } from './errors';
import { growingPauseMs } from './retry';

// The pause that the service asked for, until the process ends. Polls respect it, because they can run
// later, while users wait for executions. Without it, a poll sends a request, which the service refuses
// with the same wish. An `account` is a service together with the values of a credential.

const MAX_ACCOUNTS = 100;

interface Pause {
	until: number;
	/** Pauses in a row for which the service did not say how long they should be. */
	ofUnknownLength: number;
}

const pauses = new Map<string, Pause>();

/** Less than a minute, so that it does not take the next poll but one. */
const FIRST_PAUSE_MS = 45_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A date in Retry-After may be far in the future by mistake. */
const LONGEST_TOLD_PAUSE_MS = 24 * 3_600_000;

export function pausedUntil(account: string): number {
	return pauses.get(account)?.until ?? 0;
}

/** Notes the outcome of a request: its error, or `undefined` for a response. */
export function noteOutcome(account: string, error: ErrorFacts | undefined, nowMs: number): void {
	const { until = 0, ofUnknownLength = 0 } = pauses.get(account) ?? {};
	const set = (pause: Pause) => keepLatest(pauses, account, pause, MAX_ACCOUNTS);
	if (error?.retryAfterMs !== undefined) {
		const toldUntil = nowMs + Math.min(error.retryAfterMs, LONGEST_TOLD_PAUSE_MS);
		set({ until: Math.max(until, toldUntil), ofUnknownLength });
	} else if (nowMs >= until) {
		// Before, it is one of the other requests of the same poll.
		const pauseMs = growingPauseMs(ofUnknownLength, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
		if (!error) pauses.delete(account);
		else if (error.cause === 'rate-limited') {
			set({ until: nowMs + pauseMs, ofUnknownLength: ofUnknownLength + 1 });
		}
	}
}
