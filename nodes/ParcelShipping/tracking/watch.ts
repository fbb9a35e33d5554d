import type { IPollFunctions } from 'n8n-workflow';

import type { Client, ShipmentFilter } from '../transport/client';
import type { Budget } from './budget';
import type { PeriodType } from './eventGroups';

/** What a poll works with. */
export interface Poll {
	context: IPollFunctions;
	client: Client;
	watch: Watch;
	budget: Budget;
}

/** What the user asked the trigger to watch and to output, read from its form. */
export interface Watch {
	selection: SelectionByFilters | { by: 'numbers'; shipments: CarrierNumber[] };
	/** Groups or categories of events to output; empty for all. */
	eventTypes: string[];
	startFrom: 'now' | 'existing';
	/** One output item per event, or per shipment with its new events. */
	output: 'event' | 'shipment';
	/** Whether items have the shipment of the event. */
	includeShipment: boolean;
	/** Whether items have only the fields that people look for. */
	isSimple: boolean;
	/** Whether to output only the first event of each group. */
	isFirstOnly: boolean;
	limits: DayLimits;
	/** Whether shipments are requested in every poll, or as often as they can have an event. */
	freshness: 'everyPoll' | 'balanced';
	/** The zone of dates without an offset, and whether it is that of the workflow until the service says another one. */
	timezone: string;
	isTimezonePending: boolean;
	/** The address of the service and the values of the credential. Shipment IDs of one account mean nothing in another one. */
	account: string;
}

/** After how many days the trigger reports each period; only of the types that the user selected. */
export type DayLimits = Partial<Record<PeriodType, number>>;

export interface SelectionByFilters {
	by: 'filters';
	filters: Omit<ShipmentFilter, 'createdFrom'>;
	createdWithinDays: number;
}

export interface CarrierNumber {
	carrier: string;
	number: string;
}

export function periodTypesOf({ limits }: Pick<Watch, 'limits'>): PeriodType[] {
	return Object.keys(limits) as PeriodType[];
}
