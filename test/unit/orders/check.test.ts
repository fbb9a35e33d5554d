import type { IDataObject } from 'n8n-workflow';

import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import { checkOrders, type Offers } from '../../../nodes/ParcelShipping/orders/check';
import { isExchange, type Problem } from '../../../nodes/ParcelShipping/orders/order';
import { readOrders } from '../../../nodes/ParcelShipping/orders/readOrders';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/endpoints';
import { contextOf } from '../../support/tries';

const ADDRESS = { recName: 'Jana', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '11000' };
const ORDER = { packageNumberCustom: 'A-1', price: 100, recCountry: 'CZ', ...ADDRESS };

const CARRIERS = ['ANT', 'BEAVER', 'DPD'];
const home = [{ code: 'HOME', name: 'Home' } as CarrierService];
const offers = {
	carriers: CARRIERS.map((code) => ({ code, name: code }) as Carrier),
	services: new Map(CARRIERS.map((code) => [code, home])),
};

/** Reads items with these values; a `carrierCode` among them is that of the form. */
async function read(
	items: IDataObject[],
	parameters: IDataObject = {},
	options: IDataObject = {},
	offered: Offers = offers,
) {
	const shipment = { mappingMode: 'autoMapInputData', value: null };
	const carrierService = items.map(({ carrierCode = 'ANT' }) => `${String(carrierCode)}/HOME`);
	const context = contextOf({}, { form: { shipment, carrierService, ...parameters } });
	const given = items.map((values) => ({ json: { ...ORDER, ...values } }));
	const settings = readCreationOptions(options);
	return await checkOrders(await readOrders(context, given, settings), offered);
}

const bodyOf = async (...given: Parameters<typeof read>) => (await read(...given)).orders[0]?.body;

test('a sender or cover address is switched on by any of its fields', async () => {
	const body = await bodyOf([{ senderCity: 'Brno' }]);
	expect(body).toMatchObject({ senderCity: 'Brno', senderEnabled: true });
	expect(body).not.toHaveProperty('coverEnabled');
	expect(await bodyOf([{}])).not.toHaveProperty('senderEnabled');
});

test('an order is an exchange if its field is true, also as text', () => {
	const given = [true, 'TRUE', false, 'false', undefined];
	const are = given.map((exchangeOrder) => isExchange({ body: { exchangeOrder } } as never));
	expect(are).toEqual([true, true, false, false, false]);
});

test('the number of several pieces is sent by both of its names', async () => {
	const counts = { pieceCount: 2, piecesCount: 2 };
	expect(await bodyOf([{ pieceCount: 2 }])).toMatchObject(counts);
	expect(await bodyOf([{ pieceCount: 1 }])).not.toHaveProperty('piecesCount');
});

const { recStreet: address_1, recCity: city, recZip: postcode, recName: first_name } = ADDRESS;
const SHOP_ORDER = {
	...{ number: 'A-1', total: 100, currency: 'CZK', payment_method: 'bacs' },
	billing: { first_name, address_1, city, postcode, country: 'CZ' },
};

test('the note of an order of a shop is shortened for its carrier', async () => {
	const noteOf = async (customer_note: string, carrierCode = 'DPD') =>
		(await bodyOf([{ ...SHOP_ORDER, customer_note, carrierCode }], { orderData: 'wooCommerce' }))
			?.note;
	const note = `${'Ring twice. '.repeat(5)}Thanks`;
	expect(await noteOf(note)).toBe(note.slice(0, -' Thanks'.length));
	expect(await noteOf(note, 'ANT')).toBe(note);
	expect(await noteOf('x'.repeat(65))).toBe('x'.repeat(64));
	expect(await noteOf(`${'x'.repeat(63)}🚚`)).toBe('x'.repeat(63));
});

test('two items with one order number and the same values are one order', async () => {
	const { orders, invalid } = await read([{}, {}]);
	expect(orders).toMatchObject([{ itemIndex: 0, sameItems: [1] }]);
	expect(invalid).toEqual([]);
});

test.each<IDataObject>([
	{ carrierCode: 'BEAVER' },
	{ note: 'Ring' },
	{ codPrice: 100, codCurrency: 'CZK' },
	{ shopOrderId: 7 },
])('two items with one order number and other values %j are refused', async (second) => {
	const { orders, invalid } = await read([{}, second]);
	expect(orders).toEqual([]);
	const message = '2 items have the same Order Number "A-1", but not the same values';
	expect(invalid).toMatchObject([{ failure: { message } }, { failure: { message } }]);
});

test('automatic mapping names the fields that a shipment does not have, once', async () => {
	const misspelled = { codprice: 100, orderId: 7, shopOrderId: 8 };
	const { hints } = await read([misspelled, { ...misspelled, packageNumberCustom: 'A-2' }]);
	expect(hints).toEqual([
		"Ignored fields that a shipment does not have: codprice. Put fields that only your carrier knows into 'Additional Fields'.",
	]);
	const shipment = { mappingMode: 'defineBelow', value: ORDER };
	expect((await read([misspelled], { shipment })).hints).toEqual([]);
});

