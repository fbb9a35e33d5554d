import { deepCopy } from 'n8n-workflow';

import { keepLatest } from '../lists';

// The carriers of an account and their services hardly ever change, and every creation needs them.
// So the executions of this process share them.

const KEPT_MS = 10 * 60_000;
const MAX_ANSWERS = 300;

interface Shared {
	answer: Promise<unknown>;
	requestedAt: number;
}

/** By question, which names the service, the credential's values, and what was asked. */
const shared = new Map<string, Shared>();

/** Shares an answer that is on its way. One that fails is not kept. */
export async function share<Answer extends object>(
	question: string,
	answer: Promise<Answer>,
): Promise<Answer> {
	// A copy, because a later node may change the items that an execution outputs.
	const copy = answer.then((original) => deepCopy(original));
	const entry = { answer: copy, requestedAt: Date.now() };
	keepLatest(shared, question, entry, MAX_ANSWERS);
	copy.catch(() => {
		if (shared.get(question) === entry) shared.delete(question);
	});
	return await answer;
}

/** A copy of an answer that this process got in the last minutes, or is waiting for. */
export function findShared<Answer extends object>(question: string): Promise<Answer> | undefined {
	const entry = shared.get(question);
	if (!entry || Date.now() - entry.requestedAt > KEPT_MS) return undefined;
	return entry.answer.then((answer) => deepCopy(answer as Answer));
}
