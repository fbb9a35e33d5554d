import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import {
	LATE_CORRECTIONS_MS,
	OVER_PAUSE_MS,
	takeAnswer,
} from '../../nodes/ParcelShipping/tracking/answers';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';

const HOUR_MS = 3_600_000;
const timezone = 'Europe/Prague';
/** 11:00:00 in Prague. */
const beganAt = Date.parse('2026-06-10T09:00:00.700Z');
const nowMs = beganAt + HOUR_MS;

const event = (code: string, date: string, changes: Partial<TrackingEvent> = {}) =>
	({ code, date, category: 'TransitCarrier', item: '001', ...changes }) as TrackingEvent;
const created = (date: string) => event('100', date, { category: 'Created', item: null as never });

const unasked: WatchedShipment = {
	id: 1,
	carrier: 'ANT',
	number: '001',
	firstSeenDay: 20_600,
	listed: 'now',
	since: beganAt,
	known: '',
	isResting: false,
};

const newCodes = (
	events: TrackingEvent[],
	shipment = unasked,
	circumstances: { baselineSince?: number } = {},
) =>
	takeAnswer(shipment, events, { nowMs, timezone, ...circumstances }).news.map(
		(found) => found.event.code,
	);

describe('In the first answer of a shipment', () => {
	const history = [
		created('2026-06-09T08:00:00'),
		event('1', '2026-06-10T10:59:59'),
		event('2', '2026-06-10T11:00:00'),
		event('3', '2026-06-10T11:30:00'),
		event('4', ''),
	];

	test('nothing is new in the poll in which watching begins', () => {
		expect(newCodes(history, unasked, { baselineSince: beganAt })).toEqual([]);
	});

	test('what is dated since the beginning is new when it could not be asked then', () => {
		expect(newCodes(history)).toEqual(['2', '3']);
	});

	test('a later change of what is watched is no baseline for those that still wait', () => {
		expect(newCodes(history, unasked, { baselineSince: nowMs })).toEqual(['2', '3']);
	});

	test('everything is new when the user wants what is there', () => {
		expect(newCodes(history, { ...unasked, since: 0 }, { baselineSince: beganAt })).toHaveLength(5);
	});

	test('everything is new when the shipment was created since the beginning', () => {
		const later = [
			created('2026-06-10T11:00:00'),
			event('1', '2026-06-10T00:00:00'),
			event('2', ''),
		];
		expect(newCodes(later)).toEqual(['1', '100', '2']);
	});

	test('an event of the carrier, though it is of that category, does not say so', () => {
		const later = [event('100', '2026-06-10T11:10:00', { category: 'Created' }), event('2', '')];
		expect(newCodes(later)).toEqual(['100']);
	});
});

describe('In later answers', () => {
	const first = takeAnswer(unasked, [event('1', '2026-06-10T08:00:00')], { nowMs, timezone });

	test('everything that was not there before is new, however late its date, oldest first', () => {
		const events = [
			event('4', ''),
			event('3', '2026-06-10T11:30:00'),
			event('1', '2026-06-10T08:00:00'),
			event('2', '2020-01-01T00:00:00'),
		];
		expect(newCodes(events, first.shipment)).toEqual(['2', '3', '4']);
	});

	test('the same event twice is one, and the first wording counts', () => {
		const one = event('2', '2026-06-10T11:00:00', { name: 'First' });
		const { news } = takeAnswer(first.shipment, [one, { ...one, name: 'Second' }], {
			nowMs,
			timezone,
		});
		expect(news.map((found) => found.event.name)).toEqual(['First']);
	});

	test('what an answer leaves out stays known', () => {
		const { shipment } = takeAnswer(first.shipment, [], { nowMs, timezone });
		expect(newCodes([event('1', '2026-06-10T08:00:00')], shipment)).toEqual([]);
	});
});

describe('A shipment that is delivered or canceled', () => {
	const asked: WatchedShipment = { ...unasked, known: '' };
	delete asked.since;
	const answerAt = (ms: number, shipment: WatchedShipment, events: TrackingEvent[]) =>
		takeAnswer(shipment, events, { nowMs: ms, timezone }).shipment;

	test.each([{ delivered: true }, { canceled: true }])('%j is asked less often', (end) => {
		const after = answerAt(nowMs, asked, [event('9', '2026-06-10T12:00:00', end)]);
		expect(after).toMatchObject({ overSince: nowMs, dueAt: nowMs + OVER_PAUSE_MS });
	});

	test('rests after three days without news, and news begin them again', () => {
		const end = event('9', '2026-06-10T12:00:00', { delivered: true });
		const late = event('8', '2026-06-10T11:00:00');
		const over = answerAt(nowMs, asked, [end]);
		const corrected = answerAt(nowMs + LATE_CORRECTIONS_MS - 1, over, [end, late]);
		expect(corrected.isResting).toBe(false);
		const waiting = answerAt(nowMs + LATE_CORRECTIONS_MS + HOUR_MS, corrected, [end, late]);
		expect(waiting.isResting).toBe(false);
		const resting = answerAt(nowMs + 2 * LATE_CORRECTIONS_MS, waiting, [end, late]);
		expect(resting).toMatchObject({ isResting: true, known: '' });
	});

	test('rests at once when it ended long before it was first asked', () => {
		const end = event('9', '2026-06-01T12:00:00', { delivered: true });
		expect(answerAt(nowMs, unasked, [end])).toMatchObject({ isResting: true });
	});
});
