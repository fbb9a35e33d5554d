import { groupBy } from '../lists';
import { carrierNumberOf, isFurtherPiece } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import type { NewEvent } from './compare';
import type { Deadline } from './host';
import { readShipment } from './mainShipment';
import { isRefusal } from '../transport/refusals';
import {
	type IncludedShipment,
	isCompleteRecord,
	type ShipmentInfo,
	type ShipmentRecord,
	type ShipmentRecords,
	toShipmentInfo,
} from './shipmentInfo';
import type { WatchedShipment } from './state';

type Reading = Pick<Client, 'findShipments' | 'getShipment' | 'mapParallel'>;

interface Failed {
	failure: unknown;
}

/** The records of a shipment and its pieces, the main one first. */
type Outcome = { pieces: ShipmentRecord[] } | Failed;

/** The record of a watched shipment. `ids` is set if only its number was known. */
type Found = { record: ShipmentRecord; ids?: Pick<WatchedShipment, 'id' | 'mainId'> } | Failed;

/**
 * Adds to each event what the user wants to know of its shipment. What the list said in this poll is
 * enough if it is complete. Otherwise one request reads a shipment with all of its pieces. If it fails,
 * the event says why: it is neither lost nor delayed.
 */
export async function includeShipments(
	newEvents: readonly NewEvent[],
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	client: Reading,
	deadline: Deadline,
): Promise<{ newEvents: NewEvent[]; shipments: WatchedShipment[]; failures: unknown[] }> {
	const found = new Map<string, Found>();
	const failedCarriers = new Map<string, Failed>();
	const earlier = infosOfEarlierPolls(newEvents, records);
	const missing = newEvents
		.map(({ shipment }) => shipment)
		.filter(({ id }) => !isCompleteRecord(records.get(id) ?? {}) && !earlier.has(id));
	// The pieces of a shipment have one detail.
	const groups = groupBy(missing, (shipment) =>
		shipment.id === 0 ? keyOf(shipment) : `${shipment.carrier} ${shipment.mainId || shipment.id}`,
	);
	await client.mapParallel([...groups.values()], async (group) => {
		const [first] = group;
		const outcome: Outcome =
			failedCarriers.get(first.carrier) ??
			(deadline.hasPassed ? NO_TIME : await tryToRead(first, client, deadline));
		if ('failure' in outcome) {
			// Further requests to a service that just failed would delay the events.
			const { failure } = outcome;
			if (isServiceError(failure) && !isRefusal(failure))
				failedCarriers.set(first.carrier, outcome);
		} else {
			for (const record of outcome.pieces) records.add(record);
		}
		for (const shipment of group) found.set(keyOf(shipment), pick(shipment, outcome));
	});
	const idsOf = (shipment: WatchedShipment) => {
		const each = found.get(keyOf(shipment));
		return each && 'ids' in each ? each.ids : {};
	};
	const failures = [...found.values()].flatMap((each) => ('failure' in each ? each.failure : []));
	return {
		newEvents: newEvents.map((event) => {
			const { shipment } = event;
			const info = earlier.get(shipment.id);
			const included = info
				? { shipment: info }
				: toIncluded(found.get(keyOf(shipment)), records.get(shipment.id));
			return { ...event, shipment: { ...shipment, ...idsOf(shipment) }, included };
		}),
		shipments: shipments.map((shipment) =>
			shipment.id === 0 ? { ...shipment, ...idsOf(shipment) } : shipment,
		),
		failures,
	};
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

const NO_TIME: Failed = {
	failure: new ItemError('The poll had no time left to read the shipment', ''),
};

async function tryToRead(
	shipment: WatchedShipment,
	client: Reading,
	deadline: Deadline,
): Promise<Outcome> {
	return await readRecords(shipment, client, deadline).then(
		(pieces) => ({ pieces }),
		(failure: unknown) => ({ failure }),
	);
}

/** The record of a shipment and those of its pieces, the main one first. */
async function readRecords(
	{ carrier, number, id, mainId }: WatchedShipment,
	client: Reading,
	deadline: Deadline,
): Promise<ShipmentRecord[]> {
	if (id !== 0) {
		const { result } = await readShipment(client, carrier, mainId || id, deadline.requestTimeoutMs);
		return result as unknown as ShipmentRecord[];
	}
	// A shipment that the user listed by its number has no known ID.
	const filter = { search: number, onlyMaster: false };
	const { rows } = await client.findShipments(filter, 0, PAGE_LENGTH, deadline.requestTimeoutMs);
	const ofCarrier = rows.filter(
		({ carrierCode }) => String(carrierCode).toUpperCase() === carrier.toUpperCase(),
	);
	const exact = ofCarrier.find((row) => carrierNumberOf(row) === number);
	const known = exact && isCompleteRecord({ ...exact }) ? { ...exact } : undefined;
	if (known && !isFurtherPiece(known)) return [known];
	// Some lists contain no numbers. The detail then confirms that this is the shipment. It also says
	// which shipment a further piece belongs to.
	const unnumbered = ofCarrier.filter((row) => carrierNumberOf(row) === '');
	const candidate = exact ?? (unnumbered.length === 1 ? unnumbered[0] : undefined);
	if (!candidate) throw notListed(carrier, number);
	return await readShipment(client, carrier, candidate.id, deadline.requestTimeoutMs).then(
		({ result }) => result as unknown as ShipmentRecord[],
		async (failure: unknown) => (known ? [known] : await Promise.reject(failure)),
	);
}

function notListed(carrier: string, number: string): ItemError {
	return new ItemError(`The service does not list shipment ${number} of carrier ${carrier}`, '');
}

/** The record of the watched shipment among those of a shipment and its pieces. */
function pick({ id, number, carrier }: WatchedShipment, outcome: Outcome): Found {
	if ('failure' in outcome) return outcome;
	const [main] = outcome.pieces;
	if (id !== 0) {
		const record = outcome.pieces.find((piece) => Number(piece.id) === id) ?? main;
		return record ? { record } : { failure: notListed(carrier, number) };
	}
	const record = outcome.pieces.find((piece) => carrierNumberOf(piece) === number);
	if (!record) return { failure: notListed(carrier, number) };
	const ids = { id: Number(record.id) };
	if (main !== record) return { record, ids: { ...ids, mainId: Number(main?.id) } };
	// Without its main piece, the ID of a further piece finds nothing.
	return isFurtherPiece(record) ? { record } : { record, ids };
}

function toIncluded(found: Found | undefined, listed: ShipmentRecord = {}): IncludedShipment {
	if (found && 'failure' in found) {
		const { message } = describeError(found.failure);
		return { shipment: toShipmentInfo(listed), shipmentNotRead: message };
	}
	return { shipment: toShipmentInfo({ ...found?.record, ...listed }) };
}

function keyOf({ carrier, number }: WatchedShipment): string {
	return JSON.stringify([carrier, number]);
}
