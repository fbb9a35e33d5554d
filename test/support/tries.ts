import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

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
		getTimezone: () => 'UTC',
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	} as unknown as IExecuteFunctions;
}

/** n8n saves the store as JSON between two tries. */
export const saved = (store: IDataObject) => JSON.parse(JSON.stringify(store)) as IDataObject;
