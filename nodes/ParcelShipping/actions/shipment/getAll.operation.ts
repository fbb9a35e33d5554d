import { shipmentFilters } from '../../descriptions/filters';
import { simplifyShipment } from '../../descriptions/listing';
import type { Client } from '../../transport/client';
import type { ListedShipment } from '../../transport/endpoints';
import { readPieces, toPiece } from '../../transport/shipments';
import { getMany } from '../getMany';

export const operation = getMany({
	action: 'Get many shipments',
	description: 'Find shipments by text, carrier, status, order number or creation date',
	filters: shipmentFilters,
	simplify: simplifyShipment,

	// Not every provider has the filter for an exact order number, so its list is filtered here.
	async read(client, { packageNumberCustom: orderNumber, ...filters }, limit) {
		if (orderNumber === undefined) return await client.list('findShipments', filters, limit);
		const records = await client.list('findShipments', { search: orderNumber, ...filters });
		const found = await client.mapParallel(records, async (record) =>
			idsOfOrder(client, record, orderNumber),
		);
		const ids = new Set(found.flat());
		return records.filter(({ id }) => ids.has(Number(id))).slice(0, limit);
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
