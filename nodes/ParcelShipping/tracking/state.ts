import { mapWithPauses } from '../lists';
import { DAY_MS } from '../records';
import { type PeriodType, periodTypes } from './eventGroups';
import type { CarrierNumber } from './watch';

/** Everything the trigger keeps between two polls. */
export interface TriggerState {
	/** In milliseconds; each state of a node has a later value than the one before. */
	savedAt: number;
	account: string;
	/**
	 * Events are identified with this timezone, so that none looks new when another one becomes known. It stays
	 * the same as soon as an event has a date with an offset: only then do IDs depend on it.
	 */
	idTimezone: string;
	hasOffsets: boolean;
	/** Which shipments the user selected, see `hashSelection`. */
	selection: string;
	/**
	 * Events from this moment on are new, in milliseconds: the activation, or the moment when the
	 * user selected other shipments.
	 */
	since: number;
	/** The `newSince` of shipments that are added: 0 if their existing events are new, and otherwise `since`. */
	newSince: number;
	/** The selected types of periods. */
	periodTypes: PeriodType[];
	/** Where the next poll continues reading the list, and whether the end was ever reached. */
	list: { next: number; wasCompleted: boolean };
	/** Ordered by the last request, the oldest first. */
	shipments: WatchedShipment[];
}

export const SUSPECTED = 1;
export const REFUSED = 2;

export interface WatchedShipment {
	/** The service's ID; 0 if only the carrier's number is known. */
	id: number;
	carrier: string;
	/** The carrier's number; '' until it has been read. */
	number: string;
	/** The day from which the trigger has watched the shipment, in days since 1970. */
	addedDay: number;
	/** Whether the list contained it: in the current reading, in the previous one, or in neither. */
	listed: 'now' | 'before' | 'no';
	/** Set until the first response with events: those from this moment on are new. 0 if all are. */
	newSince?: number | undefined;
	/** The marks of all events that existed before or were emitted, one after the other. */
	known: string;
	/**
	 * How many of these, from the first on, are events of an earlier shipment with this number. Set only if there
	 * was one. The carrier may still report its events, but they say nothing about this shipment.
	 */
	earlierCount?: number | undefined;
	/** The groups of these events, one bit for each. See `groupBit`. */
	groups?: number | undefined;
	/** The latest date of these events, in milliseconds, whole seconds. */
	latestAt?: number | undefined;
	/** When it was delivered or canceled, in milliseconds. */
	endedAt?: number | undefined;
	/** Not requested before this moment, in milliseconds, a whole minute. See `select.ts`. */
	nextRequestAt?: number | undefined;
	/** Recently active: requested in every poll until then, in milliseconds, a whole minute. */
	activeUntil?: number | undefined;
	/**
	 * `REFUSED` if the service refuses requests with this number, `SUSPECTED` if it has refused the number
	 * alone while its carrier responded to nothing. Both are requested alone.
	 */
	refusal?: number | undefined;
	/**
	 * For an additional piece: the ID of its main shipment, 0 until it was looked for. Its own ID if the
	 * service does not say which one that is.
	 */
	mainId?: number | undefined;
	/** Set while a type of period is selected. */
	periods?: Periods | undefined;
	/** Not requested any more. */
	isFinished: boolean;
}

/** Moments in milliseconds, in whole seconds. See `periods.ts`. */
export interface Periods {
	running: Partial<Record<PeriodType, RunningPeriod>>;
	/** When the shipment was last somewhere else than at a pickup point, if that is known. */
	leftAt?: number | undefined;
}

export interface RunningPeriod {
	since: number;
	/** Whether it is not to be reported (again). */
	isReported: boolean;
}

export function dayOf(ms: number): number {
	return Math.floor(ms / DAY_MS);
}

/** Identifies a shipment by its number, which is unique within a carrier. */
export function shipmentKey({ carrier, number }: CarrierNumber): string {
	return `${carrier}\n${number}`;
}

