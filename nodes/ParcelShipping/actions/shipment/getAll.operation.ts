import { filtersField, readItemFilters, shipmentFilters } from '../../descriptions/filters';
import { listingFields, readLimit, simplifyShipment, toOutputs } from '../../descriptions/listing';
import { modelNotice, RECORD_FIELDS } from '../../descriptions/tools';
import { isCashOnDelivery } from '../../records';
import type { Client, ShipmentFilter } from '../../transport/client';
import type { ListedShipment } from '../../transport/contract';
import { readPieces, toPiece } from '../../transport/shipments';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many shipments',
	description: 'Find shipments by text, carrier, status, order number or creation date',
	pattern: {
		task: 'Find the shipments of an order:',
		parameters:
			"returnAll: true, filters: { packageNumberCustom: expr('{{ $json.orderNumber }}') }",
		output:
			'id, carrierCode, packageNumberCarrier, packageNumberCustom, recName, status, delivered, canceled, trackingUrl',
	},
	fields: [modelNotice(RECORD_FIELDS), ...listingFields, filtersField(shipmentFilters)],

	async executeItem({ context, client }, itemIndex) {
		const filters = readItemFilters(shipmentFilters, context, itemIndex);
		const limit = readLimit(context, itemIndex);
		const request = JSON.stringify(['findShipments', filters, limit]);
		const shipments = await client.once(request, async () => listShipments(client, filters, limit));
		return toOutputs(context, itemIndex, shipments, simplifyShipment);
	},
};

/**
 * Not every service has the filters for an exact reference and for no cash on delivery. So its lists
 * are filtered here.
 */
async function listShipments(
	client: Client,
	{ packageNumberCustom: reference, ...filters }: ShipmentFilter,
	limit: number,
): Promise<ListedShipment[]> {
	if (reference === undefined && filters.cod !== false) {
		return await client.list('findShipments', filters, limit);
	}
	const request = reference === undefined ? filters : { search: reference, ...filters };
	const records = await client.list('findShipments', request);
	const fitting = records.filter((each) => filters.cod !== false || !isCashOnDelivery(each));
	if (reference === undefined) return fitting.slice(0, limit);
	const found = await client.mapParallel(fitting, async (record) =>
		idsWithReference(client, record, reference),
	);
	const ids = new Set(found.flat());
	return fitting.filter(({ id }) => ids.has(Number(id))).slice(0, limit);
}

/**
 * Some services only have the reference in the detail of a shipment, which has all of its pieces. An
 * additional piece may have no detail of its own.
 */
async function idsWithReference(
	client: Client,
	record: ListedShipment,
	reference: string,
): Promise<number[]> {
	const { carrierCode, id } = record;
	const listed = toPiece(record, carrierCode);
	const pieces = listed.reference === '' ? await readPieces(client, carrierCode, id) : [listed];
	return pieces.filter((piece) => piece.reference === reference).map((piece) => piece.id);
}
