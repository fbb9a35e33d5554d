import {
	isCompleteRecord,
	ShipmentRecords,
	toShipmentInfo,
} from '../../nodes/ParcelShipping/tracking/output';

const flat = {
	id: 1001,
	packageNumberCustom: 'WEB-1',
	recName: 'Jana Nováková',
	recCompany: '',
	recEmail: 'jana@example.com',
	recPhone: null,
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	codPrice: 1290.5,
	codCurrency: 'CZK',
	delivered: false,
};
const { recName, recCompany, recEmail, recPhone, ...rest } = flat;
const nested = {
	...rest,
	recAddress: { name: recName, company: recCompany, email: recEmail, phone: recPhone },
};
const info = {
	packageNumberCustom: 'WEB-1',
	recipientName: 'Jana Nováková',
	recipientEmail: 'jana@example.com',
	recipientPhone: null,
	trackingUrl: 'https://example.com/1',
	orderId: 501,
	cod: { amount: 1290.5, currency: 'CZK' },
	delivered: false,
};

test.each<[string, object, object]>([
	['flat fields', flat, info],
	['an address in a field of its own', nested, info],
	[
		'only a company',
		{ ...flat, recName: ' ', recCompany: 'ACME' },
		{ ...info, recipientName: 'ACME' },
	],
	[
		'no cash on delivery',
		{ ...flat, codPrice: 0, codCurrency: '' },
		{ ...info, cod: { amount: null, currency: null } },
	],
	[
		'a price as text',
		{ ...flat, codPrice: '99.9' },
		{ ...info, cod: { amount: 99.9, currency: 'CZK' } },
	],
	[
		'a custom number that is a number',
		{ ...flat, packageNumberCustom: 7 },
		{ ...info, packageNumberCustom: '7' },
	],
	[
		'nothing',
		{},
		{
			packageNumberCustom: null,
			recipientName: null,
			recipientEmail: null,
			recipientPhone: null,
			trackingUrl: null,
			orderId: null,
			cod: { amount: null, currency: null },
			delivered: null,
		},
	],
])('a record with %s is read', (_, record, expected) => {
	expect(toShipmentInfo(record as never)).toEqual(expected);
});

test.each<[boolean, string, object]>([
	[true, 'all fields', flat],
	[true, 'a nested address', nested],
	[
		true,
		'a nested address without an email',
		{ ...nested, recAddress: { name: 'J', email: null } },
	],
	[true, 'empty values', { ...flat, recEmail: null, orderId: null, codPrice: null }],
	[false, 'no order ID', { ...flat, orderId: undefined }],
	[false, 'no recipient', { ...rest }],
	[false, 'no email', { ...flat, recEmail: undefined }],
	[false, 'only the documented fields of the list', { id: 1, codPrice: 0, codCurrency: '' }],
])('it is %s that a record with %s says enough', (isComplete, _, record) => {
	expect(isCompleteRecord(record as never)).toBe(isComplete);
});

test('a detail adds to the record of the list, but its empty fields replace nothing', () => {
	const records = new ShipmentRecords(0);
	records.add({ id: 1, trackingUrl: 'https://example.com/1', orderId: null });
	records.add({ id: 1, trackingUrl: null, orderId: 7, recEmail: 'jana@example.com' });
	records.add({ id: 'x' });
	expect(records.get(1)).toEqual({
		id: 1,
		trackingUrl: 'https://example.com/1',
		orderId: 7,
		recEmail: 'jana@example.com',
	});
	expect(records.get(2)).toBeUndefined();
});
