import { compareWithOrder } from '../../../nodes/ParcelShipping/creation/differences';
import type { Order } from '../../../nodes/ParcelShipping/orders/order';
import type { PieceRecord } from '../../../nodes/ParcelShipping/transport/shipments';
import { pieceOf } from '../../support/orders';

type Body = Partial<Order['body']>;
type Records = Array<PieceRecord['record']>;

const order = (body: Body, carrierCode = 'ANT'): Order => ({
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
const CAPITALS = { recStreet: 'DLOUHA  12', recEmail: 'J@X.CZ' };
const AT_POINT = { branchId: 'P1', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '60200' };
const POINT = { branchId: 'P1', recZip: '11000' };

test('an order that was corrected after it was shipped differs from its shipment', () => {
	const shipped = found({ ...ADDRESS, ...CZK, serviceCode: 'ANT-HOME' });
	const corrected = { ...COD, codPrice: 990, recStreet: 'Krátká 1', recCity: 'Praha' };
	const street = { ordered: 'Krátká 1', existing: 'Dlouhá 12' };
	const amount = { ordered: '990.00 CZK', existing: '1290.00 CZK' };
	expect(compareWithOrder(order(corrected), [shipped])).toEqual({
		differences: [
			{ field: 'cod', caption: 'Cash on Delivery', ...amount },
			{ field: 'recStreet', caption: 'Recipient Street', ...street },
		],
		// No record contains the shipment value.
		isComplete: false,
	});
});

test.each<[string, Body, Records, string[]]>([
	['a record that contains none of the values', COD, [{}], []],
	['an amount without a currency', COD, [{ codPrice: 1290 }], []],
	['no cash on delivery', COD, [{ codPrice: null }], ['1290.00 CZK / null']],
	['cash on delivery for a prepaid order', {}, [{ codPrice: 5 }], ['null / 5.00']],
	['another amount', COD, [{ ...CZK, codPrice: 1190.5 }], ['1290.00 CZK / 1190.50 CZK']],
	['another pickup point', { branchId: 'P1' }, [{ branchId: 'P2' }], ['P1 / P2']],
	['more pieces', { pieceCount: 2 }, [{ pieceCount: 3 }], ['2 / 3']],
	['another postal code', { recZip: '1' }, [{ recAddress: { zip: '2' } }], ['1 / 2']],
	['a variable symbol of a prepaid order', { vs: '1' }, [{ vs: null }], []],
	['another price', {}, [{ price: 2 }], ['1.00 / 2.00']],
	['a price that the service does not keep', {}, [{ price: 0 }], []],
	['no email', { recEmail: 'j@x.cz' }, [{ ...ADDRESS, recEmail: null }], ['j@x.cz / null']],
	[
		'the same values in capitals',
		CAPITALS,
		[{ ...ADDRESS, serviceCode: 'ant-home', recEmail: 'j@x.cz' }],
		[],
	],
	['another email', { recEmail: 'a.b@x.cz' }, [{ recEmail: 'ab@x.cz' }], ['a.b@x.cz / ab@x.cz']],
	['another phone', PHONE, [{ recPhone: '+420777123457' }], ['+420777123456 / +420777123457']],
	['the phone in another form', PHONE, [{ recPhone: '00420 777 123 456' }], []],
	['the phone without a prefix', PHONE, [{ recPhone: '777 123 456' }], []],
	['another sender', { senderCity: 'Brno' }, [{ senderCity: 'Praha' }], ['Brno / Praha']],
	['the corrected postal code of a pickup order', AT_POINT, [ADDRESS], []],
	['the address of the pickup point', POINT, [{ branchId: 'P1', recZip: '60200' }], []],
	['pieces of which only the main one has the amount', COD, [CZK, { codPrice: null }], []],
])('an order is compared with %s', (_, body, records, expected) => {
	const { differences } = compareWithOrder(
		order(body),
		records.map((record) => found(record)),
	);
	expect(differences.map((each) => `${each.ordered} / ${each.existing}`)).toEqual(expected);
});

test('an order is compared with the carrier of a record, without case', () => {
	expect(compareWithOrder(order({}, 'ANT'), [found({}, 'ant')]).differences).toEqual([]);
	const [difference] = compareWithOrder(order({}, 'BEAVER'), [found({}, 'ANT')]).differences;
	expect(difference).toMatchObject({ ordered: 'BEAVER', existing: 'ANT' });
});
