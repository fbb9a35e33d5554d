import type { IDataObject } from 'n8n-workflow';

import { type ProvidedShipment, startTrigger } from '../../support/polling';

// Hours of polls, one a minute, of a month with many shipments. `DAY_SHIPMENTS=10000
// DAY_POLLS=1440` plays the whole day.

const SHIPMENTS = Number(process.env.DAY_SHIPMENTS ?? 3_000);
const POLLS = Number(process.env.DAY_POLLS ?? 45);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CARRIERS = ['ANT', 'BEAVER', 'CRANE', 'DODO'];

/** What happens after how many hours. */
const WAY: Array<[hours: number, category: string]> = [
	...[[0, 'Created'] as [number, string], [2, 'Ordered'] as [number, string]],
	...[[8, 'TransitPickup'] as [number, string], [12, 'TransitCarrier'] as [number, string]],
	...[18, 21, 25, 28].map((hours): [number, string] => [hours, 'TransitOnTheWay']),
	[31, 'Delivered'],
];

/** Always the same, so that a failure can be repeated. */
function randomOf(seed: number) {
	let value = seed;
	return () => (value = (value * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const localAt = (ms: number) => new Date(ms + 2 * HOUR_MS).toISOString().slice(0, 19);

test(
	'a month of many shipments loses no event, and takes few requests, evenly spread',
	async () => {
		const trigger = startTrigger();
		const { provider } = trigger;
		const random = randomOf(1);
		const startMs = trigger.nowMs;
		const perDay = SHIPMENTS / 30;
		const all = Array.from({ length: Math.round(perDay * 31) }, (_, at) => {
			// Orders come from 7 to 21 o'clock.
			const day = Math.floor(at / perDay) - 30;
			const createdMs =
				startMs + day * DAY_MS + (14 * (at % perDay) * HOUR_MS) / perDay - 2 * HOUR_MS;
			const number = `00${12_345_000_000_000 + at}`;
			const isStuck = random() < 0.03;
			const pace = 0.7 + random() * 0.6;
			const events = WAY.slice(0, isStuck ? 4 : WAY.length).map(([hours, category], code) => ({
				ms: createdMs + hours * pace * HOUR_MS,
				event: {
					...{ date: localAt(createdMs + hours * pace * HOUR_MS), code: `${code}`, category },
					...{ item: number, delivered: category === 'Delivered', canceled: false },
				},
			}));
			return { id: at + 1, number, carrier: CARRIERS[at % 4] ?? '', createdMs, events };
		}).sort((a, b) => a.createdMs - b.createdMs);
		const byNumber = new Map(all.map((each) => [each.number, each]));
		const newestFirst = all.toReversed();
		Object.defineProperty(provider, 'shipments', {
			get: (): ProvidedShipment[] => {
				const listed = newestFirst.filter(
					({ createdMs }) => createdMs <= trigger.nowMs && createdMs > trigger.nowMs - 31 * DAY_MS,
				);
				return listed.map(({ id, number, carrier }) => ({
					...{ id, carrierCode: carrier, packageNumberCarrier: number },
				}));
			},
		});
		provider.events = new Proxy(
			{},
			{
				get: (_, number: string) =>
					(byNumber.get(number)?.events ?? [])
						.filter(({ ms }) => ms <= trigger.nowMs)
						.map(({ event }) => event),
			},
		) as never;

		await trigger.poll();
		const firstMs = trigger.nowMs;
		const emitted: IDataObject[] = [];
		const requests: number[] = [];
		for (let polls = 0; polls < POLLS; polls++) {
			emitted.push(...(await trigger.poll()));
			requests.push(trigger.asked.length);
		}
		const average = requests.reduce((sum, count) => sum + count) / POLLS;
		const stateBytes = Buffer.byteLength(
			JSON.stringify(String(trigger.data.global?.['parcelShippingTrigger:n'])),
		);
		console.log({ average, maximum: Math.max(...requests), events: emitted.length, stateBytes });

		// Those of the last half hour may still come.
		const due = all.flatMap(({ number, events }) =>
			events.flatMap(({ ms, event }) =>
				ms > firstMs && ms <= trigger.nowMs - 31 * 60_000 ? [`${number} ${event.code}`] : [],
			),
		);
		const keys = emitted.map(({ packageNumberCarrier, code }) => `${packageNumberCarrier} ${code}`);
		expect(new Set(keys).size).toBe(keys.length);
		const came = new Set(keys);
		expect(due.filter((key) => !came.has(key))).toEqual([]);
		expect(average).toBeLessThanOrEqual(12);
		expect(Math.max(...requests)).toBeLessThanOrEqual(25);
		expect(stateBytes).toBeLessThan(150 * SHIPMENTS);
	},
	30 * 60_000,
);
