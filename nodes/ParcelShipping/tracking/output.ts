import type { IDataObject } from 'n8n-workflow';

import type { NewEvent } from './answers';
import { dateTimeOf } from './dates';

export type OutputMode = 'event' | 'shipment';

/** What leaves the trigger: an item per event, or per shipment with its new events. */
export function toItems(
	news: readonly NewEvent[],
	mode: OutputMode,
	timezone: string,
): IDataObject[] {
	if (mode === 'event') {
		return news.map((found) => ({ ...eventOf(found, timezone), ...shipmentOf(found) }));
	}
	const items = new Map<string, IDataObject & { events: IDataObject[] }>();
	for (const found of news) {
		const { carrier, number } = found.shipment;
		const key = JSON.stringify([carrier, number]);
		const item = items.get(key) ?? { ...shipmentOf(found), events: [] };
		items.set(key, item);
		item.events.push(eventOf(found, timezone));
	}
	return [...items.values()];
}

function eventOf({ event, eventId }: NewEvent, timezone: string): IDataObject {
	return { ...event, dateTime: dateTimeOf(event.date, timezone), eventId };
}

/** The event's own `carrierCode` is the carrier's code of the event, hence `carrier`. */
function shipmentOf({ shipment: { carrier, number, id } }: NewEvent): IDataObject {
	return { packageNumberCarrier: number, shipmentId: id || null, carrier };
}
