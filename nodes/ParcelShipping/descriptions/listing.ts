import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { readBoolean, readNumber } from '../parameterValues';
import { isRecord, recipientOf } from '../records';
import type { ItemOutput } from '../run';

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
	const returnAll = context.getNodeParameter('returnAll', itemIndex, false);
	if (readBoolean(returnAll, 'Return All')) return Infinity;
	return readNumber(context.getNodeParameter('limit', itemIndex, 50), 'Limit', { least: 1 }) ?? 50;
}

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export type Simplify = (record: IDataObject) => IDataObject;

/**
 * The records as output items, simplified unless the form says otherwise. Without `simplify`, they are copied:
 * other executions may share them, and a later node may change its items.
 */
export function toOutputs(
	context: IExecuteFunctions,
	itemIndex: number,
	records: readonly object[],
	simplify: Simplify = (record) => ({ ...record }),
): ItemOutput[] {
	const isSimple = readBoolean(context.getNodeParameter('simplify', itemIndex, true), 'Simplify');
	return (records as IDataObject[]).map((json) => ({
		json: isSimple ? simplify(json) : { ...json },
	}));
}

/** Keeps these fields, if the provider sent them. An object with a name, such as a status, becomes its name. */
function fields(names: string): Simplify {
	return (record) => {
		const sent = names.split(' ').filter((name) => record[name] !== undefined);
		const nameOf = (value: unknown) => (isRecord(value) && 'name' in value ? value.name : value);
		return Object.fromEntries(sent.map((name) => [name, nameOf(record[name])])) as IDataObject;
	};
}

export const simplifyBatch = fields(
	'id carrierCode created ordersCount packagesCount errorsCount labelsUrl labelsHash source isArchived',
);

export const simplifyPickupPoint = fields(
	'code name street city zip country gpsLatitude gpsLongitude',
);

const simplifyListedShipment = fields(
	'id carrierCode packageNumberCarrier packageNumberCustom recName pieceCount status statusCategory delivered canceled trackingUrl',
);

export function simplifyShipment(record: IDataObject): IDataObject {
	return simplifyListedShipment({
		...record,
		recName: recipientOf(record),
		// With more than ten fields, n8n's editor no longer shows a short table.
		pieceCount: Number(record.pieceCount) > 1 ? record.pieceCount : undefined,
		...(isRecord(record.status) ? { statusCategory: record.status.category } : {}),
	} as IDataObject);
}
