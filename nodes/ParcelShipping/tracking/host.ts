import { type IPollFunctions, sleep } from 'n8n-workflow';

import { describeError, isServiceError } from '../transport/errors';
import { memory, nodeKeyOf } from './storage';

/** What n8n allows a poll if it sets no limit. */
const DEFAULT_BUDGET_MS = 300_000;

/** Left for saving the state and emitting the events. */
const MARGIN_MS = 2_000;

const MIN_REQUEST_MS = 1_000;

/** Shorter than n8n's usual limit for a poll, so that one carrier can't use up all of it. */
const MAX_REQUEST_MS = 20_000;

/** How long the first poll of a new version waits for a poll of the version before. */
const MAX_WAIT_MS = 20_000;
const WAIT_STEP_MS = 50;

/** Until when a poll, or a part of it, may run. */
export class Deadline {
	constructor(
		readonly now: () => number,
		private readonly endsAt: number,
	) {}

	/** An earlier deadline, after a part of the remaining time: a number from 0 to 1. */
	share(part: number): Deadline {
		const nowMs = this.now();
		return new Deadline(this.now, nowMs + Math.max(0, this.endsAt - nowMs) * part);
	}

	/** Whether it is too late to start another request. */
	get hasPassed(): boolean {
		return this.endsAt - this.now() < MIN_REQUEST_MS;
	}

	/** How long a request that starts now may take. */
	get requestTimeoutMs(): number {
		return Math.max(MIN_REQUEST_MS, Math.min(MAX_REQUEST_MS, this.endsAt - this.now()));
	}
}

export function deadlineOf(context: IPollFunctions): Deadline {
	const now = () => Date.now();
	return new Deadline(now, now() + budgetOf(context) - MARGIN_MS);
}

const polled = new WeakSet<IPollFunctions>();

/** n8n creates a context when it publishes the workflow or starts, and uses it for all its polls. */
export function isFirstPoll(context: IPollFunctions): boolean {
	if (polled.has(context)) return false;
	polled.add(context);
	return true;
}

/**
 * Runs `work` unless another poll of the node is running, and returns null otherwise. n8n starts a
 * poll even if the one before is still running, and both would emit the same events.
 *
 * The first poll of an activation waits instead: n8n's default mode saves the state only then or with
 * events, and under a new name of the node there is none yet. Meanwhile n8n discards what a poll of the
 * earlier version returns, so that one is not current any more and must not remember its events.
 */
export async function withPollLock<Result>(
	context: IPollFunctions,
	isActivation: boolean,
	work: (isCurrent: () => boolean) => Promise<Result>,
): Promise<Result | null> {
	const key = nodeKeyOf(context);
	if (isActivation) {
		memory.noteActivation(key);
		for (let ms = 0; memory.isLocked(key) && ms < MAX_WAIT_MS; ms += WAIT_STEP_MS) {
			await sleep(WAIT_STEP_MS);
		}
	}
	if (!memory.lock(key)) return null;
	const activation = memory.activationsOf(key);
	try {
		return await work(() => memory.activationsOf(key) === activation);
	} finally {
		memory.unlock(key);
	}
}

/**
 * Whether to throw the failure of a poll. If the first poll throws when n8n starts, or keeps throwing
 * at publishing, n8n disables the trigger without a message. So the first poll throws only what the
 * user can fix, and only while the user is publishing. Later polls always throw.
 */
export function shouldThrow(context: IPollFunctions, failure: unknown, isFirst: boolean): boolean {
	// The durable scheduler never disables a trigger, and polls less often after an error.
	if (!isFirst || isDurable(context)) return true;
	const isTransient = isServiceError(failure) && failure.facts.isTransient;
	return context.getActivationMode() === 'activate' && !isTransient;
}

/** Writes to n8n's log; the same message only once an hour. */
export function logFailure(context: IPollFunctions, what: string, failure: unknown): void {
	const text = `Parcel Shipping Trigger: ${what}. ${describeError(failure).message}`;
	const level = memory.shouldLog(nodeKeyOf(context), text, Date.now()) ? 'warn' : 'debug';
	log(context, level, text);
}

/** Names the timezone that was not configured, once per start of n8n. */
export function logAssumedTimezone(context: IPollFunctions, timezone: string): void {
	const key = nodeKeyOf(context);
	if (memory.hasNote(key, `timezone ${timezone}`)) return;
	memory.note(key, `timezone ${timezone}`, Date.now());
	log(
		context,
		'info',
		`Parcel Shipping Trigger: The service sends dates without an offset, and Timezone is empty. They are read in the timezone of the workflow, ${timezone}. If this is not the timezone of your account at the service, set Timezone in the trigger`,
	);
}

function log(context: IPollFunctions, level: 'debug' | 'info' | 'warn', text: string): void {
	context.logger[level](text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}

/** The durable scheduler creates a context for every poll, and saves the state with each. */
export function isDurable(context: IPollFunctions): boolean {
	return budgetOf(context) < DEFAULT_BUDGET_MS;
}

function budgetOf(context: IPollFunctions): number {
	// Older versions of n8n don't have this function.
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET_MS;
}
