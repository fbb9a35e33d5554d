import { MARK_LENGTH } from './compare';
import type { TriggerState, WatchedShipment } from './state';

// n8n stores the state as one JSON string inside JSON, so a quotation mark takes two characters.
// Shipments are therefore lines of comma-separated values in a single string. 10,000 shipments with
// ten events each take 951 kB this way, 1051 kB as JSON arrays, and n8n slows down beyond 1 MB.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/** Few shipments have one of these. */
const OPTIONAL = ['newSince', 'endedAt', 'nextRequestAt', 'refusedSince', 'mainId'] as const;

/** Takes the place of the known events, which a finished shipment no longer needs. */
const FINISHED = '!';

interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	/** Days are saved as the difference to this one, which is shorter. */
	firstDay: number;
	/** `id,carrier,number,listed,day,known`, followed by the optional fields if there is any. */
	shipments: string;
}

export function writeState({ shipments, ...rest }: TriggerState): string {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const carrierIndex = new Map(carriers.map((carrier, index) => [carrier, index]));
	const firstDay = shipments.reduce((day, { firstSeenDay }) => Math.min(day, firstSeenDay), 1e6);
	const lines = shipments.map((shipment) => {
		const { id, carrier, number, listed, firstSeenDay, known, isFinished } = shipment;
		const line: Array<string | number | undefined> = [
			id,
			carrierIndex.get(carrier),
			encodeURIComponent(number),
			LISTED.indexOf(listed),
			firstSeenDay - firstDay,
			isFinished ? FINISHED : known,
		];
		const values = OPTIONAL.map((field) => shipment[field]);
		if (values.some((value) => value !== undefined)) line.push(...values);
		return line.join(',');
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

/** `undefined` for anything but a complete state of this version. */
export function readState(text: unknown): TriggerState | undefined {
	if (typeof text !== 'string') return undefined;
	try {
		const saved: unknown = JSON.parse(text);
		if (!isSavedState(saved)) return undefined;
		const { savedAt, account, selection, since, list, carriers, firstDay } = saved;
		const lines = saved.shipments === '' ? [] : saved.shipments.split(';');
		const shipments = lines.map((line) => readShipment(line, carriers, firstDay));
		return { savedAt, account, selection, since, list, shipments };
	} catch {
		return undefined;
	}
}

function isSavedState(value: unknown): value is SavedState {
	if (typeof value !== 'object' || value === null) return false;
	const { version, savedAt, account, selection, since, list, carriers, firstDay, shipments } =
		value as Partial<SavedState>;
	return (
		version === VERSION &&
		[savedAt, since, list?.next, firstDay].every((field) => Number.isSafeInteger(field)) &&
		[account, selection, shipments].every((field) => typeof field === 'string') &&
		typeof list?.wasCompleted === 'boolean' &&
		Array.isArray(carriers) &&
		carriers.every((carrier) => typeof carrier === 'string')
	);
}

function readShipment(line: string, carriers: string[], firstDay: number): WatchedShipment {
	const [id, carrierIndex, number = '', listed, day, known = '', ...values] = line.split(',');
	const carrier = carriers[readInteger(carrierIndex)];
	const listedAs = LISTED[readInteger(listed)];
	const isFinished = known === FINISHED;
	if (carrier === undefined || listedAs === undefined) throw malformed();
	if (values.length !== 0 && values.length !== OPTIONAL.length) throw malformed();
	if (!isFinished && known.length % MARK_LENGTH !== 0) throw malformed();
	const shipment: WatchedShipment = {
		id: readInteger(id),
		carrier,
		number: decodeURIComponent(number),
		firstSeenDay: firstDay + readInteger(day),
		listed: listedAs,
		known: isFinished ? '' : known,
		isFinished,
	};
	for (const [index, field] of OPTIONAL.entries()) {
		if (values[index]) shipment[field] = readInteger(values[index]);
	}
	return shipment;
}

function readInteger(text: string | undefined): number {
	const value = Number(text);
	if (!text || !Number.isSafeInteger(value)) throw malformed();
	return value;
}

function malformed(): Error {
	return new Error('Malformed state');
}
