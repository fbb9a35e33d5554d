import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';
import { describeError, factsOf, isTransient } from '../transport/errors';
import type { Poll } from './watch';

/** What this process remembers about a trigger node until it ends. Without it, the state that n8n has saved counts. */
interface NodeMemory {
	/** The poll that is running, and when it has to end. */
	polling?: { endsAt: number };
	/** The context that n8n has created last for polls of the node. */
	newestContext?: IPollFunctions;
	/** The state after the last poll, which n8n may not have saved. */
	last?: { text: string; savedAt: number; hadEvents: boolean };
	/** When things were done last that must not be done in each poll. */
	doneAt: Map<string, number>;
	/** Of carriers, by their codes. */
	names: Map<string, string>;
	/** What the list and details said about the shipments of the account, by their IDs, to save requests. */
	infos: Map<string, { info?: IDataObject | undefined; mainId: number; readAt: number }>;
}

const nodes = new Map<string, NodeMemory>();

/** The memory of the trigger node, also after it was renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const memory = nodes.get(key) ?? { doneAt: new Map(), names: new Map(), infos: new Map() };
	nodes.set(key, memory);
	return memory;
}

const usedContexts = new WeakSet<IPollFunctions>();

/**
 * Whether it is the first poll with this context, which is noted as the newest. n8n's usual scheduler creates a context when
 * it publishes the workflow or starts, and uses it for all its polls. Its durable scheduler creates one for each poll.
 */
export function isFirstPoll(context: IPollFunctions): boolean {
	// In the contexts of the durable scheduler, the mode is always `update`.
	if (context.getActivationMode() !== 'update') usualMs = allowedMs(context);
	if (usedContexts.has(context)) return false;
	usedContexts.add(context);
	memoryOf(context).newestContext = context;
	return true;
}

/**
 * Runs `work`, unless the context was replaced, or another poll of the node is running: n8n starts a poll even if the one
 * before still runs, and both would emit the same events. A poll that has not ended in its time counts as ended.
 *
 * The first poll of an activation runs in any case, because n8n's default mode saves the moment of activation only with
 * it. The one before is not current any more then: n8n discards what it returns, and it must not remember its events.
 */
export async function withPollLock<Result>(
	context: IPollFunctions,
	isFirst: boolean,
	work: (isCurrent: () => boolean) => Promise<Result>,
): Promise<Result | null> {
	const memory = memoryOf(context);
	// Some versions of n8n go on polling with the context of an earlier activation.
	if ((memory.newestContext ?? context) !== context) {
		const what =
			'n8n still polls with an earlier version of the workflow. These polls are ignored, and the published version gets all events. Restart n8n to end them';
		warn(context, what);
		return null;
	}
	const isActivation = isFirst && !isOfDurableScheduler(context);
	const isRunning = memory.polling !== undefined && Date.now() < memory.polling.endsAt;
	if (isRunning && !isActivation) {
		warn(context, 'A poll was skipped because the one before is still running');
		return null;
	}
	const own = { endsAt: Date.now() + allowedMs(context) };
	memory.polling = own;
	try {
		return await work(() => memory.polling === own);
	} finally {
		if (memory.polling === own) delete memory.polling;
	}
}

/**
 * Whether to throw the failure of a poll. If the first poll throws when n8n starts, n8n disables the trigger without a
 * message. So it throws only what the user can fix, and only while the user is publishing. Later polls always throw.
 */
export function shouldThrow(context: IPollFunctions, failure: unknown, isFirst: boolean): boolean {
	// The durable scheduler never disables a trigger, and polls less often after an error.
	if (!isFirst || isOfDurableScheduler(context)) return true;
	return context.getActivationMode() === 'activate' && !isTransient(factsOf(failure));
}

/** What n8n allows a poll if its version does not say it. */
const DEFAULT_ALLOWED_MS = 300_000;

// Older versions of n8n don't have this function.
const allowedMs = (context: IPollFunctions) =>
	(context as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_ALLOWED_MS;

// n8n's durable mode has two parts: a scheduler, and the data of a node that has polled with it. If the mode is turned
// off, the usual scheduler polls again, but the data stays durable. So each part is recognized on its own.

/** What the usual scheduler allows a poll, in this process. */
let usualMs = DEFAULT_ALLOWED_MS;

/** Whether n8n's durable scheduler runs this poll. Its limit is another one, shorter or longer. */
const isOfDurableScheduler = (context: IPollFunctions) => allowedMs(context) !== usualMs;

/** Whether the data of the node is durable. Then n8n passes a plain copy of it, also at activation. */
export const hasDurableData = (context: IPollFunctions) =>
	!('__dataChanged' in context.getWorkflowStaticData('node'));

const LOG_INTERVAL_MS = 3_600_000;
const MAX_DONE = 1_000;

/** Whether it was done last so long ago that it may be done now, which is noted. True again in the same poll. */
export function isDueAgain(context: IPollFunctions, what: string, afterMs: number, nowMs: number) {
	const { doneAt } = memoryOf(context);
	const ago = Math.abs(nowMs - (doneAt.get(what) ?? -Infinity));
	if (ago > 0 && ago < afterMs) return false;
	keepLatest(doneAt, what, nowMs, MAX_DONE);
	return true;
}

/** Writes to n8n's log; the same message only once an hour. */
export function warn(context: IPollFunctions, text: string): void {
	if (!isDueAgain(context, text, LOG_INTERVAL_MS, Date.now())) return;
	context.logger.warn(`Parcel Shipping Trigger: ${text}`, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}

export function logFailure(context: IPollFunctions, what: string, failure: unknown): void {
	warn(context, `${what}. ${describeError(failure).message}`);
}

/** Left for saving the state and emitting the events. */
const MARGIN_MS = 2_000;

const MIN_REQUEST_MS = 1_000;
/** Shorter than n8n's usual limit for a poll, so that one carrier can't use up all of it. */
const MAX_REQUEST_MS = 20_000;

/** What ends the requests of a poll: its one deadline, or a pause that the provider asks for. */
export function deadlineOf(
	context: IPollFunctions,
): Pick<Poll, 'nowMs' | 'hasTime' | 'mayAsk' | 'ask'> {
	const nowMs = Date.now();
	const maxMs = allowedMs(context) - MARGIN_MS;
	const leftMs = (share = 1) => nowMs + maxMs * share - Date.now();
	const hasTime = (share?: number) => leftMs(share) >= MIN_REQUEST_MS;
	let isHeldBack = false;
	return {
		nowMs,
		hasTime,
		mayAsk: (share) => !isHeldBack && hasTime(share),
		ask: async (request) => {
			const timeoutMs = Math.max(MIN_REQUEST_MS, Math.min(MAX_REQUEST_MS, leftMs()));
			return await request({ timeoutMs }).catch((failure: unknown) => {
				const { cause, retryAfterMs } = factsOf(failure);
				isHeldBack ||= cause === 'rate-limited' || retryAfterMs !== undefined;
				throw failure;
			});
		},
	};
}
