import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { ProcessMemory } from './processMemory';
import { adoptWatch, beginState, type WatchState } from './state';
import { readState, writeState } from './stateText';
import type { Watch } from './watch';

// What n8n keeps between polls, and what it forgets:
//
// - With events, the state is saved together with the execution that they start.
// - Without, it is not saved in n8n's default mode, except at activation. In the durable mode it is
//   saved, except at activation.
//
// So a poll without events may be forgotten. That costs no event: it knew of none. What must not be
// forgotten is when watching began, because a baseline taken anew would swallow what has happened
// since. In the durable mode, therefore, the moment of activation is kept in the data of the
// workflow, which n8n saves at activation in both modes, until the first events have left.

export const memory = new ProcessMemory();

export interface Start {
	state: WatchState;
	/** Watching, or watching of these shipments, begins with this poll. */
	isBeginning: boolean;
}

export function keyOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id ?? ''} ${context.getNode().id}`;
}

/** Where this poll goes on; `undefined` while the last events are still being saved. */
export function findStart(context: IPollFunctions, watch: Watch, nowMs: number): Start | undefined {
	const stored = context.getWorkflowStaticData('node').state;
	const saved = readState(stored);
	const key = keyOf(context);
	const { name } = context.getNode();
	if (memory.isBeingSaved(key, saved, name, nowMs)) return undefined;

	const latest = memory.latest(key, saved, name);
	if (latest) {
		const state = adoptWatch(latest, watch, nowMs);
		return { state, isBeginning: state.since !== latest.since };
	}
	if (stored !== undefined) {
		context.logger.warn(
			'The saved state of the Parcel Shipping Trigger is not readable. Watching begins anew: events that are there now count as known.',
			{ workflowId: context.getWorkflow().id, nodeName: context.getNode().name },
		);
	} else if (context.getActivationMode() !== 'activate') {
		const since = activations(context)[activationKey(context)];
		// Nothing has left the trigger since then, so nothing can come twice.
		if (typeof since === 'number') return { state: beginState(watch, since), isBeginning: false };
	}
	activations(context)[activationKey(context)] = nowMs;
	return { state: beginState(watch, nowMs), isBeginning: true };
}

export function saveQuietly(context: IPollFunctions, state: WatchState): void {
	memory.keepQuiet(keyOf(context), context.getNode().name, save(context, state), state.savedAt);
}

/** To be called last: the state and the events go to n8n together, or not at all. */
export function saveWithEvents(context: IPollFunctions, state: WatchState): void {
	const text = save(context, state);
	memory.keepEmitted(keyOf(context), context.getNode().name, text, state.savedAt);
	delete activations(context)[activationKey(context)];
}

function save(context: IPollFunctions, state: WatchState): string {
	const text = writeState(state);
	// One text, replaced as a whole: n8n doesn't notice changes inside of objects.
	context.getWorkflowStaticData('node').state = text;
	return text;
}

function activations(context: IPollFunctions): IDataObject {
	return context.getWorkflowStaticData('global');
}

function activationKey(context: IPollFunctions): string {
	return `parcelShippingTrigger:${context.getNode().id}`;
}
