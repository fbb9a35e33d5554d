import { createHash } from 'crypto';

import type { ShipmentFilter } from '../transport/client';

/** What the user asked the trigger to watch and to output, read from its form. */
export interface Watch {
	selection: SelectionByFilters | SelectionByNumbers;
	/** Groups or categories of events to output; empty for all. */
	eventTypes: string[];
	startFrom: 'now' | 'existing';
	/** One output item per event, or per shipment with its new events. */
	output: 'event' | 'shipment';
	/** Whether items have the shipment of the event. */
	includeShipment: boolean;
	limits: DayLimits;
	/** Whether shipments are requested in every poll, or as often as they can have news. */
	freshness: Freshness;
	/** The zone of dates without an offset, and whether the user left it open. */
	timezone: string;
	isTimezoneAssumed: boolean;
	/** The service and the credential. Shipment IDs of one account mean nothing in another one. */
	account: string;
}

export type Freshness = 'everyPoll' | 'balanced';

/** The event types that the trigger derives from the time that passes between two events. */
export type PeriodType = 'noMovement' | 'waitingForPickup';

/** After how many days each of them occurs; only of the types that the user selected. */
export type DayLimits = Partial<Record<PeriodType, number>>;

export function periodTypesOf({ limits }: Pick<Watch, 'limits'>): PeriodType[] {
	return Object.keys(limits) as PeriodType[];
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
