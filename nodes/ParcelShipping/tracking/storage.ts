import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { mapWithPauses } from '../lists';
import { MARK_LENGTH } from './events';
import { log, memoryOf, type NodeMemory } from './host';
import {
	adaptState,
	createState,
	DAY_MS,
	type Periods,
	type TriggerState,
	type Watch,
	type WatchedShipment,
} from './state';

// What n8n saves between polls:
//
// - With events, the state is saved together with the execution that they start.
// - Without events, n8n's default mode saves the state only at activation. The durable mode saves
//   it, except at activation.
//
// A poll without events may therefore be lost, which loses no event. The moment of activation must
// not be lost: if the trigger started again later, events since the activation would count as known.
//
// In the default mode, n8n keeps the data of a node under its name, so a renamed node would start over.
// The state is therefore in the data of the workflow, under the ID of the node. The durable mode keeps
// the data of a node under its ID, in one transaction with the execution, so the state is there. The
// data of the workflow is saved at activation in both modes: there is the state of that moment, until
// events have been emitted and committed.

/** n8n saves emitted events shortly after the poll has ended. */
const SAVING_TAKES_MS = 30_000;

interface Start {
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
): Promise<Start | undefined> {
	const ofNode: unknown = context.getWorkflowStaticData('node').state;
	const ofWorkflow: unknown = context.getWorkflowStaticData('global')[keyOf(context)];
	const [inNode, inWorkflow] = [await decodeState(ofNode), await decodeState(ofWorkflow)];
	const isInNode = inNode !== undefined && inNode.savedAt > (inWorkflow?.savedAt ?? -Infinity);
	const saved = isInNode ? inNode : inWorkflow;
	const latest = await latestState(saved, memoryOf(context), nowMs);
	if (latest === 'pending') return undefined;
	if (latest) {
		const state = adaptState(latest, watch, nowMs);
		return { state, isStart: state.since !== latest.since, isInNode };
	}
	if (ofNode !== undefined || ofWorkflow !== undefined) {
		const text =
			'The saved state of the Parcel Shipping Trigger is unreadable. The trigger starts over: events that already exist count as known.';
		log(context, 'warn', text);
	}
	return { state: createState(watch, nowMs), isStart: true, isInNode };
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
	{ isStart, isInNode, hasEvents }: Omit<Start, 'state'> & { hasEvents: boolean },
	isCurrent: () => boolean,
): Promise<boolean> {
	const text = await encodeState(state);
	if (!isCurrent()) return false;
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const key = keyOf(context);
	// One string, replaced as a whole: n8n does not notice changes inside objects.
	if (isDurableRecord(ofNode)) {
		ofNode.state = text;
		if (isStart && !hasEvents) ofWorkflow[key] = text;
		// n8n saves the data of the workflow before it commits the events. If it is killed in between, the
		// state of the activation is still needed, unless the node's own record is newer.
		else if (isInNode) delete ofWorkflow[key];
	} else ofWorkflow[key] = text;
	memoryOf(context).last = { text, savedAt: state.savedAt, hadEvents: hasEvents };
	return true;
}

function keyOf(context: IPollFunctions): string {
	return `parcelShippingTrigger:${context.getNode().id}`;
}

/** The default mode passes an object in which n8n notices changes, the durable mode a plain copy. */
function isDurableRecord(ofNode: IDataObject): boolean {
	return !('__dataChanged' in ofNode);
}

// The state is JSON in one string, in which n8n stores each quotation mark as two characters. So a
// shipment is an array: what each has, its periods, and then the other numbers, without those that are
// missing at the end. Minutes and seconds take less space than milliseconds.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/**
 * Numbers that a shipment can have, those that most have first, and in which unit they are saved. Moments
 * count from the day on which the shipment was found, others have no unit.
 */
const NUMBERS = {
	groups: null,
	latestAt: 1_000,
	nextRequestAt: 60_000,
	activeUntil: 60_000,
	mainId: null,
	newSince: 1,
	endedAt: 1,
	refusedSince: 1,
};

const PERIOD_NUMBERS = { movedAt: 1_000, leftAt: 1_000, reported: null, readyAt: 1_000 };

type Units = Record<string, number | null>;

type Numbers<Of> = Partial<Record<keyof Of, number>>;

