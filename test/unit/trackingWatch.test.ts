import { hasEventType, hashSelection } from '../../nodes/ParcelShipping/tracking/watch';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';
import { watchOf } from '../support/watched';

test.each<[string[], Partial<TrackingEvent>, boolean]>([
	[[], {}, true],
	[['all'], {}, true],
	[['delivered', 'all'], {}, true],
	[['delivered'], { delivered: true }, true],
	[['delivered'], { category: 'delivered' }, false],
	[['canceled'], { canceled: true }, true],
	[['canceled'], { delivered: true }, false],
	[['TransitCarrier'], { category: 'TransitCarrier' }, true],
	[['transitcarrier'], { category: 'TransitCarrier' }, true],
	[['TransitCarrier'], { category: 'TransitOnTheWay' }, false],
	[['Customs'], { category: 'Customs' }, true],
	[['Customs'], {}, false],
])('the event types %j include %j: %s', (types, event, isIncluded) => {
	expect(hasEventType(event, types)).toBe(isIncluded);
});

test('the hash changes only with the selection of shipments', () => {
	const hash = hashSelection(watchOf());
	expect(hashSelection(watchOf({ eventTypes: ['delivered'], timezone: 'UTC' }))).toBe(hash);
	const selection = { by: 'filters', filters: { cod: true }, createdWithinDays: 30 } as const;
	expect(hashSelection(watchOf({ selection }))).not.toBe(hash);
});