test('a hint names the unpaid orders of a shop from whose recipients nothing is collected', async () => {
	const hintsOf = async (more: IDataObject, overrides: IDataObject = {}) => {
		const mapper = { mappingMode: 'defineBelow', value: overrides };
		const form = { orderData: 'wooCommerce', overrides: mapper };
		return (await read([{ ...SHOP_ORDER, status: 'on-hold', ...more }], form)).hints;
	};
	expect(await hintsOf({})).toEqual([
		'1 order is not fully paid and has no cash on delivery: A-1. To ship only what is paid, leave other orders out with a Filter node before this node.',
	]);
	expect(await hintsOf({ date_paid: '2026-01-14T10:00:00' })).toEqual([]);
	expect(await hintsOf({ payment_method: 'cod' })).toEqual([]);
	expect(await hintsOf({ total: 0 })).toEqual([]);
	expect(await hintsOf({}, { cod: 'false' })).toEqual([]);
});

test('the ID that the shop has for the order is not sent, and stays as it is', async () => {
	const { orders, invalid } = await read([
		{ shopOrderId: 5042 },
		{ packageNumberCustom: 'A-2', shopOrderId: { id: 1 } },
	]);
	expect(orders).toMatchObject([{ shopOrderId: 5042 }]);
	expect(orders[0]?.body).not.toHaveProperty('shopOrderId');
	expect(invalid).toMatchObject([{ failure: { message: 'Invalid Shop Order ID: {"id":1}' } }]);
	expect((await read([{ shopOrderId: 7 }, { shopOrderId: '7' }])).orders).toHaveLength(1);
});

/** What is wrong with the order that has these values. */
async function problemsWith(values: IDataObject, offered?: Offers): Promise<Problem[]> {
	const { invalid } = await read([values], {}, {}, offered);
	const failure = invalid[0]?.failure as { details?: { problems: Problem[] } } | undefined;
	return failure?.details?.problems ?? [];
}

test('all problems of an order are reported at once, with the captions of the form', async () => {
	const wrong = {
		...{ price: '', recPhone: '+420 777 123', recCountry: 'Atlantis' },
		...{ recEmail: 'jana.example.com', codPrice: '1.290' },
	};
	const { invalid } = await read([wrong]);
	expect(invalid[0]?.failure).toMatchObject({
		message:
			'Invalid Cash on Delivery Amount: "1.290"; Invalid Recipient Country: "Atlantis"; ' +
			'Invalid Recipient Phone: "+420 777 123"; Invalid Recipient Email: "jana.example.com"; ' +
			'Shipment Value is missing; Cash on Delivery Currency is missing',
		description: expect.stringContaining('Recipient Email: expected an email address'),
	});
});

const NO_ADDRESS = { recStreet: '', recCity: '', recZip: '', recCountry: '' };
const TO_POINT = { branchId: 'P-1', ...NO_ADDRESS };

test.each<[name: string, values: IDataObject, wrong: string[]]>([
	['a refused value is not also missing', { price: '1.200' }, ['price']],
	['no order number', { packageNumberCustom: '' }, ['packageNumberCustom']],
	['a company without a name', { recName: '', recCompany: 'Novák a syn' }, []],
	['no address', NO_ADDRESS, ['recStreet', 'recCity', 'recZip', 'recCountry']],
	['a pickup point instead of an address', TO_POINT, []],
	['a pickup point without a name', { ...TO_POINT, recName: '' }, ['recName']],
	['cash on delivery without a currency', { cod: true }, ['codCurrency']],
	['an amount without a currency', { codPrice: 10 }, ['codCurrency']],
	['cash on delivery of the value', { cod: true, codCurrency: 'CZK' }, []],
	['cash on delivery of nothing', { cod: true, codCurrency: 'CZK', price: 0 }, ['codPrice']],
	['an amount of nothing', { cod: true, codCurrency: 'CZK', codPrice: 0 }, []],
	[
		'cash on delivery of an unclear value',
		{ cod: true, codCurrency: 'CZK', price: '?' },
		['price'],
	],
	['only a currency', { codCurrency: 'CZK' }, []],
	['an unclear switch', { cod: 'maybe', codCurrency: 'CZK' }, ['cod']],
	['a variable symbol without cash on delivery', { vs: '0000012' }, []],
])('%s', async (_, values, wrong) => {
	expect((await problemsWith(values)).map(({ field }) => field)).toEqual(wrong);
});

const carrier = (code: string, status: string) => ({ code, name: code, status }) as Carrier;
const service = (code: string) => ({ code, name: `${code} service` }) as CarrierService;
const someOffers: Offers = {
	carriers: [
		carrier('Ant', 'Active'),
		carrier('OWL', 'Inactive'),
		carrier('EMU', 'WaitingActivation'),
	],
	services: new Map([['Ant', [service('Home')]]]),
};

test('a service gets the order with its codes as the service writes them', async () => {
	const { orders } = await read([{}], {}, {}, someOffers);
	expect(orders).toMatchObject([{ carrierCode: 'Ant', body: { serviceType: 'Home' } }]);
});

const ACTIVE = 'an active carrier of the account: Ant';
const toPoint = { ...someOffers, services: new Map([['Ant', [service('POINT')]]]) };

test.each([
	['ELK', someOffers, ACTIVE],
	['OWL', someOffers, ACTIVE],
	// It waits for its activation.
	['EMU', someOffers, ACTIVE],
	['ANT', toPoint, 'a service of Ant: POINT'],
	['ANT', { ...someOffers, services: new Map() }, 'a service of Ant: there is none'],
])('%s/HOME is refused, naming what there is', async (carrierCode, offered, expected) => {
	const message = `Invalid Carrier and Service: "${carrierCode}/HOME"`;
	expect(await problemsWith({ carrierCode }, offered)).toMatchObject([{ message, expected }]);
});
