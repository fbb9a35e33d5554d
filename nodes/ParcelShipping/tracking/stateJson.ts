import { MARK_LENGTH } from './compare';
import type { Periods, TriggerState, WatchedShipment } from './state';

// n8n stores the state as one JSON string inside JSON, so a quotation mark takes two characters.
// Shipments are therefore lines of comma-separated values in a single string. 10,000 shipments with
// ten events each take 951 kB this way, 1051 kB as JSON arrays, and n8n slows down beyond 1 MB.

const VERSION = 1;

const LISTED = ['no', 'before', 'now'] as const;

/** Few shipments have one of these. */
const OPTIONAL = ['newSince', 'endedAt', 'nextRequestAt', 'refusedSince', 'mainId'] as const;

const DAY_SECONDS = 86_400;

/** Takes the place of the known events, which a finished shipment no longer needs. */
const FINISHED = '!';

interface SavedState extends Omit<TriggerState, 'shipments'> {
	version: number;
	carriers: string[];
	/** Days and seconds are saved as the difference to this day, which is shorter. */
	firstDay: number;
	/** `id,carrier,number,listed,day,known,periods`, then the optional fields if there is any. */
	shipments: string;
}

export function writeState({ shipments, ...rest }: TriggerState): string {
	const carriers = [...new Set(shipments.map(({ carrier }) => carrier))];
	const carrierIndex = new Map(carriers.map((carrier, index) => [carrier, index]));
	const firstDay = shipments.reduce((day, { firstSeenDay }) => Math.min(day, firstSeenDay), 1e6);
	const lines = shipments.map((shipment, index) => {
		const { id, carrier, number, listed, firstSeenDay, known, isFinished, periods } = shipment;
		const line: Array<string | number | undefined> = [
			id - (shipments[index - 1]?.id ?? 0),
			carrierIndex.get(carrier),
			encodeURIComponent(number),
			LISTED.indexOf(listed),
			firstSeenDay - firstDay,
			isFinished ? FINISHED : known,
			periods ? writePeriods(periods, firstDay) : '',
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
		const { savedAt, account, selection, since, periodTypes, list, carriers, firstDay } = saved;
		const lines = saved.shipments === '' ? [] : saved.shipments.split(';');
		let id = 0;
		const shipments = lines.map((line) => {
			const shipment = readShipment(line, carriers, firstDay, id);
			({ id } = shipment);
			return shipment;
		});
		return { savedAt, account, selection, since, periodTypes, list, shipments };
	} catch {
		return undefined;
	}
}

function isSavedState(value: unknown): value is SavedState {
	if (typeof value !== 'object' || value === null) return false;
	const { version, savedAt, account, selection, since, list, carriers, firstDay, shipments } =
		value as Partial<SavedState>;
	const { periodTypes } = value as Partial<SavedState>;
	return (
		version === VERSION &&
		[savedAt, since, list?.next, firstDay].every((field) => Number.isSafeInteger(field)) &&
		[account, selection, shipments].every((field) => typeof field === 'string') &&
		typeof list?.wasCompleted === 'boolean' &&
		[carriers, periodTypes].every(
			(texts) => Array.isArray(texts) && texts.every((text) => typeof text === 'string'),
		)
	);
}

function readShipment(
	line: string,
	carriers: string[],
	firstDay: number,
	idBefore: number,
): WatchedShipment {
	const [id, carrierIndex, number = '', listed, day, known = '', periods, ...values] =
		line.split(',');
	const carrier = carriers[readInteger(carrierIndex)];
	const listedAs = LISTED[readInteger(listed)];
	const isFinished = known === FINISHED;
	if (carrier === undefined || listedAs === undefined) throw malformed();
	if (values.length !== 0 && values.length !== OPTIONAL.length) throw malformed();
	if (periods === undefined) throw malformed();
	if (!isFinished && known.length % MARK_LENGTH !== 0) throw malformed();
	const shipment: WatchedShipment = {
		id: idBefore + readInteger(id),
		carrier,
		number: decodeURIComponent(number),
		firstSeenDay: firstDay + readInteger(day),
		listed: listedAs,
		known: isFinished ? '' : known,
		isFinished,
		...(periods ? { periods: readPeriods(periods, firstDay) } : {}),
	};
	for (const [index, field] of OPTIONAL.entries()) {
		if (values[index]) shipment[field] = readInteger(values[index]);
	}
	return shipment;
}

/** Seconds in base 36, each with an exclamation mark if reported: `1k3z9` or `1k3z9!.1k2aa!`. */
function writePeriods(periods: Periods, firstDay: number): string {
	const { movedAt, isQuietReported, readyAt, isWaitReported } = periods;
	const write = (ms: number, isReported: boolean) =>
		(ms / 1000 - firstDay * DAY_SECONDS).toString(36) + (isReported ? '!' : '');
	const moved = write(movedAt, isQuietReported);
	return readyAt === undefined ? moved : `${moved}.${write(readyAt, isWaitReported)}`;
}

function readPeriods(text: string, firstDay: number): Periods {
	const [moved = '', ready] = text.split('.');
	const read = (part: string) => {
		if (!/^-?[0-9a-z]+!?$/.test(part)) throw malformed();
		return (parseInt(part, 36) + firstDay * DAY_SECONDS) * 1000;
	};
	const isReported = (part?: string) => part?.endsWith('!') ?? false;
	return {
		movedAt: read(moved),
		isQuietReported: isReported(moved),
		...(ready === undefined ? {} : { readyAt: read(ready) }),
		isWaitReported: isReported(ready),
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
