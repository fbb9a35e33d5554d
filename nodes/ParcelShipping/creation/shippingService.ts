import type { ShippingService } from './service';
import type { Client } from '../transport/client';
import { PAGE_LENGTH, type ShipmentDetail } from '../transport/contract';
import { isNotFound } from '../transport/errors';

/** What creation asks of the service, asked through the connection of this run. */
export function shippingServiceOf(
	client: Client,
	settings: { timeoutMs: number; isCarrierEndpoint: boolean },
): ShippingService {
	return {
		create: async (carrierCode, body) =>
			client.createShipments(carrierCode, body, {
				timeoutMs: settings.timeoutMs,
				useCarrierEndpoint: settings.isCarrierEndpoint,
			}),
		firstShipments: async (filter) => client.findShipments(filter, 0, PAGE_LENGTH),
		allShipments: async (filter, first) => client.listShipments(filter, Infinity, first),
		piecesOf: async (carrierCode, id) => readPieces(client, carrierCode, id),
		newestBatches: async (carrierCode, createdFrom) => {
			const { result } = await client.call('findBatches', {
				body: {
					carrierCodes: [carrierCode],
					createdFrom,
					sortOrder: 'desc',
					start: 0,
					length: PAGE_LENGTH,
				},
			});
			return result.data;
		},
		batch: async (id) => (await client.call('getBatch', { path: { id } })).result,
	};
}

async function readPieces(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<ShipmentDetail[]> {
	try {
		return (await client.getShipment(carrierCode, id)).result;
	} catch (thrown) {
		if (isNotFound(thrown)) return [];
		throw thrown;
	}
}
