import {
	ACTIVE_MS,
	INACTIVE_MS,
	nextTurn,
	paces,
	selectBatches,
	scheduleAfter,
	selectDue,
	type Situation,
} from '../../nodes/ParcelShipping/tracking/select';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { idsOf, nowMs, shipmentOf, watchOf } from '../support/watched';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inMinutes = (minutes: number) => nowMs + minutes * MINUTE_MS;
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
	hasNewEvent = false,
) => {
	const { nextRequestAt = nowMs } = scheduleAfter(shipment, events, hasNewEvent, moment);
	return (nextRequestAt - nowMs) / MINUTE_MS;
};

describe('A shipment is requested again', () => {
	test.each<[Situation, string, ReturnType<typeof eventsOf>]>([
		['recentlyActive', 'created an hour ago', eventsOf([1, 'Created'])],
		['notHandedOver', 'without an event', []],
		['notHandedOver', 'created three hours ago', eventsOf([3, 'Created'], [2.5, 'Ordered'])],
		['inactive', 'created two days ago', eventsOf([49, 'Created'])],
		['recentlyActive', 'handed over an hour ago', eventsOf([9, 'Created'], [1, 'TransitPickup'])],
		['moving', 'handed over three hours ago', eventsOf([9, 'Created'], [3, 'TransitPickup'])],
		['moving', 'with an unknown event', eventsOf([9, 'Created'], [3, 'Customs'])],
		['moving', 'with a problem', eventsOf([9, 'TransitCarrier'], [3, 'ErrorRecepient'])],
		['moving', 'on the way back', eventsOf([9, 'TransitReady'], [3, 'DeliveringBack'])],
		['inactive', 'on the way for two days', eventsOf([90, 'Created'], [48, 'TransitCarrier'])],
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
		['recentlyActive', 'with a date in the future', eventsOf([-5, 'TransitCarrier'])],
		['moving', 'without any date', eventsOf([null, 'TransitCarrier'])],
	])('at the pace "%s": %s', (situation, _, events) => {
		expect(minutesUntilNext(events)).toBe(paces[situation].minutes);
	});

	test('in every poll for two hours after a new event, whatever its date', () => {
		const events = eventsOf([30, 'TransitCarrier']);
		const activeUntil = nowMs + ACTIVE_MS;
		expect(scheduleAfter(inTurn(), events, true, moment)).toEqual({ activeUntil });
		const later = (ms: number) =>
			scheduleAfter(shipmentOf(1, { activeUntil }), events, false, {
				...moment,
				nowMs: nowMs + ms,
			});
		expect(later(ACTIVE_MS - 1)).toEqual({ activeUntil });
		expect(later(ACTIVE_MS)).toEqual({ nextRequestAt: expect.any(Number) });
	});

	test('as an inactive one if it has no dates and was first found two days ago', () => {
		const shipment = inTurn({ firstSeenDay: Math.floor((nowMs - INACTIVE_MS) / 86_400_000) });
		expect(minutesUntilNext(eventsOf([null, 'TransitCarrier']), shipment)).toBe(
			paces.inactive.minutes,
		);
	});

	test('after an hour at the latest', () => {
		const minutes = Object.values(paces).map((pace) => pace.minutes);
		expect(Math.max(...minutes)).toBe(60);
		expect(paces.recentlyActive.minutes).toBe(0);
	});
});

describe('The turns of many shipments', () => {
	/** How many of 60 shipments come after which minute. */
	const turnsOf = (nextRequestAt: number | undefined) => {
		const counts = new Map<number, number>();
		for (let position = 0; position < 60; position++) {
			const shipment = { ...shipmentOf(1), nextRequestAt } as WatchedShipment;
			const minutes = (nextTurn(shipment, 'inactive', { nowMs, position }) - nowMs) / MINUTE_MS;
			counts.set(minutes, (counts.get(minutes) ?? 0) + 1);
		}
		return counts;
	};
	const evenly = new Map(Array.from({ length: 30 }, (_, at) => [30 - at, 2]));

	test('are spread evenly over the pace after the first responses', () => {
		expect(turnsOf(undefined)).toEqual(evenly);
	});

	test('are spread again if they come late, for example after an outage', () => {
		expect(turnsOf(nowMs - 20 * MINUTE_MS)).toEqual(evenly);
	});

	test('stay together if they were requested together', () => {
		expect([...turnsOf(nowMs)]).toEqual([[30, 60]]);
		expect([...turnsOf(nowMs + 5 * MINUTE_MS)]).toEqual([[30, 60]]);
	});
});

