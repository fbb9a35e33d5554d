import type { IExecuteFunctions } from 'n8n-workflow';

import type { ErrorText } from '../transport/errors';
import { executionOf, memoryOfTries } from './sent';

// A journal keeps for the next try what was requested and what came of it, so that nothing is requested twice. All tries
// for the same items (see `sent.ts`) share one journal for each act. `recall` in `writeOnce.ts` says what a later one may
// send again.

/** What came of a request for one of its targets. */
export type Outcome<Value> =
	| { state: 'done'; value: Value }
	/**
	 * It failed without an effect. A later try may request it, unless the journal has it as done. Creation also uses it for
	 * an order that fails although its shipment exists. Such an outcome is only for the output, and never goes to `settle`.
	 */
	| { state: 'notDone'; errors: unknown[] }
	/**
	 * It may have been done. n8n's own tries never request it again. The retry of a person does if it is repeatable: if
	 * the records rule out that it was done, if the retry looks again before it sends, if doing it twice does no harm, or
	 * if nothing can ever say what was done.
	 */
	| { state: 'unknown'; errors: unknown[]; isRepeatable: boolean }
	/**
	 * Something was done, and it is not certain for which of the targets. None of them is requested again, and some may be
	 * done as well.
	 */
	| { state: 'unmatched'; value: Value };

/** The types of an act that may happen only once: creating, canceling, handing over, printing. */
export interface Act {
	/** One of the things that a request is for: an order, a shipment to cancel or hand over, a label or a hash to print. */
	target: unknown;
	/** What else the request says. */
	details: object;
	response: unknown;
	/** What the service has about a target. */
	record: unknown;
	/** What there is once it is done. */
	value: unknown;
}

export type WriteRequest<A extends Act> = A['details'] & { targets: Array<A['target']> };

/** An outcome, and its target. Only `unmatched` and `notDone` can have several. */
export interface TargetOutcome<A extends Act> {
	targets: [A['target'], ...Array<A['target']>];
	outcome: Outcome<A['value']>;
}

/** No request was sent for these targets, or it certainly had no effect. */
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
interface PendingRequest<A extends Act> {
	request: WriteRequest<A>;
	/** The keys of the targets for which it is not known what came of them. */
	keys: string[];
	/** The execution that sent it. */
	execution: string;
	/** What came back, if anything did. */
	response?: A['response'];
	failure?: ErrorText;
}

/** What is done, and the execution that has requested it. */
interface DoneOutcome<A extends Act> extends TargetOutcome<A> {
	outcome: Extract<Outcome<A['value']>, { state: 'done' }>;
	execution: string;
}

/** Plain JSON, because n8n saves it with the execution. */
interface Entries<A extends Act> {
	/** By the key of the target. */
	done: Record<string, DoneOutcome<A>>;
	pending: Array<PendingRequest<A>>;
}

type JournalName = 'create' | 'cancel' | 'handOver' | 'print';

/**
 * A target is one of these:
 * - new: not sent, or it failed without an effect. Sendable.
 * - done: not sendable.
 * - pending: sent, and it is not known what came of it. Not sendable.
 * - pending and repeatable: sendable once more, because `recall` allows it. `begin` makes it plainly pending again.
 *
 * Done and pending at once (see `settle`) counts as done. A target that is sent again belongs to this execution from then
 * on.
 */
export class Journal<A extends Act> {
	private readonly execution: string;

	private readonly entries: Entries<A>;

	/** The keys of what this try has requested. */
	private readonly requestedKeys = new Set<string>();

	/** The keys of what is repeatable. Not saved: the next try asks the records again. */
	private readonly repeatableKeys = new Set<string>();

	/** Of all values that were kept as done. */
	private readonly doneIds = new Set<number>();

	constructor(
		context: IExecuteFunctions,
		name: JournalName,
		private readonly keyOf: (target: A['target']) => string,
		/** The IDs of what there is once it is done. */
		private readonly idsOf: (value: A['value']) => number[] = () => [],
	) {
		this.execution = executionOf(context);
		const saved: Partial<Entries<A>> = memoryOfTries<never>(context, name);
		this.entries = Object.assign(saved, { done: saved.done ?? {}, pending: saved.pending ?? [] });
		for (const { outcome } of this.doneOutcomes) this.noteIds(outcome.value);
	}

	/** What is certainly done, in this try or an earlier one. */
	get doneOutcomes(): Array<DoneOutcome<A>> {
		return Object.values(this.entries.done);
	}

	get pendingRequests(): Array<PendingRequest<A>> {
		return this.entries.pending;
	}

