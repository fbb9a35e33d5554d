import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { type Client, createClient } from '../transport/client';
import { toNodeError } from '../transport/errors';

/** Shorter than for a workflow run, because a user is waiting in front of the form. */
const MAX_RETRY_WAIT_MS = 10_000;

/** Requests data for the form. The form shows the error if that fails. */
export async function requestForForm<Response>(
	context: ILoadOptionsFunctions,
	request: (client: Client) => Promise<Response>,
): Promise<Response> {
	return await createClient(context, { maxRetryWaitMs: MAX_RETRY_WAIT_MS })
		.then(request)
		.catch((thrown: unknown) => {
			throw toNodeError(context.getNode(), thrown);
		});
}

export async function getCarriers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await requestForForm(this, readCarrierOptions);
}

export const loadOptions = { getCarriers };

/** The carriers of the account, active ones first. */
export async function readCarrierOptions(client: Client): Promise<INodePropertyOptions[]> {
	const carriers = await client.carriers();
	return carriers
		.map((carrier) => ({ ...carrier, isActive: carrier.status === 'Active' }))
		.sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.name.localeCompare(b.name))
		.map(({ name, code, description, isActive }) => ({
			name: isActive ? name : `${name} (not activated)`,
			value: code,
			description,
		}));
}
