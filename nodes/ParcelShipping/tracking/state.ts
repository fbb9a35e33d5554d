import { mapWithPauses } from '../lists';
import { DAY_MS } from '../records';
import { MINUTE_MS } from './dates';
import type { PeriodType } from './eventGroups';
import type { CarrierNumber } from './watch';

/** After each reading of the list that does not have it, a shipment is in the next of these states. */
export const LISTED = ['inThisReading', 'inLastReading', 'missedOnce', 'unlisted'] as const;

const STATUSES = ['usual', 'refused', 'finished'] as const;

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
	/** The `newSince` of shipments that are added: 0 if their existing events are new, and otherwise `startedAt`. */
	newSinceOfAdded: number;
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
	/** The latest date of these events, in milliseconds, whole seconds. *No Movement* counts from it. */
	latestAt?: number | undefined;
	/** Set once it was delivered or canceled: when it last had an unknown event. Three days later, it is finished. */
	endedAt?: number | undefined;
	/** Not requested before this moment, in milliseconds, a whole minute. See `schedule.ts`. */
	nextRequestAt?: number | undefined;
	/** Requested in every poll until then, a whole minute, because it had an event lately or is new in the list. */
	activeUntil?: number | undefined;
	/** For an additional piece: the ID of its main shipment, 0 until it was looked for, its own ID if nobody says it. */
	mainId?: number | undefined;
	/** When it was last somewhere else than at a pickup point, in milliseconds, whole seconds. See `placesAfter`. */
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

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** Identifies a shipment by its number, which is unique within a carrier. Users may write its code in lowercase. */
export function shipmentKey({ carrier, number }: CarrierNumber): string {
	return `${carrier.toUpperCase()}\n${number}`;
}

// The state is JSON in one string, in which n8n stores each quotation mark as two characters. So a
// shipment is an array: what each has, and then the optional fields, without those that are missing at the
// end. Moments take less space in seconds or minutes since the day on which watching began.

const VERSION = 1;
const SECOND_MS = 1_000;

/**
 * The unit of each moment, and null for other values. Saved states have the fields by position: another order needs
 * another version. Those that few shipments have are the last ones.
 */
const OPTIONAL_FIELDS = Object.entries({
	groups: null,
	latestAt: SECOND_MS,
	nextRequestAt: MINUTE_MS,
	elsewhereAt: SECOND_MS,
	activeUntil: MINUTE_MS,
	readyAt: SECOND_MS,
	noMovementReported: SECOND_MS,
	waitingForPickupReported: SECOND_MS,
	mainId: null,
	newSince: 1,
	endedAt: 1,
} satisfies Record<Exclude<keyof WatchedShipment, RequiredField>, number | null>);

type RequiredField = 'id' | 'carrier' | 'number' | 'listed' | 'addedDay' | 'marks' | 'status';

export async function encodeState({ shipments, ...rest }: TriggerState): Promise<string> {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const positions = new Map(carriers.map((carrier, position) => [carrier, position]));
	const rows = await mapWithPauses(shipments, (shipment) => {
		const { id, carrier, number, listed, status, addedDay, marks } = shipment;
		const firstMs = addedDay * DAY_MS;
		const [listedAt, statusAt] = [LISTED.indexOf(listed), STATUSES.indexOf(status)];
		const first = [id, positions.get(carrier), number, listedAt, statusAt, addedDay];
		return trimEnd([
			...first,
			// A finished shipment no longer needs its known events.
			status === 'finished' ? '' : marks,
			...OPTIONAL_FIELDS.map(([field, unitMs]) => {
				const value = shipment[field as keyof WatchedShipment];
				return typeof value === 'number' && unitMs ? (value - firstMs) / unitMs : value;
			}),
		]);
	});
	return JSON.stringify({ version: VERSION, ...rest, carriers, shipments: rows });
}

function trimEnd(values: unknown[]): unknown[] {
	return values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
}

interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	shipments: Array<Parameters<typeof decodeShipment>[0]>;
}

/** `undefined` if the text is not a state of this version, or is cut off. */
export async function decodeState(text: unknown): Promise<TriggerState | undefined> {
	if (typeof text !== 'string') return undefined;
	try {
		const { version, carriers, shipments, ...state } = JSON.parse(text) as SavedState;
		if (version !== VERSION) return undefined;
		const decoded = await mapWithPauses(shipments, (row) => decodeShipment(row, carriers));
		return { ...state, shipments: decoded };
	} catch {
		return undefined;
	}
}

function decodeShipment(
	[id, position, number, listedAt, statusAt, addedDay, marks, ...saved]: [
		id: number,
		position: number,
		number: string,
		listed: number,
		status: number,
		addedDay: number,
		marks: string,
		...optional: Array<number | null>,
	],
	carriers: readonly string[],
): WatchedShipment {
	const [carrier, listed, status] = [carriers[position], LISTED[listedAt], STATUSES[statusAt]];
	if (carrier === undefined || !listed || !status) throw new Error('Malformed state');
	const firstMs = addedDay * DAY_MS;
	const optional = OPTIONAL_FIELDS.map(([field, unitMs], at) => {
		const value = saved[at] ?? undefined;
		return [field, typeof value === 'number' && unitMs ? firstMs + value * unitMs : value];
	});
	const first = { id, carrier, number, listed, status, addedDay, marks };
	return { ...first, ...Object.fromEntries(optional) };
}
