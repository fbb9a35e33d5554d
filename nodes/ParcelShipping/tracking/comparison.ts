import type { TrackingEvent } from '../transport/contract';
import type { Flags } from './flags';
import type { WatchedShipment } from './state';
import type { DayLimits } from './watch';

/** What a response is compared with, besides the shipment. */
export interface Comparison {
	nowMs: number;
	timezone: string;
	/** Events are identified with it. The same as `timezone`, unless the state began with another one. */
	idTimezone?: string;
	/** Of the selected types. Empty or missing if none is selected. */
	limits?: DayLimits;
	/** Set in the poll in which watching starts: shipments with this `newSince` have only known events. */
	baselineSince?: number;
	/** The position of the shipment in its response. */
	position?: number;
}

/** An event that was not known before. */
export interface NewEvent extends Flags {
	shipment: WatchedShipment;
	eventId: string;
	event: TrackingEvent;
}
