import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

// What n8n runs again for the same items (*Retry On Fail*, or a person's retry of a failed execution) must not send again
// what was sent. The context of the node is all that remains of the earlier try, and nothing remains after a kill. So it
// keeps what was sent. The provider knows the outcome. A *try* is one call of `execute`.

/** What was sent. Plain JSON. */
export interface Sent<Target, Done> {
	/** The execution that sent it. With another one now, a person has retried it. */
	execution: string;
	/** As it was sent: its values may be others in a retry. */
	target: Target;
	/** What is known to be done. */
	done?: Done;
	/** Pieces that a response has named and that may be its own. Then no retry can send it again without making a second one. */
	mayBe?: PieceName[];
}

/** A created piece in a response. The number counts if it has no ID, which is 0 then. */
export interface PieceName {
	id: number;
	number: string;
}

/** What the tries have sent for an act, one note for each target, by a key that the act chooses. */
export class SentNotes<Target, Done> {
	private readonly execution: string;
	private readonly notes: Partial<Record<string, Sent<Target, Done>>>;
	/** What this try has sent, and what was noted before. */
	private readonly sentNow = new Map<string, Sent<Target, Done> | undefined>();

	constructor(context: IExecuteFunctions, act: 'create' | 'cancel' | 'handOver') {
		this.execution = executionOf(context);
		this.notes = memoryOfTries(context, act);
	}

	get(key: string): Sent<Target, Done> | undefined {
		return Object.hasOwn(this.notes, key) ? this.notes[key] : undefined;
	}

	get all(): Array<Sent<Target, Done>> {
		return Object.values(this.notes).filter((sent) => sent !== undefined);
	}

	/** Whether an execution has sent it that a person has retried. */
	isOfEarlierExecution(key: string): boolean {
		return (this.get(key)?.execution ?? this.execution) !== this.execution;
	}

	/** Must be called before the request is sent, so that no try can miss that it was. */
	sending(key: string, target: Target): void {
		// A target that one try sends twice keeps the note of the earlier try.
		if (!this.sentNow.has(key)) this.sentNow.set(key, this.get(key));
		this.notes[key] = { execution: this.execution, target };
	}

	add(key: string, more: Partial<Pick<Sent<Target, Done>, 'done' | 'mayBe'>>): void {
		Object.assign(this.get(key) ?? {}, more);
	}

	/** The request certainly had no effect. What an earlier try has sent may have had one, so its note comes back. */
	forget(key: string): void {
		if (!this.sentNow.has(key)) return;
		const before = this.sentNow.get(key);
		if (before) this.notes[key] = before;
		else delete this.notes[key];
		this.sentNow.delete(key);
	}
}

type Store = { writes?: Partial<Record<string, Partial<Record<string, object>>>> };

/** What the tries for the same items share, by their own keys. Plain JSON, because n8n saves it with the execution. */
export function memoryOfTries<Value>(
	context: IExecuteFunctions,
	name: string,
): Partial<Record<string, Value>> {
	const store = context.getContext('node') as Store;
	const memory = ((store.writes ??= {})[triesKeyOf(context)] ??= {});
	return (memory[name] ??= {}) as Partial<Record<string, Value>>;
}

/** Call it once n8n cannot run the node again for the same items. */
export function forgetTries(context: IExecuteFunctions): void {
	delete (context.getContext('node') as Store).writes?.[triesKeyOf(context)];
}

/**
 * The same for each try for the same items, also in the execution of a person's retry. A loop calls the node several times
 * in one execution, each time with a run index of its own. Without an execution ID, as some tools are called, several
 * calls can have the same one: then the call with the same input is another try.
 */
function triesKeyOf(context: IExecuteFunctions): string {
	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	if (executionOf(context) !== '') return runIndex;
	const input = JSON.stringify(context.getInputData().map(({ json }) => json));
	return `${runIndex} ${createHash('sha256').update(input).digest('base64url')}`;
}

export const executionOf = (context: IExecuteFunctions) =>
	(context.getExecutionId() as string | undefined) ?? '';
