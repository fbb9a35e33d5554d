import { mapWithPauses } from '../lists';
import { DAY_MS } from '../records';
import { MINUTE_MS } from './dates';
import { LISTED, STATUSES, type TriggerState, type WatchedShipment } from './state';

// The state is JSON in one string, in which n8n stores each quotation mark as two characters. So a
// shipment is an array: what each has, and then the optional fields, without those that are missing at the
// end. Moments take less space in seconds or minutes since the day on which watching began.

const VERSION = 1;
const SECOND_MS = 1_000;

/**
 * The unit of each moment, and null for other values. Saved states have the fields by position: a new one goes to the end.
 * Another order needs another version, with which every trigger starts over. Fields that few shipments have are the last.
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
	ownEndAfter: 1,
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
