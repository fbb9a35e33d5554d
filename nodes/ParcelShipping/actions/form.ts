import type { INodeProperties } from 'n8n-workflow';

import type { Operation, Resource } from './operation';

/** The node's form: the resource, its operations, and the fields of each operation. */
export function formOf(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			default: 'shipment',
			options: resources.map(({ name, value }) => ({ name, value })),
		},
		...resources.map(operationsOf),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => fieldsOf(resource, operation)),
		),
	];
}

function operationsOf({ value, operations }: Resource): INodeProperties {
	const firstOperation = operations[0]?.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [value] } },
		default: firstOperation,
		options: operations.map(({ name, value: operation, action, description }) => ({
			name,
			value: operation,
			action,
			description,
		})),
	};
}

function fieldsOf(resource: Resource, operation: Operation): INodeProperties[] {
	const shownFor = { resource: [resource.value], operation: [operation.value] };
	return operation.fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, ...shownFor },
		},
	}));
}
