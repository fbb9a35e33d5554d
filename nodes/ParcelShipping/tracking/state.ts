import { scopeOf, type Watch } from './watch';

/** Everything the trigger knows between two polls. */
export interface WatchState {
	/** Milliseconds; later states of a node have a later one. */
	savedAt: number;
	account: string;
	/** Which shipments are meant, see `scopeOf`. */
	scope: string;
	/**
	 * The moment from which events count as new, in milliseconds: activation, or the moment at which
	 * the user began to mean other shipments.
	 */
	since: number;
	/** Where the reading of the list goes on, and whether it has ever come to its end. */
	sweep: { next: number; wasCompleted: boolean };
	/** The longest unasked first. */
	shipments: WatchedShipment[];
}

export interface WatchedShipment {
	/** The service's id; 0 where only the carrier's number is known. */
	id: number;
	carrier: string;
	/** The carrier's number; '' until it has been read. */
	number: string;
	/** Days since 1970 on which the trigger first met the shipment. */
	firstSeenDay: number;
	/** Whether it was met in the running reading of the list, in the one before, or in neither. */
	listed: 'now' | 'before' | 'no';
	/**
	 * Set until the first answer comes: events dated before this moment were there before the trigger
	 * was interested. 0 where everything is of interest.
	 */
	since?: number;
	/** Marks of the events that were there or have been emitted, one after the other. */
	known: string;
	/** Since when it is delivered or canceled, in milliseconds. */
	overSince?: number;
	/** Not asked before this moment, in milliseconds. */
	dueAt?: number;
	/** Not asked any more. */
	isResting: boolean;
}

const DAY_MS = 86_400_000;

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** A copy that knows nothing of these moments. */
export function without(
	shipment: WatchedShipment,
	...moments: Array<'since' | 'overSince' | 'dueAt'>
): WatchedShipment {
	const copy = { ...shipment };
	for (const moment of moments) delete copy[moment];
	return copy;
}

/** A beginning: nothing is known yet, and what happens from `since` on is new. */
export function beginState(watch: Watch, since: number): WatchState {
	return {
		savedAt: 0,
		account: watch.account,
		scope: scopeOf(watch),
		since,
		sweep: { next: 0, wasCompleted: false },
		shipments: [],
	};
}

/**
 * The state under a form that may have been changed since. Shipments that are known stay known, so
 * that nothing comes twice and nothing is lost; those that the user means only now count from now.
 */
export function adoptWatch(state: WatchState, watch: Watch, nowMs: number): WatchState {
	if (state.account !== watch.account) return beginState(watch, nowMs);
	const scope = scopeOf(watch);
	if (state.scope === scope) return state;
	return {
		...state,
		scope,
		since: nowMs,
		sweep: { next: 0, wasCompleted: false },
		shipments: state.shipments.map((shipment) => ({ ...shipment, listed: 'no' })),
	};
}

/** A shipment that the trigger meets for the first time. */
export function meetShipment(
	shipment: { id: number; carrier: string; number: string },
	state: WatchState,
	watch: Watch,
	nowMs: number,
): WatchedShipment {
	return {
		...shipment,
		firstSeenDay: dayOf(nowMs),
		listed: 'now',
		since: watch.startFrom === 'existing' ? 0 : state.since,
		known: '',
		isResting: false,
	};
}

/**
 * Without the shipments that can't come back. One that was met on some day was created on that day
 * or before, so once `createdWithinDays` have passed since then (and two more for the differences
 * between zones) the list won't show it again. Until then it is kept although it may have left the
 * list for another reason, because a shipment that has been forgotten and comes back would look new.
 */
export function forgetShipments(state: WatchState, watch: Watch, nowMs: number): WatchState {
	const { what } = watch;
	const isKept = (shipment: WatchedShipment) =>
		what.by === 'list'
			? shipment.listed !== 'no' || shipment.firstSeenDay + LIST_KEPT_DAYS >= dayOf(nowMs)
			: shipment.firstSeenDay + what.createdWithinDays + 2 >= dayOf(nowMs);
	return { ...state, shipments: state.shipments.filter(isKept) };
}

/** How long a shipment that was taken off the list is kept, should it be put back. */
const LIST_KEPT_DAYS = 30;
