import { Budget } from '../../../nodes/ParcelShipping/tracking/budget';
import { KnownRecords, toShipmentInfo } from '../../../nodes/ParcelShipping/tracking/knownRecords';
import { toEventFields, toItems } from '../../../nodes/ParcelShipping/tracking/output';
import type { TrackingEvent } from '../../../nodes/ParcelShipping/transport/contract';
import { ItemError } from '../../../nodes/ParcelShipping/transport/errors';
import { mapParallel } from '../../../nodes/ParcelShipping/lists';
import { nowMs, shipmentOf, watchOf } from '../../support/watched';

const recipient = { recName: 'Jana', recCompany: '', recEmail: 'j@example.com', recPhone: null };
const others = {
	id: 1001,
	packageNumberCustom: 'WEB-1',
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	codPrice: 1290.5,
	codCurrency: 'CZK',
	carrierName: 'Ant',
};
const flat = { ...others, ...recipient };
const address = { name: 'Jana', company: '', email: 'j@example.com', phone: null };
const nested = { ...others, recAddress: address };
const info = {
	packageNumberCustom: 'WEB-1',
	recipientName: 'Jana',
	recipientEmail: 'j@example.com',
	recipientPhone: null,
	carrierName: 'Ant',
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	cod: { amount: 1290.5, currency: 'CZK' },
};
const noCod = { amount: null, currency: null };
const nothing = Object.fromEntries(Object.keys(info).map((field) => [field, null]));

const FLAGS = { isFirstOfGroup: true, isLatest: true };
const event = { category: 'TransitReady', date: '', carrierCode: 'A-02' } as TrackingEvent;

test('events of a piece have the IDs of piece and shipment, and no item shares its values', async () => {
	const records = new KnownRecords(nowMs);
	for (const id of [1, 2]) records.add({ ...flat, id });
	const newEvents = ['1', '2'].map((eventId) => {
		return { shipment: shipmentOf(2, { mainId: 1 }), eventId, event, ...FLAGS };
	});
	const client = { mapParallel: async () => await Promise.resolve([]) };
	const poll = { client, watch: watchOf({ includeShipment: true }) };
	const { items } = await toItems(newEvents, [], records, poll as never);
	const ids = { shipmentId: 1, pieceId: 2, packageNumberCarrier: '002', carrierCode: 'ANT' };
	expect(items).toMatchObject([
		{ eventId: '1', ...ids },
		{ eventId: '2', ...ids },
	]);
	Object.assign(items[0]?.shipment ?? {}, { trackingUrl: 'changed' });
	expect(items[1]).toMatchObject({ shipment: { trackingUrl: flat.trackingUrl } });
});

test('a record without a phone field does not say everything of the recipient', () => {
	const records = new KnownRecords(nowMs);
	const { recPhone, ...withoutPhone } = flat;
	records.add(withoutPhone);
	expect(records.infoOf(shipmentOf(1001))).toBeUndefined();
	records.add({ id: 1001, recPhone });
	expect(records.infoOf(shipmentOf(1001))).toEqual(info);
});

test.each<[string, object, object | undefined]>([
	['is empty', { name: null, company: null }, { ...info, recipientName: null }],
	['is missing', {}, undefined],
])('a record whose address has a name that %s', (_, names, expected) => {
	const records = new KnownRecords(nowMs);
	const recAddress = { ...names, email: address.email, phone: null };
	records.add({ ...nested, recAddress });
	expect(records.infoOf(shipmentOf(1001))).toEqual(expected);
});

test('an item has the name of its carrier, whose code the user wrote in small letters', async () => {
	const records = new KnownRecords(nowMs);
	records.add({ ...flat, id: 2, carrierName: null });
	const shipment = shipmentOf(2, { carrier: 'ant' });
	const client = {
		mapParallel: async () => await Promise.resolve([]),
		carriers: async () => await Promise.resolve([{ code: 'ANT', name: 'Ant Express' }]),
	};
	const budget = new Budget(() => nowMs, 60_000);
	const poll = { client, watch: watchOf({ includeShipment: true }), budget };
	const newEvents = [{ shipment, eventId: '1', event, ...FLAGS }];
	const { items } = await toItems(newEvents, [], records, poll as never);
	expect(items).toMatchObject([{ shipment: { carrierName: 'Ant Express' } }]);
});

