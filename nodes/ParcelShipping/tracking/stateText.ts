import { MARK_LENGTH } from './identity';
import type { WatchedShipment, WatchState } from './state';

// The state as n8n keeps it: one JSON text, in which each shipment is a short line of its own
// without a single quotation mark, because n8n puts the text into JSON once more.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/** Days are counted from here, so that they take two characters for years to come. */
const FIRST_DAY = 20_089; // 2025-01-01

const base36 = (value: number) => Math.max(0, Math.round(value)).toString(36);

export function writeState(state: WatchState): string {
	const { shipments, ...rest } = state;
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const places = new Map(carriers.map((carrier, place) => [carrier, base36(place)]));
	const lines = shipments.map((shipment) =>
		writeShipment(shipment, places.get(shipment.carrier) ?? '0'),
	);
	return JSON.stringify({ version: VERSION, ...rest, carriers, shipments: lines.join(';') });
}

function writeShipment(shipment: WatchedShipment, carrier: string): string {
	const { id, number, firstSeenDay, listed, since, known, overSince, dueAt, isResting } = shipment;
	const seen = `${LISTED.indexOf(listed)}${base36(firstSeenDay - FIRST_DAY)}`;
	const history = isResting ? '!' : since === undefined ? known : `~${seconds(since)}`;
	const line = [base36(id), carrier, encodeURIComponent(number), seen, history];
	if (overSince !== undefined || dueAt !== undefined) line.push(seconds(overSince), seconds(dueAt));
	return line.join(',');
}

function seconds(ms: number | undefined): string {
	return ms === undefined ? '' : base36(Math.floor(ms / 1000));
}

/** `undefined` for everything that isn't a whole state of this version. */
export function readState(text: unknown): WatchState | undefined {
	const stored = parse(text);
	if (!isStored(stored)) return undefined;
	const { version, carriers, shipments, ...rest } = stored;
	if (version !== VERSION) return undefined;
	const read =
		shipments === '' ? [] : shipments.split(';').map((line) => readShipment(line, carriers));
	return read.includes(undefined) ? undefined : { ...rest, shipments: read as WatchedShipment[] };
}

type Stored = Omit<WatchState, 'shipments'> & {
	version: number;
	carriers: string[];
	shipments: string;
};

function isStored(value: unknown): value is Stored {
	if (typeof value !== 'object' || value === null) return false;
	const { version, savedAt, account, scope, since, sweep, carriers, shipments } =
		value as Partial<Stored>;
	return (
		[version, savedAt, since, sweep?.next].every((field) => Number.isSafeInteger(field)) &&
		[account, scope, shipments].every((field) => typeof field === 'string') &&
		typeof sweep?.wasCompleted === 'boolean' &&
		Array.isArray(carriers) &&
		carriers.every((carrier) => typeof carrier === 'string')
	);
}

const LINE =
	/^([0-9a-z]+),([0-9a-z]+),([^,]*),([012])([0-9a-z]+),(?:(!)|~([0-9a-z]+)|([\w-]*))(?:,([0-9a-z]*),([0-9a-z]*))?$/;

function readShipment(line: string, carriers: string[]): WatchedShipment | undefined {
	const parts = LINE.exec(line);
	if (!parts) return undefined;
	const [, id, carrier, number, listed, day, resting, since, known = '', over, due] = parts;
	const carrierCode = carriers[readBase36(carrier)];
	const plainNumber = decode(number);
	if (carrierCode === undefined || plainNumber === undefined) return undefined;
	if (known.length % MARK_LENGTH !== 0) return undefined;
	const shipment: WatchedShipment = {
		id: readBase36(id),
		carrier: carrierCode,
		number: plainNumber,
		firstSeenDay: readBase36(day) + FIRST_DAY,
		listed: LISTED[Number(listed)] ?? 'no',
		known,
		isResting: resting !== undefined,
	};
	if (since !== undefined) shipment.since = readBase36(since) * 1000;
	if (over) shipment.overSince = readBase36(over) * 1000;
	if (due) shipment.dueAt = readBase36(due) * 1000;
	return shipment;
}

function readBase36(text: string | undefined): number {
	return Number.parseInt(text ?? '', 36);
}

function decode(text: string | undefined): string | undefined {
	try {
		return decodeURIComponent(text ?? '');
	} catch {
		return undefined;
	}
}

function parse(text: unknown): unknown {
	if (typeof text !== 'string') return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
