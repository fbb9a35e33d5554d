import { hash } from 'crypto';

import type { TrackingEvent } from '../transport/contract';
import { normalizeDate } from './dates';

/** The kinds of events that a user chooses from, with their texts for the form. */
export const eventGroups = {
	canceled: {
		caption: 'Canceled',
		action: 'On shipment canceled',
		description: 'The shipment was canceled',
	},
	created: {
		caption: 'Created',
		action: 'On shipment created',
		description: 'The shipment was created or announced to the carrier',
	},
	delivered: {
		caption: 'Delivered',
		action: 'On shipment delivered',
		description: 'The recipient has the shipment',
	},
	handedOver: {
		caption: 'Handed Over',
		action: 'On shipment handed over to the carrier',
		description: 'The carrier has the shipment',
	},
	inTransit: {
		caption: 'In Transit',
		action: 'On shipment in transit',
		description: 'The shipment is on its way',
	},
	problem: {
		caption: 'Problem',
		action: 'On problem with a shipment',
		description: 'The carrier reports a problem, such as a wrong address',
	},
	readyForPickup: {
		caption: 'Ready for Pickup',
		action: 'On shipment ready for pickup',
		description: 'The recipient can pick up the shipment',
	},
	returned: {
		caption: 'Returned',
		action: 'On shipment returned',
		description: 'The sender has the shipment again',
	},
	returning: {
		caption: 'Returning',
		action: 'On shipment returning',
		description: 'The shipment is on its way back to the sender',
	},
} as const;

export type EventGroup = keyof typeof eventGroups;

/** The kinds of events that no carrier reports. Their categories occur in no service. */
export const periodEventTypes = {
	noMovement: {
		caption: 'No Movement',
		action: 'On no movement of a shipment',
		description: 'The shipment has had no event for some days. Not part of All.',
		category: 'NoMovement',
		nameOf: (days: number) => `No event for ${days} ${days === 1 ? 'day' : 'days'}`,
	},
	waitingForPickup: {
		caption: 'Waiting for Pickup',
		action: 'On shipment waiting for pickup',
		description: 'The shipment has been ready for pickup for some days. Not part of All.',
		category: 'WaitingForPickup',
		nameOf: (days: number) => `Ready for pickup for ${days} ${days === 1 ? 'day' : 'days'}`,
	},
};

/** The event types that the trigger derives from the time that passes between two events. */
export type PeriodType = keyof typeof periodEventTypes;

export type AnyEventGroup = EventGroup | PeriodType;

/**
 * The categories that services use, their numbers, and their groups. "Recepient" is a service's own
 * spelling. Categories that are not in this table belong to no group.
 */
const categories: Array<[name: string, code: number | null, group: EventGroup]> = [
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
	['DeliveringBack', 30, 'returning'],
	['DeliveredBack', 31, 'returned'],
	['Error', 40, 'problem'],
	['ErrorRecepient', 41, 'problem'],
	['ErrorRecipient', null, 'problem'],
	['ErrorSender', 42, 'problem'],
	['ErrorCarrier', 43, 'problem'],
	['Delivered', 100, 'delivered'],
	['DeliveredPickup', 101, 'delivered'],
	['DeliveredAddress', 102, 'delivered'],
];

const groupByName = new Map<string, AnyEventGroup>([
	...categories.map(([name, , group]): [string, EventGroup] => [name.toLowerCase(), group]),
	...Object.entries(periodEventTypes).map(([type, { category }]): [string, PeriodType] => [
		category.toLowerCase(),
		type as PeriodType,
	]),
]);

const nameByCode = new Map(
	categories
		.filter(([, code]) => code !== null)
		.map(([name, code]) => [String(code), name.toLowerCase()]),
);

/** The groups that say where a shipment is. Problems and unknown categories do not. */
export const PLACES = new Set<AnyEventGroup | null>([
	'handedOver',
	'inTransit',
	'readyForPickup',
	'delivered',
	'canceled',
	'returning',
	'returned',
]);

export const FINAL_PLACES = new Set<AnyEventGroup | null>(['delivered', 'canceled', 'returned']);

/** The names of the categories in a group. */
export function categoriesOf(group: string): string[] {
	return categories.filter(([, , each]) => each === group).map(([name]) => name);
}

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
	const { date, code, category, item, carrierCode, type } = event;
	const parts = [
		carrier,
		number,
		normalizeDate(date, timezone),
		code,
		category,
		item,
		carrierCode,
		type,
	];
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
