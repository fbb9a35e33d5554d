import { compareWithOrder } from '../../../nodes/ParcelShipping/creation/differences';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import type { PieceRecord } from '../../../nodes/ParcelShipping/transport/shipmentRecords';
import { pieceOf } from '../../support/orders';

const order = (body: Partial<Order['body']>, carrierCode = 'ANT'): Order => ({
	itemIndex: 0,
	carrierCode,
	body: { serviceType: 'ANT-HOME', packageNumberCustom: 'A', price: 1, ...body },
});

const found = (record: PieceRecord['record'], carrierCode = 'ANT') =>
	pieceOf(1, 'A', record, carrierCode);

const COD = { cod: true, codPrice: 1290, codCurrency: 'CZK' };
const CZK = { codPrice: 1290, codCurrency: 'CZK' };
const PHONE = { recPhone: '+420777123456' };
const ADDRESS = {
	recName: 'Jana Nováková',
	recStreet: 'Dlouhá 12',
	recCity: 'Praha',
	recZip: '110 00',
};
const AT_POINT = { branchId: 'P1', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '60200' };
const POINT = { branchId: 'P1', recZip: '11000' };

type Body = Partial<Order['body']>;
type Records = Array<PieceRecord['record']>;

test.each<[string, Body, Records, string[]]>([
	['a record that contains none of the values', COD, [{}], []],
	['the same cash on delivery', COD, [{ ...CZK, codCurrency: 'czk' }], []],
	['an amount without a currency', COD, [{ codPrice: 1290 }], []],
	['no cash on delivery', COD, [{ codPrice: null }], ['1290.00 CZK / null']],
	['an amount of 0', COD, [{ codPrice: 0 }], ['1290.00 CZK / null']],
	['an amount of 0 for a prepaid order', {}, [{ ...CZK, codPrice: 0 }], []],
	['cash on delivery for a prepaid order', {}, [{ codPrice: 5 }], ['null / 5.00']],
	['another amount', COD, [{ ...CZK, codPrice: 1190.5 }], ['1290.00 CZK / 1190.50 CZK']],
	['another currency', COD, [{ ...CZK, codCurrency: 'EUR' }], ['1290.00 CZK / 1290.00 EUR']],
	['another service in a detail', {}, [{ serviceType: 'X' }], ['ANT-HOME / X']],
	['another service in the list', {}, [{ serviceCode: 'X' }], ['ANT-HOME / X']],
	['the service in small letters', {}, [{ serviceCode: 'ant-home' }], []],
	['another pickup point', { branchId: 'P1' }, [{ branchId: 'P2' }], ['P1 / P2']],
	['no pickup point', { branchId: 'P1' }, [{ branchId: null }], ['P1 / null']],
	['more pieces', { pieceCount: 2 }, [{ pieceCount: 3 }], ['2 / 3']],
	['a postal code with a space', { recZip: '11000' }, [{ recZip: '110 00' }], []],
	['another postal code', { recZip: '1' }, [{ recAddress: { zip: '2' } }], ['1 / 2']],
	['another country', { recCountry: 'CZ' }, [{ recCountry: 'SK' }], ['CZ / SK']],
	['another variable symbol', { ...COD, vs: '1' }, [{ ...CZK, vs: '2' }], ['1 / 2']],
	['a variable symbol of a prepaid order', { vs: '1' }, [{ vs: null }], []],
	['another price', {}, [{ price: 2 }], ['1.00 / 2.00']],
	['a price that the service does not keep', {}, [{ price: 0 }], []],
	['another street', { recStreet: 'Dlouhá 1/2' }, [ADDRESS], ['Dlouhá 1/2 / Dlouhá 12']],
	['the street without accents', { recStreet: 'DLOUHA  12' }, [ADDRESS], []],
	['another name', { recName: 'Jan Novák' }, [ADDRESS], ['Jan Novák / Jana Nováková']],
	['another name in the list', { recName: 'J' }, [{ recAddress: { name: 'K' } }], ['J / K']],
	['no email', { recEmail: 'j@x.cz' }, [{ ...ADDRESS, recEmail: null }], ['j@x.cz / null']],
	['another email', { recEmail: 'a.b@x.cz' }, [{ recEmail: 'ab@x.cz' }], ['a.b@x.cz / ab@x.cz']],
	['the email in capitals', { recEmail: 'j@x.cz' }, [{ recEmail: 'J@X.CZ' }], []],
	['another phone', PHONE, [{ recPhone: '+420777123457' }], ['+420777123456 / +420777123457']],
	['another prefix', PHONE, [{ recPhone: '+421777123456' }], ['+420777123456 / +421777123456']],
	['the phone in another form', PHONE, [{ recPhone: '00420 777 123 456' }], []],
	['the phone without a prefix', PHONE, [{ recPhone: '777 123 456' }], []],
	['another sender', { senderCity: 'Brno' }, [{ senderCity: 'Praha' }], ['Brno / Praha']],
	['an address of nulls', { recStreet: 'A 1' }, [{ recStreet: null, recCity: null }], []],
	['the corrected postal code of a pickup order', AT_POINT, [ADDRESS], ['60200 / 110 00']],
	['the address of the pickup point', POINT, [{ branchId: 'P1', recZip: '60200' }], []],
	['an address the order does not have', {}, [{ recZip: '60200' }], []],
	['pieces of which only the main one has the amount', COD, [CZK, { codPrice: null }], []],
])('an order is compared with %s', (_, body, records, expected) => {
	const { differences } = compareWithOrder(
		order(body),
		records.map((record) => found(record)),
	);
	expect(differences.map((each) => `${each.ordered} / ${each.existing}`)).toEqual(expected);
});

test('what no record contains is named, and nothing that the order leaves open', () => {
	const { uncompared } = compareWithOrder(order({ recName: 'J', recStreet: 'A 1' }), [
		found({ serviceType: 'ANT-HOME', price: 1, recAddress: { name: 'J', zip: '1' } }),
	]);
	expect(uncompared).toEqual(['Recipient Street']);
});

test('an order is compared with the carrier of a record, without case', () => {
	expect(compareWithOrder(order({}, 'ANT'), [found({}, 'ant')]).differences).toEqual([]);
	const [difference] = compareWithOrder(order({}, 'BEAVER'), [found({}, 'ANT')]).differences;
	expect(difference).toMatchObject({ ordered: 'BEAVER', existing: 'ANT' });
});
