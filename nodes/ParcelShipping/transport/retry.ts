import type { FailureFacts } from './errors';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Tries after which a service that is simply not there is given up; being told to wait is not counted. */
const MAX_UNANSWERED = 4;

export interface RetryState {
	/** How often the request has been sent. */
	tries: number;
	/** How long it has waited so far. */
	waitedMs: number;
}

export type RetryDecision = { again: true; pauseMs: number } | { again: false; because?: string };

/**
 * The only place that decides whether a request is sent again, and after which pause.
 * `random` is a number from 0 to 1.
 */
export function decideRetry(
	failure: FailureFacts,
	endpoint: { safe: boolean },
	state: RetryState,
	maxRetryWaitMs: number,
	random: number,
): RetryDecision {
	// Wrong input, a wrong credential, a page that isn't the service: asking again changes nothing.
	if (!failure.passing) return { again: false };

	// What may have been carried out must not be carried out twice.
	if (failure.mayHaveActed && !endpoint.safe) return { again: false };

	const toldToWait = failure.cause === 'rate-limited' || failure.retryAfterMs !== undefined;
	if (!toldToWait && state.tries >= MAX_UNANSWERED) {
		return { again: false, because: `Tried ${state.tries} times.` };
	}

	// Jitter only ever adds to what the service asked for, and takes from what we chose ourselves.
	const growing = Math.min(FIRST_PAUSE_MS * 2 ** (state.tries - 1), LONGEST_PAUSE_MS);
	const pauseMs =
		failure.retryAfterMs === undefined
			? Math.round(growing * (0.5 + random / 2))
			: Math.round(failure.retryAfterMs + random * 250);

	if (state.waitedMs + pauseMs > maxRetryWaitMs) {
		return maxRetryWaitMs === 0
			? { again: false }
			: { again: false, because: whyNoLonger(state, pauseMs, maxRetryWaitMs) };
	}
	return { again: true, pauseMs };
}

/** `Retry-After`, in seconds or as a date. Something else counts as absent. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * 1000);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function whyNoLonger({ tries, waitedMs }: RetryState, pauseMs: number, longestMs: number): string {
	const longest = `would exceed the longest wait of ${seconds(longestMs)}.`;
	if (tries === 1) return `Waiting ${seconds(pauseMs)} to try again ${longest}`;
	return `Tried ${tries} times and waited ${seconds(waitedMs)}; another ${seconds(pauseMs)} ${longest}`;
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}
