import type { TrackingEvent } from '../transport/contract';
import { secondOf } from './dates';
import { type AnyEventGroup, eventGroupOf } from './eventGroups';
import { FINAL_PLACES, PLACES } from './periods';
import type { WatchedShipment } from './state';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What decides how soon a shipment can have news. */
export type Situation =
	| 'news'
	| 'moving'
	| 'notHandedOver'
	| 'readyForPickup'
	| 'silent'
	| 'arrived';

/**
 * After how many minutes a shipment is requested again with *Balanced*, 0 for every poll. The texts are
 * those of the table in docs/trigger.md.
 */
export const paces: Record<Situation, { minutes: number; shipments: string; because: string }> = {
	news: {
		minutes: 0,
		shipments: 'New in the list or with a new event, for two hours',
		because: 'Events often come one after the other',
	},
	moving: {
		minutes: 10,
		shipments: 'On the way',
		because: 'The next event can come at any time',
	},
	notHandedOver: {
		minutes: 15,
		shipments: 'Created, but not handed over yet',
		because: 'The carrier collects once or twice a day',
	},
	readyForPickup: {
		minutes: 15,
		shipments: 'Ready for pickup',
		because: 'Only the recipient can change that',
	},
	silent: {
		minutes: 30,
		shipments: 'Without an event for two days',
		because: 'The next event may take days',
	},
	arrived: {
		minutes: 60,
		shipments: 'Delivered, canceled or returned to the sender',
		because: 'Only a correction can follow',
	},
};

/** How long a shipment with news is requested in every poll. */
export const NEWS_MS = 2 * HOUR_MS;

/** After how long without an event a shipment is silent. Waiting for pickup usually takes longer. */
export const SILENT_MS = 2 * DAY_MS;

export interface Moment {
	nowMs: number;
	timezone: string;
}

/** When a shipment is requested next, after an answer with these events. */
export function scheduleAfter(
	shipment: WatchedShipment,
	events: readonly TrackingEvent[],
	hasNews: boolean,
	{ nowMs, timezone }: Moment,
): Pick<WatchedShipment, 'newsUntil' | 'nextRequestAt'> {
	const dated = events.map((event) => ({
		ms: secondOf(event.date, timezone) ?? -Infinity,
		group: eventGroupOf(event),
	}));
	const newest = dated.reduce((latest, { ms }) => Math.max(latest, ms), -Infinity);
	const newsAt = hasNews ? nowMs : Math.min(newest, nowMs);
	const newsUntil = Math.max(shipment.newsUntil ?? 0, toMinute(newsAt + NEWS_MS));
	// A shipment without dates has been silent for as long as it has been watched.
	const silentSince = newest === -Infinity ? shipment.firstSeenDay * DAY_MS : newest;
	const situation = situationOf(dated, {
		hasNews: newsUntil > nowMs,
		isSilent: nowMs - silentSince >= SILENT_MS,
	});
	if (situation === 'news') return { newsUntil };
	return { nextRequestAt: nextTurn(shipment, situation, nowMs) };
}

interface Dated {
	ms: number;
	group: AnyEventGroup | null;
}

function situationOf(
	events: readonly Dated[],
	{ hasNews, isSilent }: { hasNews: boolean; isSilent: boolean },
): Situation {
	const place = lastPlaceOf(events);
	if (FINAL_PLACES.has(place)) return 'arrived';
	if (hasNews) return 'news';
	if (place === 'readyForPickup') return 'readyForPickup';
	if (isSilent) return 'silent';
	return events.every(({ group }) => group === 'created') ? 'notHandedOver' : 'moving';
}

/** The group of the latest event that says where the shipment is. */
function lastPlaceOf(events: readonly Dated[]): AnyEventGroup | null {
	let last: Dated = { ms: -Infinity, group: null };
	for (const event of events) {
		if (event.ms >= last.ms && PLACES.has(event.group)) last = event;
	}
	return last.group;
}

/**
 * A shipment that was requested in its turn is requested again after its pace, together with those that
 * were requested with it. The others (first answers, after an outage) would all come at once again, so
 * they are spread evenly over the pace, each always at the same place.
 */
export function nextTurn(
	{ nextRequestAt, number }: WatchedShipment,
	situation: Situation,
	nowMs: number,
): number {
	const { minutes } = paces[situation];
	const wasInTurn =
		nextRequestAt !== undefined && nowMs - nextRequestAt < (minutes * MINUTE_MS) / 2;
	return toMinute(nowMs) + (wasInTurn ? minutes : Math.ceil(minutes * placeOf(number))) * MINUTE_MS;
}

/** Whole minutes take little space in the state. Earlier, so that the pace is never exceeded. */
export function toMinute(ms: number): number {
	return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/** More than 0, at most 1, evenly distributed, and always the same for the same number. */
function placeOf(number: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < number.length; at++) {
		hash = Math.imul(hash ^ number.charCodeAt(at), 0x01000193);
	}
	// Numbers often differ in the last digit only, which the multiplication alone spreads too little.
	hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (((hash ^ (hash >>> 16)) >>> 0) + 1) / 2 ** 32;
}