export async function encodeState({ shipments, ...rest }: TriggerState): Promise<string> {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const positions = new Map(carriers.map((carrier, position) => [carrier, position]));
	const rows = await mapWithPauses(shipments, (shipment) => [
		shipment.id,
		positions.get(shipment.carrier),
		shipment.number,
		LISTED.indexOf(shipment.listed),
		shipment.firstSeenDay,
		// A finished shipment no longer needs its known events.
		shipment.isFinished ? null : shipment.known,
		shipment.periods ? encodePeriods(shipment.periods, shipment.firstSeenDay) : null,
		...encodeNumbers(shipment, NUMBERS, shipment.firstSeenDay),
	]);
	return JSON.stringify({ version: VERSION, ...rest, carriers, shipments: rows });
}

function encodePeriods({ isQuietReported, isWaitReported, ...moments }: Periods, firstDay: number) {
	const reported = Number(isQuietReported) + 2 * Number(isWaitReported);
	return encodeNumbers({ ...moments, reported }, PERIOD_NUMBERS, firstDay);
}

function encodeNumbers<Of extends Units>(
	values: Numbers<Of>,
	units: Of,
	firstDay: number,
): Array<number | null> {
	const numbers = Object.entries(units).map(([field, unit]) => {
		const value = values[field];
		if (value === undefined || unit === null) return value ?? null;
		return (value - firstDay * DAY_MS) / unit;
	});
	return numbers.slice(0, numbers.findLastIndex((value) => value !== null) + 1);
}

interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	shipments: unknown[][];
}

/** `undefined` for anything but a complete state of this version: the trigger then starts over. */
export async function decodeState(text: unknown): Promise<TriggerState | undefined> {
	if (typeof text !== 'string') return undefined;
	try {
		const { version, carriers, shipments, ...state } = JSON.parse(text) as SavedState;
		const { savedAt, account, selection, since, periodTypes, list } = state;
		check(version === VERSION && typeof list.wasCompleted === 'boolean');
		check([savedAt, since, list.next].every(Number.isSafeInteger));
		check([account, selection, ...carriers, ...periodTypes].every(isText));
		check([carriers, periodTypes].every(Array.isArray));
		check(Array.isArray(shipments));
		const decoded = await mapWithPauses(shipments, (row) => decodeShipment(row, carriers));
		return { ...state, shipments: decoded };
	} catch {
		return undefined;
	}
}

function decodeShipment(row: unknown[], carriers: readonly string[]): WatchedShipment {
	const [id, position, number, listedAt, firstSeenDay, known, periods, ...numbers] = row;
	check([id, position, listedAt, firstSeenDay].every(Number.isSafeInteger));
	const [carrier, listed] = [carriers[position as number], LISTED[listedAt as number]];
	check(isText(number) && carrier !== undefined && listed !== undefined);
	check(known === null || (isText(known) && known.length % MARK_LENGTH === 0));
	return {
		id: id as number,
		carrier,
		number,
		firstSeenDay: firstSeenDay as number,
		listed,
		known: known ?? '',
		...(periods === null ? {} : { periods: decodePeriods(periods, firstSeenDay as number) }),
		...decodeNumbers(numbers, NUMBERS, firstSeenDay as number),
		isFinished: known === null,
	};
}

function decodePeriods(numbers: unknown, firstDay: number): Periods {
	const { movedAt, reported, ...others } = decodeNumbers(numbers, PERIOD_NUMBERS, firstDay);
	check(movedAt !== undefined && reported !== undefined);
	const isWaitReported = reported >= 2;
	return { movedAt, isQuietReported: reported % 2 === 1, isWaitReported, ...others };
}

function decodeNumbers<Of extends Units>(
	numbers: unknown,
	units: Of,
	firstDay: number,
): Numbers<Of> {
	check(Array.isArray(numbers));
	const fields = Object.entries(units);
	check(numbers.length <= fields.length);
	const values: Record<string, number> = {};
	for (const [at, value] of (numbers as unknown[]).entries()) {
		const [field = '', unit = null] = fields[at] ?? [];
		if (value === null) continue;
		check(Number.isSafeInteger(value));
		const saved = value as number;
		values[field] = unit === null ? saved : firstDay * DAY_MS + saved * unit;
	}
	return values as Numbers<Of>;
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function check(isValid: boolean): asserts isValid {
	if (!isValid) throw new Error('Malformed state');
}
