import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { createClient, type Client } from '../transport/client';
import { toNodeError } from '../transport/errors';

/** Somebody is looking at the form and waiting. */
const MAX_RETRY_WAIT_MS = 10_000;

/** Asks the service for what a form shows; what goes wrong is said in the form, in words. */
export async function askService<Answer>(
	context: ILoadOptionsFunctions,
	ask: (client: Client) => Promise<Answer>,
): Promise<Answer> {
	try {
		return await ask(await createClient(context, { maxRetryWaitMs: MAX_RETRY_WAIT_MS }));
	} catch (thrown) {
		throw toNodeError(context.getNode(), thrown);
	}
}
