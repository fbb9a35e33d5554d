import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

interface Saved {
	executionId: string;
	runIndex: number;
	open: string[];
	outputs: IDataObject[];
}

/**
 * What this execution has requested. *Retry On Fail* runs the node again with the same items, and the
 * context of the node is all that remains of the earlier try. What may have been carried out is then
 * read back and not requested again.
 */
export class OpenRequests {
	private readonly open: Set<string>;

	/** Outputs of earlier tries, which n8n has discarded. */
	readonly earlierOutputs: readonly IDataObject[];

	private readonly saved: Saved;

	constructor(context: IExecuteFunctions, name: 'cancellations' | 'handOvers') {
		const store = context.getContext('node');
		const executionId = context.getExecutionId();
		const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
		const saved = store[name] as Saved | undefined;
		// In a new execution, the user has decided to request it again.
		const isSame = saved !== undefined && saved.executionId === executionId;
		this.open = new Set(isSame ? saved.open : []);
		// In a loop, the output of the earlier round was not discarded. Some tools have no execution ID.
		this.earlierOutputs =
			isSame && executionId && saved.runIndex === runIndex ? [...saved.outputs] : [];
		this.saved = { executionId, runIndex, open: [...this.open], outputs: [...this.earlierOutputs] };
		store[name] = this.saved as unknown as IDataObject;
	}

	/** Whether it was requested without a certain outcome. */
	has(key: string): boolean {
		return this.open.has(key);
	}

	/** Must be called before the request is sent, so that no retry can miss that it was. */
	add(keys: readonly string[]): void {
		for (const key of keys) this.open.add(key);
		this.saved.open = [...this.open];
	}

	/** The outcome is certain. */
	settle(keys: readonly string[]): void {
		for (const key of keys) this.open.delete(key);
		this.saved.open = [...this.open];
	}

	/** Keeps what only the answer says, such as the address of a file. */
	keepOutput(output: IDataObject): void {
		this.saved.outputs.push(output);
	}
}
