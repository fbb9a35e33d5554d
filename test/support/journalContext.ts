import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** One try of a node, as far as a journal asks n8n about it. `store` is what n8n saves. */
export interface Try {
	/** Empty in some tools. */
	execution?: string;
	runIndex?: number;
	input?: string;
}

export function journalContext(
	store: IDataObject,
	{ execution = '1', runIndex = 0, input = 'A' }: Try = {},
): IExecuteFunctions {
	const context: Record<
		keyof Pick<
			IExecuteFunctions,
			'getContext' | 'getExecutionId' | 'getInputData' | 'getWorkflowDataProxy'
		>,
		() => unknown
	> = {
		getContext: () => store,
		getExecutionId: () => execution || undefined,
		getInputData: () => [{ json: { order: input } }],
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
	};
	return context as unknown as IExecuteFunctions;
}
