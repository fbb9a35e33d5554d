import type { INodeProperties } from 'n8n-workflow';

export const maxConcurrencyOption: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	default: 4,
	typeOptions: { minValue: 1, maxValue: 20 },
	description: 'How many requests may be under way at the same time',
};

export const maxRetryWaitOption: INodeProperties = {
	displayName: 'Max Retry Wait (Ms)',
	name: 'maxRetryWait',
	type: 'number',
	default: 60000,
	typeOptions: { minValue: 0 },
	description:
		'How long one request may wait in total when the service asks for a pause or is not there. 0 gives up at once.',
};

export function optionsField(...options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	};
}

/** For operations that have no options of their own. */
export const requestOptionsField = optionsField(maxConcurrencyOption, maxRetryWaitOption);
