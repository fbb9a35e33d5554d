import { planPoll, selectDue } from '../../nodes/ParcelShipping/tracking/plan';
import type { WatchedShipment } from '../../nodes/ParcelShipping/tracking/state';
import { idsOf, nowMs, shipmentOf, watchOf } from '../support/watched';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const inMinutes = (minutes: number) => nowMs + minutes * MINUTE_MS;

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
		const silent = shipmentOf(1, { nextRequestAt: inMinutes(9), periods });
		const due = (days: number, changes: Partial<typeof periods> = {}) =>
			selectDue([{ ...silent, periods: { ...periods, ...changes } }], nowMs, {
				...watchOf({ limits: { noMovement: days } }),
			}).length;
		expect([due(5), due(6), due(5, { isQuietReported: true })]).toEqual([1, 0, 0]);
	});
});

describe('The requests of a poll', () => {
	const many = (count: number, from: number, changes: Partial<WatchedShipment> = {}) =>
		Array.from({ length: count }, (_, at) => shipmentOf(from + at, changes));
	const plan = (shipments: WatchedShipment[]) =>
		planPoll(shipments, nowMs, watchOf()).map(({ carrier, shipments: batch }) => [
			carrier,
			idsOf(batch),
		]);

	test('are filled with the shipments of the carrier that are due next', () => {
		const [later, sooner] = [{ nextRequestAt: inMinutes(7) }, { nextRequestAt: inMinutes(2) }];
		const shipments = [
			...many(97, 1),
			...many(2, 101, later),
			...many(2, 201, sooner),
			...many(9, 301, { ...sooner, carrier: 'BEAVER' }),
			...many(9, 401, { nextRequestAt: inMinutes(11) }),
		];
		expect(plan(shipments)).toEqual([['ANT', [...idsOf(many(97, 1)), 201, 202, 101]]]);
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
