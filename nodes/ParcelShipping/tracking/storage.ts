import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { keepLatest } from '../lists';
import { withPauses } from '../transport/concurrency';
import { InfoMemory } from './shipmentInfo';
import { adaptState, createState, type TriggerState } from './state';
import { parseState, readState, type SavedState, writeState } from './stateJson';
import type { Watch } from './watch';

// What n8n saves between polls:
//
// - With events, the state is saved together with the execution that they start.
// - Without events, n8n's default mode saves the state only at activation. The durable mode saves
//   it, except at activation.
//
// A poll without events may therefore be lost, which loses no event. The moment of activation must
// not be lost: if the trigger started again later, events since the activation would count as
// known. The durable mode does not save the state at activation, but n8n saves the workflow's data
// then in both modes, so that moment is kept there until the first events have been emitted.

/** n8n saves emitted events shortly after the poll has ended. */
const SAVING_TAKES_MS = 30_000;

/** Minimum time between identical log messages. */
const LOG_INTERVAL_MS = 3_600_000;

const MAX_NOTES = 100;

interface NodeMemory {
	isLocked: boolean;
	/** How often the workflow was activated in this process. */
	activations: number;
	/** The state after the last poll. Without events, n8n may not have saved it. */
	last?: { text: string; savedAt: number; nodeName: string; hadEvents: boolean };
	/** `savedAt` of the last state that was saved with events. */
	emittedAt?: number;
	/** What happened last when, such as a log message. */
	notes: Map<string, number>;
	/** About the shipments of one account. */
	infos?: { account: string; memory: InfoMemory };
}

/**
 * What this process remembers about its trigger nodes. It may be lost at any time: it saves requests
 * and keeps overlapping polls apart.
 */
export class ProcessMemory {
	private readonly nodes = new Map<string, NodeMemory>();

	/** Whether this poll may run. */
	lock(key: string): boolean {
		const node = this.nodeOf(key);
		if (node.isLocked) return false;
		node.isLocked = true;
		return true;
	}

	unlock(key: string): void {
		this.nodeOf(key).isLocked = false;
	}

	isLocked(key: string): boolean {
		return this.nodeOf(key).isLocked;
	}

	/** The polls of earlier activations are no longer current. */
	noteActivation(key: string): void {
		this.nodeOf(key).activations++;
	}

	/** How often the workflow was activated in this process. */
	activationsOf(key: string): number {
		return this.nodeOf(key).activations;
	}

	/**
	 * The latest state: the saved one, or that of a later poll without events, which n8n did not save
	 * (see above). A renamed node has lost the state saved under its old name.
	 */
	latestState(
		key: string,
		saved: SavedState | undefined,
		nodeName: string,
	): SavedState | undefined {
		const { last } = this.nodeOf(key);
		if (!last || (saved && saved.savedAt >= last.savedAt)) return saved;
		const isUsable = !last.hadEvents || this.isRenamed(key, saved, nodeName);
		return (isUsable ? parseState(last.text) : undefined) ?? saved;
	}

	/**
	 * Whether n8n has yet to save the last emitted events. A poll with the saved state would emit them
	 * again. If the state is still missing later, n8n has discarded the events, and they have to be
	 * emitted again. Under a new name of the node, the state would be missing forever.
	 */
	isSavePending(
		key: string,
		saved: Pick<SavedState, 'savedAt'> | undefined,
		nodeName: string,
		nowMs: number,
	): boolean {
		const { emittedAt } = this.nodeOf(key);
		if (emittedAt === undefined || (saved?.savedAt ?? 0) >= emittedAt) return false;
		if (this.isRenamed(key, saved, nodeName)) return false;
		return nowMs - emittedAt < SAVING_TAKES_MS;
	}

	remember(key: string, last: NonNullable<NodeMemory['last']>): void {
		const node = this.nodeOf(key);
		node.last = last;
		if (last.hadEvents) node.emittedAt = last.savedAt;
	}

