import type { IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';
import { describeError, isServiceError } from '../transport/errors';
import { allowedMs, DEFAULT_ALLOWED_MS } from './budget';
import { isReplaced, memoryOf } from './nodeMemory';

/**
 * Runs `work`. Returns null without running it if the context was replaced, or if another poll of the node is running:
 * n8n starts a poll even if the one before is still running, and both would emit the same events.
 *
 * The first poll of an activation runs in any case, because n8n's default mode saves the moment of
 * activation only with it. A poll of an earlier activation is not current any more then: n8n discards what
 * it returns, and it must not remember its events.
 */
export async function withPollLock<Result>(
	context: IPollFunctions,
	isFirst: boolean,
	work: () => Promise<Result>,
): Promise<Result | null> {
	const memory = memoryOf(context);
	if (isReplaced(context)) {
		const text =
			'n8n still polls with an earlier version of the workflow. These polls are ignored, and the published version gets all events. Restart n8n to end them';
		warn(context, text);
		return null;
	}
	const isActivation = isFirst && !isOfDurableScheduler(context);
	if (memory.polling && !isActivation) {
		warn(context, 'A poll was skipped because the one before is still running');
		return null;
	}
	memory.polling = context;
	try {
		return await work();
	} finally {
		if (memory.polling === context) delete memory.polling;
	}
}

/**
 * Whether to throw the failure of a poll. If the first poll throws when n8n starts, or keeps throwing
 * at publishing, n8n disables the trigger without a message. So the first poll throws only what the
 * user can fix, and only while the user is publishing. Later polls always throw.
 */
export function shouldThrow(context: IPollFunctions, failure: unknown, isFirst: boolean): boolean {
	// The durable scheduler never disables a trigger, and polls less often after an error.
	if (!isFirst || isOfDurableScheduler(context)) return true;
	return context.getActivationMode() === 'activate' && !isTransient(failure);
}

export const isTransient = (failure: unknown) =>
	isServiceError(failure) && failure.facts.isTransient === true;

// n8n's durable mode has two parts: a scheduler, and the data of a node that has polled with it. If the mode is turned
// off, the usual scheduler polls again, but the data stays durable. So each part is recognized on its own.

/** What the usual scheduler allows a poll, in this process. */
let usualMs = DEFAULT_ALLOWED_MS;

/** Call this in each poll: it shows later polls which scheduler is the usual one. */
export function noteUsualScheduler(context: IPollFunctions): void {
	// In the contexts of the durable scheduler, the mode is always `update`.
	if (context.getActivationMode() !== 'update') usualMs = allowedMs(context);
}

/** Whether n8n's durable scheduler runs this poll. Its limit is another one, shorter or longer. */
function isOfDurableScheduler(context: IPollFunctions): boolean {
	return allowedMs(context) !== usualMs;
}

/** Whether the data of the node is durable. Then n8n passes a plain copy of it, also at activation. */
export const hasDurableData = (context: IPollFunctions) =>
	!('__dataChanged' in context.getWorkflowStaticData('node'));

const LOG_INTERVAL_MS = 3_600_000;
const MAX_LOGGED = 100;

/** Writes to n8n's log; the same message only once an hour. */
export function warn(context: IPollFunctions, text: string): void {
	const { logged } = memoryOf(context);
	const isRecent = Date.now() - (logged.get(text) ?? -Infinity) < LOG_INTERVAL_MS;
	if (!isRecent) keepLatest(logged, text, Date.now(), MAX_LOGGED);
	context.logger[isRecent ? 'debug' : 'warn'](`Parcel Shipping Trigger: ${text}`, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}

export function logFailure(context: IPollFunctions, what: string, failure: unknown): void {
	warn(context, `${what}. ${describeError(failure).message}`);
}
