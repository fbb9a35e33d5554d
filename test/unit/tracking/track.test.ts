import type { IDataObject } from 'n8n-workflow';

import { mapParallel } from '../../../nodes/ParcelShipping/lists';
import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { readSample, SAMPLE_REQUESTS } from '../../../nodes/ParcelShipping/tracking/sample';
import { shipmentKey, type WatchedShipment } from '../../../nodes/ParcelShipping/tracking/state';
import type { Watch } from '../../../nodes/ParcelShipping/tracking/watch';
import { trackShipments } from '../../../nodes/ParcelShipping/tracking/track';
import { eventsUnder } from '../../../nodes/ParcelShipping/tracking/compare';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { ServiceError } from '../../../nodes/ParcelShipping/transport/errors';
import { nowMs, shipmentOf, watchOf } from '../../support/watched';

const MINUTE_MS = 60_000;

const eventOf = (item: string | null | undefined) => ({ item, code: '701' }) as TrackingEvent;

test.each<[string, string | null | undefined, number]>([
	['its own number', '001', 1],
	['its own number with spaces', ' 001 ', 1],
	['no number', null, 1],
	['no field for it', undefined, 1],
	['a number that is not watched, such as that of an additional piece', '009', 1],
	['the number of another piece that is watched', '002', 0],
])('the events of a shipment include one with %s: %j', (_, item, count) => {
	const [shipment, ...others] = [shipmentOf(1), shipmentOf(2), shipmentOf(3, { number: '' })];
	const tracked = new Set([shipment, ...others].map(shipmentKey));
	expect(eventsUnder(shipment, [eventOf(item)], tracked)).toHaveLength(count);
});

test('a piece of another carrier with the same number is another one', () => {
	const [shipment, other] = [shipmentOf(1), shipmentOf(2, { carrier: 'BEAVER' })];
	const tracked = new Set([shipment, other].map(shipmentKey));
	expect(eventsUnder(shipment, [eventOf('002')], tracked)).toHaveLength(1);
});

let workflows = 0;

/** Polls a service that refuses each request with one of some numbers, and whose rows have these events. */
function setService(shipments: WatchedShipment[]) {
	let refused: readonly string[] = [];
	let status = 400;
	let atMs = nowMs;
	const id = `${++workflows}`;
	/** The numbers that are certainly refused, once each. */
	const named: string[] = [];
	const requests: string[][] = [];
	/** Null: the service does not know the number. Without a status, the row says nothing. */
	const events: Record<string, object[] | null | 'no status'> = {};
	const context = {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id, name: 'Trigger' }),
	};
	const facts = { message: 'No', description: '', endpoint: '', mayHaveActed: false };
	const call = async (_: string, { body }: { body: { packages: string[] } }) => {
		requests.push(body.packages);
		if (body.packages.some((number) => refused.includes(number)))
			throw new ServiceError({ ...facts, status });
		const result = body.packages.map((packageNumberCarrier) => {
			const { [packageNumberCarrier]: own = [] } = events;
			if (own === 'no status') return { packageNumberCarrier, events: null };
			const found = { statusCode: 200, events: own };
			return { packageNumberCarrier, ...(own ? found : { statusCode: 404, message: 'No' }) };
		});
		return await Promise.resolve({ result });
	};
	const client = {
		call,
		mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
		carriers: async () => await Promise.resolve([]),
		withoutSecrets: (error: unknown) => error,
	};
	const service = {
		...{ events, requests, named, shipments },
		refuse: (...numbers: string[]) => {
			refused = numbers;
			status = 400;
		},
		/** A request with one of these numbers makes the service fail. */
		failWith: (...numbers: string[]) => {
			refused = numbers;
			status = 500;
		},
		/** A gateway gives up waiting for a request with one of these numbers. */
		hangWith: (...numbers: string[]) => {
			refused = numbers;
			status = 504;
		},
		/** The numbers of each request of one poll, and the codes of its new events. */
		poll: async (minutes = 1, baselineAt?: number, maxRequests = Infinity) => {
			atMs += minutes * MINUTE_MS;
			requests.length = 0;
			const budget = new Budget(() => atMs, MINUTE_MS, maxRequests);
			const poll = { context, client, watch: watchOf(), budget };
			const tracked = await trackShipments(service.shipments, poll as never, {
				...{ nowMs: atMs, timezone: 'Europe/Prague', idTimezone: 'Europe/Prague' },
				...{ limits: {}, baselineAt },
			});
			const { tracking } = tracked;
			service.shipments = tracked.shipments;
			named.push(...tracked.newlyRefused.map(({ shipment }) => shipment.number));
			const codes = tracking.newEvents.map(({ event, shipment }) => [shipment.id, event.code]);
			return { codes, failures: tracking.failures, requests: [...requests] };
		},
		sample: async (changes: Partial<Watch> = {}, maxRequests = Infinity) => {
			const selected = service.shipments.map(({ carrier, number }) => ({ carrier, number }));
			const selection = { by: 'numbers' as const, shipments: selected };
			const budget = new Budget(() => atMs, MINUTE_MS, maxRequests);
			return await readSample({
				context,
				client,
				watch: watchOf({ selection, ...changes }),
				budget,
			} as never);
		},
	};
	return service;
}

