import { deepCopy, type IDataObject } from 'n8n-workflow';

import { groupBy, isSameCode, keepLatest, mapWithPauses } from '../lists';
import { carrierNumberOf, isCashOnDelivery, isRecord, mainIdOf, recipientOf } from '../records';
import { PAGE_LENGTH, type TrackingEvent } from '../transport/contract';
import { describeError, isServiceError, ItemError } from '../transport/errors';
import { isRefusal } from '../transport/trackingRequests';
import { dateTimeOf } from './dates';
import { eventGroupOf } from './events';
import { logFailure, type Poll, type ShipmentInfos } from './host';
import { keyOf, type NewEvent, type WatchedShipment } from './state';

/** A process remembers so many shipments: about 10 MB. */
const MAX_REMEMBERED = 20_000;

/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

/** How many main shipments one poll looks for. */
const MAX_LOOKED_FOR = 20;

type ShipmentRecord = Record<string, unknown>;

/** What this poll and earlier ones have read about shipments, by their ID. */
export class ShipmentRecords {
	private readonly byId = new Map<number, ShipmentRecord>();

	constructor(
		private readonly nowMs: number,
		private readonly infos: ShipmentInfos = new Map(),
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
		keepLatest(this.infos, Number(id), { info, readAt: this.nowMs }, MAX_REMEMBERED);
	}

	get(id: number): ShipmentRecord | undefined {
		return this.byId.get(id);
	}

	/** What is known of the shipment without a request, if it is everything. */
	infoOf({ id }: WatchedShipment): IDataObject | undefined {
		// What this poll has read is newer, even if it is not everything.
		const record = this.byId.get(id);
		if (record) return isCompleteRecord(record) ? toShipmentInfo(record) : undefined;
		const { info, readAt = -Infinity } = this.infos.get(id) ?? {};
		return this.nowMs - readAt > REMEMBERED_MS ? undefined : info;
	}
}

/**
 * The JSON of the output items: one per event, or one per shipment with its new events. Each says which
 * shipment it belongs to and, if the user wants it, what is known of that. What the list has said is
 * enough if it is complete. Otherwise one request reads a shipment with all of its pieces. If it fails,
 * the item says why: no event is lost or delayed. Also returns the shipments with the IDs that were read.
 */
export async function toItems(
	newEvents: readonly NewEvent[],
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	poll: Poll,
): Promise<{ items: IDataObject[]; shipments: WatchedShipment[] }> {
	const { includeShipment, isSimple, output, timezone } = poll.watch;
	const byShipment = groupBy(newEvents, ({ shipment }) => keyOf(shipment));
	let lookedFor = 0;
	const toRead = [...byShipment.values()].filter(
		(group) =>
			(includeShipment && !records.infoOf(group[0].shipment)) ||
			(group[0].shipment.mainId === 0 && ++lookedFor <= MAX_LOOKED_FOR),
	);
	const readings = await readShipments(
		toRead.map(([{ shipment }]) => shipment),
		records,
		poll,
	);
	const fields = new Map(
		[...byShipment].map(([key, [{ shipment }]]) => [
			key,
			toShipmentFields(shipment, records, includeShipment, readings.get(key)),
		]),
	);
	await addCarrierNames([...fields.values()], poll);
	const eventOf = ({ event, eventId, isFirstOfGroup, isLatest }: NewEvent): IDataObject => ({
		...toEventFields(event),
		isFirstOfGroup,
		isLatest,
		dateTime: dateTimeOf(event.date, timezone),
		eventId,
	});
	const finish = isSimple ? simplify : (item: IDataObject) => item;
	// Copies, because a later node that changes one item must not change the others.
	const items: IDataObject[] =
		output === 'event'
			? await mapWithPauses(newEvents, (found) =>
					finish({ ...eventOf(found), ...deepCopy(fields.get(keyOf(found.shipment))) }),
				)
			: await mapWithPauses([...byShipment], ([key, group]) => ({
					...finish(deepCopy(fields.get(key) ?? {})),
					events: group.map((found) => finish(eventOf(found))),
				}));
	const notRead = items.find(({ shipmentNotRead }) => shipmentNotRead !== undefined);
	if (notRead) {
		const what = 'Some shipments could not be read for their events';
		logFailure(poll.context, what, notRead.shipmentNotRead);
	}
	const completed = shipments.map((shipment) => {
		const ids = readings.get(keyOf(shipment))?.ids;
		return ids ? { ...shipment, ...ids } : shipment;
	});
	return { items, shipments: completed };
}

/** The fields of a simple item. Those that people look for come first. */
const SIMPLE_FIELDS = [
	'eventGroup',
	'eventName',
	'dateTime',
	'packageNumberCustom',
	'recipientName',
	'recipientEmail',
	'recipientPhone',
	'carrierCode',
	'carrierName',
	'packageNumberCarrier',
	'trackingUrl',
	'isFirstOfGroup',
	'isLatest',
	'delivered',
	'since',
	'days',
	'cod',
	'orderId',
	'shipmentId',
	'pieceId',
	'shipmentNotRead',
	'eventId',
	'eventCategory',
	'eventNameSystem',
];

/** Names of an event get a prefix, since they would be taken for those of the recipient or the order. */
function simplify(item: IDataObject): IDataObject {
	const { shipment, name, nameSystem, category, eventGroup } = item;
	const simple: IDataObject = {
		...item,
		...(shipment as IDataObject),
		eventName: name,
		eventNameSystem: nameSystem,
		eventCategory: category,
		// A service may also flag the delivery back to the sender.
		delivered: eventGroup === undefined ? undefined : eventGroup === 'delivered',
	};
	const known = SIMPLE_FIELDS.filter((field) => simple[field] !== undefined);
	return Object.fromEntries(known.map((field) => [field, simple[field]]));
}

