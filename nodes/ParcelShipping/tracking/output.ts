import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../lists';
import type { TrackingEvent } from '../transport/contract';
import type { NewEvent } from './compare';
import { dateTimeOf } from './dates';
import { eventGroupOf } from './eventGroups';
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
	return { ...toEventFields(event), dateTime: dateTimeOf(event.date, timezone), eventId };
}

function shipmentOf({ shipment, included }: NewEvent): IDataObject {
	const { carrier, number, id, mainId } = shipment;
	return {
		packageNumberCarrier: number,
		shipmentId: mainId || id || null,
		pieceId: id || null,
		carrierCode: carrier,
		...included,
	};
}

/** `carrierCode` is the carrier in every output, so the event's own field has another name. */
export function toEventFields({ carrierCode, ...event }: TrackingEvent): IDataObject {
	return { ...event, eventCarrierCode: carrierCode ?? null, eventGroup: eventGroupOf(event) };
}

export function isEvent(event: unknown): event is TrackingEvent {
	return typeof event === 'object' && event !== null && !Array.isArray(event);
}
