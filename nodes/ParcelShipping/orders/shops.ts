import { foldText } from '../lists';
import { isRecord } from '../records';
import type { CreationFieldName } from './fields';
import { isEmpty } from './kinds';

/**
 * Where a shop keeps what a shipment needs, as its public API documents orders. Paths begin at the order;
 * `address` is its delivery address. The first path that has a value counts. Several paths in one text
 * are joined by what stands between them.
 */
export interface Shop {
	caption: string;
	/** Where the order is, if not in the item itself. */
	order?: string;
	/** The first one with a street counts: without a delivery address, the order goes to the billing address. */
	addresses: readonly string[];
	street: string;
	fields: Readonly<Partial<Record<CreationFieldName, readonly string[]>>>;
	shippingMethod: readonly string[];
	/** How many units of the weight are a kilogram. */
	unitsPerKilogram?: number;
	payment: {
		/** An order with one of these values is paid; with any value, if there are none. */
		paid: { path: string; values?: readonly string[] };
		methods: readonly string[];
		/** Methods of the shop itself that mean cash on delivery, and those that do not, without accents. */
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
			cashOnDelivery: ['dobirkou', 'dobirka', 'dobierkou', 'dobierka', 'na dobirku', 'na dobierku'],
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
	if (!isRecord(order)) return undefined;
	const addresses = shop.addresses.map((path) => at(order, path));
	const address =
		addresses.find((each) => !isEmpty(at(each, shop.street))) ??
		addresses.find((each) => isRecord(each) && !Object.values(each).every(isEmpty));
	const all = { ...order, address };
	const read = (paths: readonly string[]) =>
		paths.map((path) => join(all, path)).find((value) => !isEmpty(value));

	const values: Record<string, unknown> = {};
	for (const [name, paths] of Object.entries(shop.fields)) {
		const value = read(paths);
		if (value !== undefined) values[name] = value;
	}
	if (values.packageNumberCustom === undefined) return undefined;
	const weight = toNumber(values.weight);
	// Shops write 0 if they do not know the weight. What is no number is refused like any other value.
	if (weight === 0) delete values.weight;
	else if (weight !== undefined) values.weight = weight / (shop.unitsPerKilogram ?? 1);

	const due = read(shop.payment.amount);
	values.cod = toNumber(due) === 0 ? false : readPayment(order, shop.payment);
	if (values.cod !== false) values.codPrice = due;
	return { values, shippingMethod: read(shop.shippingMethod) };
}

/** Whether the recipient pays on delivery. Any other payment method is the user's to decide. */
function readPayment(order: unknown, { paid, methods, ...known }: Shop['payment']): unknown {
	const payment = at(order, paid.path);
	const isPaid = paid.values
		? paid.values.includes(String(payment).toLowerCase())
		: typeof payment === 'string' && !isEmpty(payment);
	if (isPaid) return false;
	const given = methods.map((path) => at(order, path)).filter((method) => !isEmpty(method));
	const isOneOf = (names: readonly string[]) =>
		given.some((method) => typeof method === 'string' && names.includes(foldText(method)));
	if (isOneOf(known.cashOnDelivery)) return true;
	return isOneOf(known.others) ? false : given[0];
}

function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || isEmpty(value))) return undefined;
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

/** The value at a path such as `shipping_lines.0.title`. */
function at(value: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((of, key) => {
		const isThere = typeof of === 'object' && of !== null && Object.hasOwn(of, key);
		return isThere ? (of as Record<string, unknown>)[key] : undefined;
	}, value);
}

/** The values at the paths in a text such as `street houseNumber`, without the empty ones. */
function join(order: unknown, text: string): unknown {
	const separator = text.includes(', ') ? ', ' : ' ';
	const parts = text
		.split(separator)
		.map((path) => at(order, path))
		.filter((part) => !isEmpty(part));
	// What is no text cannot be joined, and is refused.
	if (parts.length === 1) return parts[0];
	return parts.find((part) => typeof part === 'object') ?? parts.map(String).join(separator).trim();
}
