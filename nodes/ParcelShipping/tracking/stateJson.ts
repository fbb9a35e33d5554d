import { type InSteps, mapInSteps } from '../lists';
import { MARK_LENGTH } from './compare';
import type { Periods, TriggerState, WatchedShipment } from './state';

// n8n stores the state as one JSON string inside JSON, so a quotation mark takes two characters.
// Shipments are therefore lines of comma-separated values in a single string. 10,000 shipments with
// ten events each take 811 kB this way, and n8n slows down beyond 1 MB.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

const DAY_SECONDS = 86_400;

const MINUTE_MS = 60_000;

/** Takes the place of the known events, which a finished shipment no longer needs. */
const FINISHED = '!';

/** Fields that few shipments have at the same time, by the letter that their values begin with. */
const MARKED = {
	s: 'newSince',
	e: 'endedAt',
	r: 'refusedSince',
	m: 'mainId',
	t: 'nextRequestAt',
	n: 'newsUntil',
} as const;

/** Saved in minutes since the state was saved, which is shorter. */
const IN_MINUTES: readonly string[] = ['nextRequestAt', 'newsUntil'];

const PERIODS = 'p';

/** What the JSON contains. */
export interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	/** Days and seconds are saved as the difference to this day, which is shorter. */
	firstDay: number;
	/** `id,carrier,number,listed and day,known`, then the marked fields that the shipment has. */
	shipments: string;
}

/** What a line is relative to. */
interface Origin {
	firstDay: number;
	savedMinute: number;
	carriers: string[];
	/** Of the line before. */
	id: number;
	/** The latest number of each carrier. */
	numbers: Map<string, string>;
}

export function* writeState({ shipments, ...rest }: TriggerState): InSteps<string> {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const firstDay = shipments.reduce((day, { firstSeenDay }) => Math.min(day, firstSeenDay), 1e6);
	const origin = originOf({ ...rest, carriers, firstDay });
	const carrierIndex = new Map(carriers.map((carrier, index) => [carrier, index]));
	const lines = yield* mapInSteps(shipments, (shipment) => {
		const line = writeShipment(shipment, carrierIndex, origin);
		origin.id = shipment.id;
		return line;
	});
	const saved: SavedState = {
		version: VERSION,
		...rest,
		carriers,
		firstDay,
		shipments: lines.join(';'),
	};
	return JSON.stringify(saved);
}

function originOf({
	firstDay,
	savedAt,
	carriers,
}: Pick<SavedState, 'firstDay' | 'savedAt' | 'carriers'>): Origin {
	const savedMinute = Math.floor(savedAt / MINUTE_MS);
	return { firstDay, savedMinute, carriers, id: 0, numbers: new Map() };
}

/** `undefined` for anything but the JSON of this version. */
export function parseState(text: unknown): SavedState | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		const saved: unknown = JSON.parse(text);
		return isSavedState(saved) ? saved : undefined;
	} catch {
		return undefined;
	}
}

/** `undefined` for anything but a complete state. */
export function* readState(saved: SavedState | undefined): InSteps<TriggerState | undefined> {
	if (!saved) return undefined;
	const { savedAt, account, selection, since, periodTypes, list } = saved;
	const lines = saved.shipments === '' ? [] : saved.shipments.split(';');
	const origin = originOf(saved);
	try {
		const shipments = yield* mapInSteps(lines, (line) => {
			const shipment = readShipment(line, origin);
			origin.id = shipment.id;
			return shipment;
		});
		return { savedAt, account, selection, since, periodTypes, list, shipments };
	} catch {
		return undefined;
	}
}

