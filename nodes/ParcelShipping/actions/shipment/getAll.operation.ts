import { filtersField, readItemFilters, shipmentFilters } from '../../descriptions/filters';
import { listingFields, readLimit, simplifyShipment, toOutputs } from '../../descriptions/listing';
import { requestOptions } from '../../descriptions/options';
import { modelNotice, RECORD_FIELDS } from '../../descriptions/tools';
import { isCashOnDelivery } from '../../records';
import type { Client, ShipmentFilter } from '../../transport/client';
import { type ListedShipment, PAGE_LENGTH } from '../../transport/contract';
import { readPieces, toPiece } from '../../transport/pieces';
import { isOfCarriers, listOfCarriers } from '../listOfCarriers';
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
	fields: [
		modelNotice(RECORD_FIELDS),
		...listingFields,
		filtersField(shipmentFilters),
		requestOptions(),
	],

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
 * are filtered here. With a limit, pages are read only until it is reached.
 */
async function listShipments(
	client: Client,
	{ packageNumberCustom: reference, ...filters }: ShipmentFilter,
	limit: number,
): Promise<ListedShipment[]> {
	if (reference === undefined && filters.cod !== false) {
		return await listOfCarriers(client, 'findShipments', filters, limit, filters.carrierCodes);
	}
	const request = reference === undefined ? filters : { search: reference, ...filters };
	const withReference = new Set<number>();
	const found = new Map<unknown, ListedShipment>();
	const addFitting = async (records: readonly ListedShipment[]) => {
		const fitting = records.filter(
			(record) =>
				isOfCarriers(record, filters.carrierCodes) &&
				(filters.cod !== false || !isCashOnDelivery(record)),
		);
		if (reference !== undefined) {
			const ids = await client.mapParallel(fitting, async (record) =>
				idsWithReference(client, record, reference),
			);
			for (const id of ids.flat()) withReference.add(id);
		}
		for (const record of fitting) {
			if (reference === undefined || withReference.has(Number(record.id)))
				found.set(record.id, record);
		}
	};
	if (limit === Infinity) {
		await addFitting(await client.list('findShipments', request));
		return [...found.values()];
	}
	for (let start = 0; found.size < limit; ) {
		const length = start === 0 ? Math.min(limit, PAGE_LENGTH) : PAGE_LENGTH;
		const { data, total } = await client.findShipments(request, start, length);
		await addFitting(data);
		start += data.length;
		if (data.length === 0 || start >= total) break;
	}
	return [...found.values()].slice(0, limit);
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
