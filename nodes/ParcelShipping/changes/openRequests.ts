import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

interface SavedRequests {
	executionId: string;
	keys: string[];
}

/**
 * What this execution has requested without knowing the outcome. *Retry On Fail* runs the node again
 * with the same items, and the context of the node is all that remains of the earlier try. What may
 * have been carried out is then read back and not requested again.
 */
export class OpenRequests {
	private readonly keys: Set<string>;

	constructor(
		context: IExecuteFunctions,
		private readonly name: 'cancellations' | 'handOvers',
	) {
		this.store = context.getContext('node');
		this.executionId = context.getExecutionId();
		const saved = this.store[name] as SavedRequests | undefined;
		// In a new execution, the user has decided to request it again.
		this.keys = new Set(saved?.executionId === this.executionId ? saved.keys : []);
	}

	private readonly store: IDataObject;

	private readonly executionId: string;

	has(key: string): boolean {
		return this.keys.has(key);
	}

	/** Must be called before the request is sent, so that no retry can miss that it was. */
	add(keys: readonly string[]): void {
		for (const key of keys) this.keys.add(key);
		this.save();
	}

	/** The outcome is certain. */
	settle(keys: readonly string[]): void {
		for (const key of keys) this.keys.delete(key);
		this.save();
	}

	private save(): void {
		const { executionId } = this;
		this.store[this.name] = { executionId, keys: [...this.keys] };
	}
}
