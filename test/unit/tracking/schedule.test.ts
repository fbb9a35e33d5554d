import {
	scheduleNext,
	isEnd,
	scheduleAfter,
	selectRequests,
	selectDue,
	scheduleWithoutEvents,
} from '../../../nodes/ParcelShipping/tracking/schedule';
import type { WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import { type ReadEvent, readEvent } from '../../../nodes/ParcelShipping/tracking/events';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { idsOf, nowMs, shipmentOf, watchOf } from '../../support/watched';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const inMinutes = (minutes: number) => nowMs + minutes * MINUTE_MS;
const timezone = 'Europe/Prague';
const moment = { nowMs };

/** An event that happened some hours ago, or without a date. */
const ago = (hours: number | undefined, category: string) => {
	const date = hours === undefined ? '' : new Date(nowMs - hours * HOUR_MS).toISOString();
	return readEvent({ date, category } as TrackingEvent, timezone);
};

test('watched shipments are requested by carrier, a hundred at a time, in their order', () => {
	const beavers = [shipmentOf(1, { carrier: 'BEAVER' }), shipmentOf(2, { carrier: 'BEAVER' })];
	const ants = Array.from({ length: 150 }, (_, at) => shipmentOf(at + 10));
	const requestsAfter = (count: number) => {
		const all = [...ants.slice(0, count), ...beavers, ...ants.slice(count)];
		const requests = selectRequests(all, nowMs, watchOf());
		return requests.map(({ carrier, shipments }) => `${shipments.length} ${carrier}`);
	};
	expect(requestsAfter(120)).toEqual(['100 ANT', '50 ANT', '2 BEAVER']);
	expect(requestsAfter(90)).toEqual(['100 ANT', '2 BEAVER', '50 ANT']);
});

test.each<[number, string, ReadEvent[]]>([
	[0, 'created an hour ago', [ago(1, 'Created')]],
	[10, 'without an event', []],
	[10, 'created three hours ago', [ago(3, 'Created'), ago(2.5, 'Ordered')]],
	[30, 'created two days ago', [ago(49, 'Created')]],
	[0, 'handed over an hour ago', [ago(9, 'Created'), ago(1, 'TransitPickup')]],
	[10, 'handed over three hours ago', [ago(9, 'Created'), ago(3, 'TransitPickup')]],
	[10, 'with an unknown event', [ago(9, 'Created'), ago(3, 'Customs')]],
	[10, 'with a problem', [ago(9, 'TransitCarrier'), ago(3, 'ErrorRecepient')]],
	[10, 'on the way back', [ago(9, 'TransitReady'), ago(3, 'DeliveringBack')]],
	[30, 'on the way for two days', [ago(90, 'Created'), ago(48, 'TransitCarrier')]],
	[10, 'ready for pickup', [ago(9, 'TransitCarrier'), ago(3, 'TransitReady')]],
	[30, 'ready for pickup for three days', [ago(72, 'TransitReady')]],
	[10, 'no longer ready for pickup', [ago(9, 'TransitReady'), ago(3, 'Transit')]],
	[60, 'returned', [ago(9, 'DeliveringBack'), ago(3, 'DeliveredBack')]],
	[60, 'returned an hour ago', [ago(1, 'DeliveredBack')]],
	[60, 'returned, in another order', [ago(3, 'DeliveredBack'), ago(9, 'DeliveringBack')]],
	[60, 'delivered by its category only', [ago(3, 'DeliveredAddress')]],
	[10, 'delivered to the pickup point', [ago(9, 'TransitCarrier'), ago(3, 'DeliveredPickup')]],
	[10, 'with a planned event only', [ago(-5, 'TransitCarrier')]],
	[10, 'without any date', [ago(undefined, 'TransitCarrier')]],
])('%i minutes after a response, it is requested again: a shipment %s', (minutes, _, events) => {
	const inTurn = shipmentOf(1, { nextRequestAt: nowMs });
	const schedule = scheduleAfter(inTurn, events, undefined, false, moment);
	expect(schedule.nextRequestAt ?? nowMs).toBe(inMinutes(minutes));
});

test.each<[number, string, Partial<WatchedShipment>]>([
	[10, 'that is on its way', {}],
	[0, 'that is new in the list', { newSince: nowMs, activeUntil: inMinutes(1) }],
	[60, 'that was delivered', { endedAt: nowMs }],
	[60, 'that is refused', { status: 'refused' }],
])(
	'%i minutes after a response without its events, it is requested again: a shipment %s',
	(minutes, _, changes) => {
		const shipment = shipmentOf(1, { nextRequestAt: nowMs, ...changes });
		expect(scheduleWithoutEvents(shipment, moment) ?? nowMs).toBe(inMinutes(minutes));
	},
);

const delivery = readEvent({ ...ago(1, 'Delivered').event, delivered: true }, timezone);

test.each<[number, string, number, ReadEvent[]]>([
	[10, 'just now, before its event', 0, [ago(9, 'TransitCarrier')]],
	[60, 'two hours ago, without an event', 2, [ago(9, 'TransitCarrier')]],
	[60, 'just now, with its event', 0, [delivery]],
])('%i minutes after a response, it is requested again: a shipment that ended %s', (...given) => {
	const [minutes, , hours, events] = given;
	const endedAt = nowMs - hours * HOUR_MS;
	const ended = shipmentOf(1, { nextRequestAt: nowMs, endedAt });
	const { nextRequestAt } = scheduleAfter(ended, events, events.find(isEnd), false, moment);
	expect(nextRequestAt).toBe(inMinutes(minutes));
});

test('a planned delivery changes neither the pace nor how long a shipment is active', () => {
	const planned = ago(-49, 'DeliveredAddress');
	const events = [ago(72, 'TransitCarrier')];
	const scheduleOf = (...more: typeof events) =>
		scheduleAfter(shipmentOf(1), [...events, ...more], undefined, false, moment);
	expect(scheduleOf(planned)).toEqual(scheduleOf());
});

test('a shipment without dates is inactive two days after it was first found', () => {
	const old = shipmentOf(1, { nextRequestAt: nowMs, addedDay: Math.floor(nowMs / DAY_MS) - 2 });
	const schedule = scheduleAfter(old, [ago(undefined, 'TransitCarrier')], undefined, false, moment);
	expect(schedule).toEqual({ status: 'usual', nextRequestAt: inMinutes(30) });
});

test('the next requests of 60 shipments are spread over the pace, or stay together in their turn', () => {
	const perMinute = (nextRequestAt?: number) => {
		const shipment = shipmentOf(1, nextRequestAt === undefined ? {} : { nextRequestAt });
		const counts = Array<number>(31).fill(0);
		for (let position = 0; position < 60; position++) {
			const turn = scheduleNext(shipment, 'inactive', { nowMs, position });
			counts[(turn - nowMs) / MINUTE_MS]!++;
		}
		return counts;
	};
	const spread = [0, ...Array<number>(30).fill(2)];
	const together = [...Array<number>(30).fill(0), 60];
	// After the first response, and after an outage.
	expect([perMinute(), perMinute(inMinutes(-20))]).toEqual([spread, spread]);
	// Also if they were requested a little early.
	expect([perMinute(nowMs), perMinute(inMinutes(5))]).toEqual([together, together]);
});

describe('A poll requests', () => {
	test.each<['balanced' | 'everyPoll', string, number[]]>([
		['balanced', 'those that are watched, not finished and due', [1, 5, 6, 10]],
		['everyPoll', 'all but those that ended, are refused or have no number', [1, 4, 5, 6, 10]],
	])('with %s: %s', (freshness, _, ids) => {
		const later = { nextRequestAt: nowMs + 1 };
		const shipments = [
			shipmentOf(1),
			shipmentOf(2, { listed: 'unlisted' }),
			shipmentOf(3, { status: 'finished' }),
			shipmentOf(4, later),
			shipmentOf(5, { nextRequestAt: nowMs }),
			shipmentOf(6, { listed: 'inThisReading' }),
			shipmentOf(7, { ...later, endedAt: nowMs }),
			shipmentOf(8, { ...later, status: 'refused' }),
			shipmentOf(9, { ...later, number: '' }),
			shipmentOf(10, { listed: 'missedOnce' }),
		];
		expect(idsOf(selectDue(shipments, nowMs, watchOf({ freshness })))).toEqual(ids);
	});

	test('those whose next request is later than any pace, since the clock was ahead', () => {
		const ahead = { nextRequestAt: inMinutes(43_200) };
		const shipments = [
			shipmentOf(1, ahead),
			shipmentOf(2, { nextRequestAt: inMinutes(60) }),
			shipmentOf(3, { ...ahead, status: 'refused' }),
			shipmentOf(4, { ...ahead, number: '' }),
		];
		expect(idsOf(selectDue(shipments, nowMs, watchOf()))).toEqual([1, 3, 4]);
	});

	const many = (count: number, from: number, changes: Partial<WatchedShipment> = {}) =>
		Array.from({ length: count }, (_, at) => shipmentOf(from + at, changes));
	const requestsOf = (shipments: WatchedShipment[]) =>
		selectRequests(shipments, nowMs, watchOf()).map((request) => idsOf(request.shipments));

	test('also those of the same carrier that are due within ten minutes, up to a hundred at once', () => {
		const [later, sooner] = [{ nextRequestAt: inMinutes(7) }, { nextRequestAt: inMinutes(2) }];
		const due = many(97, 1);
		const others = [
			...many(2, 101, later),
			...many(2, 201, sooner),
			...many(9, 301, { ...sooner, carrier: 'BEAVER' }),
		];
		expect(requestsOf([...due, ...others])).toEqual([[...idsOf(due), 101, 102, 201]]);
		const notYet = [
			...many(9, 401, { nextRequestAt: inMinutes(11) }),
			...many(9, 501, { ...sooner, status: 'refused' }),
			...many(9, 601, { ...sooner, listed: 'unlisted' }),
		];
		expect(requestsOf([...due, ...notYet])).toEqual([idsOf(due)]);
	});

	test('the others together, and up to ten refused ones alone', () => {
		const refused = many(12, 501, { status: 'refused' });
		const requests = requestsOf([shipmentOf(1), ...refused, shipmentOf(2)]);
		expect(requests).toEqual([[1, 2], ...idsOf(refused.slice(0, 10)).map((id) => [id])]);
	});
});