describe('Fetch Test Event', () => {
	test('shows No Movement of a shipment without events', async () => {
		const service = setService([shipmentOf(1)]);
		const watch = { limits: { noMovement: 2 }, eventTypes: ['noMovement'] };
		expect(await service.sample(watch)).toMatchObject([{ eventGroup: 'noMovement' }]);
	});

	test('says how many shipments it has checked', async () => {
		const service = setService([shipmentOf(1), shipmentOf(2, { carrier: 'BEAVER' })]);
		await expect(service.sample({}, 1)).rejects.toMatchObject({
			description: expect.stringContaining('checked 1 shipment with 0 events') as string,
		});
	});

	test('reads numbers from details', async () => {
		const details: number[] = [];
		const list = many(50, 1).map(({ id }) => ({ id: 51 - id, carrierCode: 'ANT' }));
		const client = {
			mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
			findUncheckedShipments: async () => await Promise.resolve({ data: list, total: 50 }),
			getShipment: async (_: string, id: number) => {
				details.push(id);
				return await Promise.resolve([{ id, packageNumberCarrier: id > 45 ? '' : `00${id}` }]);
			},
			call: async (_: string, { body }: { body: { packages: string[] } }) =>
				await Promise.resolve({
					result: body.packages.map((packageNumberCarrier) => ({
						...{ packageNumberCarrier, events: [{ code: '701' }] },
					})),
				}),
		};
		const budget = new Budget(() => nowMs, MINUTE_MS, SAMPLE_REQUESTS);
		const context = { getWorkflow: () => ({ id: 'sample' }), getNode: () => ({ id: 'n' }) };
		const items = await readSample({ context, client, watch: watchOf(), budget } as never);
		expect([items.length, details.length]).toEqual([10, 17]);
	});
});

const many = (count: number, from: number) =>
	Array.from({ length: count }, (_, at) => shipmentOf(from + at));
const numbersOf = (shipments: WatchedShipment[]) => shipments.map(({ number }) => number);

