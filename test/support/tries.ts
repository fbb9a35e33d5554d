import { get } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { NodeRun } from '../../nodes/ParcelShipping/run';
import type { Client } from '../../nodes/ParcelShipping/transport/client';

/** One try of a node, as far as the code below its operations asks n8n about it. */
export interface Try {
	/** Empty in some tools. */
	execution?: string;
	runIndex?: number;
	input?: string;
	/** A list has a value for each item, from an expression. */
	form?: IDataObject;
	continues?: boolean;
	/** Gets the hints of the run. */
	hints?: string[];
}

/** `store` is what n8n saves. */
export function contextOf(store: IDataObject, given: Try = {}) {
	const { execution = '1', runIndex = 0, input = 'A' } = given;
	const { form = {}, continues = true, hints = [] } = given;
	return {
		getContext: () => store,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: { order: input } }],
		getTimezone: () => 'Europe/Prague',
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		getNode: () => ({ type: 'parcelShipping' }),
		continueOnFail: () => continues,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		getNodeParameter: (field: string, item: number, fallback: unknown, how: object = {}) => {
			const value: unknown = get(form, field, fallback);
			if (!Array.isArray(value)) return value;
			return 'rawExpressions' in how ? '={{ of the item }}' : (value[item] as unknown);
		},
	} as unknown as IExecuteFunctions;
}

/** A run of the node for these items. */
export function runOf(
	client: Client,
	{ store = {}, items = [], ...given }: Try & { store?: IDataObject; items?: IDataObject[] } = {},
): NodeRun {
	return { context: contextOf(store, given), client, items: items.map((json) => ({ json })) };
}

/** n8n saves the store as JSON between two tries. */
export const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;
