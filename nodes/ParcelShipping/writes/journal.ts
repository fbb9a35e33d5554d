import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../records';
import type { ErrorText } from '../transport/errors';

// n8n runs a node again for the same items if *Retry On Fail* is on, and if a person retries a failed
// execution. The context of the node is all that remains of the earlier try, and nothing remains after a
// kill. The journal keeps there what was requested and what came of it, so that nothing is requested twice.
//
// Here, a *try* is one call of the node's `execute`, and a *run* is all tries for the same items. (In texts for
// users, a run is what n8n calls an execution.) Which try belongs to an earlier run:
// - A loop runs the node several times in one execution, each time with other items and its own run
//   index. So a journal belongs to one run index.
// - With the same execution ID, n8n tries again by itself. With another one, a person has retried the
//   execution. `recall` in `writeOnce.ts` says what each of them may send again.
// - Without an execution ID, as some tools are called, several calls can have the same run index. The
//   call with the same input is another try, any other is not.

/** What came of a request for one thing: a shipment to create, a number to cancel, labels to print. */
export type Outcome<Value> =
	| { state: 'done'; value: Value }
	/** It certainly had no effect, so a later try may request it again. */
	| { state: 'notDone'; errors: unknown[] }
	/**
	 * It may have been carried out. See `recall` for who may request it again. With `mayExist`, there is
	 * something that may be what it has done, such as `candidates`.
	 */
	| { state: 'unknown'; errors: unknown[]; mayExist?: true; candidates?: Value };

/** The types of an act that may happen only once: creating, canceling, handing over, printing. */
export interface Act {
	/** One of the things that a request is for: an order, a number, a print job. */
	target: unknown;
	/** What else the request says. */
	details: object;
	response: unknown;
	/** What the service has about a target. */
	record: unknown;
	/** What there is once it is done. */
	value: unknown;
}

export type Request<A extends Act> = A['details'] & { targets: Array<A['target']> };

/** An outcome, and its target: several if it cannot be told which of them. */
export interface TargetOutcome<A extends Act> {
	targets: Array<A['target']>;
	outcome: Outcome<A['value']>;
}

/** Each of these certainly has no effect, for the same reason. */
export function notDone<A extends Act>(
	targets: ReadonlyArray<A['target']>,
	error: unknown,
): Array<TargetOutcome<A>> {
	return targets.map((each) => ({
		targets: [each],
		outcome: { state: 'notDone', errors: [error] },
	}));
}

/** A request that may have been carried out, as plain JSON. */
export interface PendingRequest<A extends Act> {
	request: Request<A>;
	/** The keys of what has no certain outcome yet. */
	keys: string[];
	/** The execution that sent it. */
	execution: string;
	/** What came back, if anything did. */
	response?: unknown;
	failure?: ErrorText;
}

/** Plain JSON, because n8n saves it with the execution. */
interface Entries<A extends Act> {
	done: Array<TargetOutcome<A>>;
	pending: Array<PendingRequest<A>>;
}

/** What the tries of one run share. */
interface SavedRun {
	execution: string;
	journals: Record<string, Entries<Act>>;
	memories: Record<string, object>;
}

type JournalName = 'create' | 'cancel' | 'handOver' | 'print';

/** Instead of an execution ID: what a tool was called with. */
const TOOL_INPUT = 'input ';

export class Journal<A extends Act> {
	private readonly execution: string;

	private readonly entries: Entries<A>;

	/** The place in `done` of each key. */
	private readonly doneAt: Map<string, number>;

	constructor(
		context: IExecuteFunctions,
		name: JournalName,
		readonly keyOf: (target: A['target']) => string,
	) {
		this.execution = executionOf(context);
		const { journals } = savedRunOf(context);
		this.entries = (journals[name] ??= { done: [], pending: [] }) as unknown as typeof this.entries;
		this.doneAt = new Map(
			this.entries.done.flatMap(({ targets }, at) => targets.map((each) => [keyOf(each), at])),
		);
	}

