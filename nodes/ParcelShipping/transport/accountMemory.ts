import { scryptSync } from 'crypto';

import { keepLatest } from '../lists';
import type { ErrorFacts } from './errors';
import { growingPauseMs } from './retry';

// What this process remembers about an account until the process ends. An account is a service together with
// the values of a credential. Without this memory, the executions would send a few more requests, and if the list of the
// service is behind, an order that comes twice within a moment could ship twice.

const MAX_ACCOUNTS = 100;

export interface AccountMemory {
	/** Tells this account from others, see `fingerprintOf`. */
	fingerprint?: string;
	/** Which of the two paths of an endpoint has worked last, by the endpoint's title. */
	workingPaths: Map<string, string>;
	/**
	 * The end of the pause that the service asked for, in milliseconds. Polls respect it, because they can
	 * run later, while users wait for executions.
	 */
	pausedUntil: number;
	/** Pauses in a row for which the service did not say how long they should be. */
	pausesOfUnknownLength: number;
	/**
	 * When a session seemed to have ended although the service did not say so with 401. Without it, an account
	 * without a permission would sign in again in every execution, which can lock it.
	 */
	renewedAt: number;
	/**
	 * What the carriers offer, and the names of the printers. Both hardly ever change, and every creation or
	 * print job needs them, so executions share them for ten minutes.
	 */
	shared: Map<string, { response: Promise<object>; requestedAt: number }>;
	/** The shipments that were created last, by order number: the list may not show them yet. */
	created: Map<string, CreatedShipmentId>;
}

interface CreatedShipmentId {
	carrierCode: string;
	id: number;
	createdAt: number;
}

const accounts = new Map<string, AccountMemory>();

export function accountMemoryOf(account: string): AccountMemory {
	const memory = accounts.get(account) ?? {
		workingPaths: new Map(),
		pausedUntil: 0,
		pausesOfUnknownLength: 0,
		renewedAt: -Infinity,
		shared: new Map(),
		created: new Map(),
	};
	keepLatest(accounts, account, memory, MAX_ACCOUNTS);
	return memory;
}

/**
 * Says whether the values of a credential have changed. n8n saves it with the state of the trigger, so it is slow to
 * compute: guessing a password with it takes a thousand times longer than with a plain hash.
 */
export function fingerprintOf(account: string): string {
	const memory = accountMemoryOf(account);
	memory.fingerprint ??= scryptSync(account, 'parcelShipping', 6, { cost: 1024 }).toString(
		'base64url',
	);
	return memory.fingerprint;
}

/** Less than a minute, so that only one poll is skipped if polls come every minute. */
const FIRST_PAUSE_MS = 45_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A date in Retry-After may be far in the future by mistake. */
const LONGEST_TOLD_PAUSE_MS = 24 * 3_600_000;

/** Notes what a request says about a pause: its error, or `undefined` for a response. */
export function noteOutcome(
	memory: AccountMemory,
	error: ErrorFacts | undefined,
	nowMs: number,
): void {
	if (error?.retryAfterMs !== undefined) {
		const toldUntil = nowMs + Math.min(error.retryAfterMs, LONGEST_TOLD_PAUSE_MS);
		memory.pausedUntil = Math.max(memory.pausedUntil, toldUntil);
		return;
	}
	// During a pause, it is one of the other requests of the same poll.
	if (nowMs < memory.pausedUntil) return;
	if (!error) memory.pausesOfUnknownLength = 0;
	else if (error.cause === 'rate-limited') {
		const pauses = memory.pausesOfUnknownLength++;
		memory.pausedUntil = nowMs + growingPauseMs(pauses, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
	}
}
