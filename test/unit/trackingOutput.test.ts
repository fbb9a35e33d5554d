import { toShipmentInfo } from '../../nodes/ParcelShipping/tracking/output';

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
