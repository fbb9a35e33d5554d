// Values of the wrong kind in every field: each order is refused, and the error names the field.
import { set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { readCreationOptions } from '../../../nodes/ParcelShipping/descriptions/createForm';
import { checkOrders } from '../../../nodes/ParcelShipping/orders/check';
import {
	type MappedFieldName,
	mappedFieldNames,
	mappedFields,
} from '../../../nodes/ParcelShipping/orders/fields';
import { readOrders } from '../../../nodes/ParcelShipping/orders/readOrders';
import type { FieldKind } from '../../../nodes/ParcelShipping/orders/values';
import type { Carrier, CarrierService } from '../../../nodes/ParcelShipping/transport/endpoints';
import { contextOf } from '../../support/tries';

const NEVER = [{ value: 'x' }, [], [1, 2], [{ a: 1 }], { a: { b: 1 } }, NaN, Infinity, -Infinity];
const ODD_NUMBERS = [1e21, -1, -0.01];
const ODD_TEXTS = ['x', '?', '12 90', '1e5', '0x10', '-', '{}', '[1', 'ok/no', '１２', '\u0000'];

const WRONG: Readonly<Record<FieldKind, unknown[]>> = {
	text: [...NEVER, 1e21, 1e-7, true],
	shopId: [...NEVER, 1e21, 1e-7, true],
	phone: [
		...[...NEVER, true, 420777123456, '777 123 456 x', '+420 777', '+420777123456/602111222'],
		...['call me', '+0777123456', '+39 (0) 02 1234 5678', '++420777123456', '123', '(0)', '+', '/'],
	],
	country: [...NEVER, true, 'Atlantis', 'ABC', 'C', 'CS', 'YU', 'EN', 'xx', 203, 0, '-'],
	email: [
		...[...NEVER, true, 5, 'jana', 'jana@', '@example.com', 'jana@localhost', 'jana@example.'],
		...['jana@@example.com', 'jana example@example.com', 'a@b.cz, c@d.cz', 'jana.example.com'],
	],
	amount: [...NEVER, true, ...ODD_NUMBERS, ...ODD_TEXTS, '-5', '1,290'],
	money: [
		...[...NEVER, true, ...ODD_NUMBERS, ...ODD_TEXTS, '-5', '1.290', '1,290', '1.290 €', '12 PCS'],
		...['12 F CFA', 'about 100', '1.290,5.0', ' 12.500 Kč ', `1${' '.repeat(50_000)}2`],
	],
	count: [...NEVER, true, ...ODD_NUMBERS, ...ODD_TEXTS, 0, 1.5, '2.0', 'two', '0'],
	currency: [...NEVER, 'Kč', 'czkk', '€', 'C', 203, '12'],
	codChoice: [...NEVER, 'stripe', 'bacs', 'COD or card', '539,50 Kč', 539.5, 2],
	yesNo: [...NEVER, ...ODD_NUMBERS, ...ODD_TEXTS, 'maybe', 'cod', 2, '18+'],
	day: [
		...[...NEVER, true, ...ODD_TEXTS, '14. 1. 2026', '2026-02-30', '2026', '2026-W47', 20260114],
		...['2026-01-14T25:00:00Z', 'tomorrow', '2026/01/14', '0000-00-00'],
	],
	list: [true, 5, NaN, '["SMS"', '{ a: 1 }'],
};

interface Case {
	field: MappedFieldName;
	value: unknown;
}

const casesOf = (field: MappedFieldName): Case[] =>
	WRONG[mappedFields[field].kind].map((value) => ({ field, value }));

const cases = mappedFieldNames.flatMap(casesOf);

const offers = {
	carriers: [{ code: 'ANT', name: 'Ant' } as Carrier],
	services: new Map([['ANT', [{ code: 'HOME', name: 'Home' } as CarrierService]]]),
};

/** The cases whose item was not refused, or with an error that does not name the field. */
async function notRefused(items: IDataObject[], all: readonly Case[], parameters: IDataObject) {
	const context = contextOf({}, { form: { carrierService: 'ANT/HOME', ...parameters } });
	const inputs = items.map((json) => ({ json }));
	const options = readCreationOptions({ timezone: 'Europe/Prague' });
	const { invalid } = await checkOrders(await readOrders(context, inputs, options), offers);
	return all.filter(({ field }, index) => {
		const { failure } = invalid.find(({ itemIndex }) => itemIndex === index) ?? {};
		const { message = '', description = '' } = (failure ?? {}) as Record<string, string>;
		// In the words of the form.
		const { caption } = mappedFields[field];
		return !message.includes(caption) || !description.includes(caption);
	});
}

const ORDER = {
	...{ price: 100, recName: 'Jana', recStreet: 'Dlouhá 12', recCity: 'Praha', recZip: '11000' },
	...{ recCountry: 'CZ', codCurrency: 'CZK' },
};

/** Without an amount of its own if that would decide alone. */
const fieldsOf = ({ field, value }: Case, index: number): IDataObject => ({
	...{ packageNumberCustom: `A-${index}`, ...ORDER },
	...(field === 'cod' ? {} : { codPrice: 50 }),
	[field]: value as string,
});

const wooCommerce = (index: number): IDataObject => ({
	...{ id: index, number: `A-${index}`, total: '100', currency: 'CZK', payment_method: 'cod' },
	shipping: { first_name: 'Jana', address_1: 'D 1', city: 'P', postcode: '11000', country: 'CZ' },
	billing: {},
});

const OF_WOOCOMMERCE: Partial<Record<MappedFieldName, string>> = {
	...{ packageNumberCustom: 'number', shopOrderId: 'id', price: 'total', note: 'customer_note' },
	...{ codCurrency: 'currency', recEmail: 'billing.email', recPhone: 'shipping.phone' },
	...{ recCity: 'shipping.city', recZip: 'shipping.postcode', recCountry: 'shipping.country' },
	...{ recCompany: 'shipping.company', branchId: 'shipping_lines.0.packeta.point_id' },
};

test('bad inputs are refused by the name of the field', async () => {
	const mapped = cases.map(fieldsOf);
	const ofShop = Object.entries(OF_WOOCOMMERCE).flatMap(([field, path]) =>
		casesOf(field as MappedFieldName).map((each) => ({ ...each, path })),
	);
	const shopOrders = ofShop.map(({ path, value }, index) => set(wooCommerce(index), path, value));
	expect(cases.length).toBeGreaterThan(500);
	const accepted = [
		await notRefused(mapped, cases, { shipment: mapped }),
		await notRefused(shopOrders, ofShop, { orderData: 'wooCommerce' }),
	];
	expect(accepted.flat()).toEqual([]);
});
