import { deepCopy, type IDataObject } from 'n8n-workflow';

import { groupBy, keepLatest, mapWithPauses } from '../lists';
import { idOf, isRecord, mainIdOf, recipientOf } from '../records';
import { describeError, isRefusal, isServiceError, ItemError } from '../transport/errors';
import { eventGroupOf } from './eventGroups';
import { type HistoryEvent, type SentEvent, withOffset } from './history';
import { memoryOf } from './host';
import type { Poll, Watched } from './watch';

export interface NewEvent extends HistoryEvent {
	shipment: Watched;
}

/** The JSON of the output items. If a shipment cannot be read, the item says why: no event is lost or delayed. */
export async function toItems(events: readonly NewEvent[], zone: string, poll: Poll) {
	const fields = await readFields([...new Set(events.map(({ shipment }) => shipment))], poll);
	return await mapWithPauses(events, ({ event, id, at, isFirstOfGroup, isLatest, shipment }) => {
		const dateTime = withOffset(at, zone);
		const item: IDataObject = {
			...{ ...toEventFields(event), isFirstOfGroup, isLatest, dateTime, eventId: id },
			// A copy, because a later node that changes one item must not change the others.
			...deepCopy(fields.get(shipment) ?? {}),
		};
		return poll.watch.isSimple ? simplify(item) : item;
	});
}

/** The fields of the shipments, which their events share. */
async function readFields(shipments: readonly Watched[], poll: Poll) {
	const fields = new Map<Watched, IDataObject>();
	const failedCarriers = new Map<string, unknown>();
	// The pieces of a shipment one after the other, because one detail has them all.
	const groups = groupBy(
		shipments,
		(each) => `${each.carrier} ${detailIdOf(each, poll) || each.number}`,
	);
	await poll.client.mapParallel([...groups.values()], async (group) => {
		for (const shipment of group) {
			const { carrier: carrierCode, number: packageNumberCarrier } = shipment;
			const read = readInfo(shipment, poll, failedCarriers.get(carrierCode));
			const { info, mainId, ...reason } = await read.catch((failure: unknown) => {
				// Further requests to a provider that just failed would delay the events.
				if (isServiceError(failure) && !isRefusal(failure))
					failedCarriers.set(carrierCode, failure);
				const shipmentNotRead = describeError(failure).message;
				return { info: toInfo({}).info, mainId: 0, shipmentNotRead };
			});
			const pieceId = shipment.id || null;
			const ids = { packageNumberCarrier, shipmentId: mainId || pieceId, pieceId, carrierCode };
			// A detail does not have the name, and the list has it of every carrier.
			const carrierName = info.carrierName ?? memoryOf(poll.context).names.get(carrierCode) ?? null;
			fields.set(shipment, { ...ids, shipment: { ...info, carrierName }, ...reason });
		}
	});
	return fields;
}

/** The fields of a simple item. Those that people look for come first. */
export const SIMPLE_FIELDS = [
	...['eventGroup', 'eventName', 'dateTime', 'packageNumberCustom', 'recipientName'],
	...['recipientEmail', 'recipientPhone', 'carrierCode', 'carrierName', 'packageNumberCarrier'],
	...['trackingUrl', 'isFirstOfGroup', 'isLatest', 'delivered', 'since', 'days', 'cod', 'orderId'],
	...['shipmentId', 'pieceId', 'shipmentNotRead', 'eventId', 'eventCategory', 'eventNameSystem'],
];

/** Names of an event get a prefix, since they would be taken for those of the recipient or the order. */
function simplify(item: IDataObject): IDataObject {
	const { shipment, name, nameSystem, category, eventGroup } = item;
	const simple: IDataObject = {
		...item,
		...(shipment as IDataObject),
		...{ eventName: name, eventNameSystem: nameSystem, eventCategory: category },
		// A provider may also flag the delivery back to the sender.
		delivered: eventGroup === 'delivered',
	};
	const known = SIMPLE_FIELDS.filter((field) => simple[field] !== undefined);
	return Object.fromEntries(known.map((field) => [field, simple[field]]));
}

/** `carrierCode` is the carrier in every output, so the event's own field has another name. */
export function toEventFields({ carrierCode, ...event }: SentEvent): IDataObject {
	const fields = { ...event, eventCarrierCode: carrierCode ?? null };
	return { ...fields, eventGroup: eventGroupOf(event) } as IDataObject;
}

// What the records of the provider say about a shipment, for the items of its events.

type RecordFields = Readonly<Record<string, unknown>>;

