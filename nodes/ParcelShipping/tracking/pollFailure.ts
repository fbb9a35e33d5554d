import type { IPollFunctions } from 'n8n-workflow';

import { describeError, isServiceError } from '../transport/errors';
import { isScheduledDurably } from './pollTime';
import { keyOf, memory } from './savedState';

const begun = new WeakSet<IPollFunctions>();

/** n8n makes a new context at publish and at boot, and keeps it for the polls that follow. */
export function isFirstPollOf(context: IPollFunctions): boolean {
	if (begun.has(context)) return false;
	begun.add(context);
	return true;
}

/**
 * Whether a poll that could not ask anything is thrown. n8n gives a trigger up for good, without a
 * word, when its first poll throws at boot or goes on throwing at publish. So the first one throws
 * only what its user can set right, and only to a user who is just publishing; later ones always.
 */
export function isThrown(context: IPollFunctions, failure: unknown, isFirst: boolean): boolean {
	if (!isFirst || isScheduledDurably(context)) return true;
	const isTransient = isServiceError(failure) && failure.facts.isTransient;
	return context.getActivationMode() === 'activate' && !isTransient;
}

/** Into n8n's log; what stays the same only once an hour. */
export function logFailure(context: IPollFunctions, what: string, failure: unknown): void {
	const text = `Parcel Shipping Trigger: ${what}. ${describeError(failure).message}`;
	const level = memory.isWorthSaying(keyOf(context), text, Date.now()) ? 'warn' : 'debug';
	context.logger[level](text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}
