import type { IPollFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { toPage } from '../transport/paging';
import type { TrackingService } from './service';

/** The three questions of tracking, asked over the client. */
export function askOver(client: Client): TrackingService {
	return {
		findPage: async (body, timeoutMs) =>
			toPage(await client.call('findShipments', { body }, timeoutMs)),
		readDetail: async (carrier, id, timeoutMs) => {
			const path = { carrier_code: carrier, id };
			return (await client.call('getShipment', { path }, timeoutMs)).result;
		},
		track: async (carrier, numbers, timeoutMs) => {
			const request = { path: { carrier_code: carrier }, body: { packages: numbers } };
			return (await client.call('trackShipments', request, timeoutMs)).result;
		},
	};
}

/** Which account is asked, as far as that can be seen from here: the service and the credential. */
export function accountOf(context: IPollFunctions, client: Client): string {
	const { credentials } = context.getNode();
	return `${client.address.base} ${credentials?.parcelShippingApi?.id ?? ''}`;
}
