import { takePeriodEvents, updatePeriods } from '../../nodes/ParcelShipping/tracking/periods';
import { openSince, type WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { shipmentOf, watchOf } from '../support/watched';

const timezone = 'UTC';
const limits = { noMovement: 2, waitingForPickup: 2 };
/** A moment in June 2026, as `day hour`. */
const at = (time: string) => {
	const [day, hour = '00'] = time.split(' ');
	return Date.parse(`2026-06-${day}T${hour}:00:00Z`);
};
const eventOf = (text: string) => {
	const [category = '', ...time] = text.split(' ');
	const date = time.length > 0 ? new Date(at(time.join(' '))).toISOString().slice(0, 19) : '';
	return { category, date, delivered: category === 'Delivered', canceled: false } as TrackingEvent;
};

const periodTypes = ['noMovement' as const, 'waitingForPickup' as const];
const watch = watchOf({ limits, timezone });

/**
 * Plays responses such as `10 09: Created 09, Transit 10 08 | 11: `: the moment of the poll and the events.
 * Events that no earlier response contains are new. Returns which periods are running and unreported,
 * and what the trigger has reported, as `type day hour`.
 */
function play(responses: string, first: Partial<WatchedShipment> = {}, baselineSince = -1) {
	let shipment = shipmentOf(1, first);
	const known = new Set<string>();
	const reported: string[] = [];
	for (const response of responses.split(' | ')) {
		const [now = '', list = ''] = response.split(': ');
		const texts = list.split(', ').filter((text) => text !== '');
		const events = texts.map(eventOf);
		const unknown = new Set(events.filter((_, index) => !known.has(texts[index] ?? '')));
		const comparison = { nowMs: at(now), timezone, limits, baselineSince };
		const periods = updatePeriods(shipment, events, unknown, comparison);
		shipment = { ...shipment, ...(periods ? { periods } : {}) };
		delete shipment.newSince;
		for (const text of texts) known.add(text);
		const taken = takePeriodEvents({ shipments: [shipment], periodTypes }, watch, at(now));
		[shipment] = taken.shipments as [WatchedShipment];
		for (const { event } of taken.newEvents) {
			const { category, since } = event as { category: string; since?: string };
			reported.push(`${category} ${since?.slice(8, 13).replace('T', ' ')}`);
		}
	}
	const [quietSince, waitingSince] = periodTypes.map((type) => openSince(shipment, type));
	return { quietSince, waitingSince, reported };
}
const momentOf = (time: string | null) => (time === null ? undefined : at(time));

test.each<[string, string, string | null]>([
	['with the latest event, whatever the order', '10 09: Transit 10 08, Created 09', '10 08'],
	['with the first response, if it is empty', '10 09: ', '10 09'],
	['with the first response, if no event has a date', '10 09: Transit', '10 09'],
	['with the latest date in it, if one event has none', '10 09: Customs, Transit 10 08', '10 08'],
	[
		'with the poll, if a new event has no date',
		'10 09: Transit 10 08 | 10 10: Transit 10 08, Customs | 10 11: Customs, Created 09',
		'10 10',
	],
	// It can happen during the poll, and the clock of the carrier can be fast.
	['with its own date, up to an hour after the poll has begun', '10 09: Transit 10 10', '10 10'],
	['with the poll, if it is in the future', '10 09: Transit 12 | 10 10: Transit 12', '10 09'],
	['not again with a late event', '10 09: Transit 10 08 | 10 10: Transit 10 07', '10 08'],
	['never after the delivery', '10 09: Delivered 10', null],
	['never after the cancellation', '10 09: Cancel 10', null],
	['never after the return', '10 09: DeliveredBack 10', null],
	['never after a return in the same second', '10 09: DeliveredBack 10, Transit 10', null],
	[
		'never after the return, also with later notices',
		'10 09: DeliveredBack 10 | 11 09: DeliveredBack 10, Customs 11',
		null,
	],
	[
		'if a returned shipment is sent again',
		'10 09: DeliveredBack 10 | 11 09: DeliveredBack 10, Transit 11',
		'11',
	],
])('a standstill begins %s', (_, responses, expected) => {
	expect(play(responses).quietSince).toBe(momentOf(expected));
});

test.each<[string, Partial<WatchedShipment>, string, boolean]>([
	['before publishing', { newSince: at('10') }, '08', false],
	['before publishing, with Existing Events', { newSince: 0 }, '07 06', true],
	['before a late first response, over before', { newSince: at('09 12') }, '07 06', false],
	['before a late first response, over at that moment', { newSince: at('09 06') }, '07 06', true],
	['before a late first response, over since', { newSince: at('09') }, '07 06', true],
	['before publishing, over after it', { newSince: at('10') }, '09', true],
	['before the types were selected', {}, '08', false],
])('a period that began %s is reported: %j', (_, first, began, isReported) => {
	const responses = ['10', '11'].map((now) => `${now}: TransitReady ${began}`).join(' | ');
	const { reported, ...open } = play(responses, first, at('10'));
	expect(reported.map((text) => text.split(' ')[0])).toEqual(
		isReported ? ['NoMovement', 'WaitingForPickup'] : [],
	);
	expect(open).toEqual({ quietSince: undefined, waitingSince: undefined });
});

test.each<[string, string, string | null]>([
	['not before', '10 09: Transit 10 08', null],
	['with the first event', '10 09: TransitReady 10 08, TransitReady 10 07', '10 07'],
	[
		'not again with a reminder',
		'10 09: TransitReady 10 08 | 11 09: TransitReady 10 08, TransitReady 11',
		'10 08',
	],
	[
		'not with an event older than the departure',
		'10 09: TransitReady 10 07, DeliveringBack 10 08',
		null,
	],
	[
		'again at the next pickup point',
		'10 09: TransitReady 10 07 | 11 09: TransitReady 10 07, Transit 10 12, TransitReady 11',
		'11',
	],
	[
		'not again if a response leaves out the departure',
		'10 09: TransitReady 10 07 | 10 10: TransitReady 10 07, TransitCarrier 10 09 | 10 12: TransitReady 10 07, Customs 10 11',
		null,
	],
	[
		'not with a late event in a response that leaves out the departure',
		'10 09: Transit 10 08 | 10 10: TransitReady 10 07',
		null,
	],
	[
		'not with a late event if the departure had no date',
		'10 09: TransitReady 10 07 | 10 10: TransitReady 10 07, Transit | 10 11: TransitReady 10 07, Transit, TransitReady 10 08',
		null,
	],
	[
		'with an earlier event that comes late',
		'10 09: TransitReady 10 08 | 11 09: TransitReady 10 08, TransitReady 10 05',
		'10 05',
	],
	['with the delivery to the pickup point', '10 09: Transit 10 07, DeliveredPickup 10 08', '10 08'],
	['not if it was canceled', '10 09: TransitReady 10 07, Cancel 10 08', null],
	[
		'no longer if it left in the same second',
		'10 09: TransitReady 10 07 | 10 10: TransitReady 10 07, Transit 10 07',
		null,
	],
	[
		'with a reminder, if a late departure was before that',
		'10 09: TransitReady 10 06, TransitReady 10 08 | 10 10: TransitReady 10 08, Transit 10 07',
		'10 08',
	],
	['and goes on in a problem', '10 09: TransitReady 10 07 | 10 11: Error 10 10', '10 07'],
])('waiting for pickup begins %s', (_, responses, expected) => {
	expect(play(responses).waitingSince).toBe(momentOf(expected));
});

test.each<[string, string, string[]]>([
	[
		'a standstill once, also after a late event',
		'08: Transit 08 | 10: Transit 08 | 11: Transit 08, Created 07 | 13: Transit 08',
		['NoMovement 08 00'],
	],
	[
		'the next standstill after a movement',
		'08: Transit 08 | 10: Transit 08 | 11: Transit 11 | 13: Transit 11',
		['NoMovement 08 00', 'NoMovement 11 00'],
	],
	[
		'the waiting once, also after a reminder',
		'08: TransitReady 08 | 10:  | 11: TransitReady 08, TransitReady 11 | 14: ',
		['NoMovement 08 00', 'WaitingForPickup 08 00', 'NoMovement 11 00'],
	],
])('the trigger reports %s', (_, responses, expected) => {
	expect(play(responses).reported).toEqual(expected);
});

describe('The events of the trigger itself', () => {
	const periods = { movedAt: at('08'), isQuietReported: false, isWaitReported: false };
	const inactive = (id = 1, changes: Partial<WatchedShipment> = {}) =>
		shipmentOf(id, { periods, ...changes });
	const take = (shipments: WatchedShipment[], nowMs: number, max?: number) =>
		takePeriodEvents({ shipments, periodTypes }, watch, nowMs, max);

	test('are taken once, exactly when the days are over', () => {
		expect(take([inactive()], at('10') - 1).newEvents).toEqual([]);
		const taken = take([inactive()], at('10'));
		const flags = { code: '', type: 'Trigger', delivered: false, canceled: false };
		expect(taken.newEvents).toMatchObject([{ event: { date: '2026-06-10T00:00:00Z', ...flags } }]);
		expect(take(taken.shipments, at('20')).newEvents).toEqual([]);
	});

	test('say whether they are the first of their kind, and the latest', () => {
		const flagsAfter = (changes: Partial<WatchedShipment>) => {
			const { newEvents, shipments } = take([inactive(1, changes)], at('20'));
			const moved = { ...periods, movedAt: at('12') };
			const again = take([{ ...(shipments[0] as WatchedShipment), periods: moved }], at('20'));
			return [...newEvents, ...again.newEvents].map(({ isFirstOfGroup, isLatest }) => [
				isFirstOfGroup,
				isLatest,
			]);
		};
		expect(flagsAfter({ latestAt: at('10') })).toEqual([
			[true, true],
			[false, true],
		]);
		expect(flagsAfter({ latestAt: at('11') })).toEqual([
			[true, false],
			[false, true],
		]);
	});

	test('have the same ID with another number of days, and in every version', () => {
		const found = [1, 3].map((noMovement) => {
			const changed = { ...watch, limits: { noMovement } };
			const state = { shipments: [inactive()], periodTypes: ['noMovement' as const] };
			return takePeriodEvents(state, changed, at('20')).newEvents[0];
		});
		expect(found.map((each) => each?.event.name)).toEqual([
			'No event for 1 day',
			'No event for 3 days',
		]);
		expect(found.map((each) => each?.eventId)).toEqual(Array(2).fill('3SoqvxVk5oAEUHf8E9d3mo'));
		const later = inactive(1, { periods: { ...periods, movedAt: at('09') } });
		expect(take([later], at('20')).newEvents[0]?.eventId).not.toBe(found[0]?.eventId);
	});

	test.each<[string, Partial<WatchedShipment>]>([
		['is not watched', { listed: 'no' }],
		['has ended', { endedAt: at('09') }],
		['is finished', { isFinished: true }],
	])('do not exist for a shipment that %s', (_, changes) => {
		expect(take([inactive(1, changes)], at('20')).newEvents).toEqual([]);
	});

	test('that exceed the limit of an execution follow with the next poll', () => {
		const first = take(
			[1, 2, 3].map((id) => inactive(id)),
			at('20'),
			2,
		);
		const second = take(first.shipments, at('20'), 2);
		const idsOf = ({ newEvents }: typeof first) => newEvents.map(({ shipment }) => shipment.id);
		expect([idsOf(first), idsOf(second)]).toEqual([[1, 2], [3]]);
	});

	test('do not exist for periods that were over before the type was selected', () => {
		const selected = takePeriodEvents(
			{ shipments: [inactive()], periodTypes: [] },
			watch,
			at('20'),
		);
		expect(selected.newEvents).toEqual([]);
		expect(take(selected.shipments, at('21')).newEvents).toEqual([]);
	});

	test('leave nothing in the state if no type is selected', () => {
		expect(periodTypes.map((type) => openSince(shipmentOf(1), type))).toEqual([
			undefined,
			undefined,
		]);
		const state = { shipments: [inactive()], periodTypes: [] };
		expect(takePeriodEvents(state, watchOf(), at('20')).shipments).toEqual([shipmentOf(1)]);
	});
});