describe('While requests make the service fail', () => {
	test('because of one number, the others get their events, and this one is requested alone', async () => {
		const service = setService(many(100, 101));
		service.failWith('00142');
		for (const { number } of service.shipments) service.events[number] = [{ code: '701' }];
		const { codes, failures } = await service.poll();
		expect([codes.length, failures.length]).toEqual([99, 0]);
		expect(service.named).toEqual(['00142']);
		for (const { number } of service.shipments)
			service.events[number] = [{ code: '701' }, { code: '702' }];
		const later = await service.poll(61);
		expect(later.codes).toHaveLength(99);
		expect(later.requests).toContainEqual(['00142']);
	});

	test('whatever the number is, a poll in ten sends some requests more, and no number is refused', async () => {
		const service = setService(many(100, 101));
		service.failWith(...numbersOf(service.shipments));
		const counts: number[] = [];
		for (let poll = 0; poll < 130; poll++) counts.push((await service.poll()).requests.length);
		expect(counts.slice(0, 20).filter((count) => count > 1)).toHaveLength(2);
		expect(Math.max(...counts)).toBeLessThan(20);
		expect(service.named).toEqual([]);
	});

	test('because of many numbers, the others get their events as soon as these are found', async () => {
		const service = setService(many(100, 101));
		service.failWith(...numbersOf(many(100, 101)).filter((_, at) => at % 6 === 0));
		for (const { number } of service.shipments) service.events[number] = [{ code: '701' }];
		const codes: unknown[] = [];
		for (let poll = 0; poll < 6; poll++) codes.push(...(await service.poll()).codes);
		expect(codes).toHaveLength(83);
	});

	test('whatever the number is, a healthy request of the carrier does not make each poll split the other one', async () => {
		const active = { activeUntil: nowMs + 120 * MINUTE_MS, nextRequestAt: nowMs + 2 * MINUTE_MS };
		const healthy = many(100, 201).map((each) => ({ ...each, ...active }));
		const service = setService([...many(100, 101), ...healthy]);
		service.failWith(...numbersOf(many(100, 101)));
		const counts: number[] = [];
		for (let poll = 0; poll < 11; poll++) counts.push((await service.poll()).requests.length);
		expect([counts[0], counts[10]]).toEqual([11, 11]);
		expect(Math.max(...counts.slice(1, 10))).toBeLessThanOrEqual(2);
	});

	test.each<[string, number, (service: ReturnType<typeof setService>) => Promise<unknown>]>([
		['Fetch Test Event', 1, async (service) => await service.sample().catch(() => undefined)],
		['a poll with too few requests', 1, async (service) => await service.poll(1, undefined, 1)],
		['a poll by a clock that was ahead', -59, async (service) => await service.poll(60)],
	])('after %s, the next poll splits the request all the same', async (_, minutes, before) => {
		const service = setService(many(100, 101));
		service.failWith(...numbersOf(service.shipments));
		await before(service);
		expect((await service.poll(minutes)).requests.length).toBeGreaterThan(1);
	});

	test('in another way, the shipments of other requests of the carrier come first in the next poll', async () => {
		const service = setService(many(200, 101));
		service.hangWith('00142');
		await service.poll();
		const { requests, failures } = await service.poll();
		expect(requests.map(({ length }) => length)).toEqual([100, 100]);
		expect(requests[0]).toEqual(numbersOf(many(100, 201)));
		expect(failures).toHaveLength(1);
	});

	test('in another way, the shipments of other carriers come before those that were skipped', async () => {
		const other = shipmentOf(900, { carrier: 'BEAVER', number: '900' });
		const service = setService([...many(200, 101), other]);
		service.hangWith('00142');
		await service.poll(1, undefined, 1);
		const order = service.shipments.map(({ number }) => number);
		expect([order[0], order[1], order[101]]).toEqual(['900', '00201', '00101']);
	});
});

describe('Numbers that the service refuses', () => {
	test('do not delay others, and each is named once, as soon as their carrier responds', async () => {
		const service = setService(many(2, 1));
		service.refuse('001', '002');
		const { failures } = await service.poll();
		expect(failures).not.toEqual([]);
		expect(service.named).toEqual([]);
		service.shipments = [...service.shipments, ...many(98, 11)];
		await service.poll();
		expect(service.named.toSorted()).toEqual(['001', '002']);
		const alone: string[][] = [];
		for (let minute = 0; minute < 180; minute++) {
			const { requests } = await service.poll();
			alone.push(...requests.filter((each) => each.includes('001') || each.includes('002')));
		}
		expect(alone.map((each) => each.join()).sort()).toEqual([
			...Array<string>(3).fill('001'),
			...Array<string>(3).fill('002'),
		]);
		expect(service.named).toHaveLength(2);
	});

	test('do not delay others for more than some minutes if many stand together', async () => {
		const refused = many(9, 901);
		const service = setService([...many(91, 101), ...refused]);
		service.refuse(...numbersOf(refused));
		for (let minute = 0; minute < 5; minute++) await service.poll();
		service.events['00101'] = [{ code: '701' }];
		for (let minute = 0; minute < 10; minute++) await service.poll();
		const last = service.shipments.find(({ number }) => number === '00101');
		expect(last?.marks).not.toBe('');
	});

	test('are not blamed if their carrier refuses everything, and all are checked when it responds again', async () => {
		const all = many(50, 101);
		const service = setService(all);
		service.refuse(...numbersOf(all));
		const counts: number[] = [];
		for (let minute = 0; minute < 30; minute++) counts.push((await service.poll()).requests.length);
		expect(Math.max(...counts)).toBeLessThanOrEqual(11);
		service.refuse();
		const { requests } = await service.poll();
		expect(requests.map(({ length }) => length)).toEqual([50]);
		expect(service.shipments.every(({ status }) => status === 'usual')).toBe(true);
		expect(service.named).toEqual([]);
	});
});

test('a row without a status and events is no first response: old events are not new after it', async () => {
	const service = setService([shipmentOf(1, { newSince: nowMs })]);
	service.events['001'] = 'no status';
	await service.poll(1, nowMs);
	service.events['001'] = [{ code: '701', date: '2020-01-01T09:00:00' }];
	expect((await service.poll(30)).codes).toEqual([]);
});

