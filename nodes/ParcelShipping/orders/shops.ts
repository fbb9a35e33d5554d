import { isRecord } from '../records';
import type { CreationFieldName } from './fields';

/**
 * Where a shop keeps what a shipment needs, as its public API documents orders. Paths begin at the order;
 * `address` is its delivery address. The first path that has a value counts. Several paths in one text
 * are joined by what stands between them.
 */
export interface Shop {
	caption: string;
	/** Where the order is, if not in the item itself. */
	order?: string;
	/** The first one with a value counts: without a delivery address, the order goes to the billing address. */
	addresses: readonly string[];
	/** What a delivery address must have to count. */
	street: string;
	fields: Readonly<Partial<Record<CreationFieldName, readonly string[]>>>;
	shippingMethod: readonly string[];
	/** How many units of the weight are a kilogram. */
	unitsPerKilogram?: number;
	payment: {
		/** An order with one of these values is paid; with any value, if there are none. */
		paid: { path: string; values?: readonly string[] };
		methods: readonly string[];
		/** Methods of the shop itself that mean cash on delivery, and those that do not. */
		cashOnDelivery: readonly string[];
		others: readonly string[];
		/** What is left to pay. */
		amount: readonly string[];
	};
}

export const SHOPS: Readonly<Record<string, Shop>> = {
	wooCommerce: {
		caption: 'WooCommerce Order',
		addresses: ['shipping', 'billing'],
		street: 'address_1',
		fields: {
			packageNumberCustom: ['number'],
			price: ['total'],
			codCurrency: ['currency'],
			note: ['customer_note'],
			recName: ['address.first_name address.last_name'],
			recCompany: ['address.company'],
			recStreet: ['address.address_1, address.address_2'],
			recCity: ['address.city'],
			recZip: ['address.postcode'],
			recCountry: ['address.country'],
			recPhone: ['address.phone', 'billing.phone'],
			recEmail: ['billing.email'],
		},
		shippingMethod: ['shipping_lines.0.method_title'],
		payment: {
			paid: { path: 'date_paid' },
			methods: ['payment_method'],
			cashOnDelivery: ['cod'],
			others: ['bacs', 'cheque'],
			amount: ['total'],
		},
	},
	shopify: {
		caption: 'Shopify Order',
		addresses: ['shipping_address', 'billing_address'],
		street: 'address1',
		fields: {
			// Not `name`, because services refuse its number sign.
			packageNumberCustom: ['order_number'],
			price: ['total_price'],
			codCurrency: ['currency'],
			weight: ['total_weight'],
			note: ['note'],
			recName: ['address.name', 'address.first_name address.last_name'],
			recCompany: ['address.company'],
			recStreet: ['address.address1, address.address2'],
			recCity: ['address.city'],
			recZip: ['address.zip'],
			recCountry: ['address.country_code', 'address.country'],
			recPhone: ['address.phone', 'phone', 'billing_address.phone', 'customer.phone'],
			recEmail: ['email', 'contact_email', 'customer.email'],
		},
		shippingMethod: ['shipping_lines.0.title'],
		unitsPerKilogram: 1000,
		payment: {
			paid: {
				path: 'financial_status',
				values: ['paid', 'authorized', 'partially_refunded', 'refunded'],
			},
			methods: ['payment_gateway_names.0', 'payment_gateway_names.1'],
			cashOnDelivery: ['cash on delivery (cod)', 'cash on delivery'],
			others: ['bank deposit', 'money order'],
			amount: ['total_outstanding', 'total_price'],
		},
	},
	shoptet: {
		caption: 'Shoptet Order',
		order: 'data.order',
		addresses: ['deliveryAddress', 'billingAddress'],
		street: 'street',
		fields: {
			packageNumberCustom: ['code'],
			price: ['price.withVat'],
			codCurrency: ['price.currencyCode'],
			note: ['notes.customerRemark'],
			recName: ['address.fullName'],
			recCompany: ['address.company'],
			recStreet: ['address.street address.houseNumber'],
			recCity: ['address.city'],
			recZip: ['address.zip'],
			recCountry: ['address.countryCode'],
			recPhone: ['phone'],
			recEmail: ['email'],
		},
		shippingMethod: ['shipping.name'],
		payment: {
			paid: { path: 'paid', values: ['true'] },
			methods: ['paymentMethod.name', 'billingMethod.name'],
			cashOnDelivery: ['dobírkou', 'dobírka', 'dobierka', 'na dobierku'],
			others: [],
			amount: ['price.toPay', 'price.withVat'],
		},
	},
};

/** What an item contains of an order. */
export interface ShopOrder {
	/** By the service's own field names. Without a value, a field is missing. */
	values: Record<string, unknown>;
	shippingMethod: unknown;
}

/** Reads an order of a shop; undefined if the item is not one. */
export function readShopOrder(json: unknown, shop: Shop): ShopOrder | undefined {
	const order = (shop.order && at(json, shop.order)) ?? json;
	const address = shop.addresses
		.map((path) => at(order, path))
		.find((each) => hasValue(at(each, shop.street)));
	const all = { ...(isRecord(order) ? order : {}), address };
	const read = (paths: readonly string[]) => paths.map((path) => join(all, path)).find(hasValue);

	const values: Record<string, unknown> = {};
	for (const [name, paths] of Object.entries(shop.fields)) {
		const value = read(paths);
		if (value !== undefined) values[name] = value;
	}
	if (values.packageNumberCustom === undefined) return undefined;
	// The numbers of some shops are numbers, and the service's are text.
	values.packageNumberCustom = String(values.packageNumberCustom);
	const weight = Number(values.weight ?? 0) / (shop.unitsPerKilogram ?? 1);
	if (weight > 0) values.weight = weight;
	else delete values.weight;

	const { paid, methods, cashOnDelivery, others, amount } = shop.payment;
	const payment = at(order, paid.path);
	const isPaid = paid.values ? paid.values.includes(String(payment)) : hasValue(payment);
	const given = methods.map((path) => at(order, path)).filter(hasValue);
	const isOneOf = (known: readonly string[]) =>
		given.some((method) => known.includes(String(method).trim().toLowerCase()));
	if (isPaid) values.cod = false;
	else if (isOneOf(cashOnDelivery)) values.cod = true;
	// Any other method is the user's to decide: see `cleanPaymentMethod`.
	else values.cod = isOneOf(others) ? false : (given[0] ?? 'an unknown payment method');
	if (values.cod === false) delete values.codCurrency;
	else values.codPrice = read(amount);
	return { values, shippingMethod: read(shop.shippingMethod) };
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== '';

/** The value at a path such as `shipping_lines.0.title`. */
function at(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((of, key) => (of as Record<string, unknown> | null | undefined)?.[key], value);
}

/** The values at the paths in a text such as `street houseNumber`, without the empty ones. */
function join(order: unknown, text: string): unknown {
	if (!text.includes(' ')) return at(order, text);
	const separator = text.includes(', ') ? ', ' : ' ';
	const parts = text.split(separator).map((path) => at(order, path));
	return parts.filter(hasValue).join(separator);
}
