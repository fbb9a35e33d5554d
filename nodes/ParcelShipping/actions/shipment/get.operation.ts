import { noShipmentError } from '../../changes/state';
import { simplifyFields, simplifyShipment, toOutputs } from '../../descriptions/listing';
import {
	carrierCodeField,
	readLocator,
	readRecordId,
	shipmentIdField,
} from '../../descriptions/locators';
import { modelNotice, RECORD_FIELDS } from '../../descriptions/tools';
import type { ItemOperation } from '../operation';

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get shipment',
	description: 'Retrieve a shipment by its ID, with addresses, status, cash on delivery and pieces',
	fields: [modelNotice(RECORD_FIELDS), carrierCodeField, shipmentIdField, ...simplifyFields],

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
		if (pieces.length === 0) throw noShipmentError(carrierCode, id);
		return toOutputs(context, itemIndex, pieces, (piece) =>
			simplifyShipment({ ...piece, carrierCode }),
		);
	},
};
