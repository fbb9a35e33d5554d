import type { IPollFunctions } from 'n8n-workflow';

import type { Connection } from '../transport/client';
import { asPage } from '../transport/paging';
import type { TrackingService } from './service';

/** The three questions of tracking, asked over the connection. */
export function askOver(connection: Connection): TrackingService {
	return {
		findPage: async (body, timeoutMs) =>
			asPage(await connection.call('findShipments', { body }, timeoutMs)),
		readDetail: async (carrier, id, timeoutMs) => {
			const path = { carrier_code: carrier, id };
			return (await connection.call('getShipment', { path }, timeoutMs)).result;
		},
		track: async (carrier, numbers, timeoutMs) => {
			const request = { path: { carrier_code: carrier }, body: { packages: numbers } };
			return (await connection.call('trackShipments', request, timeoutMs)).result;
		},
	};
}

/** Which account is asked, as far as that can be seen from here: the service and the credential. */
export function accountOf(context: IPollFunctions, connection: Connection): string {
	const { credentials } = context.getNode();
	return `${connection.address.base} ${credentials?.parcelShippingApi?.id ?? ''}`;
}
