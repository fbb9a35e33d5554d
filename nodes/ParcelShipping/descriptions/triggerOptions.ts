import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import type { Freshness } from '../tracking/state';
import { DEFAULT_MAX_CONCURRENCY } from '../transport/client';
import { readWholeNumber } from './filters';
import { maxConcurrencyOption, optionsField } from './options';

export const freshnessField: INodeProperties = {
	displayName: 'Freshness',
	name: 'freshness',
	type: 'options',
	default: 'balanced',
	description:
		'How often to check shipments for events. Delivered and canceled ones are checked every hour.',
	options: [
		{
			name: 'Balanced',
			value: 'balanced',
			description:
				'In every poll for two hours after an event, then as often as the shipment can have another one: every 10 minutes on its way, at least every 60 minutes. An event comes up to 60 minutes late.',
		},
		{
			name: 'Every Poll',
			value: 'everyPoll',
			description:
				'Every shipment in every poll. An event comes with the next poll. Sends many requests if there are many shipments.',
		},
	],
};

const DEFAULT_MAX_REQUESTS = 500;

/** Fewer would not be enough for both the list and the events. */
const MIN_MAX_REQUESTS = 10;

const maxRequestsOption: INodeProperties = {
	displayName: 'Max Requests per Poll',
	name: 'maxRequestsPerPoll',
	type: 'number',
	default: 500,
	typeOptions: { minValue: 10 },
	description:
		'Maximum number of requests of one poll for the list of shipments and their events. What does not fit comes first in the next poll.',
};

export const triggerOptionsField = optionsField(maxConcurrencyOption, maxRequestsOption);

export function readFreshness(context: IPollFunctions): Freshness {
	const freshness = context.getNodeParameter(freshnessField.name, freshnessField.default);
	return freshness === 'everyPoll' ? 'everyPoll' : 'balanced';
}

export function readMaxConcurrency(context: IPollFunctions): number {
	const { maxConcurrency } = readOptions(context) as { maxConcurrency?: number };
	return Math.max(1, maxConcurrency ?? DEFAULT_MAX_CONCURRENCY);
}

export function readMaxRequests(context: IPollFunctions): number {
	const given = readOptions(context).maxRequestsPerPoll;
	const max = readWholeNumber(given, maxRequestsOption.displayName) ?? DEFAULT_MAX_REQUESTS;
	return Math.max(MIN_MAX_REQUESTS, max);
}

function readOptions(context: IPollFunctions): IDataObject {
	return context.getNodeParameter('options', {}) as IDataObject;
}