/** For each trigger node: about 10 MB. */
const MAX_REMEMBERED = 20_000;
/** Longer than it takes to read the whole list again. */
const REMEMBERED_MS = 45 * 60_000;

const infoKey = ({ watch }: Poll, id: number) => `${watch.account} ${id}`;
const infoIn = (poll: Poll, id: number) => memoryOf(poll.context).infos.get(infoKey(poll, id));

type Info = { info: IDataObject; mainId: number };

/** What was read of the shipment in the last minutes. */
function recentInfo(poll: Poll, id: number): Info | undefined {
	const { info, mainId = id, readAt = 0 } = infoIn(poll, id) ?? {};
	return info && poll.nowMs - readAt <= REMEMBERED_MS ? { info, mainId } : undefined;
}

/** Remembers what a record says. A record of a detail is all there is; one of the list may lack fields. */
export function noteRecord(poll: Poll, record: RecordFields, main?: RecordFields): void {
	const id = idOf(record);
	const { infos, names } = memoryOf(poll.context);
	const name = textOf(record.carrierName);
	if (name) keepLatest(names, String(record.carrierCode), name, MAX_REMEMBERED);
	const { info: said, isComplete } = toInfo(record);
	const info = main || isComplete ? said : undefined;
	// What a detail has said stays known for its time.
	if (id === 0 || (!info && recentInfo(poll, id))) return;
	const mainId = (main ? idOf(main) : mainIdOf(record)) || infoIn(poll, id)?.mainId || id;
	keepLatest(infos, infoKey(poll, id), { info, mainId, readAt: poll.nowMs }, MAX_REMEMBERED);
}

/** The ID of its main shipment, whose detail has all pieces, or else its own. */
export const detailIdOf = ({ id }: Pick<Watched, 'id'>, poll: Poll) =>
	infoIn(poll, id)?.mainId ?? id;

/** The records of a shipment and its pieces, the main one first. */
export async function readPieces({ carrier, id }: Pick<Watched, 'carrier' | 'id'>, poll: Poll) {
	const detailId = detailIdOf({ id }, poll);
	const pieces = await poll.ask(async (limits) =>
		poll.client.getShipment(carrier, detailId, limits),
	);
	for (const piece of pieces) noteRecord(poll, piece, pieces[0]);
	return pieces;
}

/** What is remembered of the shipment, or else what the provider says, unless a failure before forbids to ask. */
async function readInfo(shipment: Watched, poll: Poll, failureBefore: unknown): Promise<Info> {
	const before = recentInfo(poll, shipment.id);
	if (before) return before;
	if (failureBefore) throw failureBefore;
	if (!poll.hasTime()) throw new ItemError('The poll had no time left to read the shipment', '');
	const pieces = await readPieces(shipment, poll);
	// A provider may return the detail of an additional piece without the piece.
	const record = pieces.find((piece) => idOf(piece) === shipment.id) ?? pieces[0];
	if (!record) {
		const { carrier, number } = shipment;
		throw new ItemError(
			`The provider has no detail of shipment ${number} of carrier ${carrier}`,
			'',
		);
	}
	return { info: toInfo(record).info, mainId: idOf(pieces[0] ?? record) };
}

/**
 * The fields of items that come from a record, and whether it has all of them, so that no request is needed. Their values
 * may be empty. Providers put the recipient in different places.
 */
function toInfo(record: RecordFields): { info: IDataObject; isComplete: boolean } {
	const { packageNumberCustom, trackingUrl, orderId, codPrice, codCurrency } = record;
	const address = isRecord(record.recAddress) ? record.recAddress : {};
	// Null if it is empty, undefined if the record does not have it.
	const [name, email, phone] = ['Name', 'Email', 'Phone'].map((part) => {
		const own = record[`rec${part}`];
		return own ?? address[part.toLowerCase()] ?? own;
	});
	const recipient = recipientOf(record) ?? name;
	const needed = [packageNumberCustom, trackingUrl, orderId, codPrice, recipient, email, phone];
	const isCod = record.cod === true || Number(codPrice ?? 0) > 0;
	const amount = Number(codPrice ?? NaN);
	const info = {
		packageNumberCustom: textOf(packageNumberCustom),
		recipientName: textOf(recipient),
		recipientEmail: textOf(email),
		recipientPhone: textOf(phone),
		carrierName: textOf(record.carrierName),
		trackingUrl: textOf(trackingUrl),
		orderId: typeof orderId === 'number' ? orderId || null : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
	};
	return { info, isComplete: !needed.includes(undefined) };
}

const textOf = (value: unknown) =>
	(typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '') || null;
