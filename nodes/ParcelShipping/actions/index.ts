import * as batchGet from './batch/get.operation';
import * as batchGetAll from './batch/getAll.operation';
import * as carrierGetAll from './carrier/getAll.operation';
import * as carrierGetServices from './carrier/getServices.operation';
import * as labelPrint from './label/print.operation';
import * as labelSendToPrinter from './label/sendToPrinter.operation';
import type { Operation, Resource } from './operation';
import * as shipmentCreate from './shipment/create.operation';
import * as shipmentGet from './shipment/get.operation';
import * as shipmentGetAll from './shipment/getAll.operation';
import * as shipmentTrack from './shipment/track.operation';

/** Every operation on the screen, in the order of the screen. Forms and dispatch derive from it. */
export const resources: Resource[] = [
	{
		name: 'Batch',
		value: 'batch',
		operations: [batchGet.operation, batchGetAll.operation],
	},
	{
		name: 'Carrier',
		value: 'carrier',
		operations: [carrierGetAll.operation, carrierGetServices.operation],
	},
	{
		name: 'Label',
		value: 'label',
		operations: [labelPrint.operation, labelSendToPrinter.operation],
	},
	{
		name: 'Shipment',
		value: 'shipment',
		operations: [
			shipmentCreate.operation,
			shipmentGet.operation,
			shipmentGetAll.operation,
			shipmentTrack.operation,
		],
	},
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