function isSavedState(value: unknown): value is SavedState {
	const saved = Object(value) as Partial<SavedState>;
	const { version, savedAt, account, selection, since, list, firstDay, shipments } = saved;
	return (
		version === VERSION &&
		[savedAt, since, list?.next, firstDay].every((field) => Number.isSafeInteger(field)) &&
		[account, selection, shipments].every((field) => typeof field === 'string') &&
		typeof list?.wasCompleted === 'boolean' &&
		[saved.carriers, saved.periodTypes].every(
			(texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'),
		)
	);
}

function writeShipment(
	shipment: WatchedShipment,
	carrierIndex: ReadonlyMap<string, number>,
	origin: Origin,
): string {
	const { id, carrier, listed, firstSeenDay, known, isFinished, periods } = shipment;
	const line: Array<string | number | undefined> = [
		id - origin.id,
		carrierIndex.get(carrier),
		writeNumber(shipment, origin),
		`${LISTED.indexOf(listed)}${firstSeenDay - origin.firstDay}`,
		isFinished ? FINISHED : known,
	];
	for (const [mark, field] of Object.entries(MARKED)) {
		const value = shipment[field];
		if (value === undefined) continue;
		const written = IN_MINUTES.includes(field)
			? Math.floor(value / MINUTE_MS) - origin.savedMinute
			: value;
		line.push(mark + written.toString(36));
	}
	if (periods) line.push(PERIODS + writePeriods(periods, origin.firstDay));
	return line.join(',');
}

function readShipment(line: string, origin: Origin): WatchedShipment {
	const [id, carrierIndex, number, listed = '', known, ...marked] = line.split(',');
	const carrier = origin.carriers[readInteger(carrierIndex)];
	const listedAs = LISTED[readInteger(listed.slice(0, 1))];
	const isFinished = known === FINISHED;
	if (carrier === undefined || listedAs === undefined) throw malformed();
	if (number === undefined || known === undefined) throw malformed();
	if (!isFinished && known.length % MARK_LENGTH !== 0) throw malformed();
	const shipment: WatchedShipment = {
		id: origin.id + readInteger(id),
		carrier,
		number: readNumber(number, carrier, origin),
		firstSeenDay: origin.firstDay + readInteger(listed.slice(1)),
		listed: listedAs,
		known: isFinished ? '' : known,
		isFinished,
	};
	for (const each of marked) {
		const mark = each.slice(0, 1);
		const text = each.slice(1);
		if (mark === PERIODS) {
			shipment.periods = readPeriods(text, origin.firstDay);
			continue;
		}
		const field = MARKED[mark as keyof typeof MARKED];
		if (field === undefined || !/^-?[0-9a-z]+$/.test(text)) throw malformed();
		const value = parseInt(text, 36);
		shipment[field] = IN_MINUTES.includes(field) ? (value + origin.savedMinute) * MINUTE_MS : value;
	}
	return shipment;
}

/**
 * The numbers of a carrier usually begin alike, so a number is saved as what follows the beginning
 * that it shares with the one before: its length in base 36, and the rest.
 */
function writeNumber({ carrier, number }: WatchedShipment, { numbers }: Origin): string {
	const text = encodeURIComponent(number);
	const before = numbers.get(carrier) ?? '';
	let shared = 0;
	while (shared < 35 && shared < text.length && text[shared] === before[shared]) shared++;
	numbers.set(carrier, text);
	return shared.toString(36) + text.slice(shared);
}

function readNumber(saved: string, carrier: string, { numbers }: Origin): string {
	const shared = parseInt(saved.slice(0, 1), 36);
	const before = numbers.get(carrier) ?? '';
	if (!(shared <= before.length)) throw malformed();
	const text = before.slice(0, shared) + saved.slice(1);
	numbers.set(carrier, text);
	return decodeURIComponent(text);
}

/**
 * When the shipment moved, was ready and left, in seconds in base 36, with an exclamation mark if
 * reported: `1k3z9!.1k2aa!.1k1bb`. Usually the last movement was the departure: `1k3z9..`.
 */
function writePeriods(periods: Periods, firstDay: number): string {
	const { movedAt, isQuietReported, readyAt, isWaitReported, leftAt } = periods;
	const write = (ms: number, isReported: boolean) =>
		(ms / 1000 - firstDay * DAY_SECONDS).toString(36) + (isReported ? '!' : '');
	const moved = write(movedAt, isQuietReported);
	const ready = readyAt === undefined ? '' : write(readyAt, isWaitReported);
	if (leftAt === undefined) return `${moved}.${ready}`;
	return `${moved}.${ready}.${leftAt === movedAt ? '' : write(leftAt, false)}`;
}

function readPeriods(text: string, firstDay: number): Periods {
	const [moved = '', ready = '', left] = text.split('.');
	const read = (part: string) => {
		if (!/^-?[0-9a-z]+!?$/.test(part)) throw malformed();
		return (parseInt(part, 36) + firstDay * DAY_SECONDS) * 1000;
	};
	return {
		movedAt: read(moved),
		isQuietReported: moved.endsWith('!'),
		...(ready === '' ? {} : { readyAt: read(ready) }),
		isWaitReported: ready.endsWith('!'),
		...(left === undefined ? {} : { leftAt: read(left === '' ? moved : left) }),
	};
}

function readInteger(text: string | undefined): number {
	const value = Number(text);
	if (!text || !Number.isSafeInteger(value)) throw malformed();
	return value;
}

function malformed(): Error {
	return new Error('Malformed state');
}
