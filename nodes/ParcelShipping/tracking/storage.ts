import { createHash } from 'crypto';
import type { IPollFunctions } from 'n8n-workflow';

import { warn } from './host';
import { memoryOf, type NodeMemory } from './nodeMemory';
import { dayOf, decodeState, encodeState, type TriggerState, type WatchedShipment } from './state';
import { periodTypesOf, type Watch } from './watch';

// n8n saves the state together with the execution that its events start. Without events, its default mode saves the
// state only at activation, and its durable mode always but then. So a poll without events may be lost, which loses no
// event. The moment of activation must not be lost: events since then would count as known.
//
// In the default mode, n8n keeps the data of a node under its name, so a renamed node would start over. The state is
// therefore in the data of the workflow, under the ID of the node. The durable mode keeps the data of a node under its
// ID, in one transaction with the execution, so the state is there. The data of the workflow is saved at activation in
// both modes: there is the state of that moment, until events have been emitted and committed.

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
		const adapted = adaptState(latest, watch, nowMs);
		const state = {
			...adapted,
			periodsFrom: periodsFromOf(watch, adapted.periodsFrom, nowMs),
		};
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
 * them again. If it still is later, n8n has discarded the events, and they have to be emitted again.
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
 * Call this last: n8n saves the state and the emitted events together, or neither of them. Returns
 * false if the poll is not current any more, so that n8n would discard its events.
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
	// The durable mode passes a plain copy, also at activation.
	const isDefaultMode = '__dataChanged' in ofNode;
	if (isDefaultMode) ofWorkflow[key] = text;
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

/** Changes when the user selects other shipments. */
export function hashSelection({ selection }: Watch): string {
	return createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 12);
}

const UNREAD_LIST = { next: 0, wasCompleted: false };

/** A state without shipments, in which every event from `startedAt` on is new. */
export function createState(watch: Watch, startedAt: number): TriggerState {
	const newSinceOfAdded = watch.startFrom === 'existing' ? 0 : startedAt;
	return {
		savedAt: 0,
		account: watch.account,
		idTimezone: watch.timezone,
		selection: hashSelection(watch),
		startedAt,
		newSinceOfAdded,
		periodsFrom: periodsFromOf(watch, {}, newSinceOfAdded),
		list: UNREAD_LIST,
		shipments: [],
	};
}

/** Since when the types that are selected now have been selected. */
function periodsFromOf(
	watch: Watch,
	before: TriggerState['periodsFrom'],
	nowMs: number,
): TriggerState['periodsFrom'] {
	return Object.fromEntries(periodTypesOf(watch).map((type) => [type, before[type] ?? nowMs]));
}

/**
 * Adapts the state to a form that the user may have changed. Known shipments stay known, so that no
 * event is emitted twice or lost; events of newly selected shipments are new from now on.
 */
export function adaptState(state: TriggerState, watch: Watch, nowMs: number): TriggerState {
	if (serviceOf(state) !== serviceOf(watch)) return createState(watch, nowMs);
	const { account } = watch;
	const isSameAccount = state.account === account;
	const selection = hashSelection(watch);
	if (isSameAccount && state.selection === selection) return state;
	const kept = isSameAccount ? state.shipments : forgetIds(state.shipments);
	const shipments = kept.map((shipment) => ({ ...shipment, listed: 'unlisted' as const }));
	const starts = { startedAt: nowMs, newSinceOfAdded: nowMs };
	return { ...state, account, selection, ...starts, list: UNREAD_LIST, shipments };
}

/** The address of the service, without the credential. */
function serviceOf({ account }: Pick<Watch, 'account'>): string | undefined {
	return account.split(' ')[0];
}

/**
 * Another credential may be of the same account. Then the list has the same numbers, which are unique within
 * a carrier. If it is of another account, they are not listed, and so not requested.
 */
function forgetIds(shipments: readonly WatchedShipment[]): WatchedShipment[] {
	return shipments
		.filter(({ number }) => number !== '')
		.map((shipment) => ({ ...shipment, id: 0, mainId: undefined }));
}

/** A number that the user removes from the form is kept for so many days after it was added, in case it comes back. */
const KEEP_UNLISTED_DAYS = 30;

/**
 * Removes shipments that the list can't return any more: `createdWithinDays` after they were found, plus two days (that
 * of `searchStart`, and one for time zones). Until then, one that is missing may return, and its events would look new.
 * One that a service still lists then stays.
 */
export function removeExpired(
	shipments: readonly WatchedShipment[],
	{ selection }: Watch,
	nowMs: number,
): WatchedShipment[] {
	const today = dayOf(nowMs);
	const days = selection.by === 'numbers' ? KEEP_UNLISTED_DAYS : selection.createdWithinDays + 2;
	return shipments.filter(
		({ listed, addedDay }) => listed !== 'unlisted' || addedDay + days >= today,
	);
}
