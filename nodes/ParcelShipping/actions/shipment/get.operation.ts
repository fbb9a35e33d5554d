import { noShipmentError } from '../../changes/records';
import { simplifyField, simplifyShipment, toOutputs } from '../../descriptions/listing';
import {
	carrierCodeField,
	readLocator,
	readRecordId,
	shipmentIdField,
} from '../../descriptions/locators';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get shipment',
	description: 'Retrieve a shipment by its ID, with addresses, status, cash on delivery and pieces',
	fields: [carrierCodeField, shipmentIdField, simplifyField],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const id = readRecordId(
			context,
			shipmentIdField,
			itemIndex,
			"The carrier's shipment number is not the ID. To find the ID, use Shipment: Get Many.",
		);
		const pieces = await client.once(`getShipment ${carrierCode} ${id}`, async () =>
			client.getShipment(carrierCode, id),
		);
		if (pieces.length === 0) throw noShipmentError(`ID ${id}`, carrierCode);
		return toOutputs(context, itemIndex, pieces, (piece) =>
			simplifyShipment({ ...piece, carrierCode }),
		);
	},
};
