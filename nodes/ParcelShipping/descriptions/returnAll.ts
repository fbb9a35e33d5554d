import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

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

/** How many records the user wants; `Infinity` for all. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	return context.getNodeParameter('returnAll', itemIndex, false)
		? Infinity
		: (context.getNodeParameter('limit', itemIndex, 50) as number);
}
