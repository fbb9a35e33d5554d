import { get } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { NodeRun } from '../../nodes/ParcelShipping/run';
import type { Client } from '../../nodes/ParcelShipping/transport/client';

/** One try of a node, as far as a journal asks n8n about it. */
export interface Try {
	/** Empty in some tools. */
	execution?: string;
	runIndex?: number;
	input?: string;
}

/** `store` is what n8n saves. */
export function contextOf(
	store: IDataObject,
	{ execution = '1', runIndex = 0, input = 'A' }: Try = {},
) {
	return {
		getContext: () => store,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: { order: input } }],
		getTimezone: () => 'Europe/Prague',
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
}

interface RunOfNode extends Try {
	/** What n8n saves. */
	store?: IDataObject;
	items?: IDataObject[];
	/** A list has a value for each item. */
	form?: IDataObject;
	continues?: boolean;
	/** Gets the hints of the run. */
	hints?: string[];
}

/** A run of the node, as far as the code below its operations asks n8n about it. */
export function runOf(client: Client, settings: RunOfNode = {}): NodeRun {
	const { store = {}, items = [], form = {}, continues = true, hints = [] } = settings;
	const context = Object.assign(contextOf(store, settings), {
		continueOnFail: () => continues,
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		getNode: () => ({ type: 'parcelShipping' }),
		getNodeParameter: (field: string, item: number, fallback: unknown, given: object = {}) => {
			const value: unknown = get(form, field, fallback);
			if (!Array.isArray(value)) return value;
			return 'rawExpressions' in given ? '={{ of the item }}' : (value[item] as unknown);
		},
	});
	return { context, client, items: items.map((json) => ({ json })) } as unknown as NodeRun;
}

/** n8n saves the store as JSON between two tries. */
export const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;
