import type { AxiosInstance } from 'axios';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { TrackingEvent } from '../../sandbox/contract.generated';
import { clientOf, stillClock } from './client';

let sandbox: Sandbox;
let client: AxiosInstance;

async function start(options: SandboxOptions = {}): Promise<void> {
	await sandbox?.close();
	sandbox = await startSandbox({ clock: stillClock('2026-03-02T10:00:00Z'), ...options });
	client = clientOf(sandbox);
}
beforeEach(() => start());
afterAll(() => sandbox.close());

async function eventsOf(number = '', carrierCode = 'ANT'): Promise<TrackingEvent[]> {
	const { data } = await client.post(`/${carrierCode}/Tracking`, { packages: [number] });
	expect(data.result).toMatchObject([{ packageNumberCarrier: number, statusCode: 200 }]);
	return data.result[0].events;
}

async function categoriesOf(number?: string, carrierCode?: string): Promise<string[]> {
	return (await eventsOf(number, carrierCode)).map((event) => event.category);
}

function seedOne(serviceType = 'ANT-HOME') {
	const [seeded] = sandbox.seedShipments(1, { serviceType });
	if (!seeded) throw new Error('No shipment was seeded');
	return seeded;
}

test('a shipment moves from creation to delivery as time passes', async () => {
	const { packageNumberCarrier: number, id } = seedOne();
	expect(await eventsOf(number)).toEqual([
		expect.objectContaining({
			date: '2026-03-02T11:00:00',
			category: 'Created',
			type: 'Event',
			item: null,
			carrierCode: null,
		}),
	]);
	sandbox.advance(4);
	expect(await categoriesOf(number)).toEqual(['Created', 'Ordered']);
	sandbox.advance(4);
	expect((await categoriesOf(number)).at(-1)).toBe('TransitCarrier');
	sandbox.advance(6);
	expect((await categoriesOf(number)).at(-1)).toBe('TransitOnTheWay');
	sandbox.advance(24);
	const events = await eventsOf(number);
	expect(events).toHaveLength(6);
	expect(events.at(-1)).toMatchObject({ category: 'Delivered', delivered: true, item: number });
	const dates = events.map((event) => event.date);
	expect([...dates].sort()).toEqual(dates);
	expect(await eventsOf(number)).toEqual(events);
	const { data } = await client.get(`/ANT/${id}/Detail`);
	expect(data.result[0]).toMatchObject({ delivered: true, inTransit: false, canCancel: false });
});

test('the time between events can be configured', async () => {
	await start({ trackingStepHours: 1 });
	const { packageNumberCarrier } = seedOne();
	sandbox.advance(5);
	expect((await categoriesOf(packageNumberCarrier)).at(-1)).toBe('Delivered');
});

test('shipments of Dodo end up canceled', async () => {
	const { packageNumberCarrier } = seedOne('DODO-DAY');
	sandbox.advance(48);
	expect((await eventsOf(packageNumberCarrier, 'DODO')).at(-1)).toMatchObject({ canceled: true });
});

test('a canceled shipment gets no further events', async () => {
	const { packageNumberCarrier, id } = seedOne();
	sandbox.advance(4);
	sandbox.cancelShipment(id);
	sandbox.advance(48);
	expect(await categoriesOf(packageNumberCarrier)).toEqual(['Created', 'Ordered', 'Canceled']);
	const { data } = await client.post('/Package/Find', {});
	expect(data.result.data[0]).toMatchObject({ canceled: true, canCancel: false });
});

test('events of a late carrier become visible after their date', async () => {
	const { packageNumberCarrier } = seedOne('SNAIL-PALLET');
	sandbox.advance(12);
	expect(await categoriesOf(packageNumberCarrier, 'SNAIL')).toEqual(['Created']);
	sandbox.advance(3);
	const events = await eventsOf(packageNumberCarrier, 'SNAIL');
	expect(events.at(-1)).toMatchObject({ category: 'Ordered' });
	expect(events.at(-1)?.date.slice(0, 13)).toMatch(/2026-03-02T1[23]/);
});

test('events can be returned in the wrong order and twice', async () => {
	const { packageNumberCarrier } = seedOne();
	sandbox.advance(4);
	sandbox.setTracking('ANT', { shuffled: true, repeated: true });
	const wrong = ['Ordered', 'Ordered', 'Created', 'Created'];
	expect(await categoriesOf(packageNumberCarrier)).toEqual(wrong);
	await start({ trackingBehavior: { ANT: { repeated: true } } });
	expect(await categoriesOf(seedOne().packageNumberCarrier)).toEqual(['Created', 'Created']);
});

test('added events are sorted by date, and events without a date come last', async () => {
	const { packageNumberCarrier } = seedOne();
	sandbox.advance(4);
	sandbox.addEvent(packageNumberCarrier, { date: '2026-03-02T11:00:01', code: 'LATE' });
	sandbox.addEvent(packageNumberCarrier, { date: null, code: 'DATELESS' } as never);
	const codes = (await eventsOf(packageNumberCarrier)).map((event) => event.code);
	expect(codes).toEqual(['100', 'LATE', '200', 'DATELESS']);
});

test('every unknown number gets its own result', async () => {
	const { packageNumberCarrier } = seedOne();
	const foreign = seedOne('BEAVER-PARCEL').packageNumberCarrier;
	const packages = ['unknown', packageNumberCarrier, foreign];
	const { data } = await client.post('/ANT/Tracking', { packages });
	expect(data.result).toMatchObject([
		{ packageNumberCarrier: 'unknown', statusCode: 404, events: [] },
		{ packageNumberCarrier, statusCode: 200 },
		{ packageNumberCarrier: foreign, statusCode: 404 },
	]);
	expect((await client.post('/UNKNOWN/Tracking', { packages })).status).toBe(404);
});

test('timestamps are in local time, also across a daylight saving change', async () => {
	await start({ clock: stillClock('2026-03-29T00:59:59Z') });
	const [before] = await eventsOf(seedOne().packageNumberCarrier);
	await start({ clock: stillClock('2026-03-29T01:00:00Z') });
	const [after] = await eventsOf(seedOne().packageNumberCarrier);
	expect([before?.date, after?.date]).toEqual(['2026-03-29T01:59:59', '2026-03-29T03:00:00']);
});
