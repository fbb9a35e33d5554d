import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../records';

// n8n runs a node again for the same items if *Retry On Fail* is on, and if a person retries a failed execution. The
// context of the node is all that remains of the earlier try, and nothing remains after a kill. It keeps what was sent,
// so that no try sends it again. The provider knows the outcome.
//
// A *try* is one call of the node's `execute`. What the tries for the same items share is kept by a key:
// - A loop calls the node several times in one execution, each time with other items and its own run index. So the key
//   is the run index.
// - With the same execution ID, n8n tries again by itself. With another one, a person has retried the execution.
// - Without an execution ID, as some tools are called, several calls can have the same run index. The call with the same
//   input is another try, any other is not.

/** What was sent. Plain JSON. */
export interface Sent<Target, Done> {
	/** The execution that sent it. With another one now, a person has retried it. */
	execution: string;
	/** As it was sent: its values may be others in a retry. */
	target: Target;
	/** What is known to be done. */
	done?: Done;
	/** IDs that a response has named and that may be its own. Then no retry can send it again without making a second one. */
	mayBe?: string[];
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
		const sent = this.get(key);
		return sent !== undefined && sent.execution !== this.execution;
	}

	isSentNow(key: string): boolean {
		return this.sentNow.has(key);
	}

	/** Must be called before the request is sent, so that no try can miss that it was. */
	sending(key: string, target: Target): void {
		// A target that one try sends twice keeps the note of the earlier try.
		if (!this.sentNow.has(key)) this.sentNow.set(key, this.get(key));
		this.notes[key] = { execution: this.execution, target };
	}

	add(key: string, more: Partial<Pick<Sent<Target, Done>, 'done' | 'mayBe'>>): void {
		const sent = this.get(key);
		if (sent) Object.assign(sent, more);
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

/** What the tries for the same items share, by their own keys. Plain JSON, because n8n saves it with the execution. */
export function memoryOfTries<Value>(
	context: IExecuteFunctions,
	name: string,
): Partial<Record<string, Value>> {
	const memories = (memoriesOf(context)[triesKeyOf(context)] ??= {});
	return (memories[name] ??= {}) as Partial<Record<string, Value>>;
}

/** Call it once n8n cannot run the node again for the same items. */
export function forgetTries(context: IExecuteFunctions): void {
	delete memoriesOf(context)[triesKeyOf(context)];
}

function memoriesOf(context: IExecuteFunctions): Partial<Record<string, Record<string, object>>> {
	const store = context.getContext('node') as { writes?: IDataObject };
	if (!isRecord(store.writes)) store.writes = {};
	return store.writes as Partial<Record<string, Record<string, object>>>;
}

/** The same for each try for the same items. */
function triesKeyOf(context: IExecuteFunctions): string {
	const runIndex = String(context.getWorkflowDataProxy(0).$runIndex);
	if (executionOf(context) !== '') return runIndex;
	const input = JSON.stringify(context.getInputData().map(({ json }) => json));
	return `${runIndex} ${createHash('sha256').update(input).digest('base64url')}`;
}

export const executionOf = (context: IExecuteFunctions) =>
	(context.getExecutionId() as string | undefined) ?? '';