test.each<[string, object, object]>([
	['flat fields', flat, info],
	['an address in a field of its own', nested, info],
	['only a company', { ...flat, recName: ' ', recCompany: 'A' }, { ...info, recipientName: 'A' }],
	['no cash on delivery', { ...flat, codPrice: 0, codCurrency: '' }, { ...info, cod: noCod }],
	[
		'a price as text',
		{ ...flat, codPrice: '99.9' },
		{ ...info, cod: { amount: 99.9, currency: 'CZK' } },
	],
	[
		'an order number that is a number',
		{ ...flat, packageNumberCustom: 7 },
		{ ...info, packageNumberCustom: '7' },
	],
	['no order', { ...flat, orderId: 0 }, { ...info, orderId: null }],
	['nothing', {}, { ...nothing, cod: noCod }],
])('a record with %s is read', (_, record, expected) => {
	expect(toShipmentInfo(record as never)).toEqual(expected);
});

test("an item has the carrier of the shipment, and the carrier's own code of the event", () => {
	const { carrierCode, ...fields } = toEventFields(event);
	expect(carrierCode).toBeUndefined();
	expect(fields).toMatchObject({ eventCarrierCode: 'A-02', eventGroup: 'readyForPickup' });
});

test('what a poll has read is complete, although an older poll that still runs reads it later', () => {
	const infos = new Map();
	const [older, newer] = [new KnownRecords(nowMs, infos), new KnownRecords(nowMs + 9, infos)];
	newer.add(flat);
	older.add(flat);
	expect(newer.infoOf(shipmentOf(flat.id))).toEqual(info);
});

test('a number that several records have is that of the latest one that is not canceled', async () => {
	const rows = [1, 4, 3].map((id) => ({
		...{ ...flat, id, isMaster: true, carrierCode: 'ANT', packageNumberCarrier: '002' },
		canceled: id === 4,
	}));
	const client = {
		mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
		findUncheckedShipments: async () => await Promise.resolve({ data: rows, total: 3 }),
	};
	const watch = watchOf({ includeShipment: true });
	const poll = { client, watch, budget: new Budget(() => nowMs, 60_000) };
	const newEvents = [{ shipment: shipmentOf(0, { number: '002' }), eventId: '1', event, ...FLAGS }];
	const { items } = await toItems(newEvents, [], new KnownRecords(nowMs), poll as never);
	expect(items).toMatchObject([{ pieceId: 3 }]);
});

test('a listed piece whose main shipment nobody says is found by its number, for each event', async () => {
	const requests: string[] = [];
	const number = '002';
	const record = { ...flat, id: 2, carrierCode: 'ANT', packageNumberCarrier: number };
	const client = {
		mapParallel: async (items: unknown[], work: never) => await mapParallel(items, 1, work),
		findUncheckedShipments: async () => {
			requests.push('list');
			return await Promise.resolve({ data: [{ ...record, packageNumberOrder: 2 }], total: 1 });
		},
		getShipment: async () => {
			requests.push('detail');
			return await Promise.reject(new ItemError('Request the main shipment instead', ''));
		},
	};
	const selection = { by: 'numbers' as const, shipments: [] };
	const watch = watchOf({ includeShipment: true, selection });
	const poll = { client, watch, budget: new Budget(() => nowMs, 60_000) };
	let shipment = shipmentOf(0, { number });
	for (const eventId of ['1', '2']) {
		const newEvents = [{ shipment, eventId, event, ...FLAGS }];
		const output = await toItems(newEvents, [shipment], new KnownRecords(nowMs), poll as never);
		expect(output.items).toMatchObject([
			{ pieceId: 2, shipment: { recipientEmail: 'j@example.com' } },
		]);
		shipment = output.shipments[0] ?? shipment;
	}
	expect(requests).toEqual(['list', 'detail', 'list']);
});
