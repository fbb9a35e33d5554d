import { NEWS_MS, toMinute } from './pace';
import { hashSelection, type PeriodType, periodTypesOf, type Watch } from './watch';

/** Everything the trigger keeps between two polls. */
export interface TriggerState {
	/** In milliseconds; each state of a node has a later value than the one before. */
	savedAt: number;
	account: string;
	/** Which shipments the user selected, see `hashSelection`. */
	selection: string;
	/**
	 * Events from this moment on are new, in milliseconds: the activation, or the moment when the
	 * user selected other shipments.
	 */
	since: number;
	/** The selected types among those that depend on periods. */
	periodTypes: PeriodType[];
	/** Where the next poll continues reading the list, and whether the end was ever reached. */
	list: { next: number; wasCompleted: boolean };
	/** Ordered by the last request, the oldest first. */
	shipments: WatchedShipment[];
}

export interface WatchedShipment {
	/** The service's ID; 0 if only the carrier's number is known. */
	id: number;
	carrier: string;
	/** The carrier's number; '' until it has been read. */
	number: string;
	/** The day on which the trigger first found the shipment, in days since 1970. */
	firstSeenDay: number;
	/** Whether the list contained it: in the current reading, in the previous one, or in neither. */
	listed: 'now' | 'before' | 'no';
	/**
	 * Set until the first answer arrives: events dated before this moment are not new. 0 if all
	 * events are.
	 */
	newSince?: number;
	/** The marks of all events that existed before or were emitted, one after the other. */
	known: string;
	/** When it was delivered or canceled, in milliseconds. */
	endedAt?: number;
	/** Not requested before this moment, in milliseconds, a whole minute. See `pace.ts`. */
	nextRequestAt?: number;
	/** It has news, and is requested in every poll until then: a whole minute, in milliseconds. */
	newsUntil?: number;
	/** Since when the service refuses requests with this number; see `refusals.ts`. */
	refusedSince?: number;
	/** For a further piece of a shipment: the ID of its main piece, 0 if that is not known yet. */
	mainId?: number;
	/** Set while a type of event that depends on them is selected. */
	periods?: Periods;
	/** Not requested any more. */
	isFinished: boolean;
}

/** In milliseconds, in whole seconds. See `periods.ts`. */
export interface Periods {
	/** The latest event. */
	movedAt: number;
	/** Whether nothing is to be reported before the next movement. */
	isQuietReported: boolean;
	/** Since when the recipient can pick up the shipment. */
	readyAt?: number;
	isWaitReported: boolean;
	/** When it was last somewhere else than at a pickup point, if that is known. */
	leftAt?: number;
}

const DAY_MS = 86_400_000;

/** A shipment that is removed from the user's list is kept this long, in case it is added again. */
const KEEP_UNLISTED_DAYS = 30;

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

export function without(
	shipment: WatchedShipment,
	...fields: Array<
		'newSince' | 'endedAt' | 'nextRequestAt' | 'newsUntil' | 'refusedSince' | 'periods'
	>
): WatchedShipment {
	const copy = { ...shipment };
	for (const field of fields) delete copy[field];
	return copy;
}

/** A state without shipments, in which every event from `since` on is new. */
export function createState(watch: Watch, since: number): TriggerState {
	return {
		savedAt: 0,
		account: watch.account,
		selection: hashSelection(watch),
		since,
		periodTypes: periodTypesOf(watch),
		list: { next: 0, wasCompleted: false },
		shipments: [],
	};
}

/**
 * Adapts the state to a form that the user may have changed. Known shipments stay known, so that no
 * event is emitted twice or lost; events of newly selected shipments are new from now on.
 */
export function adaptState(state: TriggerState, watch: Watch, nowMs: number): TriggerState {
	if (state.account !== watch.account) return createState(watch, nowMs);
	const selection = hashSelection(watch);
	if (state.selection === selection) return state;
	return {
		...state,
		selection,
		since: nowMs,
		list: { next: 0, wasCompleted: false },
		shipments: state.shipments.map((shipment) => ({ ...shipment, listed: 'no' })),
	};
}

/** A shipment that the trigger finds for the first time. */
export function createShipment(
	shipment: { id: number; carrier: string; number: string },
	state: TriggerState,
	watch: Watch,
	nowMs: number,
): WatchedShipment {
	return {
		...shipment,
		firstSeenDay: dayOf(nowMs),
		listed: 'now',
		newSince: watch.startFrom === 'existing' ? 0 : state.since,
		// Shipments that the complete list did not contain have just been created.
		...(state.list.wasCompleted ? { newsUntil: toMinute(nowMs + NEWS_MS) } : {}),
		known: '',
		isFinished: false,
	};
}

/** What one poll requested, by the shipment as it was before. */
export interface RequestedShipments {
	answered: Map<WatchedShipment, WatchedShipment>;
	failed: Set<WatchedShipment>;
}

/**
 * The order for the next poll: first the shipments that this poll had no time for, then those that
 * failed, then those that were answered. So every shipment gets its turn, even if one carrier never
 * answers.
 */
export function requeue(
	shipments: readonly WatchedShipment[],
	{ answered, failed }: RequestedShipments,
): WatchedShipment[] {
	return [
		...shipments.filter((shipment) => !answered.has(shipment) && !failed.has(shipment)),
		...failed,
		...answered.values(),
	];
}

/**
 * Removes shipments that the list can't return any more. A shipment was created on the day it was
 * first found, or earlier. `createdWithinDays` later (plus two days for time zones) it has left the
 * list. Until then it stays, even if it is missing from the list for another reason: if it returned,
 * its events would look new.
 */
export function removeExpired(
	shipments: readonly WatchedShipment[],
	{ selection }: Watch,
	nowMs: number,
): WatchedShipment[] {
	const today = dayOf(nowMs);
	return shipments.filter(({ listed, firstSeenDay }) =>
		selection.by === 'numbers'
			? listed !== 'no' || firstSeenDay + KEEP_UNLISTED_DAYS >= today
			: firstSeenDay + selection.createdWithinDays + 2 >= today,
	);
}
