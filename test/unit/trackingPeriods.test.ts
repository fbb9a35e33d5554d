import { takePeriodEvents, updatePeriods } from '../../nodes/ParcelShipping/tracking/compare';
import {
	openSince,
	type Periods,
	type WatchedShipment,
} from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { shipmentOf, watchOf } from '../support/watched';

const timezone = 'UTC';
const limits = { noMovement: 2, waitingForPickup: 2 };
/** A moment in June 2026, as `day hour`. */
const at = (time: string) => {
	const [day = '', hour = '00:00'] = time.split(' ');
	return Date.parse(`2026-06-${day}T${hour}:00Z`);
};
const eventOf = (category: string, time: string) =>
	({
		category,
		date: time === '' ? '' : new Date(at(time)).toISOString().slice(0, 19),
		delivered: category === 'Delivered',
		canceled: false,
	}) as TrackingEvent;

/** The periods after responses with these events, each a text such as `TransitReady 10 09:00`. */
function play(
	answers: Array<{ now: string; events: string[]; new?: string[] }>,
	first: Partial<WatchedShipment> = {},
	baselineSince?: number,
): Periods | undefined {
	let shipment = shipmentOf(1, first);
	for (const { now, events, new: added = events } of answers) {
		const all = events.map((text) => {
			const [category = '', ...time] = text.split(' ');
			return eventOf(category, time.join(' '));
		});
		const unknown = new Set(all.filter((_, index) => added.includes(events[index] ?? '')));
		const periods = updatePeriods(shipment, all, unknown, {
			nowMs: at(now),
			timezone,
			limits,
			...(baselineSince === undefined ? {} : { baselineSince }),
		});
		shipment = { ...shipment, ...(periods ? { periods } : {}) };
		delete shipment.newSince;
	}
	return shipment.periods;
}

const since = (type: 'noMovement' | 'waitingForPickup', periods?: Periods) =>
	openSince(shipmentOf(1, periods ? { periods } : {}), type);

describe('A standstill begins', () => {
	test.each<[string, Parameters<typeof play>[0], string | undefined]>([
		[
			'with the latest event, whatever the order',
			[{ now: '10 09:00', events: ['Transit 10 08:00', 'Created 09'] }],
			'10 08:00',
		],
		['with the first answer, if it is empty', [{ now: '10 09:00', events: [] }], '10 09:00'],
		[
			'with the first answer, if no event has a date',
			[{ now: '10 09:00', events: ['Transit '] }],
			'10 09:00',
		],
		[
			'with the poll, if a new event has no date',
			[
				{ now: '10 09:00', events: ['Transit 10 08:00'] },
				{ now: '10 10:00', events: ['Transit 10 08:00', 'Customs '], new: ['Customs '] },
				{ now: '10 11:00', events: ['Transit 10 08:00', 'Customs '], new: [] },
			],
			'10 10:00',
		],
		[
			'with the poll, if a new event is dated in the future',
			[
				{ now: '10 09:00', events: ['Transit 12'] },
				{ now: '10 10:00', events: ['Transit 12'], new: [] },
			],
			'10 09:00',
		],
		[
			'not again with a late event',
			[
				{ now: '10 09:00', events: ['Transit 10 08:00'] },
				{ now: '10 10:00', events: ['Transit 10 07:00'] },
			],
			'10 08:00',
		],
		['never after the delivery', [{ now: '10 09:00', events: ['Delivered 10'] }], undefined],
		['never after the return', [{ now: '10 09:00', events: ['DeliveredBack 10'] }], undefined],
		[
			'never after the return, also with later notices',
			[
				{ now: '10 09:00', events: ['DeliveredBack 10'] },
				{ now: '11 09:00', events: ['DeliveredBack 10', 'Customs 11'], new: ['Customs 11'] },
			],
			undefined,
		],
		[
			'if a returned shipment is sent again',
			[
				{ now: '10 09:00', events: ['DeliveredBack 10'] },
				{ now: '11 09:00', events: ['DeliveredBack 10', 'Transit 11'], new: ['Transit 11'] },
			],
			'11',
		],
	])('%s', (_, answers, expected) => {
		const begins = since('noMovement', play(answers));
		expect(begins).toBe(expected === undefined ? undefined : at(expected));
	});

	test.each<[string, Partial<WatchedShipment>, number | undefined, boolean]>([
		['before publishing', { newSince: at('10') }, at('10'), false],
		['before publishing, which existing events include', { newSince: 0 }, at('10'), true],
		['before a late first answer, with its limit before', { newSince: at('09 12:00') }, 1, false],
		['before a late first answer, with its limit after', { newSince: at('09') }, 1, true],
		['before the type was selected', {}, undefined, false],
	])('%s', (_, first, baselineSince, isReported) => {
		const answers = [{ now: '10', events: ['Transit 07 06:00'] }];
		const periods = play(answers, first, baselineSince);
		expect(since('noMovement', periods) !== undefined).toBe(isReported);
	});
});