describe('The shipments to request', () => {
	const shipments = [
		shipmentOf(1),
		shipmentOf(2, { listed: 'no' }),
		shipmentOf(3, { isFinished: true }),
		shipmentOf(4, { nextRequestAt: nowMs + 1 }),
		shipmentOf(5, { nextRequestAt: nowMs }),
		shipmentOf(6, { listed: 'now' }),
		shipmentOf(7, { nextRequestAt: nowMs + 1, endedAt: nowMs }),
		shipmentOf(8, { nextRequestAt: nowMs + 1, refusedSince: nowMs }),
		shipmentOf(9, { nextRequestAt: nowMs + 1, number: '' }),
	];

	test('are those that are watched, not finished and due', () => {
		expect(idsOf(selectDue(shipments, nowMs, watchOf()))).toEqual([1, 5, 6]);
	});

	test('with Every Poll, are all but those that ended, are refused or have no number', () => {
		const watch = watchOf({ freshness: 'everyPoll' });
		expect(idsOf(selectDue(shipments, nowMs, watch))).toEqual([1, 4, 5, 6]);
	});

	test('are also those whose days without an event are over, because there may be a newer one', () => {
		const periods = { movedAt: nowMs - 5 * DAY_MS, isQuietReported: false, isWaitReported: false };
		const inactive = shipmentOf(1, { nextRequestAt: inMinutes(9), periods });
		const due = (days: number, changes: Partial<typeof periods> = {}) =>
			selectDue([{ ...inactive, periods: { ...periods, ...changes } }], nowMs, {
				...watchOf({ limits: { noMovement: days } }),
			}).length;
		expect([due(5), due(6), due(5, { isQuietReported: true })]).toEqual([1, 0, 0]);
	});
});

describe('The requests of a poll', () => {
	const many = (count: number, from: number, changes: Partial<WatchedShipment> = {}) =>
		Array.from({ length: count }, (_, at) => shipmentOf(from + at, changes));
	const plan = (shipments: WatchedShipment[]) =>
		selectBatches(shipments, nowMs, watchOf()).map(({ carrier, shipments: batch }) => [
			carrier,
			idsOf(batch),
		]);

	test('are filled with the shipments of the carrier that are due soon, in their order', () => {
		const [later, sooner] = [{ nextRequestAt: inMinutes(7) }, { nextRequestAt: inMinutes(2) }];
		const shipments = [
			...many(97, 1),
			...many(2, 101, later),
			...many(2, 201, sooner),
			...many(9, 301, { ...sooner, carrier: 'BEAVER' }),
			...many(9, 401, { nextRequestAt: inMinutes(11) }),
		];
		expect(plan(shipments)).toEqual([['ANT', [...idsOf(many(97, 1)), 101, 102, 201]]]);
	});

	test('are not filled with shipments that were refused, that are gone, or that are finished', () => {
		const soon = { nextRequestAt: inMinutes(1) };
		const shipments = [
			shipmentOf(1),
			shipmentOf(2, { ...soon, refusedSince: nowMs }),
			shipmentOf(3, { ...soon, listed: 'no' }),
			shipmentOf(4, { ...soon, isFinished: true }),
			shipmentOf(5, { ...soon, number: '' }),
			shipmentOf(6, { ...soon, endedAt: nowMs }),
		];
		expect(plan(shipments)).toEqual([['ANT', [1, 6]]]);
	});

	test('keep the order of the shipments, those that are refused alone, up to ten', () => {
		const refused = many(12, 501, { refusedSince: nowMs });
		const planned = plan([shipmentOf(1), ...refused, shipmentOf(2), shipmentOf(3, { number: '' })]);
		expect(planned).toEqual([
			['ANT', [1, 2]],
			...refused.slice(0, 10).map(({ id }) => ['ANT', [id]]),
		]);
	});
});
