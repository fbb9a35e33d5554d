import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';
import type { Client } from '../transport/client';
import { describeError, isServiceError } from '../transport/errors';
import type { Watch } from './state';

/** What n8n allows a poll that its durable scheduler does not run. Some versions do not say it. */
let defaultBudgetMs = 300_000;

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

	private requests: number;

	constructor(
		readonly now: () => number,
		private readonly maxMs: number,
		private readonly maxRequests = Infinity,
		private readonly isHeldBack = () => false,
	) {
		this.startedAt = now();
		this.requests = 0;
	}

	/** Whether no more requests may start, also because the service has asked for a pause. */
	isSpent(kept = 0): boolean {
		const max = Math.ceil(this.maxRequests * (1 - kept));
		return this.requests >= max || this.isLate(kept) || this.isHeldBack();
	}

	/** Whether there is no time left. Requests that only complete events are limited by nothing else. */
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

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	client: Client;
	watch: Watch;
	budget: Budget;
}

/**
 * What this process remembers about a trigger node, for as long as it runs. A restart clears it. Then
 * no poll is running either, and the state that n8n has saved counts; the rest takes some requests
 * more, or logs something once more.
 */
export interface NodeMemory {
	/** The context of the poll that is running. */
	polling?: IPollFunctions;
	/** How many contexts n8n has created for polls of the node. See `isReplaced`. */
	contexts: number;
	/** The state after the last poll, which n8n may not have saved (see `storage.ts`). */
	last?: { text: string; savedAt: number; hadEvents: boolean };
	/** When something was logged or noticed last: the latest hundred. */
	notes: Map<string, number>;
	/** What the list and details said about the shipments of the account, to save requests. */
	infos: { account: string; byId: ShipmentInfos };
}

/** By the ID of the shipment. */
export type ShipmentInfos = Map<number, { info: IDataObject; readAt: number }>;

const NOTE_INTERVAL_MS = 3_600_000;
const MAX_NOTES = 100;

const nodes = new Map<string, NodeMemory>();

/** The memory of the trigger node, also after it was renamed. */
export function memoryOf(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
	const known = nodes.get(key);
	if (known) return known;
	const infos = { account: '', byId: new Map() };
	const created = { contexts: 0, notes: new Map(), infos };
	nodes.set(key, created);
	return created;
}

/** What earlier polls have read. IDs of one account mean nothing in another one. */
export function infosOf(memory: NodeMemory, account: string): ShipmentInfos {
	if (memory.infos.account !== account) memory.infos = { account, byId: new Map() };
	return memory.infos.byId;
}

/** Whether this was noted during the last hour. */
export function isNoted({ notes }: NodeMemory, what: string, nowMs: number): boolean {
	return nowMs - (notes.get(what) ?? -Infinity) < NOTE_INTERVAL_MS;
}

export function note({ notes }: NodeMemory, what: string, nowMs: number): void {
	keepLatest(notes, what, nowMs, MAX_NOTES);
}

/** The position of each context among those of its node. */
const positions = new WeakMap<IPollFunctions, number>();

/** n8n creates a context when it publishes the workflow or starts, and uses it for all its polls. */
export function isFirstPoll(context: IPollFunctions): boolean {
	if (positions.has(context)) return false;
	// The contexts of the durable scheduler are always updates.
	if (context.getActivationMode() !== 'update') defaultBudgetMs = allowedMs(context);
	positions.set(context, ++memoryOf(context).contexts);
	return true;
}

/**
 * Whether n8n has created a newer context. Some versions of n8n go on polling with the context of an
 * earlier activation after a workflow was published or imported again. Both would emit the same events.
 */
function isReplaced(context: IPollFunctions): boolean {
	return positions.get(context) !== memoryOf(context).contexts;
}

/**
 * Runs `work` unless the context was replaced or another poll of the node is running, and returns null
 * otherwise. n8n starts a poll even if the one before is still running, and both would emit the same events.
 *
 * The first poll of an activation runs in any case, because n8n's default mode saves the moment of
 * activation only with it. A poll of an earlier activation is not current any more then: n8n discards what
 * it returns, and it must not remember its events.
 */
export async function withPollLock<Result>(
	context: IPollFunctions,
	isFirst: boolean,
	work: (isCurrent: () => boolean) => Promise<Result>,
): Promise<Result | null> {
	const memory = memoryOf(context);
	if (isReplaced(context)) {
		const text =
			'Parcel Shipping Trigger: n8n still polls with an earlier version of the workflow. These polls are ignored, and the published version gets all events. Restart n8n to end them';
		logOnce(context, 'warn', text);
		return null;
	}
	const isActivation = isFirst && !isDurable(context);
	if (memory.polling && !isActivation) return null;
	memory.polling = context;
	try {
		return await work(() => memory.polling === context);
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
	if (!isFirst || isDurable(context)) return true;
	const isTransient = isServiceError(failure) && failure.facts.isTransient;
	return context.getActivationMode() === 'activate' && !isTransient;
}

/** Writes to n8n's log; the same message only once an hour. */
export function logFailure(context: IPollFunctions, what: string, failure: unknown): void {
	const text = `Parcel Shipping Trigger: ${what}. ${describeError(failure).message}`;
	const memory = memoryOf(context);
	const nowMs = Date.now();
	const isKnown = isNoted(memory, text, nowMs);
	if (!isKnown) note(memory, text, nowMs);
	log(context, isKnown ? 'debug' : 'warn', text);
}

/** Names the timezone that was not configured, once per start of n8n. */
export function logAssumedTimezone(context: IPollFunctions, timezone: string): void {
	const text = `Parcel Shipping Trigger: The service sends dates without an offset, and Timezone is empty. They are read in the timezone of the workflow, ${timezone}. If this is not the timezone of your account at the service, set Timezone in the trigger`;
	logOnce(context, 'info', text);
}

function logOnce(context: IPollFunctions, level: LogLevel, text: string): void {
	const { notes } = memoryOf(context);
	if (!notes.has(text)) log(context, level, text);
	keepLatest(notes, text, Date.now(), MAX_NOTES);
}

type LogLevel = 'debug' | 'info' | 'warn';

export function log(context: IPollFunctions, level: LogLevel, text: string): void {
	context.logger[level](text, {
		workflowId: context.getWorkflow().id,
		nodeName: context.getNode().name,
	});
}

/** Whether the durable scheduler runs this poll. Its limit is another one, shorter or longer. */
function isDurable(context: IPollFunctions): boolean {
	return allowedMs(context) !== defaultBudgetMs;
}

function allowedMs(context: IPollFunctions): number {
	// Older versions of n8n don't have this function.
	const { getPollBudgetMs } = context as Partial<IPollFunctions>;
	return getPollBudgetMs?.call(context) ?? defaultBudgetMs;
}