	/** What is done or pending. Of what is pending, only `recall` says what came of it. */
	get doneOrPendingTargets(): Array<A['target']> {
		const pending = this.pendingRequests.flatMap((each) => this.pendingTargetsOf(each));
		return [...this.doneOutcomes.flatMap(({ targets }) => targets), ...pending];
	}

	/** What is done, or pending and not repeatable. */
	get notSendableTargets(): Array<A['target']> {
		return this.doneOrPendingTargets.filter(
			(target) => this.isDone(target) || !this.repeatableKeys.has(this.keyOf(target)),
		);
	}

	isSendable(target: A['target']): boolean {
		const key = this.keyOf(target);
		const isPending = this.pendingRequests.some(({ keys }) => keys.includes(key));
		return !this.isDone(target) && (!isPending || this.repeatableKeys.has(key));
	}

	markRepeatable(targets: ReadonlyArray<A['target']>): void {
		for (const target of targets) this.repeatableKeys.add(this.keyOf(target));
	}

	/** Whether this try has requested it. */
	isRequestedInThisTry(target: A['target']): boolean {
		return this.requestedKeys.has(this.keyOf(target));
	}

	isDone(target: A['target']): boolean {
		return this.doneOf(target) !== undefined;
	}

	isDoneId(id: number): boolean {
		return this.doneIds.has(id);
	}

	private doneOf(target: A['target']): DoneOutcome<A> | undefined {
		const key = this.keyOf(target);
		return Object.hasOwn(this.entries.done, key) ? this.entries.done[key] : undefined;
	}

	/**
	 * Whether an earlier execution sent the request, and a person has retried that one. Example: execution 1 sends A,
	 * and a person retries it as execution 2, which sends B. If n8n tries execution 2 again, only A is of an earlier one.
	 */
	isRequestOfEarlierExecution({ execution }: PendingRequest<A>): boolean {
		return execution !== this.execution;
	}

	/** Whether an earlier execution requested it, which a person has retried, perhaps days later. */
	isTargetOfEarlierExecution(target: A['target']): boolean {
		const key = this.keyOf(target);
		const requested =
			this.doneOf(target) ?? this.pendingRequests.find(({ keys }) => keys.includes(key));
		return requested !== undefined && requested.execution !== this.execution;
	}

	/** The targets for which it is not known what came of them. `request.targets` contains the others as well. */
	pendingTargetsOf({ request, keys }: PendingRequest<A>): Array<A['target']> {
		return request.targets.filter((target) => keys.includes(this.keyOf(target)));
	}

	/** Must be called before the request is sent, so that no retry can miss that it was. */
	begin(request: WriteRequest<A>): PendingRequest<A> {
		const keys = request.targets.map(this.keyOf);
		const pending = { request, keys, execution: this.execution };
		// What is sent again is pending for this request only from now on.
		this.dropPending(new Set(keys));
		for (const key of keys) {
			this.requestedKeys.add(key);
			this.repeatableKeys.delete(key);
		}
		this.entries.pending.push(pending);
		return pending;
	}

	/**
	 * Keeps what is done, and keeps pending what is not known. The rest may be requested again. A target can be done and
	 * pending at once: its shipment is known, and a row that nobody can match may be of it as well. Or it was repeatable,
	 * and `keepDone` was called for it without a request (`keepCanceled` in `changes/cancel.ts`).
	 */
	settle(pending: PendingRequest<A>, outcomes: ReadonlyArray<TargetOutcome<A>>): void {
		const notKnown = outcomes.filter(
			({ outcome: { state } }) => state === 'unknown' || state === 'unmatched',
		);
		pending.keys = [...new Set(notKnown.flatMap(({ targets }) => targets.map(this.keyOf)))];
		for (const { targets, outcome } of outcomes)
			if (outcome.state === 'done') this.keepDone(targets[0], outcome.value, pending.execution);
		this.dropSettled();
	}

	private dropPending(dropped: ReadonlySet<string>): void {
		for (const pending of this.pendingRequests)
			pending.keys = pending.keys.filter((key) => !dropped.has(key));
		this.dropSettled();
	}

	private dropSettled(): void {
		this.entries.pending = this.pendingRequests.filter(({ keys }) => keys.length > 0);
	}

	/** Keeps what is done, or changes it. It may be pending as well: see `settle`. */
	keepDone(target: A['target'], value: A['value'], sentBy = this.execution): void {
		const execution = this.doneOf(target)?.execution ?? sentBy;
		const outcome = { state: 'done' as const, value };
		this.entries.done[this.keyOf(target)] = { targets: [target], outcome, execution };
		this.noteIds(value);
	}

	private noteIds(value: A['value']): void {
		for (const id of this.idsOf(value)) this.doneIds.add(id);
	}
}
