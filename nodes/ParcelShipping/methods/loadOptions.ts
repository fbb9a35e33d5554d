import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { requestForForm } from './requestForForm';

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
