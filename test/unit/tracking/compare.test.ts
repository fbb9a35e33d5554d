import { compareEvents } from '../../../nodes/ParcelShipping/tracking/compare';
import { ShipmentIndex } from '../../../nodes/ParcelShipping/tracking/shipmentIndex';
import type { WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { shipmentOf, stateOf } from '../../support/watched';

import { omit } from 'lodash';

const HOUR_MS = 3_600_000;
const timezone = 'Europe/Prague';
/** 11:00:00 in Prague. */
const startedAt = Date.parse('2026-06-10T09:00:00.700Z');
const nowMs = startedAt + HOUR_MS;

/** `time` is the local time on the day of the start, or another date. */
const eventOf = (code: string, time: string, changes: Partial<TrackingEvent> = {}) => {
	const date = /^\d\d:\d\d$/.test(time) ? `2026-06-10T${time}:00` : time;
	return { code, date, category: 'TransitCarrier', item: '001', ...changes } as TrackingEvent;
};
const created = eventOf('100', '11:00', { category: 'Created', item: null });

const unrequested = shipmentOf(1, { listed: 'inThisReading', newSince: startedAt });
const usual = { nowMs, timezone, idTimezone: timezone, limits: {} };
const compare = (shipment: WatchedShipment, events: TrackingEvent[], changes = {}) =>
	compareEvents(shipment, events, { ...usual, ...changes });
const newCodes = (...parameters: Parameters<typeof compare>) =>
	compare(...parameters).newEvents.map(({ event }) => event.code);

describe('Events in later responses', () => {
	const first = eventOf('1', '08:00');
	const { shipment: requested } = compare(unrequested, [first]);

	test('every event that is not known is new, whatever its date, oldest first', () => {
		const late = eventOf('2', '2020-01-01T00:00:00');
		const events = [eventOf('4', ''), eventOf('3', '11:30'), first, late];
		const { shipment, newEvents } = compare(requested, events);
		expect(newEvents.map(({ event }) => event.code)).toEqual(['2', '3', '4']);
		expect(newCodes(shipment, events)).toEqual([]);
	});

	test('a repeated event is new only once, with its first text', () => {
		const one = eventOf('2', '11:00', { name: 'First' });
		const { newEvents } = compare(requested, [one, { ...one, name: 'Second' }]);
		expect(newEvents.map(({ event }) => event.name)).toEqual(['First']);
	});

	test('an event that is missing from one response stays known', () => {
		expect(newCodes(compare(requested, []).shipment, [first])).toEqual([]);
	});

	test('a shipment that was refused before is requested with the others again', () => {
		const { shipment } = compare({ ...requested, status: 'refused', nextRequestAt: nowMs }, []);
		expect(shipment).toEqual({ ...requested, nextRequestAt: expect.any(Number) as number });
		expect(shipment.newSince).toBeUndefined();
	});

	test('a shipment is recently active for two hours after a new event, whatever its date', () => {
		const late = eventOf('2', '2020-01-01T00:00:00');
		const { shipment } = compare(requested, [late]);
		const twoHoursLater = Date.parse('2026-06-10T12:00:00Z');
		expect(shipment).toMatchObject({ activeUntil: twoHoursLater });
		expect(shipment.nextRequestAt).toBeUndefined();
		const later = compare(shipment, [late], { nowMs: twoHoursLater });
		expect(later.shipment.activeUntil).toBeUndefined();
		expect(later.shipment.nextRequestAt).toBeGreaterThan(nowMs);
	});
});

const history = [
	{ ...created, date: '2026-06-09T08:00:00' },
	eventOf('1', '2026-06-10T10:59:59'),
	eventOf('2', '11:00'),
	eventOf('3', '11:30'),
	eventOf('4', ''),
];

test.each<[string, TrackingEvent[], string[], object?]>([
	['none in the poll in which watching starts', history, [], { baselineAt: startedAt }],
	['those since the start if it could not be requested then', history, ['2', '3']],
	['those that still were if the filters changed', history, ['2', '3'], { baselineAt: nowMs }],
	[
		'all if the user wants existing events',
		[...history.slice(1), eventOf('5', '0001-01-01T00:00:00')],
		['1', '2', '3', '4', '5'],
		{ baselineAt: startedAt, newSince: 0 },
	],
	[
		'all if the shipment was created since the start',
		[created, eventOf('1', '00:00'), eventOf('2', '')],
		['1', '100', '2'],
	],
	[
		'all if it was created since the start, without a field for the item',
		[omit(created, 'item') as TrackingEvent, eventOf('2', '')],
		['100', '2'],
	],
	[
		'all if it was created since the start, although one event says so without a date',
		[created, { ...created, code: '101', date: '' }, eventOf('2', '')],
		['100', '101', '2'],
	],
	[
		'those since the start if another shipment with its number was created before',
		[{ ...created, code: '99', date: '2026-06-09T08:00:00' }, eventOf('1', '00:00'), created],
		['100'],
	],
	[
		'not those of that day if its dates have no time',
		[eventOf('1', '2026-06-10'), eventOf('2', '2026-06-11')],
		['2'],
	],
	[
		'those since the start if only an event of another category has no item',
		[eventOf('1', '11:10', { item: null }), eventOf('2', '')],
		['1'],
	],
	[
		'those since the start if the carrier says Created of an item',
		[eventOf('100', '11:10', { category: 'Created' }), eventOf('2', '')],
		['100'],
	],
])('new events in the first response for a shipment: %s', (_, events, codes, changes = {}) => {
	const { newSince = startedAt, ...comparison } = changes as Partial<WatchedShipment>;
	const shipment = { ...unrequested, newSince };
	expect(newCodes(shipment, events, comparison)).toEqual(codes);
});

test.each<[string, Partial<WatchedShipment>, number, string]>([
	['whose number has changed', {}, 1, '002'],
	[
		'that is finished, and whose number a later one has',
		{ status: 'finished', marks: '', endedAt: nowMs },
		2,
		'001',
	],
])(
	'a shipment %s has no old event again, also after an empty response',
	(_, changes, id, number) => {
		const events = [eventOf('1', '11:10'), eventOf('2', '')];
		const { shipment: before } = compare(unrequested, events);
		const index = new ShipmentIndex(stateOf([{ ...before, ...changes }]), nowMs);
		index.upsert({ id, carrier: 'ANT', number });
		const { shipment } = compare(index.shipments[0] as WatchedShipment, []);
		expect(newCodes(shipment, [...events, eventOf('3', '11:20')])).toEqual(['3']);
	},
);

const delivered = (code: string, time: string) => eventOf(code, time, { category: 'Delivered' });
const transit = (code: string, time: string) => eventOf(code, time, { category: 'Transit' });
const other = (code: string, time: string) => eventOf(code, time, { category: 'Customs' });

test.each<[string, TrackingEvent[][], string]>([
	['the oldest', [[delivered('2', '11:20'), delivered('1', '11:10')]], '1 first, 2 latest'],
	['of each group', [[delivered('1', '11:10'), transit('2', '11:20')]], '1 first, 2 first latest'],
	['each without a group', [[other('1', '11:10'), other('2', '11:20')]], '1 first, 2 first latest'],
	['not a late one', [[delivered('2', '11:20')], [delivered('1', '11:10')]], '2 first latest, 1'],
	['one from before the start', [[delivered('1', '10:00'), delivered('2', '11:10')]], '2 latest'],
	[
		'also if a response leaves it out',
		[[delivered('2', '11:20')], [transit('3', '11:30')], [delivered('4', '11:25')]],
		'2 first latest, 3 first latest, 4',
	],
	[
		'one of the same second, and both are the latest',
		[[delivered('1', '11:10'), delivered('2', '11:10')]],
		'1 first latest, 2 latest',
	],
	[
		'without a date, which is the latest',
		[[delivered('1', '11:10')], [delivered('2', ''), transit('3', '11:20')]],
		'1 first latest, 3 first latest, 2 latest',
	],
	[
		'also after a delivery that is only planned',
		[[delivered('1', '2026-06-24T12:00:00')], [transit('2', '11:20')], [delivered('3', '11:40')]],
		'1 first latest, 2 first latest, 3 latest',
	],
	[
		'not before one of a clock that is some minutes fast',
		[[delivered('1', '12:30')], [transit('2', '11:20')]],
		'1 first latest, 2 first',
	],
])('which event is the first of its group or the latest: %s', (_, responses, expected) => {
	let shipment = unrequested;
	const flagged = responses.flatMap((events) => {
		const compared = compare(shipment, events);
		({ shipment } = compared);
		return compared.newEvents.map(({ event, isFirstOfGroup, isLatest }) =>
			[event.code, ...(isFirstOfGroup ? ['first'] : []), ...(isLatest ? ['latest'] : [])].join(' '),
		);
	});
	expect(flagged.join(', ')).toBe(expected);
});

describe('While another piece of the shipment has its events under this number', () => {
	const own = eventOf('1', '11:00');
	const ofOther = eventOf('9', '11:30', { item: '002', delivered: true });

	test('its delivery does not end this one, and No Movement still comes', () => {
		const limits = { noMovement: 1 };
		const { shipment, newEvents } = compare(unrequested, [own, ofOther], { limits });
		expect(newEvents).toHaveLength(2);
		expect(shipment).toMatchObject({ status: 'usual', endedAt: undefined });
		expect(shipment.noMovementReported).toBeUndefined();
	});

	test('its known delivery does not end this one either if its own events are missing for once', () => {
		const named = eventOf('1', '11:00', { item: '001' });
		const { shipment } = compare(unrequested, [named, ofOther]);
		expect(compare(shipment, [ofOther]).shipment.endedAt).toBeUndefined();
	});

	test('a carrier that names something else there does not keep a delivery from ending it', () => {
		const delivery = eventOf('9', '11:30', { item: 'box', delivered: true });
		expect(compare(unrequested, [created, delivery]).shipment.endedAt).toBeDefined();
	});
});

describe('A shipment that was delivered or canceled', () => {
	const requested = { ...unrequested, newSince: undefined };
	const end = eventOf('9', '12:00', { delivered: true });
	/** The shipment after a response that comes some hours later. */
	const after = (hours: number, shipment: WatchedShipment, events = [end]) =>
		compare(shipment, events, { nowMs: nowMs + hours * HOUR_MS }).shipment;

	test.each([{ delivered: true }, { canceled: true }])('%j is requested every hour', (flag) => {
		const ended = after(0, { ...requested, nextRequestAt: nowMs }, [eventOf('9', '12:00', flag)]);
		const nextRequestAt = Date.parse('2026-06-10T11:00:00Z');
		expect(ended).toMatchObject({ endedAt: nowMs, nextRequestAt });
	});

	test('is finished 72 hours after its last new event, and not before', () => {
		const ended = after(0, requested);
		const last = after(72 - 1 / HOUR_MS, ended);
		expect(last).toMatchObject({ status: 'usual', endedAt: nowMs });
		const finished = after(72, last);
		expect(finished).toMatchObject({ status: 'finished', endedAt: nowMs });
		expect(finished.nextRequestAt).toBeUndefined();
		const corrected = after(71, ended, [end, eventOf('8', '11:00')]);
		const statuses = [142, 143].map((hours) => after(hours, corrected).status);
		expect(statuses).toEqual(['usual', 'finished']);
	});

	test.each([
		{ time: '11:30', endedAt: Date.parse('2026-06-10T09:30:00Z'), status: 'usual' },
		{ time: '2026-06-11T12:00:00', endedAt: nowMs, status: 'usual' },
		{ time: '', endedAt: nowMs, status: 'usual' },
		{
			time: '2026-06-01T12:00:00',
			endedAt: Date.parse('2026-06-01T10:00:00Z'),
			status: 'finished',
		},
	])('before its first response has ended then: "$time"', ({ time, ...expected }) => {
		expect(after(0, unrequested, [eventOf('9', time, { delivered: true })])).toMatchObject(
			expected,
		);
	});

	test('is still requested if a later shipment with its number has events', () => {
		const old = eventOf('9', '2026-06-01T12:00:00', { canceled: true });
		const again = { ...created, date: '2026-06-10T11:30:00' };
		const endedAt = Date.parse('2026-06-10T09:30:00Z');
		expect(after(0, unrequested, [old, again])).toMatchObject({ endedAt, status: 'usual' });
		expect(after(72, unrequested, [old, again])).toMatchObject({ status: 'finished' });
	});

	test('is not over after another event', () => {
		const moving = after(0, requested, [eventOf('9', '12:00')]);
		expect(moving.endedAt).toBeUndefined();
		expect(moving.nextRequestAt).toBeUndefined();
	});
});

test.each([0, 10])(
	'an order that was canceled and created again is followed to its own end, although its number is the same: %i days later',
	(days) => {
		const first = { ...created, date: '2026-06-10T10:00:00' };
		const canceled = eventOf('990', '10:30', { category: 'CancelSender', canceled: true });
		let { shipment } = compare({ ...unrequested, newSince: undefined }, [first, canceled]);
		for (let day = 0; day < days + 12; day++) {
			const dayMs = nowMs + day * 24 * HOUR_MS;
			// A finished shipment is saved without marks.
			const saved = shipment.status === 'finished' ? { ...shipment, marks: '' } : shipment;
			const index = new ShipmentIndex(stateOf([saved]), dayMs);
			if (day >= days) index.upsert({ id: 2, carrier: 'ANT', number: '001' });
			[shipment] = index.shipments as [WatchedShipment];
			if (shipment.status !== 'finished')
				({ shipment } = compare(shipment, [first, canceled], { nowMs: dayMs }));
		}
		expect(shipment).toMatchObject({ id: 2, status: 'usual', endedAt: undefined });
		const events = [first, canceled, created];
		const again = compare(shipment, events);
		// The events of a finished shipment that its carrier still reports are read again.
		const isFirstOfGroup = days === 0;
		expect(again.newEvents).toMatchObject([{ event: created, isFirstOfGroup }]);
		expect(again.shipment).toMatchObject({ id: 2, endedAt: undefined });
		const delivered = eventOf('1', '12:30', { delivered: true });
		const laterMs = nowMs + HOUR_MS;
		const { shipment: ended } = compare(again.shipment, [...events, delivered], { nowMs: laterMs });
		expect(ended.endedAt).toBe(laterMs);
	},
);

test('a cancellation that is reported after the order was created again does not end the new shipment', () => {
	// The list says that it is canceled, and then that there is another one.
	const index = new ShipmentIndex(stateOf([{ ...unrequested, newSince: undefined }]), nowMs);
	index.upsert({ id: 1, carrier: 'ANT', number: '001', hasEnded: true });
	index.upsert({ id: 2, carrier: 'ANT', number: '001' });
	const [again] = index.shipments as [WatchedShipment];
	const canceled = eventOf('990', '11:59', { category: 'CancelSender', canceled: true });
	expect(compare(again, [canceled]).shipment).toMatchObject({ id: 2, endedAt: undefined });
	const delivered = eventOf('1', '12:30', { delivered: true });
	const laterMs = nowMs + HOUR_MS;
	const { shipment } = compare(again, [canceled, delivered], { nowMs: laterMs });
	expect(shipment).toMatchObject({ id: 2, endedAt: laterMs });
});

test('an event that turns out to be the delivery ends the shipment', () => {
	const event = eventOf('9', '11:00');
	const { shipment } = compare({ ...unrequested, newSince: undefined }, [event]);
	expect(shipment.endedAt).toBeUndefined();
	expect(compare(shipment, [{ ...event, delivered: true }]).shipment.endedAt).toBe(nowMs);
});
