import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../records';
import type { ErrorText } from '../transport/errors';

// n8n runs a node again for the same items if *Retry On Fail* is on, and if a person retries a failed
// execution. The context of the node is all that remains of the earlier try. The journal keeps there
// what was requested and what came of it, so that nothing is requested twice.
//
// Which run is a retry:
// - A loop runs the node several times in one execution, each time with other items and its own run
//   index. So a journal belongs to one run index.
// - With the same execution ID, n8n tries again by itself. What the earlier try left open is never
//   sent again: the records of the service decide.
// - With another execution ID, a person has retried the execution and has seen what was unknown. The
//   records are asked first, and what they do not show is sent again. What is done stays done.
// - Some tools have no execution ID, and several calls of a tool can have the same run index. The call
//   with the same input is a retry, any other is not.

/** What came of a request for one thing: a shipment to create, a number to cancel, labels to print. */
export type Outcome<Value> =
	| { kind: 'done'; value: Value }
	/** It certainly had no effect, so a later try may request it again. */
	| { kind: 'notDone'; errors: unknown[] }
	/** It may have been carried out, so this execution does not request it again. */
	| { kind: 'unknown'; errors: unknown[]; candidates?: Value };

/** The types of one kind of request. */
export interface Kind {
	/** One of the things that a request is about: an order, a number, a print job. */
	about: unknown;
	/** What else the request says. */
	more: object;
	response: unknown;
	/** What the records of the service say. */
	found: unknown;
	/** What there is once it is done. */
	value: unknown;
}

export type Request<K extends Kind> = K['more'] & { about: Array<K['about']> };

/** An outcome, and what it is about: several things if it cannot be told which of them. */
export interface Settled<K extends Kind> {
	about: Array<K['about']>;
	outcome: Outcome<K['value']>;
}

/** Each of these certainly has no effect, for the same reason. */
export function notDone<K extends Kind>(
	about: ReadonlyArray<K['about']>,
	error: unknown,
): Array<Settled<K>> {
	return about.map((each) => ({ about: [each], outcome: { kind: 'notDone', errors: [error] } }));
}

/** A request that may have been carried out, as plain JSON. */
export interface OpenRequest<K extends Kind> {
	request: Request<K>;
	/** The keys of what has no certain outcome yet. */
	keys: string[];
	/** The execution that sent it. */
	execution: string;
	/** What came back, if anything did. */
	response?: unknown;
	failure?: ErrorText;
}

/** Plain JSON, because n8n saves it with the execution. */
interface Entries<K extends Kind> {
	done: Array<Settled<K>>;
	open: Array<OpenRequest<K>>;
}

interface Run {
	execution: string;
	journals: Record<string, Entries<Kind>>;
}

type JournalName = 'create' | 'cancel' | 'handOver' | 'print' | 'labels' | 'printedBefore';

/** Instead of an execution ID: what a tool was called with. */
const TOOL_INPUT = 'input ';

export class Journal<K extends Kind> {
	private readonly execution: string;

	private readonly entries: Entries<K>;

	/** The place in `done` of each key. */
	private readonly doneAt: Map<string, number>;

	constructor(
		context: IExecuteFunctions,
		name: JournalName,
		readonly keyOf: (about: K['about']) => string,
	) {
		const runs = runsOf(context);
		const runIndex = runIndexOf(context);
		const execution = executionOf(context);
		const earlier = runs[runIndex]?.execution;
		const isOtherToolCall = earlier !== execution && `${earlier}${execution}`.includes(TOOL_INPUT);
		const run = (!isOtherToolCall && runs[runIndex]) || { execution, journals: {} };
		runs[runIndex] = run;
		this.execution = execution;
		this.entries = (run.journals[name] ??= {
			done: [],
			open: [],
		}) as unknown as typeof this.entries;
		this.doneAt = new Map(
			this.entries.done.flatMap(({ about }, at) => about.map((each) => [keyOf(each), at])),
		);
	}

	/** What is certainly done, in this try or an earlier one. */
	get done(): ReadonlyArray<Settled<K>> {
		return this.entries.done;
	}

	get open(): ReadonlyArray<OpenRequest<K>> {
		return this.entries.open;
	}

	/** Whether it was requested, and is done or may have been done. */
	has(key: string): boolean {
		return this.doneAt.has(key) || this.entries.open.some(({ keys }) => keys.includes(key));
	}

	isDone(about: K['about']): boolean {
		return this.doneAt.has(this.keyOf(about));
	}

	/**
	 * Whether a person has retried the execution that sent the request. What the retry sends itself is
	 * not free when n8n tries it again.
	 */
	isRetriedByPerson({ execution }: OpenRequest<K>): boolean {
		return execution !== this.execution;
	}

	/** Must be called before the request is sent, so that no retry can miss that it was. */
	begin(request: Request<K>): OpenRequest<K> {
		const open = { request, keys: request.about.map(this.keyOf), execution: this.execution };
		this.entries.open.push(open);
		return open;
	}

	/** Keeps what is done, and keeps open what is unknown. The rest is free to be requested again. */
	close(open: OpenRequest<K>, settled: ReadonlyArray<Settled<K>>): void {
		const unknown = settled.filter(({ outcome }) => outcome.kind === 'unknown');
		open.keys = [...new Set(unknown.flatMap(({ about }) => about.map(this.keyOf)))];
		for (const each of settled) if (each.outcome.kind === 'done') this.write(each);
		if (open.keys.length === 0) this.entries.open.splice(this.entries.open.indexOf(open), 1);
	}

	/** Writes down what is done without a request of its own, or changes it. */
	write(settled: Settled<K>): void {
		const [first] = settled.about;
		const at = this.doneAt.get(this.keyOf(first)) ?? this.entries.done.length;
		this.entries.done[at] = settled;
		for (const each of settled.about) this.doneAt.set(this.keyOf(each), at);
	}
}

/** Call it once n8n cannot run the node again for the same items. */
export function forgetWrites(context: IExecuteFunctions): void {
	delete runsOf(context)[runIndexOf(context)];
}

function runsOf(context: IExecuteFunctions): Record<string, Run> {
	const store = context.getContext('node') as { writes?: IDataObject };
	if (!isRecord(store.writes)) store.writes = {};
	return store.writes as unknown as Record<string, Run>;
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
