import type { IPollFunctions } from 'n8n-workflow';

import { TimeLeft } from './timeLeft';

/** What n8n allows a poll that it doesn't watch. */
const UNWATCHED_BUDGET_MS = 300_000;

/** Left for writing the state and handing over the events. */
const MARGIN_MS = 2_000;

export function timeOf(context: IPollFunctions): TimeLeft {
	const now = () => Date.now();
	return new TimeLeft(now, now() + budgetOf(context) - MARGIN_MS);
}

/**
 * Whether n8n's durable scheduler runs this poll: it gives up on polls that take long, and goes
 * easy on a service that a poll says is not there.
 */
export function isScheduledDurably(context: IPollFunctions): boolean {
	return budgetOf(context) < UNWATCHED_BUDGET_MS;
}

function budgetOf(context: IPollFunctions): number {
	// Older n8n has no such function.
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return getPollBudgetMs?.call(context) ?? UNWATCHED_BUDGET_MS;
}
