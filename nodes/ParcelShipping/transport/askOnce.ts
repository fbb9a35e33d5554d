import { deepCopy } from 'n8n-workflow';

import type { Connection } from './client';

const asked = new WeakMap<Connection, Map<string, Promise<unknown>>>();

/**
 * The answer to a question that several items of one run may have: asked once, and each gets one of
 * its own, so that a later node that changes one item doesn't change the others.
 */
export async function askOnce<Answer extends object>(
	connection: Connection,
	question: string,
	ask: () => Promise<Answer>,
): Promise<Answer> {
	const answers = asked.get(connection) ?? new Map<string, Promise<unknown>>();
	asked.set(connection, answers);
	const known = answers.get(question) as Promise<Answer> | undefined;
	if (known) return deepCopy(await known);
	const answer = ask();
	answers.set(question, answer);
	return await answer;
}
