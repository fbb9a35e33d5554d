import type { IPollFunctions } from 'n8n-workflow';

import { groupBy, keepLatest } from '../lists';
import { carrierNumberOf, isSameCode, mainIdOf } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { isRefusal } from '../transport/refusals';
import { readShipment } from '../transport/shipment';
import { type Budget, logFailure, type ShipmentInfos } from './host';
import {
	type CompleteEvent,
	type IncludedShipment,
	isCompleteRecord,
	type ShipmentInfo,
	type ShipmentRecord,
	toShipmentInfo,
} from './output';
import { keyOf, type NewEvent, type Watch, type WatchedShipment } from './state';

/** A process remembers so many shipments: about 10 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

/** How many main shipments one poll looks for. */
const MAX_LOOKED_FOR = 20;

/** What one poll has read about shipments, by their ID. */
export class ShipmentRecords {
	private readonly byId = new Map<number, ShipmentRecord>();

	constructor(
		private readonly nowMs: number,
		private readonly earlier: ShipmentInfos = new Map(),
	) {}

	/** Adds what a detail says to what the list says. Its empty fields replace nothing. */
	add(record: object): void {
		const { id, ...fields } = record as ShipmentRecord;
		if (!Number.isSafeInteger(Number(id))) return;
		const known = this.byId.get(Number(id)) ?? {};
		const added = Object.entries(fields).filter(([name, value]) => value !== null || !known[name]);
		const merged = { ...known, id, ...Object.fromEntries(added) };
		this.byId.set(Number(id), merged);
		if (!isCompleteRecord(merged)) return;
		const info = toShipmentInfo(merged);
		keepLatest(this.earlier, Number(id), { info, readAt: this.nowMs }, MAX_REMEMBERED);
	}

	get(id: number): ShipmentRecord | undefined {
		return this.byId.get(id);
	}

	/** What an earlier poll has read. Like the list, it may be half an hour old. */
	earlierInfo(id: number): ShipmentInfo | undefined {
		const { info, readAt = -Infinity } = this.earlier.get(id) ?? {};
		return this.nowMs - readAt < REMEMBERED_MS ? info : undefined;
	}
}

interface Run {
	context: IPollFunctions;
	watch: Pick<Watch, 'includeShipment'>;
	client: Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'>;
	budget: Budget;
}

/** What a request said about a watched shipment. `ids` are set if they were not known before. */
interface Reading {
	record?: ShipmentRecord;
	ids?: Pick<WatchedShipment, 'id' | 'mainId'>;
	failure?: unknown;
}

/**
 * Adds to each event which shipment it belongs to and, if the user wants it, what is known of that. What
 * the list said in this poll is enough if it is complete. Otherwise one request reads a shipment with
 * all of its pieces. If it fails, the event says why: it is neither lost nor delayed.
 */
export async function includeShipments(
	newEvents: readonly NewEvent[],
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	run: Run,
): Promise<{ newEvents: CompleteEvent[]; shipments: WatchedShipment[] }> {
	const { includeShipment } = run.watch;
	const earlier = includeShipment ? infosOfEarlierPolls(newEvents, records) : new Map();
	const isComplete = ({ id }: WatchedShipment) =>
		!includeShipment || isCompleteRecord(records.get(id) ?? {}) || earlier.has(id);
	const ofEvents = new Map(newEvents.map(({ shipment }) => [keyOf(shipment), shipment]));
	let lookedFor = 0;
	const incomplete = [...ofEvents.values()].filter((shipment) =>
		isComplete(shipment) ? shipment.mainId === 0 && ++lookedFor <= MAX_LOOKED_FOR : true,
	);
	const readings = await readShipments(incomplete, records, run);
	const [failure] = incomplete
		.filter((shipment) => !isComplete(shipment))
		.flatMap((shipment) => readings.get(keyOf(shipment))?.failure ?? []);
	if (failure !== undefined) {
		logFailure(run.context, 'Some shipments could not be read for their events', failure);
	}
	const withIds = (shipment: WatchedShipment) => ({
		...shipment,
		...readings.get(keyOf(shipment))?.ids,
	});
	return {
		newEvents: newEvents.map((event) => {
			const found = { ...event, shipment: withIds(event.shipment) };
			if (!includeShipment) return found;
			const reading = readings.get(keyOf(event.shipment));
			const record = { ...reading?.record, ...records.get(event.shipment.id) };
			const info = earlier.get(event.shipment.id) ?? toShipmentInfo(record);
			return { ...found, included: includedOf(info, isComplete(event.shipment), reading) };
		}),
		shipments: readings.size === 0 ? [...shipments] : shipments.map(withIds),
	};
}

function includedOf(
	shipment: ShipmentInfo,
	isComplete: boolean,
	reading: Reading | undefined,
): IncludedShipment {
	if (isComplete || reading?.failure === undefined) return { shipment };
	return { shipment, shipmentNotRead: describeError(reading.failure).message };
}

