import type { IPollFunctions } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import { localAt } from './history';
import { hasDurableData, memoryOf, warn } from './host';
import type { Poll, Watch, Watched } from './watch';

/** Everything the trigger keeps between two polls. */
export interface State {
	/** In milliseconds; each state of a node has a later value than the one before. */
	savedAt: number;
	/** See `Watch.account`. */
	account: string;
	/** See `Watch.selection`. */
	selection: string;
	/** Events get their IDs with this zone. */
	idZone: string;
	/** That of the account: null if it has none, missing until the provider has told it. */
	zone?: string | null | undefined;
	/** Events of shipments that are added are new from this local time on. '' for all. */
	newFrom: string;
	list: {
		/** When the whole list was read last, in milliseconds. 0 if it was not, since the user selected other shipments. */
		readAt: number;
		/** Where the reading of it goes on, 0 if none is under way. */
		next: number;
	};
	shipments: Watched[];
}

/** In the order in which they are saved. Fields that few shipments have are the last. */
const FIELDS = [
	...(['carrier', 'number', 'id', 'addedOn', 'missesLeft', 'askAt', 'marks', 'latest'] as const),
	...(['newFrom', 'isAlone'] as const),
];

/** With another version, every trigger starts over. */
const VERSION = 1;

type Saved = Omit<State, 'shipments'> & { version: number; shipments: unknown[][] };

/** One JSON text, in which n8n stores each quotation mark as two characters. So a shipment is an array. */
async function encode({ shipments, ...rest }: State): Promise<string> {
	const rows = await mapWithPauses(shipments, (shipment) => {
		const values = FIELDS.map((field) => shipment[field]);
		while (values.at(-1) === undefined) values.pop();
		return values;
	});
	return JSON.stringify({ version: VERSION, ...rest, shipments: rows });
}

/** `undefined` if the text is not a state of this version, or is malformed. */
async function decode(text: unknown): Promise<State | undefined> {
	try {
		const { version, shipments: rows, ...rest } = JSON.parse(String(text)) as Saved;
		const shipments = await mapWithPauses(rows, (row) => {
			const fields = FIELDS.map((field, at) => [field, row[at] ?? undefined]);
			return Object.fromEntries(fields) as unknown as Watched;
		});
		const { account, idZone, newFrom, savedAt, list } = rest;
		const texts = [account, idZone, newFrom, ...shipments.map(({ marks }) => marks)];
		const isWhole = texts.every((each) => typeof each === 'string') && savedAt + list.next >= 0;
		return version === VERSION && isWhole ? { ...rest, shipments } : undefined;
	} catch {
		return undefined;
	}
}

/** A state without shipments, in which every event from now on is new. */
export function createState(watch: Watch, nowMs: number, zone: string): State {
	return {
		savedAt: 0,
		account: watch.account,
		selection: watch.selection,
		idZone: zone,
		newFrom: watch.startFrom === 'existing' ? '' : localAt(nowMs, zone),
		list: { readAt: 0, next: 0 },
		shipments: [],
	};
}

/** The address of the provider, without the credential. */
const addressOf = (account: string) => account.split(' ')[0];

/**
 * Adapts the state to a form that the user may have changed: known shipments stay known, and events of those that are
 * selected now are new from now on. Returns whether watching starts again.
 */
export function adaptState(state: State, watch: Watch, nowMs: number, zone: string): boolean {
	const { savedAt, account, selection, idZone, list, shipments } = state;
	const isSameAccount = account === watch.account;
	if (isSameAccount && selection === watch.selection) return false;
	if (addressOf(account) !== addressOf(watch.account)) {
		Object.assign(state, createState(watch, nowMs, zone), { savedAt });
		return true;
	}
	for (const each of shipments) {
		// What has happened while it was not selected is not new later. Only the whole list says that it was not.
		if (each.missesLeft === 0 && list.readAt > 0) each.newFrom ??= localAt(nowMs, zone);
		each.missesLeft = 0;
		// Another credential may be of the same account. If not, other shipments have these IDs.
		if (!isSameAccount) each.id = 0;
	}
	const started = createState({ ...watch, startFrom: 'now' }, nowMs, zone);
	Object.assign(state, started, { savedAt, idZone, shipments });
	return true;
}

// Two places have the state, and the one saved later counts:
//
// n8n's data of | is saved by n8n                                  | has the state
// the workflow  | at activation, and before the events of a poll   | in the default mode
// the node      | with each poll and its events, not at activation | in the durable mode
//
// In the durable mode, the data of the workflow has the moment of activation until the data of the node was saved: without
// it, events since then would count as known. A poll without events may be lost, which loses no event. In the data of the
// workflow, the state is under the ID of the node, so that the node can be renamed.

/** n8n saves emitted events shortly after the poll has ended. */
const SAVING_TAKES_MS = 30_000;

const stateKey = (context: IPollFunctions) => `parcelShippingTrigger:${context.getNode().id}`;

/**
 * The state that was saved last, if one is readable, and whether the data of the node has it. `undefined` while n8n is
 * still saving the last events: a poll with the saved state would emit them again.
 */
export async function loadState(context: IPollFunctions, nowMs: number) {
	const ofNode: unknown = context.getWorkflowStaticData('node').state;
	const ofWorkflow: unknown = context.getWorkflowStaticData('global')[stateKey(context)];
	const [inNode, inWorkflow] = [await decode(ofNode), await decode(ofWorkflow)];
	const isInNode = inNode !== undefined && inNode.savedAt > (inWorkflow?.savedAt ?? -Infinity);
	let state = isInNode ? inNode : inWorkflow;
	const { last } = memoryOf(context);
	if (last && last.savedAt > (state?.savedAt ?? -Infinity)) {
		// n8n does not save the state of a poll without events.
		if (!last.hadEvents) state = (await decode(last.text)) ?? state;
		// Later, n8n has discarded the events, and they have to be emitted again.
		else if (nowMs - last.savedAt < SAVING_TAKES_MS) return undefined;
	}
	const isUnreadable = !state && (ofNode ?? ofWorkflow) !== undefined;
	const what =
		'The saved state is unreadable. The trigger starts over: existing events count as known';
	if (isUnreadable) warn(context, what);
	return { state, isInNode, isUnreadable };
}

/** Returns false if the poll is not current any more, so that n8n would discard its events. */
export async function saveState(
	{ context, isCurrent }: Pick<Poll, 'context' | 'isCurrent'>,
	state: State,
	{ isStart, isInNode, hasEvents }: { isStart: boolean; isInNode: boolean; hasEvents: boolean },
): Promise<boolean> {
	state.savedAt = Math.max(Date.now(), state.savedAt + 1);
	const text = await encode(state);
	if (!isCurrent()) return false;
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
	memoryOf(context).last = { text, savedAt: state.savedAt, hadEvents: hasEvents };
	return true;
}
