import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isRecord, recipientOf } from '../records';
import type { ItemOutput } from '../run';
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

/** The fields of an operation that lists records and can simplify them. */
export const listingFields = [...returnAllFields, simplifyField];

type Simplify = (record: IDataObject) => IDataObject;

/**
 * The records as output items, simplified unless 'Simplify' is off. Without `simplify`, they are copied:
 * other executions may share them, and a later node may change its items.
 */
export function toOutputs(
	context: IExecuteFunctions,
	itemIndex: number,
	records: readonly object[],
	simplify: Simplify = (record) => ({ ...record }),
): ItemOutput[] {
	const isSimple = context.getNodeParameter('simplify', itemIndex, true);
	return (records as IDataObject[]).map((json) => ({ json: isSimple ? simplify(json) : json }));
}

/** Keeps these fields, if the service sent them. An object with a name, such as a status, becomes its name. */
function fields<Field extends string>(...names: Field[]): Simplify {
	return (record) => {
		const sent = names.filter((name) => record[name] !== undefined);
		return Object.fromEntries(
			sent.map((name) => {
				const value = record[name];
				return [name, isRecord(value) && 'name' in value ? value.name : value];
			}),
		) as IDataObject;
	};
}

export const simplifyBatch = fields<keyof Batch>(
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
);

export const simplifyPickupPoint = fields<keyof PickupPoint>(
	'code',
	'name',
	'street',
	'city',
	'zip',
	'country',
	'gpsLatitude',
	'gpsLongitude',
);

const simplifyListedShipment = fields(
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
);

/** Services put the recipient in different places. */
export function simplifyShipment(record: IDataObject): IDataObject {
	const { status } = record;
	return simplifyListedShipment({
		...record,
		recName: recipientOf(record),
		...(isRecord(status) ? { statusCategory: status.category } : {}),
	} as IDataObject);
}