// The state is JSON in one string, in which n8n stores each quotation mark as two characters. So a
// shipment is an array: what each has, and then the other numbers, without those that are missing at the
// end. Minutes and seconds take less space than milliseconds.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/**
 * Numbers that a shipment can have, those that most have first, and in which unit they are saved. Moments
 * count from the day on which watching began, others have no unit. A period has its `since`. A new number is
 * added at the end, because saved states have them by position.
 */
const UNITS = {
	groups: null,
	latestAt: 1_000,
	nextRequestAt: 60_000,
	noMovement: 1_000,
	leftAt: 1_000,
	/** The bits of the periods that are not to be reported. Missing without periods. */
	reported: null,
	activeUntil: 60_000,
	mainId: null,
	newSince: 1,
	endedAt: 1,
	refusal: null,
	waitingForPickup: 1_000,
	earlierCount: null,
} satisfies Record<PeriodType, number> & Record<string, number | null>;

const FIELDS = Object.entries(UNITS);

type Numbers = Partial<Record<keyof typeof UNITS, number | undefined>>;

export async function encodeState({ shipments, ...rest }: TriggerState): Promise<string> {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const positions = new Map(carriers.map((carrier, position) => [carrier, position]));
	const rows = await mapWithPauses(shipments, (shipment) => [
		shipment.id,
		positions.get(shipment.carrier),
		shipment.number,
		LISTED.indexOf(shipment.listed),
		shipment.addedDay,
		// A finished shipment no longer needs its known events.
		shipment.isFinished ? null : shipment.known,
		...encodeNumbers(numbersOf(shipment), shipment.addedDay),
	]);
	return JSON.stringify({ version: VERSION, ...rest, carriers, shipments: rows });
}

function numbersOf({ periods, ...shipment }: WatchedShipment): Numbers {
	const numbers: Numbers = shipment;
	if (!periods) return numbers;
	const { running, leftAt } = periods;
	let reported = 0;
	for (const [type, period] of Object.entries(running) as Array<[PeriodType, RunningPeriod]>) {
		numbers[type] = period.since;
		if (period.isReported) reported |= 1 << periodTypes[type].bit;
	}
	return Object.assign(numbers, { reported, leftAt });
}

function encodeNumbers(numbers: Numbers, firstDay: number): Array<number | null> {
	const encoded = FIELDS.map(([field, unit]) => {
		const value = numbers[field as keyof Numbers];
		if (value === undefined || unit === null) return value ?? null;
		return (value - firstDay * DAY_MS) / unit;
	});
	return encoded.slice(0, encoded.findLastIndex((value) => value !== null) + 1);
}

interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	shipments: Array<Parameters<typeof decodeShipment>[0]>;
}

/** `undefined` for anything but a complete state of this version: the trigger then starts over. */
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
	row: [
		id: number,
		position: number,
		number: string,
		listed: number,
		addedDay: number,
		known: string | null,
		...numbers: Array<number | null>,
	],
	carriers: readonly string[],
): WatchedShipment {
	const [id, position, number, listedAt, addedDay, known, ...numbers] = row;
	const [carrier, listed] = [carriers[position], LISTED[listedAt]];
	if (carrier === undefined || listed === undefined) throw new Error('Malformed state');
	return {
		id,
		carrier,
		number,
		addedDay,
		listed,
		known: known ?? '',
		...decodeNumbers(numbers, addedDay),
		isFinished: known === null,
	};
}

function decodeNumbers(numbers: ReadonlyArray<number | null>, firstDay: number) {
	const values: Numbers = {};
	for (const [at, value] of numbers.entries()) {
		const [field, unit] = FIELDS[at] as (typeof FIELDS)[number];
		if (value === null) continue;
		values[field as keyof Numbers] = unit === null ? value : firstDay * DAY_MS + value * unit;
	}
	const { leftAt, reported, ...others } = values;
	if (reported === undefined) return others;
	const running: Periods['running'] = {};
	for (const [type, { bit }] of Object.entries(periodTypes) as Array<
		[PeriodType, { bit: number }]
	>) {
		const { [type]: since } = others;
		if (since !== undefined) running[type] = { since, isReported: (reported & (1 << bit)) !== 0 };
		delete others[type];
	}
	return { ...others, periods: { running, leftAt } };
}
