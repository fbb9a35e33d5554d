import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { memoryOf, type NodeMemory } from './memory';
import { adaptState, createState, type TriggerState, type Watch } from './state';
import { decodeState, encodeState } from './stateJson';

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
	const saved = await decodeState(stored);
	const latest = await latestState(saved, memoryOf(context), context.getNode().name, nowMs);
	if (latest === 'pending') return undefined;
	if (latest) {
		const state = adaptState(latest, watch, nowMs);
		return { state, isStart: state.since !== latest.since };
	}
	const activations = activationsOf(context);
	if (stored !== undefined) {
		context.logger.warn(
			'The saved state of the Parcel Shipping Trigger is unreadable. The trigger starts over: events that already exist count as known.',
			{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
		);
	} else if (context.getActivationMode() !== 'activate') {
		const activatedAt = activations[activationKeyOf(context)];
		// No event has been emitted since then, so none can be emitted twice.
		if (typeof activatedAt === 'number') {
			return { state: createState(watch, activatedAt), isStart: false };
		}
	}
	activations[activationKeyOf(context)] = nowMs;
	return { state: createState(watch, nowMs), isStart: true };
}

/**
 * The saved state, or that of a later poll without events, which n8n did not save (see above).
 *
 * While n8n is saving emitted events, the saved state is older than they are: a poll with it would emit
 * them again. If it still is later, n8n has discarded the events, and they have to be emitted again.
 *
 * A renamed node has lost the state saved under its old name, and would never see the one that is being
 * saved.
 */
export async function latestState(
	saved: TriggerState | undefined,
	{ last }: Pick<NodeMemory, 'last'>,
	nodeName: string,
	nowMs: number,
): Promise<TriggerState | 'pending' | undefined> {
	if (!last || (saved && saved.savedAt >= last.savedAt)) return saved;
	const isRenamed = saved === undefined && last.nodeName !== nodeName;
	if (!last.hadEvents || isRenamed) return (await decodeState(last.text)) ?? saved;
	return nowMs - last.savedAt < SAVING_TAKES_MS ? 'pending' : saved;
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
	const text = await encodeState(state);
	if (!isCurrent()) return false;
	// One string, replaced as a whole: n8n does not notice changes inside objects.
	context.getWorkflowStaticData('node').state = text;
	const { savedAt } = state;
	const nodeName = context.getNode().name;
	memoryOf(context).last = { text, savedAt, nodeName, hadEvents: hasEvents };
	if (hasEvents) delete activationsOf(context)[activationKeyOf(context)];
	return true;
}

function activationsOf(context: IPollFunctions): IDataObject {
	return context.getWorkflowStaticData('global');
}

function activationKeyOf(context: IPollFunctions): string {
	return `parcelShippingTrigger:${context.getNode().id}`;
}