function toShipmentFields(
	shipment: WatchedShipment,
	records: ShipmentRecords,
	includeShipment: boolean,
	{ record, ids, failure }: Reading = {},
): IDataObject {
	const { carrier, number, id, mainId } = { ...shipment, ...ids };
	const fields: IDataObject = {
		packageNumberCarrier: number,
		shipmentId: mainId || id || null,
		pieceId: id || null,
		carrierCode: carrier,
	};
	if (!includeShipment) return fields;
	const info = records.infoOf(shipment);
	fields.shipment = info ?? toShipmentInfo({ ...record, ...records.get(shipment.id) });
	if (!info && failure !== undefined) fields.shipmentNotRead = describeError(failure).message;
	return fields;
}

/** Adds the names that the records do not have. Items without a name are better than none. */
async function addCarrierNames(
	items: readonly IDataObject[],
	{ client, budget }: Poll,
): Promise<void> {
	const unnamed = items.flatMap(({ carrierCode, shipment }) => {
		const info = shipment as IDataObject | undefined;
		return info?.carrierName === null ? [{ carrierCode, info }] : [];
	});
	if (unnamed.length === 0 || budget.isLate()) return;
	const carriers = await client.carriers('shared', budget.timeoutMs()).catch(() => []);
	for (const { carrierCode, info } of unnamed) {
		info.carrierName = carriers.find(({ code }) => code === carrierCode)?.name ?? null;
	}
}

/** `carrierCode` is the carrier in every output, so the event's own field has another name. */
export function toEventFields({ carrierCode, ...event }: TrackingEvent): IDataObject {
	return { ...event, eventCarrierCode: carrierCode ?? null, eventGroup: eventGroupOf(event) };
}

/** What a request said about a watched shipment. `ids` are set if they were not known before. */
interface Reading {
	record?: ShipmentRecord;
	ids?: Pick<WatchedShipment, 'id' | 'mainId'>;
	failure?: unknown;
}

/** Reads the shipments with their pieces, by the keys of the shipments. */
async function readShipments(
	shipments: readonly WatchedShipment[],
	records: ShipmentRecords,
	poll: Poll,
): Promise<Map<string, Reading>> {
	const { client, budget } = poll;
	const readings = new Map<string, Reading>();
	const failedCarriers = new Map<string, unknown>();
	// The pieces of a shipment have one detail.
	const groups = groupBy(shipments, (shipment) =>
		shipment.id === 0 ? keyOf(shipment) : `${shipment.carrier} ${shipment.mainId || shipment.id}`,
	);
	await client.mapParallel([...groups.values()], async (group) => {
		const [{ carrier }] = group;
		let pieces: ShipmentRecord[] = [];
		let failure: unknown = failedCarriers.get(carrier) ?? (budget.isLate() ? NO_TIME : undefined);
		if (failure === undefined) {
			try {
				pieces = await readPieces(group[0], poll);
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
	{ client, watch, budget }: Poll,
): Promise<ShipmentRecord[]> {
	const readDetail = async (ofId: number) => {
		const { result } = await client.getShipment(carrier, ofId, budget.timeoutMs());
		return result as unknown as ShipmentRecord[];
	};
	// A piece whose main shipment nobody says may have no detail, so its own ID is not enough.
	const isAlone = id !== 0 && mainId === id;
	const isListed = watch.selection.by === 'numbers';
	if (id !== 0 && !(isAlone && isListed)) return await readDetail(mainId || id);
	// A shipment that the user listed by its number has no known ID at first.
	const filter = { search: number, onlyMaster: false };
	const { rows } = await client.findShipments(filter, 0, PAGE_LENGTH, budget.timeoutMs());
	const ofCarrier = rows.filter(({ carrierCode }) => isSameCode(String(carrierCode), carrier));
	const exact = ofCarrier.find((row) => carrierNumberOf(row) === number);
	const known = exact && isCompleteRecord({ ...exact }) ? { ...exact } : undefined;
	if (known && (isAlone || mainIdOf(known) !== 0)) return [known];
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
/**
 * What a record of the list or a detail says about a shipment. A field is null if it is empty or not
 * known. Services put the recipient in different places.
 */
export function toShipmentInfo(record: ShipmentRecord): IDataObject {
	const { codPrice, codCurrency, orderId } = record;
	const isCod = isCashOnDelivery(record);
	const amount = Number(codPrice ?? NaN);
	return {
		packageNumberCustom: textOf(record.packageNumberCustom),
		recipientName: textOf(recipientOf(record)),
		recipientEmail: textOf(recipientPart(record, 'Email')),
		recipientPhone: textOf(recipientPart(record, 'Phone')),
		carrierName: textOf(record.carrierName),
		trackingUrl: textOf(record.trackingUrl),
		orderId: typeof orderId === 'number' ? orderId : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
	};
}

/** Whether the record has all fields, so that nothing more has to be read. Their values may be empty. */
function isCompleteRecord(record: ShipmentRecord): boolean {
	return (
		['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice'].every(
			(field) => record[field] !== undefined,
		) &&
		recipientOf(record) !== undefined &&
		recipientPart(record, 'Email') !== undefined
	);
}

function recipientPart(record: ShipmentRecord, part: 'Email' | 'Phone'): unknown {
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	const own = record[`rec${part}`];
	const nested = address[part.toLowerCase()];
	// Null if it is empty, undefined if the record does not have it.
	return own ?? nested ?? (own === null ? null : nested);
}

function textOf(value: unknown): string | null {
	const isText = typeof value === 'string' || typeof value === 'number';
	return isText ? String(value).trim() || null : null;
}
