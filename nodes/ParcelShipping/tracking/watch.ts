import { createHash } from 'crypto';

import type { BodyOf } from '../transport/contract';

/** What the user asked the trigger to do, read from its form. */
export interface Watch {
	what: WatchedByFilters | WatchedByList;
	/** Kinds of events that leave the trigger; empty for all. */
	kinds: string[];
	startFrom: 'now' | 'existing';
	timezone: string;
	maxConcurrency: number;
	/** Which account of which service; its shipment ids mean nothing in another one. */
	account: string;
}

export interface WatchedByFilters {
	by: 'filters';
	filters: Omit<BodyOf<'findShipments'>, 'start' | 'length' | 'createdFrom'>;
	createdWithinDays: number;
}

export interface WatchedByList {
	by: 'list';
	shipments: ListedShipment[];
}

export interface ListedShipment {
	carrier: string;
	number: string;
}

/** Changes when other shipments are meant than before. */
export function scopeOf({ what }: Watch): string {
	return createHash('sha256').update(JSON.stringify(what)).digest('base64url').slice(0, 12);
}
