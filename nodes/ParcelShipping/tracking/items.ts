import { deepCopy, type IDataObject } from 'n8n-workflow';

import { findByCode, groupBy, mapWithPauses } from '../lists';
import { describeError, isRefusal, isServiceError } from '../transport/errors';
import { eventGroupOf } from './eventGroups';
import { type HistoryEvent, localTime, type SentEvent, withOffset } from './history';
import { warn } from './host';
import { detailIdOf, readInfo, toInfo } from './shipmentInfo';
import type { Poll, Watched } from './watch';

export interface NewEvent extends HistoryEvent {
	shipment: Watched;
}

/**
 * The JSON of the output items, with what the provider says about each shipment. If a shipment cannot be read, the item
 * says why: no event is lost or delayed.
 */
export async function toItems(
	events: readonly NewEvent[],
	zone: string,
	poll: Poll,
): Promise<IDataObject[]> {
	const { isSimple, output } = poll.watch;
	const groups = groupBy(events, ({ shipment }) => shipment);
	const fields = await readFields([...groups.keys()], poll);
	await addCarrierNames([...fields.values()], poll);
	const finish = isSimple ? simplify : (item: IDataObject) => item;
	// Copies, because a later node that changes one item must not change the others.
	const fieldsOf = (shipment: Watched) => deepCopy(fields.get(shipment) ?? {});
	if (output === 'shipment') {
		return await mapWithPauses([...groups], ([shipment, group]) => ({
			...finish(fieldsOf(shipment)),
			events: group.map((each) => finish(toNewEventFields(each, zone))),
		}));
	}
	return await mapWithPauses(events, (each) =>
		finish({ ...toNewEventFields(each, zone), ...fieldsOf(each.shipment) }),
	);
}

/** The fields of the shipments, which their events share. */
async function readFields(
	shipments: readonly Watched[],
	poll: Poll,
): Promise<Map<Watched, IDataObject>> {
	const fields = new Map<Watched, IDataObject>();
	const failedCarriers = new Map<string, unknown>();
	// The pieces of a shipment one after the other, because one detail has them all.
	const groups = groupBy(
		shipments,
		(each) => `${each.carrier} ${detailIdOf(each, poll) || each.number}`,
	);
	await poll.client.mapParallel([...groups.values()], async (group) => {
		for (const shipment of group) {
			const { carrier, number } = shipment;
			const known = await readInfo(shipment, poll, failedCarriers.get(carrier)).catch(
				(failure: unknown) => {
					// Further requests to a provider that just failed would delay the events.
					if (isServiceError(failure) && !isRefusal(failure)) failedCarriers.set(carrier, failure);
					return { ...toInfo({}), shipmentNotRead: describeError(failure).message };
				},
			);
			const { mainId = null, shipmentNotRead, ...rest } = known as IDataObject;
			const id = shipment.id || null;
			fields.set(shipment, {
				...{ packageNumberCarrier: number, shipmentId: mainId ?? id, pieceId: id },
				...{ carrierCode: carrier, shipment: rest },
				...(shipmentNotRead === undefined ? {} : { shipmentNotRead }),
			});
		}
	});
	const [notRead] = [...fields.values()].filter(({ shipmentNotRead }) => shipmentNotRead);
	const what = `Some shipments could not be read for their events. ${String(notRead?.shipmentNotRead)}`;
	if (notRead) warn(poll.context, what);
	return fields;
}

/** Adds the names that the records do not have. Items without a name are better than none. */
async function addCarrierNames(items: readonly IDataObject[], poll: Poll): Promise<void> {
	const unnamed = items.filter(({ shipment }) => (shipment as IDataObject).carrierName === null);
	if (unnamed.length === 0 || !poll.hasTime()) return;
	const request = poll.ask(async (limits) => poll.client.carriers('shared', limits));
	const carriers = await request.catch(() => []);
	for (const { carrierCode, shipment } of unnamed) {
		const { name = null } = findByCode(carriers, String(carrierCode)) ?? {};
		(shipment as IDataObject).carrierName = name;
	}
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
		delivered: eventGroup === undefined ? undefined : eventGroup === 'delivered',
	};
	const known = SIMPLE_FIELDS.filter((field) => simple[field] !== undefined);
	return Object.fromEntries(known.map((field) => [field, simple[field]]));
}

/** `carrierCode` is the carrier in every output, so the event's own field has another name. */
export function toEventFields({ carrierCode, ...event }: SentEvent): IDataObject {
	const fields = { ...event, eventCarrierCode: carrierCode ?? null };
	return { ...fields, eventGroup: eventGroupOf(event) } as IDataObject;
}

function toNewEventFields(
	{ event, id, isFirstOfGroup, isLatest }: NewEvent,
	zone: string,
): IDataObject {
	const dateTime = withOffset(localTime(event.date, zone), zone);
	return { ...toEventFields(event), isFirstOfGroup, isLatest, dateTime, eventId: id };
}