describe('The waiting for pickup begins', () => {
	test.each<[string, Parameters<typeof play>[0], string | undefined]>([
		['not before', [{ now: '10 09:00', events: ['Transit 10 08:00'] }], undefined],
		[
			'with the first of several events',
			[{ now: '10 09:00', events: ['TransitReady 10 08:00', 'TransitReady 10 07:00'] }],
			'10 07:00',
		],
		[
			'not again with a reminder',
			[
				{ now: '10 09:00', events: ['TransitReady 10 08:00'] },
				{
					now: '11 09:00',
					events: ['TransitReady 10 08:00', 'TransitReady 11'],
					new: ['TransitReady 11'],
				},
			],
			'10 08:00',
		],
		[
			'not with an event that is older than the departure',
			[{ now: '10 09:00', events: ['TransitReady 10 07:00', 'DeliveringBack 10 08:00'] }],
			undefined,
		],
		[
			'again at the next pickup point',
			[
				{ now: '10 09:00', events: ['TransitReady 10 07:00'] },
				{
					now: '11 09:00',
					events: ['TransitReady 10 07:00', 'Transit 10 12:00', 'TransitReady 11'],
					new: ['Transit 10 12:00', 'TransitReady 11'],
				},
			],
			'11',
		],
		[
			'not again if an answer leaves out the departure',
			[
				{ now: '10 09:00', events: ['TransitReady 10 07:00'] },
				{
					now: '10 10:00',
					events: ['TransitReady 10 07:00', 'Transit 10 09:30'],
					new: ['Transit 10 09:30'],
				},
				{
					now: '10 11:00',
					events: ['TransitReady 10 07:00', 'Customs 10 10:30'],
					new: ['Customs 10 10:30'],
				},
			],
			undefined,
		],
		[
			'not with a late event, if the same answer leaves out the departure',
			[
				{ now: '10 09:00', events: ['Transit 10 08:00'] },
				{ now: '10 10:00', events: ['TransitReady 10 07:00'] },
			],
			undefined,
		],
		[
			'not with a late event, if the departure had no date',
			[
				{ now: '10 09:00', events: ['TransitReady 10 07:00'] },
				{ now: '10 10:00', events: ['TransitReady 10 07:00', 'Transit '], new: ['Transit '] },
				{
					now: '10 11:00',
					events: ['TransitReady 10 07:00', 'Transit ', 'TransitReady 10 08:00'],
					new: ['TransitReady 10 08:00'],
				},
			],
			undefined,
		],
		[
			'and goes on during a problem',
			[
				{ now: '10 09:00', events: ['TransitReady 10 07:00'] },
				{ now: '10 10:00', events: ['Error 10 09:30'] },
			],
			'10 07:00',
		],
	])('%s', (_, answers, expected) => {
		const begins = since('waitingForPickup', play(answers));
		expect(begins).toBe(expected === undefined ? undefined : at(expected));
	});
});

describe('The events of the trigger itself', () => {
	const watch = watchOf({ limits, timezone });
	const quiet = (changes: Partial<WatchedShipment> = {}) =>
		shipmentOf(1, {
			periods: { movedAt: at('08'), isQuietReported: false, isWaitReported: false },
			...changes,
		});
	const periodTypes = ['noMovement' as const, 'waitingForPickup' as const];
	const take = (shipments: WatchedShipment[], now: string, max?: number) =>
		takePeriodEvents({ shipments, periodTypes }, watch, at(now), max);

	test('are taken once, exactly when the days are over', () => {
		expect(take([quiet()], '09 23:59').newEvents).toEqual([]);
		const taken = take([quiet()], '10');
		expect(taken.newEvents).toMatchObject([{ event: { date: '2026-06-10T00:00:00Z' } }]);
		expect(take(taken.shipments, '20').newEvents).toEqual([]);
	});

	test('have the same ID with another number of days', () => {
		const idOf = (days: number) =>
			takePeriodEvents(
				{ shipments: [quiet()], periodTypes },
				{ ...watch, limits: { noMovement: days } },
				at('20'),
			).newEvents[0]?.eventId;
		expect(idOf(1)).toBe(idOf(3));
	});

	test.each<[string, Partial<WatchedShipment>]>([
		['is not watched', { listed: 'no' }],
		['has ended', { endedAt: at('09') }],
		['is finished', { isFinished: true }],
	])('do not exist for a shipment that %s', (_, changes) => {
		expect(take([quiet(changes)], '20').newEvents).toEqual([]);
	});

	test('that exceed the limit of an execution follow with the next poll', () => {
		const three = [1, 2, 3].map((id) => ({ ...quiet(), id, number: `00${id}` }));
		const first = take(three, '20', 2);
		expect(first.newEvents).toHaveLength(2);
		expect(take(first.shipments, '20').newEvents).toHaveLength(1);
	});

	test('leave nothing in the state if no type is selected', () => {
		const { shipments } = takePeriodEvents(
			{ shipments: [quiet()], periodTypes: [] },
			watchOf(),
			at('20'),
		);
		expect(shipments).toEqual([shipmentOf(1)]);
	});
});
