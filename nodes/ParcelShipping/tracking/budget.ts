import type { IPollFunctions } from 'n8n-workflow';

/** What n8n allows a poll if its version does not say it. */
export const DEFAULT_ALLOWED_MS = 300_000;

/** Left for saving the state and emitting the events. */
const MARGIN_MS = 2_000;

const MIN_REQUEST_MS = 1_000;

/** Shorter than n8n's usual limit for a poll, so that one carrier can't use up all of it. */
const MAX_REQUEST_MS = 20_000;

/**
 * What a poll may spend: one deadline and one number of requests. A part of it that must leave something
 * to the parts after it says which share of the whole it keeps for them, from 0 to 1.
 */
export class Budget {
	private readonly startedAt: number;

	private requests = 0;

	constructor(
		readonly now: () => number,
		private readonly maxMs: number,
		private readonly maxRequests = Infinity,
		private readonly isHeldBack = () => false,
	) {
		this.startedAt = now();
	}

	/** Whether no more requests may start, also because the service has asked for a pause. */
	isSpent(kept = 0): boolean {
		const max = Math.ceil(this.maxRequests * (1 - kept));
		return this.requests >= max || this.isLate(kept) || this.isHeldBack();
	}

	/** Whether there is no time left. Only this limits requests that complete events. */
	isLate(kept = 0): boolean {
		return this.msLeft(kept) < MIN_REQUEST_MS;
	}

	/** Counts a request, and returns how long it may take. */
	spend(kept = 0): number {
		this.requests++;
		return this.timeoutMs(kept);
	}

	/** How long a request that starts now may take. */
	timeoutMs(kept = 0): number {
		return Math.max(MIN_REQUEST_MS, Math.min(MAX_REQUEST_MS, this.msLeft(kept)));
	}

	private msLeft(kept: number): number {
		return this.startedAt + this.maxMs * (1 - kept) - this.now();
	}
}

export function budgetOf(
	context: IPollFunctions,
	maxRequests?: number,
	isHeldBack?: () => boolean,
): Budget {
	return new Budget(() => Date.now(), allowedMs(context) - MARGIN_MS, maxRequests, isHeldBack);
}

export function allowedMs(context: IPollFunctions): number {
	// Older versions of n8n don't have this function.
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return getPollBudgetMs?.call(context) ?? DEFAULT_ALLOWED_MS;
}
