import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isRecord, recipientOf } from '../records';
import type { Batch, PickupPoint } from '../transport/contract';

export const returnAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** The number of records to return, `Infinity` for all. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	return context.getNodeParameter('returnAll', itemIndex, false)
		? Infinity
		: (context.getNodeParameter('limit', itemIndex, 50) as number);
}

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The simplified fields of a batch, for Get and Get Many. */
export const BATCH_SIMPLE_FIELDS: Array<keyof Batch> = [
	'id',
	'carrierCode',
	'created',
	'ordersCount',
	'packagesCount',
	'errorsCount',
	'labelsUrl',
	'labelsHash',
	'source',
	'isArchived',
];

/** The simplified fields of a shipment, for Get and Get Many. Services list different fields. */
const SHIPMENT_SIMPLE_FIELDS = [
	'id',
	'carrierCode',
	'packageNumberCarrier',
	'packageNumberCustom',
	'recName',
	'status',
	'statusCategory',
	'delivered',
	'canceled',
	'trackingUrl',
];

/** The simplified fields of a pickup point. */
export const PICKUP_POINT_SIMPLE_FIELDS: Array<keyof PickupPoint> = [
	'code',
	'name',
	'street',
	'city',
	'zip',
	'country',
	'gpsLatitude',
	'gpsLongitude',
];

export function simplifyShipment(record: IDataObject): IDataObject {
	const { status } = record;
	return simplify(
		{
			...record,
			recName: recipientOf(record),
			...(isRecord(status) ? { statusCategory: status.category } : {}),
		} as IDataObject,
		SHIPMENT_SIMPLE_FIELDS,
	);
}

export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	return context.getNodeParameter('simplify', itemIndex, true) as boolean;
}

/** The given fields of a record. Fields that the service did not send are left out. */
export function simplify(record: IDataObject, fields: readonly string[]): IDataObject {
	return Object.fromEntries(
		fields
			.filter((field) => record[field] !== undefined)
			.map((field) => [field, flatten(record[field])]),
	);
}

/** Replaces an object that has a name, such as a status, by its name. */
function flatten(value: IDataObject[string]): IDataObject[string] {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject && 'name' in value ? (value as IDataObject).name : value;
}
