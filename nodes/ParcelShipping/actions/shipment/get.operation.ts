import type { IDataObject } from 'n8n-workflow';

import { isSimplified, simplifyField, simplifyShipment } from '../../descriptions/listing';
import {
	carrierCodeField,
	readLocator,
	readRecordId,
	shipmentIdField,
} from '../../descriptions/locators';
import { requestOptionsField } from '../../descriptions/options';
import { readShipment } from '../../transport/shipment';
import type { Client } from '../../transport/client';
import type { ShipmentDetail } from '../../transport/contract';
import { ItemError } from '../../transport/errors';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get a shipment',
	description:
		'Retrieve a shipment by its carrier and ID, with addresses, status, cash on delivery and pieces. If you only have a shipment number, find the ID with Get Many first.',
	fields: [carrierCodeField, shipmentIdField, simplifyField, requestOptionsField],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const id = readRecordId(
			context,
			shipmentIdField,
			itemIndex,
			"The carrier's shipment number is not the ID. To find the ID, use Get Many.",
		);
		const pieces = await client.once(`getShipment ${carrierCode} ${id}`, async () =>
			readPieces(client, carrierCode, id),
		);
		const isSimple = isSimplified(context, itemIndex);
		return pieces.map((piece) => {
			const record = piece as unknown as IDataObject;
			return { json: isSimple ? simplifyShipment({ ...record, carrierCode }) : record };
		});
	},
};

async function readPieces(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<ShipmentDetail[]> {
	const { result, correlationId } = await readShipment(client, carrierCode, id);
	if (result.length > 0) return result;
	throw new ItemError(
		`Carrier ${carrierCode} has no shipment with ID ${id}`,
		'Check the ID and the carrier. For a shipment with several pieces, use the ID of the main piece.',
		{ correlationId },
		true,
	);
}
