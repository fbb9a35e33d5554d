import { ShipmentRecords } from '../../nodes/ParcelShipping/tracking/include';
import { isCompleteRecord, toShipmentInfo } from '../../nodes/ParcelShipping/tracking/output';

const recipient = { recName: 'Jana', recCompany: '', recEmail: 'j@example.com', recPhone: null };
const others = {
	id: 1001,
	packageNumberCustom: 'WEB-1',
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	codPrice: 1290.5,
	codCurrency: 'CZK',
	delivered: false,
};
const flat = { ...others, ...recipient };
const address = { name: 'Jana', company: '', email: 'j@example.com', phone: null };
const nested = { ...others, recAddress: address };
const info = {
	packageNumberCustom: 'WEB-1',
	recipientName: 'Jana',
	recipientEmail: 'j@example.com',
	recipientPhone: null,
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	cod: { amount: 1290.5, currency: 'CZK' },
	delivered: false,
};
const noCod = { amount: null, currency: null };
const nothing = Object.fromEntries(Object.keys(info).map((field) => [field, null]));

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
	['nothing', {}, { ...nothing, cod: noCod }],
])('a record with %s is read', (_, record, expected) => {
	expect(toShipmentInfo(record as never)).toEqual(expected);
});

test.each<[string, object, boolean]>([
	['all fields', flat, true],
	['a nested address', nested, true],
	['an empty nested email', { ...nested, recAddress: { name: 'J', email: null } }, true],
	['empty values', { ...flat, recEmail: null, orderId: null, codPrice: null }, true],
	['no order ID', { ...flat, orderId: undefined }, false],
	['no recipient', others, false],
	['no email', { ...flat, recEmail: undefined }, false],
	['only the documented fields', { id: 1, codPrice: 0, codCurrency: '' }, false],
])('a record with %s is enough without the detail: %s', (_, record, isComplete) => {
	expect(isCompleteRecord(record as never)).toBe(isComplete);
});

test('a detail adds to the record of the list, but its empty fields replace nothing', () => {
	const trackingUrl = 'https://example.com/1';
	const records = new ShipmentRecords(0);
	records.add({ id: 1, trackingUrl, orderId: null });
	records.add({ id: 1, trackingUrl: null, orderId: 7, recEmail: 'jana@example.com' });
	records.add({ id: 'x' });
	const merged = { id: 1, trackingUrl, orderId: 7, recEmail: 'jana@example.com' };
	expect(records.get(1)).toEqual(merged);
	expect(records.get(2)).toBeUndefined();
});