	/** What polls have read about the shipments of the account. */
	infosOf(key: string, account: string): InfoMemory {
		const node = this.nodeOf(key);
		if (node.infos?.account !== account) node.infos = { account, memory: new InfoMemory() };
		return node.infos.memory;
	}

	/** Whether the log does not yet have this message. */
	shouldLog(key: string, text: string, nowMs: number): boolean {
		if (this.isNoted(key, text, nowMs)) return false;
		this.note(key, text, nowMs);
		return true;
	}

	/** Whether this was noted during the last hour. */
	isNoted(key: string, what: string, nowMs: number): boolean {
		return nowMs - (this.nodeOf(key).notes.get(what) ?? -Infinity) < LOG_INTERVAL_MS;
	}

	/** Whether this was ever noted. */
	hasNote(key: string, what: string): boolean {
		return this.nodeOf(key).notes.has(what);
	}

	note(key: string, what: string, nowMs: number): void {
		keepLatest(this.nodeOf(key).notes, what, nowMs, MAX_NOTES);
	}

	private isRenamed(key: string, saved: object | undefined, nodeName: string): boolean {
		const { last } = this.nodeOf(key);
		return saved === undefined && last !== undefined && last.nodeName !== nodeName;
	}

	private nodeOf(key: string): NodeMemory {
		const node = this.nodes.get(key) ?? { isLocked: false, activations: 0, notes: new Map() };
		this.nodes.set(key, node);
		return node;
	}
}

export const memory = new ProcessMemory();

/** Identifies the trigger node, also after it was renamed. */
export function nodeKeyOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
}

/**
 * The state to continue with, and whether watching starts with this poll. `undefined` while n8n is
 * still saving the last events.
 */
export async function loadState(
	context: IPollFunctions,
	watch: Watch,
	nowMs: number,
): Promise<{ state: TriggerState; isStart: boolean } | undefined> {
	const stored = context.getWorkflowStaticData('node').state;
	const saved = parseState(stored);
	const key = nodeKeyOf(context);
	const { name } = context.getNode();
	if (memory.isSavePending(key, saved, name, nowMs)) return undefined;

	const latest = await withPauses(readState(memory.latestState(key, saved, name)));
	if (latest) {
		const state = adaptState(latest, watch, nowMs);
		return { state, isStart: state.since !== latest.since };
	}
	if (stored !== undefined) {
		context.logger.warn(
			'The saved state of the Parcel Shipping Trigger is unreadable. The trigger starts over: events that already exist count as known.',
			{ workflowId: context.getWorkflow().id, nodeName: name },
		);
	} else if (context.getActivationMode() !== 'activate') {
		const activatedAt = activationsOf(context)[activationKeyOf(context)];
		// No event has been emitted since then, so none can be emitted twice.
		if (typeof activatedAt === 'number') {
			return { state: createState(watch, activatedAt), isStart: false };
		}
	}
	activationsOf(context)[activationKeyOf(context)] = nowMs;
	return { state: createState(watch, nowMs), isStart: true };
}

/**
 * Call this last: n8n saves the state and the emitted events together, or neither of them. Returns
 * false if the poll is not current any more, so that n8n would discard its events.
 */
export async function saveState(
	context: IPollFunctions,
	state: TriggerState,
	hasEvents: boolean,
	isCurrent: () => boolean,
): Promise<boolean> {
	const text = await withPauses(writeState(state));
	if (!isCurrent()) return false;
	// One string, replaced as a whole: n8n does not notice changes inside objects.
	context.getWorkflowStaticData('node').state = text;
	memory.remember(nodeKeyOf(context), {
		text,
		savedAt: state.savedAt,
		nodeName: context.getNode().name,
		hadEvents: hasEvents,
	});
	if (hasEvents) delete activationsOf(context)[activationKeyOf(context)];
	return true;
}

function activationsOf(context: IPollFunctions): IDataObject {
	return context.getWorkflowStaticData('global');
}

function activationKeyOf(context: IPollFunctions): string {
	return `parcelShippingTrigger:${context.getNode().id}`;
}
