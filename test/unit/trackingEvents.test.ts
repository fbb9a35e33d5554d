import { eventGroupOf, hasEventType } from '../../nodes/ParcelShipping/tracking/events';
import type { TrackingEvent } from '../../nodes/ParcelShipping/transport/contract';

const eventOf = (category: unknown, flags = {}) =>
	({ category, delivered: false, canceled: false, ...flags }) as Partial<TrackingEvent>;

describe('The group of an event', () => {
	test.each<[string, unknown[]]>([
		['created', ['Created', 0, '0', 'Ordered', 1]],
		['handedOver', ['TransitPickup', 21, 'TransitCarrier', 23]],
		['inTransit', ['Transit', 20, 'TransitOnTheWay', 'transitontheway']],
		['readyForPickup', ['TransitReady', 22, ' TransitReady ']],
		['delivered', ['Delivered', 'DeliveredPickup', 'DeliveredAddress', 100, 101, 102]],
		['returning', ['DeliveringBack', 30]],
		['returned', ['DeliveredBack', 31]],
		['canceled', ['Cancel', 'Canceled', 'CancelRecepient', 'CancelSender', 'CancelCarrier', 11]],
		['problem', ['Error', 'ErrorRecepient', 'ErrorRecipient', 'ErrorSender', 'ERRORCARRIER', 43]],
	])('is %s for %j', (group, categories) => {
		expect(categories.map((category) => eventGroupOf(eventOf(category)))).toEqual(
			categories.map(() => group),
		);
	});

	test.each<[unknown]>([['Customs'], [99], [''], [null], [undefined], ['null'], [{}]])(
		'is empty for the unknown category %p',
		(category) => expect(eventGroupOf(eventOf(category))).toBeNull(),
	);

	test('follows the flags, except for a shipment that was delivered back', () => {
		expect(eventGroupOf(eventOf('Customs', { delivered: true }))).toBe('delivered');
		expect(eventGroupOf(eventOf('TransitOnTheWay', { canceled: true }))).toBe('canceled');
		expect(eventGroupOf(eventOf('DeliveredBack', { delivered: true }))).toBe('returned');
	});
});

test.each<[string[], Partial<TrackingEvent>, boolean]>([
	[[], {}, true],
	[['all'], eventOf('Customs'), true],
	[['delivered', 'all'], {}, true],
	[['delivered'], eventOf('Customs', { delivered: true }), true],
	[['delivered'], eventOf('DeliveredAddress'), true],
	[['delivered'], eventOf('DeliveredBack', { delivered: true }), false],
	[['canceled'], eventOf('', { canceled: true }), true],
	[['canceled'], eventOf('Delivered', { delivered: true }), false],
	[['readyForPickup'], eventOf('TransitReady'), true],
	[['ReadyForPickup'], eventOf(22), true],
	[['inTransit'], eventOf('TransitReady'), false],
	[['TransitReady'], eventOf('TransitReady'), true],
	[['transitready'], eventOf(22), true],
	[['TransitReady'], eventOf('Transit'), false],
	[['22'], eventOf('TransitReady'), true],
	[['Customs'], eventOf('customs'), true],
	[['Customs'], eventOf(''), false],
	[[''], eventOf(''), false],
])('the event types %j include %j: %s', (types, event, isIncluded) => {
	expect(hasEventType(event, types)).toBe(isIncluded);
});
