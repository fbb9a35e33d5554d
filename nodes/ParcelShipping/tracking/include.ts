import type { IPollFunctions } from 'n8n-workflow';

import { groupBy, keepLatest, isSameCode } from '../lists';
import { carrierNumberOf, mainIdOf } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { isRefusal } from '../transport/refusals';
import { type Budget, logFailure, type ShipmentInfos } from './host';
import {
	type CompleteEvent,
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
		return this.byId.has(id) || this.nowMs - readAt >= REMEMBERED_MS ? undefined : info;
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
	// Enough for shipments that were on their way then and still are: only the end changes them.
	const earlierInfo = ({ id, endedAt }: WatchedShipment) =>
		endedAt === undefined ? records.earlierInfo(id) : undefined;
	const isComplete = (shipment: WatchedShipment) =>
		!includeShipment ||
		isCompleteRecord(records.get(shipment.id) ?? {}) ||
		earlierInfo(shipment) !== undefined;
	const ofEvents = new Map(newEvents.map(({ shipment }) => [keyOf(shipment), shipment]));
	let lookedFor = 0;
	const toRead = [...ofEvents.values()].filter(
		(shipment) => !isComplete(shipment) || (shipment.mainId === 0 && ++lookedFor <= MAX_LOOKED_FOR),
	);
	const readings = await readShipments(toRead, records, run);
	const failures: unknown[] = [];
	const included = newEvents.map((found): CompleteEvent => {
		const { record, ids, failure } = readings.get(keyOf(found.shipment)) ?? {};
		const { id } = found.shipment;
		const complete = { ...found, shipment: { ...found.shipment, ...ids } };
		if (!includeShipment) return complete;
		const known = { ...record, ...records.get(id) };
		const shipment = earlierInfo(found.shipment) ?? toShipmentInfo(known);
		if (failure === undefined || isComplete(found.shipment)) {
			return { ...complete, included: { shipment } };
		}
		failures.push(failure);
		const shipmentNotRead = describeError(failure).message;
		return { ...complete, included: { shipment, shipmentNotRead } };
	});
	if (failures.length > 0) {
		logFailure(run.context, 'Some shipments could not be read for their events', failures[0]);
	}
	if (readings.size === 0) return { newEvents: included, shipments: [...shipments] };
	return {
		newEvents: included,
		shipments: shipments.map((shipment) => ({
			...shipment,
			...readings.get(keyOf(shipment))?.ids,
		})),
	};
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
		if (budget.isLate()) failure ??= NO_TIME;
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
		const { result } = await client.getShipment(carrier, ofId, budget.timeoutMs());
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
