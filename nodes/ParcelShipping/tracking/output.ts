import type { IDataObject } from 'n8n-workflow';

import { groupBy } from '../lists';
import { isCashOnDelivery, isRecord, recipientOf } from '../records';
import type { TrackingEvent } from '../transport/contract';
import { dateTimeOf } from './dates';
import { eventGroupOf } from './events';
import { keyOf, type NewEvent, type Watch } from './state';

/** The JSON of the output items: one per event, or one per shipment with its new events. */
export function toItems(
	newEvents: readonly CompleteEvent[],
	{ output, timezone }: Pick<Watch, 'output' | 'timezone'>,
): IDataObject[] {
	if (output === 'event') {
		return newEvents.map((found) => ({ ...eventOf(found, timezone), ...shipmentOf(found) }));
	}
	const byShipment = groupBy(newEvents, ({ shipment }) => keyOf(shipment));
	return [...byShipment.values()].map((group) => ({
		...shipmentOf(group[0]),
		events: group.map((found) => eventOf(found, timezone)),
	}));
}

function eventOf({ event, eventId }: NewEvent, timezone: string): IDataObject {
	return { ...toEventFields(event), dateTime: dateTimeOf(event.date, timezone), eventId };
}

function shipmentOf({ shipment, included }: CompleteEvent): IDataObject {
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

/** What an event says about its shipment. Every field is null if it is empty or not known. */
export interface ShipmentInfo {
	packageNumberCustom: string | null;
	recipientName: string | null;
	recipientEmail: string | null;
	recipientPhone: string | null;
	trackingUrl: string | null;
	orderId: number | string | null;
	cod: { amount: number | null; currency: string | null };
	delivered: boolean | null;
}

/** An event with what the user wants to know of its shipment. */
export interface CompleteEvent extends NewEvent {
	included?: IncludedShipment;
}

/** As in the output item. */
export interface IncludedShipment {
	shipment: ShipmentInfo;
	/** Why some or all of the fields are not known. */
	shipmentNotRead?: string;
}

export type ShipmentRecord = Record<string, unknown>;

/** From a record of the list or a detail. Services put the recipient in different places. */
export function toShipmentInfo(record: ShipmentRecord): ShipmentInfo {
	const { codPrice, codCurrency, orderId, delivered } = record;
	const isCod = isCashOnDelivery(record);
	const amount = Number(codPrice ?? NaN);
	return {
		packageNumberCustom: textOf(record.packageNumberCustom),
		recipientName: textOf(recipientOf(record)),
		recipientEmail: textOf(recipientPart(record, 'Email')),
		recipientPhone: textOf(recipientPart(record, 'Phone')),
		trackingUrl: textOf(record.trackingUrl),
		orderId: typeof orderId === 'number' ? orderId : textOf(orderId),
		cod: {
			amount: isCod && Number.isFinite(amount) ? amount : null,
			currency: isCod ? textOf(codCurrency) : null,
		},
		delivered: typeof delivered === 'boolean' ? delivered : null,
	};
}

/** Whether the record has all fields, so that nothing more has to be read. Their values may be empty. */
export function isCompleteRecord(record: ShipmentRecord): boolean {
	return (
		['packageNumberCustom', 'trackingUrl', 'orderId', 'codPrice', 'delivered'].every(
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
	return ['string', 'number'].includes(typeof value) ? String(value).trim() || null : null;
}
