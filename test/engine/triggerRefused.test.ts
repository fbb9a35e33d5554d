import { refuseNumber } from '../support/refusedNumbers';
import { codesOf, MODES, setStage } from '../support/triggerStage';

const stage = setStage();

const MINUTE_MS = 60_000;

const seed = (count: number, serviceType = 'ANT-HOME') =>
	stage.sandbox
		.seedShipments(count, { serviceType, hoursAgo: 20 })
		.map(({ packageNumberCarrier }) => packageNumberCarrier);
const add = (number: string | undefined, code: string) =>
	stage.sandbox.addEvent(number ?? '', { code });
const askedFor = (number: string | undefined) =>
	stage
		.asked('trackShipments')
		.map(({ packages }) => packages as string[])
		.filter((packages) => packages.includes(number ?? ''));

describe.each(MODES)(
	'A number that makes the whole request fail, in the %s mode of n8n',
	(mode) => {
		test.each([
			['named', true, 3],
			['not named', false, 16],
		])('(%s in the error) does not delay the events of the others', async (_, isNamed, maximum) => {
			const numbers = seed(100);
			const host = await stage.newHost(mode);
			await host.publish({});
			refuseNumber(stage.sandbox, numbers[37] ?? '', isNamed);
			add(numbers[36], '701');
			add(numbers[37], '702');
			add(numbers[99], '703');
			const asked = stage.asked('trackShipments').length;
			await stage.poll(host);
			expect(codesOf(host).sort()).toEqual(['701', '703']);
			expect(stage.asked('trackShipments').length - asked).toBeLessThanOrEqual(maximum);
			expect(host.failures).toEqual([]);
		});

		test('is requested alone once an hour, is logged once, and its events are emitted later', async () => {
			const numbers = seed(10);
			const host = await stage.newHost(mode);
			await host.publish({});
			refuseNumber(stage.sandbox, numbers[3] ?? '', false);
			await stage.poll(host);
			const asked = askedFor(numbers[3]).length;
			// The state is saved with an event. It also has the refused number after a restart.
			add(numbers[5], '701');
			await stage.poll(host);
			host.kill();
			await host.boot();
			for (let polls = 0; polls < 57; polls++) await stage.poll(host);
			expect(askedFor(numbers[3])).toHaveLength(asked);
			expect(host.warnings).toEqual([
				`Parcel Shipping Trigger: The service refuses to track shipment ${numbers[3]} of carrier ANT. From now on it is requested alone, once an hour. The service said: Entity not found`,
			]);

			add(numbers[3], '702');
			await stage.poll(host);
			await stage.poll(host);
			expect(askedFor(numbers[3]).slice(asked)).toEqual([[numbers[3]]]);
			stage.sandbox.clearFaults();
			await stage.poll(host, 60);
			expect(codesOf(host)).toEqual(['701', '702']);
			// From now on, it is requested with the others again.
			await stage.poll(host);
			expect(askedFor(numbers[3]).at(-1)).toHaveLength(10);
			expect(host.failures).toEqual([]);
		});

		test('at publishing does not make the existing events of the others new', async () => {
			const numbers = seed(10);
			refuseNumber(stage.sandbox, numbers[3] ?? '', false);
			const host = await stage.newHost(mode);
			await host.publish({});
			add(numbers[0], '701');
			await stage.poll(host);
			stage.sandbox.clearFaults();
			stage.clock.nowMs += 61 * MINUTE_MS;
			await stage.poll(host);
			expect(codesOf(host)).toEqual(['701']);
		});

		test('among 250 numbers, five of them, leave the rest with their events after a few polls', async () => {
			const numbers = seed(250);
			const host = await stage.newHost(mode);
			await host.publish({});
			const refused = [3, 4, 90, 171, 249].map((at) => numbers[at] ?? '');
			for (const number of refused) refuseNumber(stage.sandbox, number, false);
			for (const [at, number] of numbers.entries()) add(number, `7-${at}`);
			for (let polls = 0; polls < 4; polls++) {
				const asked = stage.asked('trackShipments').length;
				await stage.poll(host);
				expect(stage.asked('trackShipments').length - asked).toBeLessThanOrEqual(43);
			}
			expect(codesOf(host)).toHaveLength(245);
			const blamed = host.warnings.filter((text) => text.includes('refuses to track shipment'));
			expect(blamed.map((text) => refused.find((number) => text.includes(number))).sort()).toEqual(
				refused,
			);
		});
	},
);

