import { deepCopy, type IDataObject } from 'n8n-workflow';

import { findByCode, groupBy, mapWithPauses } from '../lists';
import type { TrackingEvent } from '../transport/contract';
import { describeError } from '../transport/errors';
import { dateTimeOf } from './dates';
import { eventGroupOf, type NewEvent } from './events';
import { logFailure } from './host';
import { type KnownRecords, type ReadResult, readMissing, toShipmentInfo } from './knownRecords';
import { detailIdOf, isMainUnknown, shipmentKey, type WatchedShipment } from './state';
import type { Poll } from './watch';

/** How many shipments one poll reads only to find their main shipments. */
const MAX_MAINS_READ = 20;

/**
 * The JSON of the output items, and the shipments with the IDs that were read for them. A shipment of which the list has
 * not said everything is read with one request. If that fails, the item says why: no event is lost or delayed.
 */
export async function toItems(
	newEvents: readonly NewEvent[],
	shipments: readonly WatchedShipment[],
	records: KnownRecords,
	poll: Poll,
): Promise<{ items: IDataObject[]; shipments: WatchedShipment[] }> {
	const { includeShipment, isSimple, output, timezone } = poll.watch;
	const byShipment = groupBy(newEvents, ({ shipment }) => shipmentKey(shipment));
	const eventShipments = [...byShipment.values()].map(([{ shipment }]) => shipment);
	const isIncomplete = (shipment: WatchedShipment) => includeShipment && !records.infoOf(shipment);
	const withoutMain = eventShipments.filter(
		(each) => isMainUnknown(each.mainId) && !isIncomplete(each),
	);
	const toRead = [...eventShipments.filter(isIncomplete), ...withoutMain.slice(0, MAX_MAINS_READ)];
	const results = await readMissing(toRead, records, poll);
	const fields = new Map(
		[...byShipment].map(([key, [{ shipment }]]) => {
			const result = results.get(key) ?? { shipment };
			return [key, toShipmentFields(result, records, includeShipment)];
		}),
	);
	await addCarrierNames([...fields.values()], poll);
	const finish = isSimple ? simplify : (item: IDataObject) => item;
	// Copies, because a later node that changes one item must not change the others.
	const items: IDataObject[] =
		output === 'event'
			? await mapWithPauses(newEvents, (each) =>
					finish({
						...toNewEventFields(each, timezone),
						...deepCopy(fields.get(shipmentKey(each.shipment))),
					}),
				)
			: await mapWithPauses([...byShipment], ([key, group]) => ({
					...finish(deepCopy(fields.get(key) ?? {})),
					events: group.map((each) => finish(toNewEventFields(each, timezone))),
				}));
	const notRead = items.find(({ shipmentNotRead }) => shipmentNotRead !== undefined);
	if (notRead) {
		const what = 'Some shipments could not be read for their events';
		logFailure(poll.context, what, notRead.shipmentNotRead);
	}
	const completed = shipments.map((shipment) => {
		const read = results.get(shipmentKey(shipment))?.shipment;
		return read ? { ...shipment, id: read.id, mainId: read.mainId } : shipment;
	});
	return { items, shipments: completed };
}

/** The fields of a simple item. Those that people look for come first. */
export const SIMPLE_FIELDS = [
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
	result: ReadResult | { shipment: WatchedShipment },
	records: KnownRecords,
	includeShipment: boolean,
): IDataObject {
	const { carrier, number, id } = result.shipment;
	const fields: IDataObject = {
		packageNumberCarrier: number,
		shipmentId: detailIdOf(result.shipment) || null,
		pieceId: id || null,
		carrierCode: carrier,
	};
	if (!includeShipment) return fields;
	const info = records.infoOf(result.shipment);
	const record = 'record' in result ? result.record : {};
	fields.shipment = info ?? toShipmentInfo({ ...record, ...records.get(id) });
	if (!info && 'failure' in result) fields.shipmentNotRead = describeError(result.failure).message;
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
	const limits = { timeoutMs: budget.timeoutMs() };
	const carriers = await client.carriers('shared', limits).catch(() => []);
	for (const { carrierCode, info } of unnamed) {
		info.carrierName = findByCode(carriers, String(carrierCode))?.name ?? null;
	}
}

/** `carrierCode` is the carrier in every output, so the event's own field has another name. */
export function toEventFields({ carrierCode, ...event }: TrackingEvent): IDataObject {
	return { ...event, eventCarrierCode: carrierCode ?? null, eventGroup: eventGroupOf(event) };
}

function toNewEventFields(
	{ event, eventId, isFirstOfGroup, isLatest }: NewEvent,
	timezone: string,
): IDataObject {
	const dateTime = dateTimeOf(event.date, timezone);
	return { ...toEventFields(event), isFirstOfGroup, isLatest, dateTime, eventId };
}
