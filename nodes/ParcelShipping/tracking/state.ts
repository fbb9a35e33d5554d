import { createHash } from 'crypto';

import { DAY_MS } from '../records';
import type { PeriodType } from './eventGroups';
import type { KnownEvents } from './flags';
import { type CarrierNumber, periodTypesOf, type Watch } from './watch';

/** Everything the trigger keeps between two polls. */
export interface TriggerState {
	/** In milliseconds; each state of a node has a later value than the one before. */
	savedAt: number;
	account: string;
	/**
	 * The timezone with which the state began. Events are identified with it, so that none looks new when
	 * another timezone becomes known.
	 */
	idTimezone: string;
	/** Which shipments the user selected, see `hashSelection`. */
	selection: string;
	/**
	 * Events from this moment on are new, in milliseconds: the activation, or the moment when the
	 * user selected other shipments.
	 */
	since: number;
	/** The selected types of periods. */
	periodTypes: PeriodType[];
	/** Where the next poll continues reading the list, and whether the end was ever reached. */
	list: { next: number; wasCompleted: boolean };
	/** Ordered by the last request, the oldest first. */
	shipments: WatchedShipment[];
}

export interface WatchedShipment extends KnownEvents {
	/** The service's ID; 0 if only the carrier's number is known. */
	id: number;
	carrier: string;
	/** The carrier's number; '' until it has been read. */
	number: string;
	/** The day from which the trigger has watched the shipment, in days since 1970. */
	addedDay: number;
	/** Whether the list contained it: in the current reading, in the previous one, or in neither. */
	listed: 'now' | 'before' | 'no';
	/**
	 * Set until the first response arrives: events dated before this moment are not new. 0 if all
	 * events are.
	 */
	newSince?: number;
	/** The marks of all events that existed before or were emitted, one after the other. */
	known: string;
	/** When it was delivered or canceled, in milliseconds. */
	endedAt?: number;
	/** Not requested before this moment, in milliseconds, a whole minute. See `select.ts`. */
	nextRequestAt?: number;
	/** Recently active: requested in every poll until then, in milliseconds, a whole minute. */
	activeUntil?: number;
	/** Since when the service refuses requests with this number; see `track.ts`. */
	refusedSince?: number;
	/**
	 * For an additional piece: the ID of its main shipment, 0 until it was looked for. Its own ID if the
	 * service does not say which one that is.
	 */
	mainId?: number;
	/** Set while a type of period is selected. */
	periods?: Periods;
	/** Not requested any more. */
	isFinished: boolean;
}

/** Moments in milliseconds, in whole seconds. See `periods.ts`. */
export interface Periods {
	running: Partial<Record<PeriodType, RunningPeriod>>;
	/** When the shipment was last somewhere else than at a pickup point, if that is known. */
	leftAt?: number;
}

export interface RunningPeriod {
	since: number;
	/** Whether it is not to be reported (again). */
	isReported: boolean;
}

/** A shipment that is removed from the user's list is kept this long, in case it is added again. */
const KEEP_UNLISTED_DAYS = 30;

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** Identifies a shipment by its number, which is unique within a carrier. */
export function keyOf({ carrier, number }: CarrierNumber): string {
	return `${carrier}\n${number}`;
}

/** Changes when the user selects other shipments. */
export function hashSelection({ selection }: Watch): string {
	return createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 12);
}

export function without(
	shipment: WatchedShipment,
	...fields: Array<
		'newSince' | 'endedAt' | 'nextRequestAt' | 'activeUntil' | 'refusedSince' | 'periods'
	>
): WatchedShipment {
	const copy = { ...shipment };
	for (const field of fields) delete copy[field];
	return copy;
}

const UNREAD_LIST = { next: 0, wasCompleted: false };

/** A state without shipments, in which every event from `since` on is new. */
export function createState(watch: Watch, since: number): TriggerState {
	return {
		savedAt: 0,
		account: watch.account,
		idTimezone: watch.timezone,
		selection: hashSelection(watch),
		since,
		periodTypes: periodTypesOf(watch),
		list: UNREAD_LIST,
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
	const shipments = state.shipments.map((shipment) => ({ ...shipment, listed: 'no' as const }));
	return { ...state, selection, since: nowMs, list: UNREAD_LIST, shipments };
}

/**
 * Removes shipments that the list can't return any more. A shipment was created on the day from which it
 * was watched, or earlier. `createdWithinDays` later (plus two days for time zones) it has left the
 * list. Until then it stays, even if it is missing from the list for another reason: if it returned,
 * its events would look new.
 */
export function removeExpired(
	shipments: readonly WatchedShipment[],
	{ selection }: Watch,
	nowMs: number,
): WatchedShipment[] {
	const today = dayOf(nowMs);
	return shipments.filter(({ listed, addedDay }) =>
		selection.by === 'numbers'
			? listed !== 'no' || addedDay + KEEP_UNLISTED_DAYS >= today
			: addedDay + selection.createdWithinDays + 2 >= today,
	);
}
