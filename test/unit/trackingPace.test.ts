import {
	nextTurn,
	NEWS_MS,
	paces,
	scheduleAfter,
	SILENT_MS,
	type Situation,
} from '../../nodes/ParcelShipping/tracking/pace';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { nowMs, shipmentOf } from '../support/watched';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const moment = { nowMs, timezone: 'Europe/Prague' };

/** Events by how many hours ago they happened, `null` for one without a date. */
const eventsOf = (...events: Array<[hoursAgo: number | null, category: string]>) =>
	events.map(([hoursAgo, category]) => {
		const date = hoursAgo === null ? '' : new Date(nowMs - hoursAgo * HOUR_MS).toISOString();
		return { date, category } as TrackingEvent;
	});

/** A shipment whose turn it is. */
const inTurn = (changes: Partial<WatchedShipment> = {}) =>
	shipmentOf(1, { nextRequestAt: nowMs, ...changes });

const minutesUntilNext = (
	events: TrackingEvent[],
	shipment: WatchedShipment = inTurn(),
	hasNews = false,
) => {
	const { nextRequestAt = nowMs } = scheduleAfter(shipment, events, hasNews, moment);
	return (nextRequestAt - nowMs) / MINUTE_MS;
};

describe('A shipment is requested again', () => {
	test.each<[Situation, string, ReturnType<typeof eventsOf>]>([
		['news', 'created an hour ago', eventsOf([1, 'Created'])],
		['notHandedOver', 'without an event', []],
		['notHandedOver', 'created three hours ago', eventsOf([3, 'Created'], [2.5, 'Ordered'])],
		['silent', 'created two days ago', eventsOf([49, 'Created'])],
		['news', 'handed over an hour ago', eventsOf([9, 'Created'], [1, 'TransitPickup'])],
		['moving', 'handed over three hours ago', eventsOf([9, 'Created'], [3, 'TransitPickup'])],
		['moving', 'with an unknown event', eventsOf([9, 'Created'], [3, 'Customs'])],
		['moving', 'with a problem', eventsOf([9, 'TransitCarrier'], [3, 'ErrorRecepient'])],
		['moving', 'on the way back', eventsOf([9, 'TransitReady'], [3, 'DeliveringBack'])],
		['silent', 'on the way for two days', eventsOf([90, 'Created'], [48, 'TransitCarrier'])],
		['readyForPickup', 'ready for pickup', eventsOf([9, 'TransitCarrier'], [3, 'TransitReady'])],
		['readyForPickup', 'ready for pickup for three days', eventsOf([72, 'TransitReady'])],
		[
			'readyForPickup',
			'ready for pickup, with events in another order',
			eventsOf([3, 'TransitReady'], [9, 'TransitCarrier']),
		],
		['moving', 'no longer ready for pickup', eventsOf([9, 'TransitReady'], [3, 'Transit'])],
		['arrived', 'returned', eventsOf([9, 'DeliveringBack'], [3, 'DeliveredBack'])],
		['arrived', 'returned an hour ago', eventsOf([1, 'DeliveredBack'])],
		['arrived', 'delivered by its category only', eventsOf([3, 'DeliveredPickup'])],
		['news', 'with a date in the future', eventsOf([-5, 'TransitCarrier'])],
		['moving', 'without any date', eventsOf([null, 'TransitCarrier'])],
	])('at the pace "%s": %s', (situation, _, events) => {
		expect(minutesUntilNext(events)).toBe(paces[situation].minutes);
	});

	test('in every poll for two hours after a new event, whatever its date', () => {
		const events = eventsOf([30, 'TransitCarrier']);
		const newsUntil = nowMs + NEWS_MS;
		expect(scheduleAfter(inTurn(), events, true, moment)).toEqual({ newsUntil });
		const later = (ms: number) =>
			scheduleAfter(shipmentOf(1, { newsUntil }), events, false, {
				...moment,
				nowMs: nowMs + ms,
			});
		expect(later(NEWS_MS - 1)).toEqual({ newsUntil });
		expect(later(NEWS_MS)).toEqual({ nextRequestAt: expect.any(Number) });
	});

	test('as a silent one if it has no dates and was first found two days ago', () => {
		const shipment = inTurn({ firstSeenDay: Math.floor((nowMs - SILENT_MS) / 86_400_000) });
		expect(minutesUntilNext(eventsOf([null, 'TransitCarrier']), shipment)).toBe(
			paces.silent.minutes,
		);
	});

	test('after an hour at the latest', () => {
		const minutes = Object.values(paces).map((pace) => pace.minutes);
		expect(Math.max(...minutes)).toBe(60);
		expect(paces.news.minutes).toBe(0);
	});
});

describe('The turns of many shipments', () => {
	const turnsOf = (nextRequestAt: number | undefined, number = (at: number) => `${1e15 + at}`) => {
		const counts = new Map<number, number>();
		for (let at = 0; at < 3_000; at++) {
			const shipment = { ...shipmentOf(at, { number: number(at) }), nextRequestAt };
			const minutes = (nextTurn(shipment as WatchedShipment, 'silent', nowMs) - nowMs) / MINUTE_MS;
			counts.set(minutes, (counts.get(minutes) ?? 0) + 1);
		}
		return counts;
	};

	test.each<[string, (at: number) => string]>([
		['that count up', (at) => `${1e15 + at}`],
		['that differ at the beginning', (at) => `${at}ABCDEFGHIJKL`],
		['with a check digit', (at) => `00${1e15 + at}${(at * 7) % 10}`],
	])('are spread evenly over the pace after the first answers: numbers %s', (_, number) => {
		const counts = turnsOf(undefined, number);
		expect([...counts.keys()].sort((a, b) => a - b)).toEqual(
			Array.from({ length: 30 }, (__, minute) => minute + 1),
		);
		expect(Math.min(...counts.values())).toBeGreaterThan(60);
		expect(Math.max(...counts.values())).toBeLessThan(140);
	});

	test('are spread again if they come late, for example after an outage', () => {
		expect(turnsOf(nowMs - 20 * MINUTE_MS).size).toBe(30);
	});

	test('stay together if they were requested together', () => {
		expect([...turnsOf(nowMs)]).toEqual([[30, 3_000]]);
		expect([...turnsOf(nowMs + 5 * MINUTE_MS)]).toEqual([[30, 3_000]]);
	});
});
