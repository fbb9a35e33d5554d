import type {
	IDataObject,
	IExecuteFunctions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import { DEFAULT_MAX_CONCURRENCY, DEFAULT_MAX_RETRY_WAIT_MS } from '../transport/client';
import { invalidValue, readNumber } from '../parameterValues';

/**
 * The options of a field by their values, in alphabetical order as n8n asks for: the name of each, or its
 * name and description. n8n shows two lines of a description.
 */
export function choices(
	byValue: Readonly<Record<string, string | readonly [name: string, description: string]>>,
): INodePropertyOptions[] {
	return Object.entries(byValue)
		.map(([value, choice]) => {
			if (typeof choice === 'string') return { name: choice, value };
			const [name, description] = choice;
			return { name, value, description };
		})
		.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An expression can give a value that the form does not offer. A caption of one word is the name of its parameter, too. */
export function readChoice<Choice extends string>(
	caption: string,
	value: unknown,
	valid: readonly Choice[],
	name = caption.toLowerCase(),
): Choice {
	const choice = valid.find((each) => each === value);
	if (choice !== undefined) return choice;
	const advice = `Choose one of: ${valid.join(', ')}.`;
	throw invalidValue(caption, value, advice, { field: name });
}

/** The binary field for a file, named as in n8n's own nodes. */
export const binaryField = (file: string): INodeProperties => ({
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	placeholder: 'e.g. data',
	hint: `The name of the output binary field to put the ${file} in`,
});

/** An expression may give nothing. */
export const readBinaryField = (value: unknown) => String(value ?? '').trim() || 'data';

export const outputField = (
	defaultOutput: string,
	outputs: Parameters<typeof choices>[0],
): INodeProperties => ({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	default: defaultOutput,
	description: 'What each output item represents',
	options: choices(outputs),
});

export const maxConcurrencyOption: INodeProperties = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number',
	default: DEFAULT_MAX_CONCURRENCY,
	typeOptions: { minValue: 1, maxValue: 20 },
	description:
		'Maximum number of parallel requests. Lower it if your service refuses so many at once.',
};

const maxRetryWaitOption: INodeProperties = {
	displayName: 'Max Retry Wait (Ms)',
	name: 'maxRetryWait',
	type: 'number',
	default: DEFAULT_MAX_RETRY_WAIT_MS,
	typeOptions: { minValue: 0 },
	description:
		'Maximum total time to wait and retry when the service is rate-limiting or unreachable. 0 disables retries.',
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

export function readRequestOptions(context: IExecuteFunctions) {
	const { maxConcurrency, maxRetryWait } = context.getNodeParameter(
		'options',
		0,
		{},
	) as IDataObject;
	return {
		maxConcurrency: readNumber(maxConcurrency, 'Max Concurrency', DEFAULT_MAX_CONCURRENCY, 1),
		maxRetryWaitMs: readNumber(maxRetryWait, 'Max Retry Wait (Ms)', DEFAULT_MAX_RETRY_WAIT_MS),
	};
}

/** The options of every operation that sends requests, with those of one operation. */
export function requestOptions(...options: INodeProperties[]): INodeProperties {
	const all = new Map(
		[maxConcurrencyOption, maxRetryWaitOption, ...options].map((option) => [option.name, option]),
	);
	return optionsField(...[...all.values()].sort(byCaption));
}

export const byCaption = (a: { displayName: string }, b: { displayName: string }) =>
	a.displayName < b.displayName ? -1 : 1;
