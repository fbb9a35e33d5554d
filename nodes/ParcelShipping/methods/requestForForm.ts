import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { type Client, createClient } from '../transport/client';
import { toNodeError } from '../transport/errors';

/** Shorter than for a workflow run, because a user is waiting in front of the form. */
const MAX_RETRY_WAIT_MS = 10_000;

/** Requests data for the form. The form shows the error if that fails. */
export async function requestForForm<Response>(
	context: ILoadOptionsFunctions,
	request: (client: Client) => Promise<Response>,
): Promise<Response> {
	try {
		return await request(await createClient(context, { maxRetryWaitMs: MAX_RETRY_WAIT_MS }));
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown);
	}
}

/**
 * The value of a field of the form. `isExpression` means that the value is not known yet: the editor
 * passes on an expression that it cannot evaluate before the workflow has run.
 */
export function readFormValue(context: ILoadOptionsFunctions, field: string) {
	const chosen = context.getCurrentNodeParameter(field, { extractValue: true });
	const value = typeof chosen === 'string' ? chosen.trim() : '';
	return { value, isExpression: value.startsWith('=') };
}
