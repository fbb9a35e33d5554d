import type { INodePropertyOptions } from 'n8n-workflow';

import type { Connection } from '../transport/client';

/** The account's carriers, those that can be used first. */
export async function readCarrierOptions(connection: Connection): Promise<INodePropertyOptions[]> {
	const { result } = await connection.call('findCarriers', { body: {} });
	return result
		.map((carrier) => ({ ...carrier, isActive: carrier.status === 'Active' }))
		.sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.name.localeCompare(b.name))
		.map(({ name, code, description, isActive }) => ({
			name: isActive ? name : `${name} (not activated)`,
			value: code,
			description,
		}));
}
