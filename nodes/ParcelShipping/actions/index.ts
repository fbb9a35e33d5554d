import * as batchGet from './batch/get';
import * as batchGetAll from './batch/getAll';
import * as carrierGetAll from './carrier/getAll';
import * as carrierGetServices from './carrier/getServices';
import * as labelPrint from './label/print';
import * as labelSendToPrinter from './label/sendToPrinter';
import type { Operation, Resource } from './operation';
import * as shipmentCreate from './shipment/create';
import * as shipmentGet from './shipment/get';
import * as shipmentGetAll from './shipment/getAll';
import * as shipmentTrack from './shipment/track';

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
