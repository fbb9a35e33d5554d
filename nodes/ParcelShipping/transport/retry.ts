import { countOf } from '../lists';
import type { ErrorFacts } from './errors';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** A pause that is twice as long as the one before, up to a limit. */
export function growingPauseMs(pausesBefore: number): number {
	return Math.min(FIRST_PAUSE_MS * 2 ** pausesBefore, LONGEST_PAUSE_MS);
}

/** The limit for a service that is unreachable. Waiting because the service asks for it has none. */
const MAX_TRIES = 4;

interface RetryState {
	tries: number;
	waitedMs: number;
	/** How long the request may wait in all between its tries. */
	maxWaitMs: number;
}

/**
 * Decides whether a request is sent again to the same address: it returns the pause before, or else what the
 * user is told about the tries. Not here: `session.ts` sends once more after a 401, and `callEndpoint` tries a
 * second path. In both cases, the service has not acted. `random` is a number from 0 to 1.
 */
export function decideRetry(
	error: ErrorFacts,
	endpoint: { safe: boolean },
	state: RetryState,
	random: number,
): { pauseMs?: number; because?: string } {
	// Wrong input, a wrong credential, a login page: sending it again changes nothing.
	if (!error.isTransient) return {};

	// A request that may have been carried out must not be carried out twice.
	if (error.mayHaveActed && !endpoint.safe) return {};

	const tried = `Tried ${countOf(state.tries, 'time')}.`;
	const isToldToWait = error.cause === 'rate-limited' || error.retryAfterMs !== undefined;
	if (!isToldToWait && state.tries >= MAX_TRIES) return { because: tried };

	// Jitter lengthens a pause that the service asked for, and shortens one that we chose.
	const { retryAfterMs = 0 } = error;
	const pauseMs =
		// A service that says 0, or a time that is over by n8n's clock, does not say how long.
		retryAfterMs === 0
			? Math.round(growingPauseMs(state.tries - 1) * (0.5 + random / 2))
			: Math.round(retryAfterMs + random * 250);

	if (state.waitedMs + pauseMs <= state.maxWaitMs) return { pauseMs };
	if (state.maxWaitMs === 0) return {};
	const limit = `'Max Retry Wait' (${seconds(state.maxWaitMs)})`;
	return { because: `${tried} Waiting another ${seconds(pauseMs)} would exceed ${limit}.` };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Reads `Retry-After`, in seconds or as a date. An unreadable value counts as absent. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * 1000);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