test('if a carrier refuses every number, no number is blamed, and its events arrive as soon as it recovers', async () => {
	const ants = seed(60);
	const [beaver] = seed(2, 'BEAVER-PARCEL');
	const host = await stage.newHost('default');
	await host.publish({});
	for (const number of ants) refuseNumber(stage.sandbox, number, false);
	add(ants[7], '701');
	add(beaver, '801');
	await stage.poll(host);
	const asked = stage.asked('trackShipments').length;
	expect(askedFor(ants[0]).length).toBeLessThan(12);
	await stage.poll(host);
	await stage.poll(host);
	// One request for each of the two carriers.
	expect(stage.asked('trackShipments').length - asked).toBe(4);
	expect(codesOf(host)).toEqual(['801']);
	expect(host.failures).toEqual([]);
	expect(host.warnings).toEqual([
		expect.stringContaining('The next poll retries them. The service said: Entity not found'),
	]);
	stage.sandbox.clearFaults();
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['801', '701']);
});

test('a workflow can be published while the service refuses the only open shipment', async () => {
	const [number = ''] = seed(1);
	refuseNumber(stage.sandbox, number, true);
	const host = await stage.newHost('default');
	await host.publish({});
	await stage.poll(host);
	expect(host.failures).toEqual([]);
	expect(host.warnings).toEqual([expect.stringContaining('Entity not found')]);
	stage.sandbox.clearFaults();
	add(number, '701');
	await stage.poll(host, 61);
	expect(codesOf(host)).toContain('701');
});

test('publishing fails with the reason if the service refuses all numbers that the user entered', async () => {
	const [number = ''] = seed(1);
	refuseNumber(stage.sandbox, number, true);
	const host = await stage.newHost('default');
	const carriers = [{ carrierCode: 'ANT', packageNumbers: number }];
	await expect(host.publish({ watch: 'list', shipments: { carriers } })).rejects.toThrow(
		'Entity not found',
	);
});

test('Fetch Test Event returns the events of the others', async () => {
	const numbers = seed(8);
	refuseNumber(stage.sandbox, numbers[2] ?? '', false);
	const host = await stage.newHost('default');
	const events = await host.fetchTestEvent({});
	expect(events).toHaveLength(10);
});

const rewriteList = (change: (record: Record<string, unknown>) => object, times: number) =>
	stage.sandbox.fault({
		operation: 'findShipments',
		kind: 'body',
		times,
		rewrite: (body: { result: { data: Array<Record<string, unknown>> } }) => {
			body.result.data = body.result.data.map(change) as never;
			return body;
		},
	} as never);

test.each([
	['that the service cannot track', { trackable: false }],
	['that has no carrier number yet', { packageNumberCarrier: null }],
])('a shipment %s is not requested until that changes', async (_, field) => {
	const numbers = seed(3);
	const host = await stage.newHost('default');
	rewriteList(
		(record) => (record.packageNumberCarrier === numbers[1] ? { ...record, ...field } : record),
		3,
	);
	await host.publish({});
	add(numbers[1], '701');
	await stage.poll(host);
	await stage.poll(host);
	expect(askedFor(numbers[1])).toEqual([]);
	expect(stage.asked('getShipment')).toEqual([]);
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701']);
});

test('a watched shipment that the service can no longer track is not requested', async () => {
	const numbers = seed(3);
	const host = await stage.newHost('default');
	await host.publish({});
	rewriteList(
		(record) =>
			record.packageNumberCarrier === numbers[1] ? { ...record, trackable: false } : record,
		2,
	);
	const asked = askedFor(numbers[1]).length;
	await stage.poll(host);
	await stage.poll(host);
	expect(askedFor(numbers[1])).toHaveLength(asked);
	add(numbers[1], '701');
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['701']);
});

test('Cash on Delivery turned off watches only shipments without it, also if the service ignores it', async () => {
	const [cod] = stage.sandbox.seedShipments(1, {
		hoursAgo: 20,
		cod: true,
		codPrice: 10,
		codCurrency: 'CZK',
	});
	const [other] = seed(1);
	const host = await stage.newHost('default');
	await host.publish({ filters: { cod: false } });
	add(cod?.packageNumberCarrier, '701');
	add(other, '702');
	await stage.poll(host);
	expect(codesOf(host)).toEqual(['702']);
	expect(stage.asked('findShipments').at(-1)).toMatchObject({ cod: false });
});
