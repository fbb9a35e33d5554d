import { mapWithPauses } from '../transport/concurrency';
import { MARK_LENGTH } from './events';
import type { Periods, TriggerState, WatchedShipment } from './state';

// The state is JSON in one string, in which n8n stores each quotation mark as two characters. So a
// shipment is an array: what each has, its periods, and then the other numbers, without those that are
// missing at the end. Minutes and seconds take less space than milliseconds.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/** Numbers that a shipment can have, those that most have first, and in which unit they are saved. */
const NUMBERS = {
	nextRequestAt: 60_000,
	activeUntil: 60_000,
	mainId: 1,
	newSince: 1,
	endedAt: 1,
	refusedSince: 1,
};

const PERIOD_NUMBERS = { movedAt: 1_000, leftAt: 1_000, reported: 1, readyAt: 1_000 };

type Numbers<Units> = Partial<Record<keyof Units, number>>;

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
		shipment.periods ? encodePeriods(shipment.periods) : null,
		...encodeNumbers(shipment, NUMBERS),
	]);
	return JSON.stringify({ version: VERSION, ...rest, carriers, shipments: rows });
}

function encodePeriods({ isQuietReported, isWaitReported, ...moments }: Periods) {
	const reported = Number(isQuietReported) + 2 * Number(isWaitReported);
	return encodeNumbers({ ...moments, reported }, PERIOD_NUMBERS);
}

function encodeNumbers<Units extends Record<string, number>>(
	values: Numbers<Units>,
	units: Units,
): Array<number | null> {
	const numbers = Object.entries(units).map(([field, unit]) => {
		const value = values[field];
		return value === undefined ? null : value / unit;
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
		...(periods === null ? {} : { periods: decodePeriods(periods) }),
		...decodeNumbers(numbers, NUMBERS),
		isFinished: known === null,
	};
}

function decodePeriods(numbers: unknown): Periods {
	const { movedAt, reported, ...others } = decodeNumbers(numbers, PERIOD_NUMBERS);
	check(movedAt !== undefined && reported !== undefined);
	const isWaitReported = reported >= 2;
	return { movedAt, isQuietReported: reported % 2 === 1, isWaitReported, ...others };
}

function decodeNumbers<Units extends Record<string, number>>(
	numbers: unknown,
	units: Units,
): Numbers<Units> {
	check(Array.isArray(numbers));
	const fields = Object.entries(units);
	check(numbers.length <= fields.length);
	const values: Record<string, number> = {};
	for (const [at, value] of (numbers as unknown[]).entries()) {
		const [field = '', unit = 1] = fields[at] ?? [];
		check(value === null || Number.isSafeInteger(value));
		if (value !== null) values[field] = (value as number) * unit;
	}
	return values as Numbers<Units>;
}

function isText(value: unknown): value is string {
	return typeof value === 'string';
}

function check(isValid: boolean): asserts isValid {
	if (!isValid) throw new Error('Malformed state');
}
