import { deepCopy } from 'n8n-workflow';

import { keepLatest } from '../lists';

// What the carriers offer, and the names of the printers. Both hardly ever change, and every creation or
// print job needs them, so the executions of this process share them for ten minutes. Without them, they
// are requested again.

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
