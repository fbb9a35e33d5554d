import { compareWithOrder } from '../../../nodes/ParcelShipping/creation/differences';
import type { FoundRecord } from '../../../nodes/ParcelShipping/creation/types';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';

const order = (body: Partial<Order['body']>, carrierCode = 'ANT'): Order => ({
	itemIndex: 0,
	carrierCode,
	body: { serviceType: 'ANT-HOME', packageNumberCustom: 'A', price: 1, ...body },
});

const found = (record: FoundRecord['record'], carrierCode = 'ANT'): FoundRecord => ({
	id: 1,
	carrierCode,
	reference: 'A',
	isCanceled: false,
	record,
});

const COD = { cod: true, codPrice: 1290, codCurrency: 'CZK' };

test.each<[string, Order, FoundRecord[], string[]]>([
	['a record that contains none of the values', order(COD), [found({})], []],
	['the same cash on delivery', order(COD), [found({ codPrice: 1290, codCurrency: 'czk' })], []],
	['an amount without a currency', order(COD), [found({ codPrice: 1290 })], []],
	['no cash on delivery', order(COD), [found({ codPrice: null })], ['1290 CZK / null']],
	['an amount of 0', order(COD), [found({ codPrice: 0 })], ['1290 CZK / null']],
	[
		'an amount of 0 for a prepaid order',
		order({}),
		[found({ codPrice: 0, codCurrency: 'CZK' })],
		[],
	],
	['cash on delivery for a prepaid order', order({}), [found({ codPrice: 5 })], ['null / 5']],
	[
		'another amount',
		order(COD),
		[found({ codPrice: 1190.5, codCurrency: 'CZK' })],
		['1290 CZK / 1190.5 CZK'],
	],
	[
		'another currency',
		order(COD),
		[found({ codPrice: 1290, codCurrency: 'EUR' })],
		['1290 CZK / 1290 EUR'],
	],
	['a carrier code in small letters', order({}, 'ANT'), [found({}, 'ant')], []],
	['another carrier', order({}, 'BEAVER'), [found({}, 'ANT')], ['BEAVER / ANT']],
	['another service in a detail', order({}), [found({ serviceType: 'X' })], ['ANT-HOME / X']],
	['another service in the list', order({}), [found({ serviceCode: 'X' })], ['ANT-HOME / X']],
	['the service in small letters', order({}), [found({ serviceCode: 'ant-home' })], []],
	['another pickup point', order({ branchId: 'P1' }), [found({ branchId: 'P2' })], ['P1 / P2']],
	['no pickup point', order({ branchId: 'P1' }), [found({ branchId: null })], ['P1 / null']],
	['more pieces', order({ pieceCount: 2 }), [found({ pieceCount: 3 })], ['2 / 3']],
	['a postal code with a space', order({ recZip: '11000' }), [found({ recZip: '110 00' })], []],
	[
		'another postal code in an address',
		order({ recZip: '11000' }),
		[found({ recAddress: { zip: '60200' } })],
		['11000 / 60200'],
	],
	['another country', order({ recCountry: 'CZ' }), [found({ recCountry: 'SK' })], ['CZ / SK']],
	[
		'the address of the pickup point',
		order({ branchId: 'P1', recZip: '11000' }),
		[found({ branchId: 'P1', recZip: '60200' })],
		[],
	],
	['an address the order does not have', order({}), [found({ recZip: '60200' })], []],
	[
		'pieces of which only the main one has the amount',
		order(COD),
		[found({ codPrice: 1290, codCurrency: 'CZK' }), found({ codPrice: null })],
		[],
	],
])('compares an order with %s', (_, ordered, records, expected) => {
	const { differences } = compareWithOrder(ordered, records);
	expect(differences.map((each) => `${each.ordered} / ${each.existing}`)).toEqual(expected);
});
