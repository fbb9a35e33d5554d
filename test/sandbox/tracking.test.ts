import type { TrackingEvent } from '../../sandbox/contract.generated';
import { stillClock, useSandbox } from './client';

const service = useSandbox({ clock: stillClock('2026-03-02T10:00:00Z') });

function seedOne(serviceType = 'ANT-HOME') {
	const [seeded] = service.sandbox.seedShipments(1, { serviceType });
	if (!seeded) throw new Error('No shipment was seeded');
	return { id: seeded.id, number: seeded.packageNumberCarrier };
}

async function eventsOf(number: string, carrierCode = 'ANT'): Promise<TrackingEvent[]> {
	const { data } = await service.client.post(`/${carrierCode}/Tracking`, { packages: [number] });
	expect(data.result).toMatchObject([{ packageNumberCarrier: number, statusCode: 200 }]);
	return data.result[0].events;
}

const categoriesOf = async (number: string, carrierCode?: string) =>
	(await eventsOf(number, carrierCode)).map(({ category }) => category);

test('a shipment gets one event after the other until it is delivered', async () => {
	const { number, id } = seedOne();
	const categories = [];
	for (const hours of [0, 4, 4, 6, 24]) {
		service.sandbox.advance(hours);
		categories.push((await eventsOf(number)).at(-1)?.category);
	}
	const expected = ['Created', 'Ordered', 'TransitCarrier', 'TransitOnTheWay', 'Delivered'];
	expect(categories).toEqual(expected);
	const events = await eventsOf(number);
	expect(events).toHaveLength(6);
	const first = { date: '2026-03-02T11:00:00', type: 'Event', item: null, carrierCode: null };
	expect(events[0]).toMatchObject({ category: 'Created', ...first });
	expect(events.at(-1)).toMatchObject({ category: 'Delivered', delivered: true, item: number });
	const dates = events.map(({ date }) => date);
	expect(dates.toSorted()).toEqual(dates);
	expect(await eventsOf(number)).toEqual(events);
	const { data } = await service.client.get(`/ANT/${id}/Detail`);
	expect(data.result[0]).toMatchObject({ delivered: true, inTransit: false, canCancel: false });
});

test('a canceled shipment gets no further events, and Dodo cancels its own', async () => {
	const { number, id } = seedOne();
	const dodo = seedOne('DODO-DAY');
	service.sandbox.advance(4);
	service.sandbox.cancelShipment(id);
	service.sandbox.advance(48);
	expect(await categoriesOf(number)).toEqual(['Created', 'Ordered', 'Canceled']);
	expect((await eventsOf(dodo.number, 'DODO')).at(-1)).toMatchObject({ canceled: true });
	const { data } = await service.client.get(`/ANT/${id}/Detail`);
	expect(data.result[0]).toMatchObject({ canceled: true, canCancel: false });
});

test('events of a late carrier become visible after their date', async () => {
	const { number } = seedOne('SNAIL-PALLET');
	service.sandbox.advance(12);
	expect(await categoriesOf(number, 'SNAIL')).toEqual(['Created']);
	service.sandbox.advance(3);
	const last = (await eventsOf(number, 'SNAIL')).at(-1);
	expect(last).toMatchObject({ category: 'Ordered' });
	expect(last?.date).toMatch(/2026-03-02T1[23]/);
});

test('every unknown number gets its own row', async () => {
	const packages = ['unknown', seedOne().number, seedOne('BEAVER-PARCEL').number];
	const { data } = await service.client.post('/ANT/Tracking', { packages });
	expect(data.result).toMatchObject([
		{ packageNumberCarrier: packages[0], statusCode: 404, events: [] },
		{ packageNumberCarrier: packages[1], statusCode: 200 },
		{ packageNumberCarrier: packages[2], statusCode: 404 },
	]);
	expect((await service.client.post('/UNKNOWN/Tracking', { packages })).status).toBe(404);
});
