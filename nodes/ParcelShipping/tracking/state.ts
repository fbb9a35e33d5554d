import { createHash } from 'crypto';

import { DAY_MS } from '../records';
import type { PeriodType } from './eventGroups';
import { type CarrierNumber, periodTypesOf, type Watch } from './watch';

/** A shipment that the list has gets the first of these. At the end of the list, each shipment moves to the next one. */
export const LISTED = ['inThisReading', 'inLastReading', 'missedOnce', 'unlisted'] as const;

export const STATUSES = ['usual', 'refused', 'finished'] as const;

/** Everything the trigger keeps between two polls. */
export interface TriggerState {
	/** In milliseconds; each state of a node has a later value than the one before. */
	savedAt: number;
	account: string;
	/** That of the first poll. Events are identified with it, so that none looks new when another one becomes known. */
	idTimezone: string;
	/** Which shipments the user selected, see `hashSelection`. */
	selection: string;
	/**
	 * Events from this moment on are new, in milliseconds: the activation, or the moment when the
	 * user selected other shipments.
	 */
	startedAt: number;
	/** Whether the existing events of shipments that are added are new, too. */
	areExistingNew: boolean;
	/** For each selected type of period: since when it has been selected. Periods that were over before are not reported. */
	periodsFrom: Partial<Record<PeriodType, number>>;
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
	/** The day from which the trigger has watched the shipment, in days since 1970. */
	addedDay: number;
	/**
	 * Whether the list or the form still has it. If not, or the selection or the credential has changed, it is `unlisted`, and
	 * not watched until it is found there again.
	 */
	listed: (typeof LISTED)[number];
	/**
	 * Set until the first response with a list of events: those from this moment on are new. 0 if all are. An empty list is
	 * enough, unless it starts over.
	 */
	newSince?: number | undefined;
	/** The marks of all events that existed before or were emitted, one after the other. */
	marks: string;
	/** The groups of these events, one bit for each. See `groupBit`. */
	groups?: number | undefined;
	/** The latest date of these events, without planned ones, in milliseconds, whole seconds. For *No Movement*, see `sinceOf`. */
	latestAt?: number | undefined;
	/** Set once it was delivered or canceled: when it last had an unknown event. Three days later, it is finished. */
	endedAt?: number | undefined;
	/**
	 * Only an end that is dated after this moment, in milliseconds, is its own. Set if an earlier shipment had its number
	 * (when that one ended), or if it had another number (its latest event then).
	 */
	ownEndAfter?: number | undefined;
	/** Not requested before this moment, in milliseconds, a whole minute. See `schedule.ts`. */
	nextRequestAt?: number | undefined;
	/** Requested in every poll until then, a whole minute, because it had an event lately or is new in the list. */
	activeUntil?: number | undefined;
	/**
	 * For an additional piece: the ID of its main shipment, 0 until that was looked for, its own ID if nobody says it. A main
	 * shipment has none.
	 */
	mainId?: number | undefined;
	/**
	 * When it was last somewhere else than at a pickup point, in milliseconds, whole seconds: one second after the event of
	 * a final place. See `placesAfter`.
	 */
	elsewhereAt?: number | undefined;
	/** Since when it has been at a pickup point, the same. */
	readyAt?: number | undefined;
	/** The beginnings of the latest periods that were reported or must not be, the same. See `periods.ts`. */
	noMovementReported?: number | undefined;
	waitingForPickupReported?: number | undefined;
	/**
	 * Usually, it is requested together with others. It is requested alone if it is `refused`: its number makes requests
	 * fail, while its carrier responds to others. If it is `finished`, it is not requested any more.
	 */
	status: (typeof STATUSES)[number];
}

/** Whether it is watched and has not ended. */
export const isUnderWay = ({ listed, endedAt, status }: WatchedShipment) =>
	listed !== 'unlisted' && endedAt === undefined && status !== 'finished';

export type ShipmentIds = Pick<WatchedShipment, 'id' | 'mainId'>;

/** Whether it is that of an additional piece whose main shipment was not looked for. */
export const isMainUnknown = (mainId: number | undefined) => mainId === 0;

/** The ID of its main shipment, whose detail has all pieces. Its own ID if it is the main one, or nothing else is known. */
export const detailIdOf = ({ id, mainId }: ShipmentIds) => mainId || id;

/** A main shipment that is known stays known, because other records of the piece may say less. */
export const mergeMainId = (known: number | undefined, read: number | undefined) =>
	known || (read ?? known);

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** Identifies a shipment by its number, which is unique within a carrier. Users may write its code in lowercase. */
export function shipmentKey({ carrier, number }: CarrierNumber): string {
	return `${carrier.toUpperCase()}\n${number}`;
}

/** Changes when the user selects other shipments. */
export function hashSelection({ selection }: Watch): string {
	return createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 12);
}

const UNREAD_LIST = { next: 0, wasCompleted: false };

/** A state without shipments, in which every event from `startedAt` on is new. */
export function createState(watch: Watch, startedAt: number): TriggerState {
	const areExistingNew = watch.startFrom === 'existing';
	return {
		savedAt: 0,
		account: watch.account,
		idTimezone: watch.timezone,
		selection: hashSelection(watch),
		startedAt,
		areExistingNew,
		periodsFrom: periodsFromOf(watch, {}, areExistingNew ? 0 : startedAt),
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
	const periodsFrom = periodsFromOf(watch, state.periodsFrom, nowMs);
	if (isSameAccount && state.selection === selection) return { ...state, periodsFrom };
	const kept = isSameAccount ? state.shipments : forgetIds(state.shipments);
	const shipments = kept.map((shipment) => ({ ...shipment, listed: 'unlisted' as const }));
	const starts = { startedAt: nowMs, areExistingNew: false, periodsFrom };
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
