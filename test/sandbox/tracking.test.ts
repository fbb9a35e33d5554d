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
