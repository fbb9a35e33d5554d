import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import type { FormValues } from '../../../nodes/ParcelShipping/orders/readForm';
import { readOrders } from '../../../nodes/ParcelShipping/orders/readOrders';
import type { OfferedService } from '../../../nodes/ParcelShipping/orders/validate';
import type { Carrier } from '../../../nodes/ParcelShipping/transport/contract';

const ADDRESS = { recName: 'Jana', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '11000' };
const ORDER = { packageNumberCustom: 'A-1', price: 100, recCountry: 'CZ', ...ADDRESS };

const offers = {
	carriers: ['ANT', 'BEAVER'].map((code) => ({ code, name: code }) as Carrier),
	services: new Map(
		['ANT', 'BEAVER'].map((code) => [code, [{ code: 'HOME', name: 'Home' } as OfferedService]]),
	),
};

/** Reads items with these values; a `carrierCode` among them is that of the form. */
async function read(
	items: Array<Record<string, unknown>>,
	form: Partial<FormValues> = {},
	options = {},
) {
	const given = items.map(({ carrierCode = 'ANT', ...values }): FormValues => {
		const chosen = { carrierCode: String(carrierCode), serviceType: 'HOME' };

		const rest = { isAutomatic: false, isFromShop: false, additional: {}, problems: [] };
		return { ...chosen, values: { ...ORDER, ...values }, ...rest, ...form };
	});
	return await readOrders(given, offers, readCreationOptions(options));
}

const bodyOf = async (...given: Parameters<typeof read>) => (await read(...given)).orders[0]?.body;

test("automatic mapping does not send a shop's own orderId, unless the user sets it", async () => {
	const items = [{ orderId: 501 }];
	expect(await bodyOf(items, { isAutomatic: true })).not.toHaveProperty('orderId');
	expect(await bodyOf(items)).toHaveProperty('orderId', 501);
	const set = { isAutomatic: true, additional: { orderId: 7 } };
	expect(await bodyOf(items, set)).toHaveProperty('orderId', 7);
});

test('a sender or cover address is switched on by any of its fields', async () => {
	const body = await bodyOf([{ senderCity: 'Brno' }]);
	expect(body).toMatchObject({ senderCity: 'Brno', senderEnabled: true });
	expect(body).not.toHaveProperty('coverEnabled');
	expect(await bodyOf([{}])).not.toHaveProperty('senderEnabled');
});

const BEAVER = { carrierCode: 'BEAVER' };
const COD = { cod: true, codPrice: 100, codCurrency: 'CZK' };

test.each<[string, object, Record<string, unknown>, string]>([
	['the same values', {}, {}, 'one order'],
	['another carrier', {}, BEAVER, 'Carrier and Service'],
	[
		'another carrier, of which orders are looked up alone',
		{ lookUpScope: 'sameCarrier' },
		BEAVER,
		'two',
	],
	['a value that only the other one has', {}, { note: 'Ring' }, 'Note'],
	[
		'another price and cash on delivery',
		{},
		{ price: 9, ...COD },
		'Shipment Value, Cash on Delivery',
	],
	['another price, if nothing is looked up', { ifExists: 'create' }, { price: 9 }, 'two'],
])('two items with one order number and %s', async (_, options, second, expected) => {
	const { orders, invalid } = await read([{}, second], {}, options);
	if (expected === 'two') expect([orders.length, invalid]).toEqual([2, []]);
	else if (expected === 'one order') expect(orders).toMatchObject([{ sameItems: [1] }]);
	else {
		expect(orders).toEqual([]);
		const message = expect.stringContaining(`but not the same ${expected}`);
		expect(invalid.map(({ failure }) => failure)).toMatchObject([{ message }, { message }]);
	}
});