	/** What is certainly done, in this try or an earlier one. */
	get done(): ReadonlyArray<TargetOutcome<A>> {
		return this.entries.done;
	}

	get pending(): ReadonlyArray<PendingRequest<A>> {
		return this.entries.pending;
	}

	/** Whether it is done or may have been done, so that nothing may request it again without a look. */
	wasRequested(target: A['target']): boolean {
		const key = this.keyOf(target);
		return this.doneAt.has(key) || this.entries.pending.some(({ keys }) => keys.includes(key));
	}

	isDone(target: A['target']): boolean {
		return this.doneAt.has(this.keyOf(target));
	}

	/**
	 * Whether a person has retried the execution that sent the request. What the retry sends itself is
	 * not free when n8n tries it again.
	 */
	isRetriedByPerson({ execution }: PendingRequest<A>): boolean {
		return execution !== this.execution;
	}

	/** Must be called before the request is sent, so that no retry can miss that it was. */
	begin(request: Request<A>): PendingRequest<A> {
		const pending = { request, keys: request.targets.map(this.keyOf), execution: this.execution };
		this.entries.pending.push(pending);
		return pending;
	}

	/** Keeps what is done, and keeps what is unknown pending. The rest is free to be requested again. */
	close(pending: PendingRequest<A>, outcomes: ReadonlyArray<TargetOutcome<A>>): void {
		const unknown = outcomes.filter(({ outcome }) => outcome.state === 'unknown');
		pending.keys = [...new Set(unknown.flatMap(({ targets }) => targets.map(this.keyOf)))];
		for (const each of outcomes) if (each.outcome.state === 'done') this.keepDone(each);
		if (pending.keys.length === 0)
			this.entries.pending.splice(this.entries.pending.indexOf(pending), 1);
	}

	/** Keeps what is done without a request of its own, or changes it. */
	keepDone(outcome: TargetOutcome<A>): void {
		const [first] = outcome.targets;
		const at = this.doneAt.get(this.keyOf(first)) ?? this.entries.done.length;
		this.entries.done[at] = outcome;
		for (const each of outcome.targets) this.doneAt.set(this.keyOf(each), at);
	}
}

/** What a try has read, by its own keys, so that the next one goes on with the same. Plain JSON. */
export function memoryOfRun<Value>(
	context: IExecuteFunctions,
	name: 'labels' | 'notPrinted' | 'printedBefore',
): Partial<Record<string, Value>> {
	return (savedRunOf(context).memories[name] ??= {});
}

/** Call it once n8n cannot run the node again for the same items. */
export function forgetWrites(context: IExecuteFunctions): void {
	delete savedRunsOf(context)[runIndexOf(context)];
}

function savedRunOf(context: IExecuteFunctions): SavedRun {
	const runs = savedRunsOf(context);
	const runIndex = runIndexOf(context);
	const execution = executionOf(context);
	const earlier = runs[runIndex];
	const isOtherToolCall =
		earlier?.execution !== execution && `${earlier?.execution}${execution}`.includes(TOOL_INPUT);
	if (earlier && !isOtherToolCall) return earlier;
	return (runs[runIndex] = { execution, journals: {}, memories: {} });
}

function savedRunsOf(context: IExecuteFunctions): Record<string, SavedRun> {
	const store = context.getContext('node') as { writes?: IDataObject };
	if (!isRecord(store.writes)) store.writes = {};
	return store.writes as unknown as Record<string, SavedRun>;
}

function runIndexOf(context: IExecuteFunctions): number {
	return context.getWorkflowDataProxy(0).$runIndex as number;
}

function executionOf(context: IExecuteFunctions): string {
	const id = context.getExecutionId() as string | undefined;
	if (id) return id;
	const items = context.getInputData().map(({ json }) => json);
	return `${TOOL_INPUT}${createHash('sha256').update(JSON.stringify(items)).digest('base64url')}`;
}
