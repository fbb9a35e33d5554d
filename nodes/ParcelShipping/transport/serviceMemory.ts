import { deepCopy } from 'n8n-workflow';

import { keepLatest } from '../lists';
import type { ErrorFacts } from './errors';

// What the executions of this process remember of services until the process ends. An `account` is a
// service together with the values of a credential. Nothing is wrong if an entry is gone, because the
// process has started again or the entry had to make room: some requests learn it again.

const MAX_ACCOUNTS = 100;

// What the carriers offer, and the names of the printers. Both hardly ever change, and every creation or
// print job needs them, so they are shared for ten minutes. Without them, they are requested again.

const SHARED_MS = 10 * 60_000;
const MAX_SHARED = 300;

interface Shared {
	response: Promise<object>;
	requestedAt: number;
}

/** By question, which names the account and what was requested. */
const shared = new Map<string, Shared>();

/** Shares a response that is on its way. One that fails is not kept. */
export async function share<Response extends object>(
	question: string,
	response: Promise<Response>,
): Promise<Response> {
	// A copy, because a later node may change the items that an execution outputs.
	const copy = response.then((original) => deepCopy(original));
	const entry = { response: copy, requestedAt: Date.now() };
	keepLatest(shared, question, entry, MAX_SHARED);
	copy.catch(() => {
		if (shared.get(question) === entry) shared.delete(question);
	});
	return await response;
}

/** A copy of a response that this process got in the last minutes, or is waiting for. */
export function findShared<Response extends object>(
	question: string,
): Promise<Response> | undefined {
	const entry = shared.get(question);
	if (!entry || Date.now() - entry.requestedAt > SHARED_MS) return undefined;
	return entry.response.then((response) => deepCopy(response as Response));
}

// Which of the two paths of an endpoint has worked last. Without it, a request may be sent to both.

const workingPaths = new Map<string, string>();

/** `undefined` if no request to the endpoint has succeeded yet. */
export function workingPathOf(account: string, endpoint: string): string | undefined {
	return workingPaths.get(`${endpoint} ${account}`);
}

export function rememberWorkingPath(account: string, endpoint: string, path: string): void {
	keepLatest(workingPaths, `${endpoint} ${account}`, path, MAX_ACCOUNTS * 3);
}

// The pause that the service asked for. Polls respect it, because they can run later, while users wait
// for executions. Without it, a poll sends a request, which the service refuses with the same wish.

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
		const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** ofUnknownLength, LONGEST_PAUSE_MS);
		if (!error) pauses.delete(account);
		else if (error.cause === 'rate-limited') {
			set({ until: nowMs + pauseMs, ofUnknownLength: ofUnknownLength + 1 });
		}
	}
}

// When a session seemed to have ended although the service did not say so with 401. Without it, an account
// without a permission would sign in again in every execution, which can lock it.

const RENEWAL_MS = 60 * 60_000;

const renewals = new Map<string, number>();

/** Whether a renewal may start; if so, none may for the next hour. */
export function startRenewal(account: string, nowMs: number): boolean {
	if (nowMs - (renewals.get(account) ?? -Infinity) < RENEWAL_MS) return false;
	keepLatest(renewals, account, nowMs, MAX_ACCOUNTS);
	return true;
}
