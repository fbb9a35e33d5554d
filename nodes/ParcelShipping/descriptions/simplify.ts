import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export function isSimplified(context: IExecuteFunctions, itemIndex: number): boolean {
	return context.getNodeParameter('simplify', itemIndex, true) as boolean;
}

/** The chosen fields of a record; what the service did not send is left out. */
export function simplify(record: IDataObject, fields: readonly string[]): IDataObject {
	return Object.fromEntries(
		fields
			.filter((field) => record[field] !== undefined)
			.map((field) => [field, flat(record[field])]),
	);
}

/** Of something that has a name, the name. */
function flat(value: IDataObject[string]): IDataObject[string] {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject && 'name' in value ? (value as IDataObject).name : value;
}
