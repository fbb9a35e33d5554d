import { keyOf } from '../../../nodes/ParcelShipping/tracking/state';
import { ownEvents } from '../../../nodes/ParcelShipping/tracking/track';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { shipmentOf } from '../../support/watched';

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
	const watched = new Set([shipment, ...others].map(keyOf));
	expect(ownEvents(shipment, [eventOf(item)], watched)).toHaveLength(count);
});

test('a piece of another carrier with the same number is another one', () => {
	const [shipment, other] = [shipmentOf(1), shipmentOf(2, { carrier: 'BEAVER' })];
	const watched = new Set([shipment, other].map(keyOf));
	expect(ownEvents(shipment, [eventOf('002')], watched)).toHaveLength(1);
});
