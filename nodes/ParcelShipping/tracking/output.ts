import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { NewEvent } from './compare';
import { dateTimeOf } from './dates';
import type { Watch } from './watch';

/** The JSON of the output items: one per event, or one per shipment with its new events. */
export function toItems(
	newEvents: readonly NewEvent[],
	{ output, timezone }: Pick<Watch, 'output' | 'timezone'>,
): IDataObject[] {
	if (output === 'event') {
		return newEvents.map((found) => ({ ...eventOf(found, timezone), ...shipmentOf(found) }));
	}
	const byShipment = groupBy(newEvents, ({ shipment: { carrier, number } }) =>
		JSON.stringify([carrier, number]),
	);
	return [...byShipment.values()].map((group) => ({
		...shipmentOf(group[0]),
		events: group.map((found) => eventOf(found, timezone)),
	}));
}

function eventOf({ event, eventId }: NewEvent, timezone: string): IDataObject {
	return { ...event, dateTime: dateTimeOf(event.date, timezone), eventId };
}

/** `carrier`, because the event's own `carrierCode` is the carrier's code for the event. */
function shipmentOf({ shipment: { carrier, number, id } }: NewEvent): IDataObject {
	return { packageNumberCarrier: number, shipmentId: id || null, carrier };
}
