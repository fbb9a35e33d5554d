import type { INodeProperties } from 'n8n-workflow';

import { operation as batchGet } from './batch/get.operation';
import { operation as batchGetAll } from './batch/getAll.operation';
import { operation as carrierGetAll } from './carrier/getAll.operation';
import { operation as carrierGetServices } from './carrier/getServices.operation';
import { operation as handOverGetAll } from './handOver/getAll.operation';
import { operation as labelCreate } from './label/create.operation';
import { operation as labelSendToPrinter } from './label/sendToPrinter.operation';
import { ItemError } from '../transport/errors';
import type { Operation } from './operation';
import { operation as pickupPointGetAll } from './pickupPoint/getAll.operation';
import { operation as printerGetAll } from './printer/getAll.operation';
import { operation as shipmentCancel } from './shipment/cancel.operation';
import { operation as shipmentCreate } from './shipment/create.operation';
import { operation as shipmentGet } from './shipment/get.operation';
import { operation as shipmentGetAll } from './shipment/getAll.operation';
import { operation as shipmentHandOver } from './shipment/handOver.operation';
import { operation as shipmentTrack } from './shipment/track.operation';

/** Every operation, in the order of the form. *Create* comes first, because most people look for it. */
export const resources: Array<{ name: string; value: string; operations: Operation[] }> = [
	{
		name: 'Shipment',
		value: 'shipment',
		operations: [
			shipmentCreate,
			shipmentCancel,
			shipmentGet,
			shipmentGetAll,
			shipmentHandOver,
			shipmentTrack,
		],
	},
	{ name: 'Batch', value: 'batch', operations: [batchGet, batchGetAll] },
	{ name: 'Carrier', value: 'carrier', operations: [carrierGetAll, carrierGetServices] },
	{ name: 'Hand-Over', value: 'handOver', operations: [handOverGetAll] },
	{ name: 'Label', value: 'label', operations: [labelCreate, labelSendToPrinter] },
	{ name: 'Pickup Point', value: 'pickupPoint', operations: [pickupPointGetAll] },
	{ name: 'Printer', value: 'printer', operations: [printerGetAll] },
];

export function findOperation(resource: string, name: string): Operation {
	const { operations = [] } = resources.find(({ value }) => value === resource) ?? {};
	const operation = operations.find(({ value }) => value === name);
	if (operation) return operation;
	const message = `The resource "${resource}" has no operation "${name}"`;
	throw new ItemError(message, 'Choose an operation from the list.');
}

/** The properties of the node: Resource, Operation, and the fields of each operation. */
export const nodeProperties: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		default: 'shipment',
		options: resources.map(({ name, value }) => ({ name, value })),
	},
	...resources.map(({ value: resource, operations }): INodeProperties => {
		// Reading, because an AI model or a user in a hurry may keep the default.
		const reading = operations.find((each) => each.value === 'getAll') ?? operations[0];
		const byDefault = reading?.value ?? '';
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			default: byDefault,
			options: operations.map(({ name, value, action, description }) => {
				return { name, value, action, description };
			}),
		};
	}),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => {
			const shownFor = { resource: [resource.value], operation: [operation.value] };
			return operation.fields.map(({ displayOptions, ...field }) => ({
				...field,
				displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...shownFor } },
			}));
		}),
	),
];
