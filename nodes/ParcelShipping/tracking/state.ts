import { createHash } from 'crypto';

import type { ShipmentFilter } from '../transport/client';
import type { TrackingEvent } from '../transport/contract';
import type { PeriodType } from './events';
import type { Flags, KnownEvents } from './flags';

/** What the user asked the trigger to watch and to output, read from its form. */
export interface Watch {
	selection: SelectionByFilters | { by: 'numbers'; shipments: CarrierNumber[] };
	/** Groups or categories of events to output; empty for all. */
	eventTypes: string[];
	startFrom: 'now' | 'existing';
	/** One output item per event, or per shipment with its new events. */
	output: 'event' | 'shipment';
	/** Whether items have the shipment of the event. */
	includeShipment: boolean;
	/** Whether items have only the fields that people look for. */
	isSimple: boolean;
	/** Whether to output only the first event of each group. */
	isFirstOnly: boolean;
	limits: DayLimits;
	/** Whether shipments are requested in every poll, or as often as they can have an event. */
	freshness: 'everyPoll' | 'balanced';
	/** The zone of dates without an offset, and whether the user left it open. */
	timezone: string;
	isTimezoneAssumed: boolean;
	/** The service and the credential. Shipment IDs of one account mean nothing in another one. */
	account: string;
}

/** After how many days each of these types occurs; only of the types that the user selected. */
export type DayLimits = Partial<Record<PeriodType, number>>;

export interface SelectionByFilters {
	by: 'filters';
	filters: Omit<ShipmentFilter, 'createdFrom'>;
	createdWithinDays: number;
}

export interface CarrierNumber {
	carrier: string;
	number: string;
}

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

export interface WatchedShipment extends KnownEvents {
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
	/** Since when the service refuses requests with this number; see `poll.ts`. */
	refusedSince?: number;
	/**
	 * For an additional piece: the ID of its main shipment, 0 until it was looked for. Its own ID if the
	 * service does not say which one that is.
	 */
	mainId?: number;
	/** Set while a type of event that depends on them is selected. */
	periods?: Periods;
	/** Not requested any more. */
	isFinished: boolean;
}

/** In milliseconds, in whole seconds. See `compare.ts`. */
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

/** An event that the trigger has not seen before. */
export interface NewEvent extends Flags {
	shipment: WatchedShipment;
	eventId: string;
	event: TrackingEvent;
}

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** A shipment that is removed from the user's list is kept this long, in case it is added again. */
const KEEP_UNLISTED_DAYS = 30;

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** Earlier, so that no interval is exceeded. */
export function toMinute(ms: number): number {
	return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** Identifies a shipment by its number, which is unique within a carrier. */
export function keyOf({ carrier, number }: CarrierNumber): string {
	return `${carrier}\n${number}`;
}

export function periodTypesOf({ limits }: Pick<Watch, 'limits'>): PeriodType[] {
	return Object.keys(limits) as PeriodType[];
}

/** Since when the period has been running, if it is running and was not reported yet. */
export function openSince({ periods }: WatchedShipment, type: PeriodType): number | undefined {
	if (type === 'noMovement') return periods?.isQuietReported ? undefined : periods?.movedAt;
	return periods?.isWaitReported ? undefined : periods?.readyAt;
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

/** What a response is compared with, besides the shipment. */
export interface Comparison {
	nowMs: number;
	timezone: string;
	/** Of the selected types. Empty or missing if none is selected. */
	limits?: DayLimits;
	/** Set in the poll in which watching starts: shipments with this `newSince` have only known events. */
	baselineSince?: number;
	/** The position of the shipment in its response. */
	position?: number;
}

/** Dates of events and moments of periods are whole seconds, as the service gives them. */
export function toSecond(ms: number): number {
	return Math.floor(ms / 1000) * 1000;
}
