import * as carrierGetAll from './carrier/getAll';
import type { Operation, Resource } from './operation';

/** Every operation on the screen, in the order of the screen. Forms and dispatch derive from it. */
export const resources: Resource[] = [
	{ name: 'Carrier', value: 'carrier', operations: [carrierGetAll.operation] },
];

export function findOperation(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}
