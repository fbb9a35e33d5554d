import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { readRecordId } from '../../descriptions/recordId';
import { requestOptionsField } from '../../descriptions/requestOptions';
import { isSimplified, simplify, simplifyField } from '../../descriptions/simplify';
import type { Client } from '../../transport/client';
import type { ShipmentDetail } from '../../transport/contract';
import { ItemError } from '../../transport/errors';
import type { ItemOperation } from '../operation';

const shipmentIdField: INodeProperties = {
	displayName: 'Shipment',
	name: 'shipmentId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	typeOptions: { loadOptionsDependsOn: ['carrierCode.value'] },
	description: "The main shipment, from the carrier's latest shipments or by its ID in the service",
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a shipment...',
			typeOptions: { searchListMethod: 'searchShipments', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1001' },
	],
};

const SIMPLE_FIELDS = [
	'id',
	'carrierCode',
	'serviceType',
	'packageNumberCarrier',
	'packageNumberCustom',
	'recName',
	'status',
	'delivered',
	'canceled',
	'trackingUrl',
];

export const operation: ItemOperation = {
	name: 'Get',
	value: 'get',
	action: 'Get a shipment',
	description:
		'Read one shipment in detail by its carrier and ID: addresses, status, cash on delivery, pieces. With only a shipment number, find the ID with Get Many first.',
	fields: [carrierCodeField, shipmentIdField, simplifyField, requestOptionsField],

	async executeItem({ context, client }, itemIndex) {
		const carrierCode = readLocator(context, carrierCodeField, itemIndex);
		const id = readRecordId(
			context,
			shipmentIdField,
			itemIndex,
			'A shipment number of the carrier is something else: find the ID with Get Many.',
		);
		const pieces = await client.once(`getShipment ${carrierCode} ${id}`, async () =>
			readShipment(client, carrierCode, id),
		);
		const isSimple = isSimplified(context, itemIndex);
		return pieces.map((piece) => {
			const record = piece as unknown as IDataObject;
			return { json: isSimple ? simplify({ ...record, carrierCode }, SIMPLE_FIELDS) : record };
		});
	},
};

async function readShipment(
	client: Client,
	carrierCode: string,
	id: number,
): Promise<ShipmentDetail[]> {
	const { result, correlationId } = await client.getShipment(carrierCode, id);
	if (result.length > 0) return result;
	throw new ItemError(
		`The service has no shipment ${id} of carrier ${carrierCode}`,
		'Check the ID and that it belongs to this carrier. For a shipment of several pieces it is the ID of the main one.',
		{ correlationId },
		true,
	);
}