describe('A canceled shipment', () => {
	test.each<[string, (service: ReturnType<typeof setService>) => void, WatchedShipment[]]>([
		['does not know', ({ events }) => (events['001'] = null), [shipmentOf(2)]],
		['refuses', ({ refuse }) => refuse('001'), [shipmentOf(2)]],
		['refuses, and which is the only one,', ({ refuse }) => refuse('001'), []],
	])('that the service %s any more is requested for three days', async (_, change, others) => {
		const service = setService([shipmentOf(1, { endedAt: nowMs }), ...others]);
		change(service);
		await service.poll(71 * 60);
		await service.poll(61);
		await service.poll(61);
		expect(service.requests.flat()).not.toContain('001');
	});
});

describe('An event of a piece that comes under its main shipment', () => {
	const scan = { code: '701', item: '002', date: '2026-06-10T12:00:00' };
	const pieces = (changes: Partial<WatchedShipment>, start = nowMs) => [
		shipmentOf(1, { newSince: start }),
		shipmentOf(2, { newSince: start, mainId: 1, ...changes }),
	];

	test.each<[string, Partial<WatchedShipment>]>([
		['is refused', { status: 'refused', nextRequestAt: nowMs + 60 * MINUTE_MS }],
		['cannot be tracked', { nextRequestAt: nowMs + 15 * MINUTE_MS }],
		['is not listed', { listed: 'unlisted' }],
		['does not say its main shipment', { mainId: 0, nextRequestAt: nowMs + 15 * MINUTE_MS }],
	])('comes there if the piece %s, and not again when it can be tracked', async (_, changes) => {
		const service = setService(pieces(changes));
		service.events['001'] = [scan];
		expect((await service.poll()).codes).toEqual([[1, '701']]);
		service.events['002'] = [scan, { ...scan, code: '702' }];
		service.shipments = service.shipments.map((each) => ({
			...each,
			...{ listed: 'inThisReading', nextRequestAt: undefined },
		}));
		expect((await service.poll()).codes).toEqual([[2, '702']]);
		service.events['001'] = [scan, { ...scan, code: '702' }];
		expect((await service.poll(60)).codes).toEqual([]);
	});

	test('comes once if both have their first response at the same time', async () => {
		const service = setService(pieces({}));
		service.events['001'] = service.events['002'] = [scan];
		expect((await service.poll()).codes).toEqual([[2, '701']]);
	});

	test('comes once if their carrier knew neither of them before', async () => {
		const service = setService(pieces({}));
		service.events['001'] = service.events['002'] = null;
		await service.poll();
		service.events['001'] = service.events['002'] = [scan];
		expect((await service.poll(20)).codes).toEqual([[2, '701']]);
	});

	test('comes once if the piece has a response without events first', async () => {
		const service = setService(pieces({}));
		service.events['001'] = [scan];
		service.events['002'] = null;
		const { codes } = await service.poll();
		service.events['002'] = [];
		await service.poll(20);
		service.events['002'] = [scan];
		expect([codes, (await service.poll(20)).codes]).toEqual([[[1, '701']], []]);
	});

	test('is not one that both have and that names no piece, such as their creation', async () => {
		const [main, piece] = pieces({ listed: 'unlisted' }) as [WatchedShipment, WatchedShipment];
		const service = setService([main, piece]);
		service.events['001'] = [{ ...scan, item: null }];
		await service.poll();
		service.events['002'] = [{ ...scan, item: null }];
		service.shipments = service.shipments.map((each) => ({ ...each, listed: 'inThisReading' }));
		expect((await service.poll()).codes).toEqual([[2, '701']]);
	});

	test('is an existing one in the poll in which watching starts, although the piece is refused', async () => {
		const service = setService(pieces({}));
		service.events['001'] = [scan];
		service.refuse('002');
		const polls = [await service.poll(1, nowMs), await service.poll(10)];
		expect(polls.flatMap(({ codes }) => codes)).toEqual([]);
	});

	test('is shown once by Fetch Test Event', async () => {
		const service = setService([shipmentOf(1), shipmentOf(2)]);
		service.events['001'] = service.events['002'] = [scan];
		const items: IDataObject[] = await service.sample();
		expect(items.map(({ packageNumberCarrier }) => packageNumberCarrier)).toEqual(['002']);
	});
});
