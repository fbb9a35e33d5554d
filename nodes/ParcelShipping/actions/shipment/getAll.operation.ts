import { shipmentFilters } from '../../descriptions/filters';
import { simplifyShipment } from '../../descriptions/listing';
import { isCashOnDelivery } from '../../records';
import type { Client } from '../../transport/client';
import type { ListedShipment } from '../../transport/endpoints';
import { readPieces, toPiece } from '../../transport/shipments';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many shipments',
	description: 'Find shipments by text, carrier, status, order number or creation date',
	filters: shipmentFilters,
	simplify: simplifyShipment,

	// Not every provider has the filters for an exact order number and for no cash on delivery. So its lists are
	// filtered here.
	async read(client, { packageNumberCustom: orderNumber, ...filters }, limit) {
		if (orderNumber === undefined && filters.cod !== false)
			return await client.list('findShipments', filters, limit);
		const request = orderNumber === undefined ? filters : { search: orderNumber, ...filters };
		const records = await client.list('findShipments', request);
		const fitting = records.filter((each) => filters.cod !== false || !isCashOnDelivery(each));
		if (orderNumber === undefined) return fitting.slice(0, limit);
		const found = await client.mapParallel(fitting, async (record) =>
			idsOfOrder(client, record, orderNumber),
		);
		const ids = new Set(found.flat());
		return fitting.filter(({ id }) => ids.has(Number(id))).slice(0, limit);
	},
});

/**
 * Some providers only have the order number in the detail of a shipment, which has all of its pieces. An
 * additional piece may have no detail of its own.
 */
async function idsOfOrder(
	client: Client,
	record: ListedShipment,
	orderNumber: string,
): Promise<number[]> {
	const { carrierCode, id } = record;
	const listed = toPiece(record, carrierCode);
	const pieces = listed.reference === '' ? await readPieces(client, carrierCode, id) : [listed];
	return pieces.filter((piece) => piece.reference === orderNumber).map((piece) => piece.id);
}
