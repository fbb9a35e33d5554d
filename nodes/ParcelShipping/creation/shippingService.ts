import type { ListedShipment, ShipmentFilter, ShippingService } from './service';
import type { Connection } from '../transport/client';
import { PAGE_LENGTH, type ShipmentDetail } from '../transport/contract';
import { isServiceFailure } from '../transport/errors';
import { asPage, type Page, readAll } from '../transport/paging';

/** What creation asks of the service, asked through the connection of this run. */
export function shippingServiceOf(
	connection: Connection,
	settings: { timeoutMs: number; isCarrierEndpoint: boolean; maxConcurrency: number },
): ShippingService {
	const readPage = async (
		filter: ShipmentFilter,
		start: number,
		length: number,
	): Promise<Page<ListedShipment>> =>
		asPage(await connection.call('findShipments', { body: { ...filter, start, length } }));

	return {
		create: async (carrierCode, body) =>
			settings.isCarrierEndpoint
				? await connection.call(
						'createShipmentsOfCarrier',
						{ path: { carrier_code: carrierCode }, body },
						settings.timeoutMs,
					)
				: await connection.call('createShipments', { body }, settings.timeoutMs),
		firstShipments: async (filter) => readPage(filter, 0, PAGE_LENGTH),
		allShipments: async (filter, first) =>
			readAll(
				async (start, length) => readPage(filter, start, length),
				settings.maxConcurrency,
				first,
			),
		piecesOf: async (carrierCode, id) => readPieces(connection, carrierCode, id),
		newestBatches: async (carrierCode, createdFrom) => {
			const { result } = await connection.call('findBatches', {
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
		batch: async (id) => (await connection.call('getBatch', { path: { id } })).result,
	};
}

/** Two forms of the address are in use; which one a service has is not documented. */
async function readPieces(
	connection: Connection,
	carrierCode: string,
	id: number,
): Promise<ShipmentDetail[]> {
	const request = { path: { carrier_code: carrierCode, id } };
	const { result } = await connection
		.call('getShipment', request)
		.catch(noneIfNotFound)
		.then(async (answer) => answer ?? (await connection.call('getShipmentShort', request)))
		.catch(noneIfNotFound)
		.then((answer) => answer ?? { result: [] });
	return result;
}

function noneIfNotFound(thrown: unknown): undefined {
	if (isServiceFailure(thrown) && thrown.facts.status === 404) return undefined;
	throw thrown;
}
