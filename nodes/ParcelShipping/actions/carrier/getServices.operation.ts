import { toOutputs } from '../../descriptions/listing';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { eachItem, runTasks } from '../../run';
import type { Operation } from '../operation';

export const operation: Operation = {
	name: 'Get Services',
	value: 'getServices',
	action: 'Get services of carrier',
	description: 'List the services of a carrier with the codes that are needed to create shipments',
	fields: [carrierCodeField],

	execute: async (run) =>
		runTasks(run, eachItem(run), async ({ item: itemIndex }) => {
			const carrierCode = readLocator(run.context, carrierCodeField, itemIndex);
			return toOutputs(run.context, itemIndex, await run.client.services(carrierCode));
		}),
};
