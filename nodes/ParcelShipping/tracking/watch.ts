import { createHash } from 'crypto';

import type { ShipmentFilter } from '../transport/client';
import type { TrackingEvent } from '../transport/contract';

/** What the user asked the trigger to watch and to output, read from its form. */
export interface Watch {
	selection: SelectionByFilters | SelectionByNumbers;
	/** Types of events to output; empty for all. */
	eventTypes: string[];
	startFrom: 'now' | 'existing';
	/** One output item per event, or per shipment with its new events. */
	output: 'event' | 'shipment';
	timezone: string;
	/** The service and the credential. Shipment IDs of one account mean nothing in another one. */
	account: string;
}

export interface SelectionByFilters {
	by: 'filters';
	filters: Omit<ShipmentFilter, 'createdFrom'>;
	createdWithinDays: number;
}

export interface SelectionByNumbers {
	by: 'numbers';
	shipments: CarrierNumber[];
}

export interface CarrierNumber {
	carrier: string;
	number: string;
}

/** Changes when the user selects other shipments. */
export function hashSelection({ selection }: Watch): string {
	return createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 12);
}

/** Whether the user chose this type of event. No types at all means every event, as `all` does. */
export function hasEventType(
	event: Partial<TrackingEvent>,
	eventTypes: readonly string[],
): boolean {
	if (eventTypes.length === 0) return true;
	const category = String(event.category ?? '').toLowerCase();
	return eventTypes.some((type) => {
		switch (type) {
			case 'all':
				return true;
			case 'delivered':
				return event.delivered === true;
			case 'canceled':
				return event.canceled === true;
			default:
				return type.toLowerCase() === category;
		}
	});
}
