import type { IPollFunctions } from 'n8n-workflow';

import { hasDurableData, warn } from './host';
import { memoryOf, type NodeMemory } from './nodeMemory';
import { adaptState, createState, type TriggerState } from './state';
import { decodeState, encodeState } from './stateText';
import type { Watch } from './watch';

// n8n saves the state when a poll emits events: its default mode right before the execution that they start, its
// durable mode in one transaction with it. Without events, the default mode saves it only at activation. The durable
// mode saves it after each poll except at activation. So a poll without events may be lost, which loses no event. The
// moment of activation must not be lost: events since then would count as known.
//
// In the default mode, n8n keeps the data of a node under its name, so a renamed node would start over. The state is
// therefore in the data of the workflow, under the ID of the node. The durable mode keeps the data of a node under its
// ID, so the state is there. The data of the workflow is saved at activation in both modes: there is the state of that
// moment, until events have been emitted and committed.

/** n8n saves emitted events shortly after the poll has ended. */
const SAVING_TAKES_MS = 30_000;

const UNREADABLE =
	'The saved state is unreadable. The trigger starts over: events that already exist count as known';

interface LoadedState {
	state: TriggerState;
	/** Watching starts with this poll. */
	isStart: boolean;
	/** The data of the node has the newest saved state. */
	isInNode: boolean;
}

/** The state to continue with. `undefined` while n8n is still saving the last events. */
export async function loadState(
	context: IPollFunctions,
	watch: Watch,
	nowMs: number,
): Promise<LoadedState | undefined> {
	const ofNode: unknown = context.getWorkflowStaticData('node').state;
	const ofWorkflow: unknown = context.getWorkflowStaticData('global')[stateKey(context)];
	const [inNode, inWorkflow] = [await decodeState(ofNode), await decodeState(ofWorkflow)];
	const isInNode = inNode !== undefined && inNode.savedAt > (inWorkflow?.savedAt ?? -Infinity);
	const saved = isInNode ? inNode : inWorkflow;
	const latest = await latestState(saved, memoryOf(context), nowMs);
	if (latest === 'pending') return undefined;
	if (latest) {
		const state = adaptState(latest, watch, nowMs);
		return { state, isStart: state.startedAt !== latest.startedAt, isInNode };
	}
	const isUnreadable = ofNode !== undefined || ofWorkflow !== undefined;
	if (isUnreadable) warn(context, UNREADABLE);
	// Also with 'Existing Events', because most of these were emitted before.
	const startFrom = isUnreadable ? 'now' : watch.startFrom;
	return { state: createState({ ...watch, startFrom }, nowMs), isStart: true, isInNode };
}

/**
 * The saved state, or that of a later poll without events, which n8n did not save (see above).
 *
 * While n8n is saving emitted events, the saved state is older than they are: a poll with it would emit
 * them again. If the saved state is still older after `SAVING_TAKES_MS`, n8n has discarded the events, and they have to
 * be emitted again.
 */
async function latestState(
	saved: TriggerState | undefined,
	{ last }: NodeMemory,
	nowMs: number,
): Promise<TriggerState | 'pending' | undefined> {
	if (!last || (saved && saved.savedAt >= last.savedAt)) return saved;
	if (!last.hadEvents) return (await decodeState(last.text)) ?? saved;
	return nowMs - last.savedAt < SAVING_TAKES_MS ? 'pending' : saved;
}

/**
 * Call this last: if the poll failed afterwards, the events would be known without having been emitted. Returns false if
 * the poll is not current any more, so that n8n would discard its events.
 */
export async function saveState(
	context: IPollFunctions,
	state: TriggerState,
	{ isStart, isInNode, hasEvents }: Omit<LoadedState, 'state'> & { hasEvents: boolean },
): Promise<boolean> {
	const text = await encodeState(state);
	const memory = memoryOf(context);
	if (memory.polling !== context) return false;
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = stateKey(context);
	// One string, replaced as a whole: n8n's default mode notices when it is set, but not changes inside objects.
	if (!hasDurableData(context)) ofWorkflow[key] = text;
	else {
		ofNode.state = text;
		if (isStart && !hasEvents) ofWorkflow[key] = text;
		// n8n saves the data of the workflow before it commits the events. If it is killed in between, the
		// state of the activation is still needed, unless the node's own record is newer.
		else if (isInNode) delete ofWorkflow[key];
	}
	memory.last = { text, savedAt: state.savedAt, hadEvents: hasEvents };
	return true;
}

function stateKey(context: IPollFunctions): string {
	return `parcelShippingTrigger:${context.getNode().id}`;
}