/** Enough for shipments that were on their way then and still are: only the end changes them. */
function infosOfEarlierPolls(
	newEvents: readonly NewEvent[],
	records: ShipmentRecords,
): Map<number, ShipmentInfo> {
	const infos = new Map<number, ShipmentInfo>();
	const ended = new Set<number>();
	for (const { shipment, event } of newEvents) {
		const { id, endedAt } = shipment;
		if (endedAt !== undefined || event.delivered || event.canceled) ended.add(id);
		const info = records.get(id) ? undefined : records.earlierInfo(id);
		if (info) infos.set(id, info);
	}
	for (const id of ended) infos.delete(id);
	return infos;
}

/** Reads the shipments with their pieces, by the keys of the shipments. */
async function readShipments(
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	{ client, budget }: Run,
): Promise<Map<string, Reading>> {
	const readings = new Map<string, Reading>();
	const failedCarriers = new Map<string, unknown>();
	// The pieces of a shipment have one detail.
	const groups = groupBy(shipments, (shipment) =>
		shipment.id === 0 ? keyOf(shipment) : `${shipment.carrier} ${shipment.mainId || shipment.id}`,
	);
	await client.mapParallel([...groups.values()], async (group) => {
		const [{ carrier }] = group;
		let pieces: ShipmentRecord[] = [];
		let failure = failedCarriers.get(carrier);
		if (failure === undefined && budget.isLate()) failure = NO_TIME;
		if (failure === undefined) {
			try {
				pieces = await readPieces(group[0], client, budget);
			} catch (thrown) {
				failure = thrown;
				// Further requests to a service that just failed would delay the events.
				if (isServiceError(thrown) && !isRefusal(thrown)) failedCarriers.set(carrier, thrown);
			}
		}
		for (const record of pieces) records.add(record);
		for (const shipment of group) {
			// If the service refuses the ID of an additional piece, the piece keeps it.
			const isLost = shipment.mainId === 0 && isRefusal(failure);
			const ids = isLost ? { ids: { id: shipment.id, mainId: shipment.id } } : {};
			const reading = failure === undefined ? pick(shipment, pieces) : { failure, ...ids };
			readings.set(keyOf(shipment), reading);
		}
	});
	return readings;
}

const NO_TIME = new ItemError('The poll had no time left to read the shipment', '');

/** The record of a shipment and those of its pieces, the main one first. */
async function readPieces(
	{ carrier, number, id, mainId }: WatchedShipment,
	client: Run['client'],
	budget: Budget,
): Promise<ShipmentRecord[]> {
	const readDetail = async (ofId: number) => {
		const { result } = await readShipment(client, carrier, ofId, budget.timeoutMs());
		return result as unknown as ShipmentRecord[];
	};
	if (id !== 0) return await readDetail(mainId || id);
	// A shipment that the user listed by its number has no known ID.
	const filter = { search: number, onlyMaster: false };
	const { rows } = await client.findShipments(filter, 0, PAGE_LENGTH, budget.timeoutMs());
	const ofCarrier = rows.filter(({ carrierCode }) => isSameCode(String(carrierCode), carrier));
	const exact = ofCarrier.find((row) => carrierNumberOf(row) === number);
	const known = exact && isCompleteRecord({ ...exact }) ? { ...exact } : undefined;
	if (known && mainIdOf(known) !== 0) return [known];
	// Some lists contain no numbers. The detail then confirms that this is the shipment. It also says
	// which shipment an additional piece belongs to.
	const unnumbered = ofCarrier.filter((row) => carrierNumberOf(row) === '');
	const candidate = exact ?? (unnumbered.length === 1 ? unnumbered[0] : undefined);
	if (!candidate) throw notListed({ carrier, number });
	return await readDetail(mainIdOf(candidate) || candidate.id).catch(async (failure: unknown) =>
		known ? [known] : await Promise.reject(failure),
	);
}

function notListed({ carrier, number }: Pick<WatchedShipment, 'carrier' | 'number'>): ItemError {
	return new ItemError(`The service does not list shipment ${number} of carrier ${carrier}`, '');
}

/** What the records of a shipment and its pieces say about the watched one. */
function pick(shipment: WatchedShipment, pieces: readonly ShipmentRecord[]): Reading {
	const { id, number, mainId } = shipment;
	const [main] = pieces;
	const isWatched = (piece: ShipmentRecord) =>
		id === 0 ? carrierNumberOf(piece) === number : Number(piece.id) === id;
	const record = pieces.find(isWatched) ?? (id === 0 ? undefined : main);
	if (!main || !record) return { failure: notListed(shipment) };
	if (id !== 0 && mainId !== 0) return { record };
	const ownId = id || Number(record.id);
	const foundMainId = Number(main.id) === ownId ? mainIdOf(record) : Number(main.id);
	// A piece whose main shipment nobody says keeps its own ID, so that it is not looked for again.
	const ids = foundMainId === undefined ? {} : { mainId: foundMainId || ownId };
	return { record, ids: { id: ownId, ...ids } };
}
