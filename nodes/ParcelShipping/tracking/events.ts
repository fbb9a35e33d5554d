import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';
import { normalizeDate } from './dates';

/** The kinds of events that a user chooses from: caption, action and description in the form. */
export const eventGroups = {
	canceled: ['Canceled', 'On shipment canceled', 'The shipment was canceled'],
	created: [
		'Created',
		'On shipment created',
		'The shipment was created or announced to the carrier',
	],
	delivered: ['Delivered', 'On shipment delivered', 'The recipient has the shipment'],
	handedOver: [
		'Handed Over',
		'On shipment handed over to the carrier',
		'The carrier has the shipment',
	],
	inTransit: ['In Transit', 'On shipment in transit', 'The shipment is on its way'],
	problem: [
		'Problem',
		'On problem with a shipment',
		'The carrier reports a problem, such as a wrong address',
	],
	readyForPickup: [
		'Ready for Pickup',
		'On shipment ready for pickup',
		'The recipient can pick up the shipment',
	],
	returned: ['Returned', 'On shipment returned', 'The sender has the shipment again'],
	returning: [
		'Returning',
		'On shipment returning',
		'The shipment is on its way back to the sender',
	],
} as const;

type EventGroup = keyof typeof eventGroups;

/** The types of events that the trigger derives from the time that passes between two events. */
export const periodEventTypes = {
	noMovement: [
		'No Movement',
		'On no movement of a shipment',
		"The shipment has had no event for some days. Not part of 'All'.",
	],
	waitingForPickup: [
		'Waiting for Pickup',
		'On shipment waiting for pickup',
		"The shipment has been ready for pickup for some days. Not part of 'All'.",
	],
} as const;

export type PeriodType = keyof typeof periodEventTypes;

type AnyEventGroup = EventGroup | PeriodType;

/** The number of each group in saved states. Numbers never change, and a new group gets a new one. */
const groupNumbers: Readonly<Record<AnyEventGroup, number>> = {
	noMovement: 0,
	waitingForPickup: 1,
	canceled: 2,
	created: 3,
	delivered: 4,
	handedOver: 5,
	inTransit: 6,
	problem: 7,
	readyForPickup: 8,
	returned: 9,
	returning: 10,
};

/**
 * The categories that services use, their numbers, and their groups. "Recepient" is a service's own
 * spelling. Categories that are not in this table belong to no group.
 */
export const categories: Array<[name: string, code: number | null, group: EventGroup]> = [
	['Created', 0, 'created'],
	['Ordered', 1, 'created'],
	['Cancel', 10, 'canceled'],
	['Canceled', null, 'canceled'],
	['Cancelled', null, 'canceled'],
	['CancelRecepient', 11, 'canceled'],
	['CancelRecipient', null, 'canceled'],
	['CancelSender', 12, 'canceled'],
	['CancelCarrier', 13, 'canceled'],
	['Transit', 20, 'inTransit'],
	['TransitOnTheWay', null, 'inTransit'],
	['TransitPickup', 21, 'handedOver'],
	['TransitCarrier', 23, 'handedOver'],
	['TransitReady', 22, 'readyForPickup'],
	// The delivery to the pickup point. With the flag `delivered`, the recipient has the shipment.
	['DeliveredPickup', 101, 'readyForPickup'],
	['DeliveringBack', 30, 'returning'],
	['DeliveredBack', 31, 'returned'],
	['Error', 40, 'problem'],
	['ErrorRecepient', 41, 'problem'],
	['ErrorRecipient', null, 'problem'],
	['ErrorSender', 42, 'problem'],
	['ErrorCarrier', 43, 'problem'],
	['Delivered', 100, 'delivered'],
	['DeliveredAddress', 102, 'delivered'],
];

const groupByName = new Map<string, AnyEventGroup>([
	...categories.map(([name, , group]): [string, EventGroup] => [name.toLowerCase(), group]),
	['nomovement', 'noMovement'],
	['waitingforpickup', 'waitingForPickup'],
]);

const nameByCode = new Map(
	categories
		.filter(([, code]) => code !== null)
		.map(([name, code]) => [String(code), name.toLowerCase()]),
);

export const FINAL_PLACES = new Set<AnyEventGroup | null>(['delivered', 'canceled', 'returned']);

const otherPlaces: EventGroup[] = ['handedOver', 'inTransit', 'readyForPickup', 'returning'];

/** The groups that say where a shipment is. Problems and unknown categories do not. */
export const PLACES = new Set<AnyEventGroup | null>([...FINAL_PLACES, ...otherPlaces]);

/** The name of a category in lower case, also if the service sends its number. */
export function categoryNameOf(category: unknown): string {
	const isName = typeof category === 'string' || typeof category === 'number';
	const name = isName ? String(category).trim().toLowerCase() : '';
	return nameByCode.get(name) ?? name;
}

/** The group of an event. Its flags count more than its category, except for a return. */
export function eventGroupOf({
	category,
	delivered,
	canceled,
}: Partial<TrackingEvent>): AnyEventGroup | null {
	const group = groupByName.get(categoryNameOf(category)) ?? null;
	// A service may also flag a delivery back to the sender as delivered.
	if (group === 'returning' || group === 'returned') return group;
	if (delivered === true) return 'delivered';
	if (canceled === true) return 'canceled';
	return group;
}

/** A number with one bit for the group of the event, 0 without a group. */
export function groupBit(event: Partial<TrackingEvent>): number {
	const group = eventGroupOf(event);
	return group === null ? 0 : 1 << groupNumbers[group];
}

/** Whether the user chose this event, by its group or its category. No types at all mean every event. */
export function hasEventType(
	event: Partial<TrackingEvent>,
	eventTypes: readonly string[],
): boolean {
	if (eventTypes.length === 0) return true;
	const group = eventGroupOf(event)?.toLowerCase();
	const category = categoryNameOf(event.category);
	return eventTypes.some((type) => {
		const wanted = categoryNameOf(type);
		return wanted === 'all' || wanted === group || (wanted !== '' && wanted === category);
	});
}

/**
 * The same for the same event in every response, on every server, in every version. Texts and the flags
 * `delivered` and `canceled` are left out, because carriers correct them later. The date is normalized,
 * because services have changed how they write it.
 */
export function eventIdOf(
	carrier: string,
	number: string,
	event: Partial<TrackingEvent>,
	timezone: string,
): string {
	const { code, category, item, carrierCode, type } = event;
	const date = normalizeDate(event.date, timezone);
	const parts = [carrier, number, date, code, category, item, carrierCode, type];
	// As JSON, so that different parts never give the same text.
	const text = JSON.stringify(parts.map(toText));
	return hash('sha256', text, 'base64url').slice(0, 22);
}

/** Works for any value, even if the service sends something other than text. */
function toText(part: unknown): string {
	return (typeof part === 'object' && part ? JSON.stringify(part) : String(part ?? '')).trim();
}

/**
 * The state keeps 6 characters of an ID, 36 bits, compared within one shipment only. For a shipment
 * with ten known events, one new event in seven billion is mistaken for a known one.
 */
export const MARK_LENGTH = 6;

export function markOf(eventId: string): string {
	return eventId.slice(0, MARK_LENGTH);
}

const MARKS = new RegExp(`.{${MARK_LENGTH}}`, 'g');

/** The marks of the events in `known`, which has them one after the other. */
export function marksOf(known: string): Set<string> {
	return new Set(known.match(MARKS));
}
