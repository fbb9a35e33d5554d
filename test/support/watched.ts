import {
	createState,
	dayOf,
	type TriggerState,
	type WatchedShipment,
} from '../../nodes/ParcelShipping/tracking/state';
import type { Watch } from '../../nodes/ParcelShipping/tracking/watch';

// Creates watches, shipments and states for the unit tests of the trigger.

export const nowMs = Date.parse('2026-06-10T09:00:00Z');

export const watchOf = (changes: Partial<Watch> = {}): Watch => ({
	selection: { by: 'filters', filters: {}, createdWithinDays: 30 },
	eventTypes: [],
	startFrom: 'now',
	output: 'event',
	includeShipment: false,
	isSimple: false,
	isFirstOnly: false,
	limits: {},
	freshness: 'balanced',
	timezone: 'Europe/Prague',
	isTimezonePending: false,
	account: 'https://api.example.com/api 1',
	...changes,
});

export const shipmentOf = (
	id: number,
	changes: Partial<WatchedShipment> = {},
): WatchedShipment => ({
	id,
	carrier: 'ANT',
	number: `00${id}`,
	addedDay: dayOf(nowMs),
	listed: 'inLastReading',
	marks: '',
	status: 'usual',
	...changes,
});

export const stateOf = (shipments: WatchedShipment[], savedAt = nowMs): TriggerState => ({
	...createState(watchOf(), nowMs),
	savedAt,
	shipments,
});

export const idsOf = (shipments: ReadonlyArray<{ id: number }>) => shipments.map(({ id }) => id);
