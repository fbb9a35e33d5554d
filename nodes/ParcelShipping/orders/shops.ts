import { foldText } from '../lists';
import { isRecord, parseJson } from '../records';
import { findCountryCode } from './countries';
import { captions, type MappedFieldName } from './fields';
import { type Problem, problemOf, showValue } from './order';
import { isCashOnDeliveryMethod, isEmpty, isZero } from './values';

export interface ShopOrder {
	/** By the names of the form's fields. Without a value, a field is missing. */
	values: Partial<Record<MappedFieldName, unknown>>;
	shippingMethod: unknown;
	/** Whether the shop waits for money: for cash on delivery, but also for an invoice or a transfer that has not come yet. */
	isUnpaid: boolean;
	/** Why the order cannot be shipped as it is. The user can set the field of a problem instead. */
	problems: Array<Problem | false>;
}

/** Reads the value at a path of the order, such as `shipping_lines.0.title`. */
type Of = (path: string) => unknown;

export interface Shop {
	caption: string;
	/** What only orders of this shop have. */
	identifiedBy: readonly string[];
	/** Where the order is, if not in the item itself. */
	orderPath?: string;
	read(of: Of, codMethods: string): ShopOrder;
}

/** The choice of 'Order Data' without a shop. */
export const MAPPED = 'mapped';

/** Each shop as its public API documents its orders. */
export const SHOPS: Readonly<Record<string, Shop>> = {
	wooCommerce: {
		caption: 'WooCommerce Order',
		identifiedBy: ['number', 'billing'],
		read: readWooCommerce,
	},
	shopify: {
		caption: 'Shopify Order',
		identifiedBy: ['order_number', 'total_price'],
		read: readShopify,
	},
	shoptet: {
		caption: 'Shoptet Order',
		identifiedBy: ['code', 'price.withVat'],
		orderPath: 'data.order',
		read: readShoptet,
	},
};

/** Reads an order of a shop. If the item is not one, it returns what the item lacks. */
export function readShopOrder(json: unknown, shop: Shop, codMethods: string): ShopOrder | string {
	const order = (shop.orderPath && at(json, shop.orderPath)) ?? json;
	const of = (path: string) => at(order, path);
	return shop.identifiedBy.find((path) => isEmpty(of(path))) ?? shop.read(of, codMethods);
}

/** Where plugins keep the pickup point, with the source of each. */
const WOOCOMMERCE_POINTS = [
	// Packeta: Zasilkovna/WooCommerce, Module/Order/ApiExtender.php (2026, 2023), Module/Upgrade.php.
	'shipping_lines.0.packeta.point_id',
	'meta_data._packetery_point_id',
	'meta_data.packetery_point_id',
	'meta_data.zasilkovna_id_pobocky', // Toret Zásilkovna, and the plugin of SuperFaktura
	'shipping_lines.0.meta_data.pplcz_parcelshop_data.code', // PPL-CZ/PPL-WooCommerce, globals.php
	'meta_data._gls_pickup_info.id', // gls-shipping-for-woocommerce, class-gls-shipping-api-data.php
	'meta_data._parcel_machine_id', // InPost: inpost-for-woocommerce, EasyPack.php
	'meta_data.wc_shipping_dpd_parcels_terminal', // woo-shipping-dpd-baltic, class-dpd-admin.php
	'meta_data.wc_shipping_dpd_sameday_parcels_terminal',
	'meta_data._omnivalt_terminal_id', // Omniva: mijora/omniva-woocommerce, core/class-core.php
	'meta_data.foxpost_woo_parcel_apt_id', // Foxpost: foxpost-woo-parcel
	'meta_data._vp_woo_pont_point_id', // Hungary: hungarian-pickup-points-for-woocommerce, index.php
];

function readWooCommerce(of: Of, codMethods: string): ShopOrder {
	const { phone: ownPhone, ...address } =
		firstAddress('address_1', of('shipping'), of('billing')) ?? {};
	const phone = isEmpty(ownPhone) ? phoneIn(of('billing.phone'), of('billing.country')) : ownPhone;
	// The amounts of refunds are negative.
	const total = listOf(of('refunds')).reduce(
		(sum, refund) => Number(sum) + Number(at(refund, 'total')),
		of('total'),
	);
	const status = of('status');
	const payment = readPayment(codMethods, {
		due: total,
		isPaid: !isEmpty(of('date_paid')),
		// Only the method `cod` has no date yet when WooCommerce marks the order as ready to ship.
		isCodDatedAsPaid: !isOneOf(status, 'completed'),
		methods: [of('payment_method')],
		notCashOnDelivery: ['bacs', 'cheque'],
	});
	const isPending = payment.isUnsettled && isOneOf(status, 'pending');
	const isOver = isOneOf(status, 'cancelled', 'checkout-draft', 'failed', 'refunded', 'trash');
	const points = WOOCOMMERCE_POINTS.map(of).filter((code) => !isEmpty(code));
	const codes = new Set(points.map((code) => String(code).trim()));
	const branchId = codes.size < 2 ? points[0] : undefined;
	// The latter is of the checkout that consists of blocks. Plugins for pickup points use the same methods.
	const isPickedUp = isOneOf(of('shipping_lines.0.method_id'), 'local_pickup', 'pickup_location');
	return {
		values: {
			packageNumberCustom: of('number'),
			shopOrderId: of('id'),
			price: total,
			branchId,
			cod: payment.cod,
			codPrice: total,
			codCurrency: of('currency'),
			note: of('customer_note'),
			recName: join(' ', address.first_name, address.last_name),
			recCompany: address.company,
			recStreet: join(', ', address.address_1, address.address_2),
			recCity: address.city,
			recZip: address.postcode,
			recCountry: address.country,
			recPhone: phone,
			recEmail: of('billing.email'),
		},
		shippingMethod: of('shipping_lines.0.method_title'),
		isUnpaid: payment.isUnpaid,
		problems: [
			(isOver || isPending) && notShipped(statusText(status)),
			isPickedUp && codes.size === 0 && PICKED_UP,
			codes.size > 1 &&
				problemOf(
					'branchId',
					`The order has different pickup points: ${[...codes].map(showValue).join(' and ')}`,
					`one. To say which one counts, ${toSet('branchId')}`,
				),
			...payment.problems,
		],
	};
}

function readShopify(of: Of, codMethods: string): ShopOrder {
	// Shopify has none for a pickup at the shop and a sale at its counter.
	const address = firstAddress('address1', of('shipping_address'));
	const billing = first(of('billing_address.country_code'), of('billing_address.country'));
	// Without what was removed or refunded after the order.
	const totalPath = isEmpty(of('current_total_price')) ? 'total_price' : 'current_total_price';
	const total = of(totalPath);
	const due = first(of('total_outstanding'), total);
	const status = of('financial_status');
	const payment = readPayment(codMethods, {
		due,
		isPaid: isOneOf(status, 'paid', 'authorized', 'partially_refunded', 'refunded'),
		// A gift card pays a part besides another method. It says nothing about the rest.
		methods: listOf(of('payment_gateway_names')).filter((each) => !isOneOf(each, 'gift_card')),
		notCashOnDelivery: ['bank deposit', 'money order'],
	});
	// The customer may pay in another currency than that of the shop.
	const [currency, customers] = [of('currency'), of('presentment_currency')];
	const isOwnCurrency = isEmpty(customers) || customers === currency;
	const isWhole = Number(due) === Number(total);
	const dueOfCustomer = isWhole ? of(`${totalPath}_set.presentment_money.amount`) : undefined;
	// An order that was not placed in the shop can have an address all the same.
	const products = listOf(of('line_items')).map((each) => String(at(each, 'requires_shipping')));
	const isNothingToShip = products.length > 0 && products.every((requires) => requires === 'false');
	const grams = of('total_weight');
	return {
		values: {
			// Not `name`, because providers refuse its number sign.
			packageNumberCustom: of('order_number'),
			shopOrderId: of('id'),
			price: total,
			// Atlas Pickup Points: atlaspickuppoints.com/docs/developer-reference/metafield-specification.
			branchId: of('metafields.atlas_pickup_points/point.code'),
			cod: payment.cod,
			// A rest in the currency of the shop is refused, because it contradicts that of the customer.
			codPrice: isOwnCurrency ? due : (dueOfCustomer ?? `${String(due)} ${String(currency)}`),
			codCurrency: isOwnCurrency ? currency : customers,
			weight: isEmpty(grams) ? undefined : Number(grams) / 1000,
			note: of('note'),
			recName: first(address?.name, join(' ', address?.first_name, address?.last_name)),
			recCompany: address?.company,
			recStreet: join(', ', address?.address1, address?.address2),
			recCity: address?.city,
			recZip: address?.zip,
			recCountry: first(address?.country_code, address?.country),
			recPhone: first(
				...[address?.phone, of('phone')],
				...[phoneIn(of('billing_address.phone'), billing), of('customer.phone')],
			),
			recEmail: first(of('email'), of('contact_email'), of('customer.email')),
		},
		shippingMethod: of('shipping_lines.0.title'),
		isUnpaid: payment.isUnpaid,
		problems: [
			!isEmpty(of('cancelled_at')) && notShipped(CANCELED),
			isOneOf(status, 'refunded', 'voided') && notShipped(statusText(status)),
			// Not `pending`, which each manual payment is as well, for example an invoice.
			payment.isUnsettled && isOneOf(status, 'expired') && notShipped(statusText(status)),
			isNothingToShip && notShipped('None of the products of the order requires shipping'),
			...payment.problems,
		],
	};
}

function readShoptet(of: Of, codMethods: string): ShopOrder {
	const address = firstAddress('street', of('deliveryAddress'), of('billingAddress')) ?? {};
	const total = of('price.withVat');
	const due = first(of('price.toPay'), total);
	const payment = readPayment(codMethods, {
		due,
		isPaid: isOneOf(of('paid'), 'true'),
		methods: [of('paymentMethod.name'), of('billingMethod.name')],
		notCashOnDelivery: [],
	});
	return {
		values: {
			packageNumberCustom: of('code'),
			shopOrderId: of('code'),
			price: total,
			// shoptet/developers, openapi.yaml. The API returns it only with include=shippingDetails.
			branchId: of('shippingDetails.branchId'),
			cod: payment.cod,
			codPrice: due,
			codCurrency: of('price.currencyCode'),
			// The API returns notes only with include=notes.
			note: of('notes.customerRemark'),
			recName: address.fullName,
			recCompany: address.company,
			recStreet: join(', ', join(' ', address.street, address.houseNumber), address.additional),
			recCity: address.city,
			recZip: address.zip,
			recCountry: address.countryCode,
			recPhone: of('phone'),
			recEmail: of('email'),
		},
		shippingMethod: of('shipping.name'),
		isUnpaid: payment.isUnpaid,
		problems: [
			// Of the system status that is called Stornována, unless the shop has renamed it.
			isOneOf(of('status.id'), '-4') && notShipped(CANCELED),
			isOneOf(of('cashDeskOrder'), 'true') && notShipped('The order was sold at the cash desk'),
			...payment.problems,
		],
	};
}

const CANCELED = 'The order is canceled in the shop';

const LEAVE_OUT = 'Leave out orders like this one with a Filter node before this node';

const statusText = (status: unknown) => `The order has the status ${showValue(status)} in the shop`;

const notShipped = (message: string) =>
	problemOf(
		'orderData',
		message,
		`an order to ship. ${LEAVE_OUT}, or change the order in the shop`,
	);

/** How the user sets a field in place of the shop's value. */
const toSet = (field: MappedFieldName) => `add '${captions[field]}' to '${captions.overrides}'`;

const PICKED_UP = problemOf(
	'branchId',
	'The customer picks the order up at the shop',
	`an order to ship. ${LEAVE_OUT}. To ship it to a pickup point, ${toSet('branchId')}`,
);

/** The first address with a street, or else the last one, which is the billing address. */
function firstAddress(
	street: string,
	...addresses: unknown[]
): Record<string, unknown> | undefined {
	const all = addresses.filter(isRecord);
	return all.find((each) => !isEmpty(each[street])) ?? all.at(-1);
}

/** A phone with the country of the address that it is from, which need not be that of the delivery. */
function phoneIn(phone: unknown, country: unknown): unknown {
	if (typeof phone !== 'string' || !/\d/.test(phone) || isEmpty(country)) return phone;
	if (/^\s*(?:\+|00)/.test(phone)) return phone;
	return `${phone.trim()} (${findCountryCode(String(country)) ?? String(country)})`;
}

interface Payment {
	/** What is left to pay. */
	due: unknown;
	isPaid: boolean;
	/** The shop may have marked cash on delivery as paid before it was. */
	isCodDatedAsPaid?: boolean;
	methods: unknown[];
	/** Methods of the shop itself that are none, without accents. */
	notCashOnDelivery: string[];
}

/** Whether the recipient pays on delivery: true, false, or a method that only the user knows. */
function readPayment(codMethods: string, payment: Payment) {
	const { due, isPaid, isCodDatedAsPaid } = payment;
	const methods = payment.methods.filter((method) => !isEmpty(method));
	const isCod = methods.some((method) => isCashOnDeliveryMethod(method, codMethods));
	const unknown = methods.find(
		(method) => !payment.notCashOnDelivery.includes(foldText(String(method))),
	);
	const isSettled = isZero(due) || (isPaid && !(isCod && isCodDatedAsPaid));
	const hasNone = methods.length === 0 ? undefined : false;
	const cod = isSettled ? false : isCod || (unknown ?? hasNone);
	const expected = `a payment method in the order. To set it yourself, ${toSet('cod')}`;
	const message = 'The order is not paid and has no payment method';
	return {
		cod,
		/** Neither paid nor paid on delivery. */
		isUnsettled: !isSettled && cod !== true,
		isUnpaid: !isZero(due) && !isPaid,
		problems: cod === undefined ? [problemOf('cod', message, expected)] : [],
	};
}

const isOneOf = (value: unknown, ...values: string[]) =>
	values.includes(String(value).toLowerCase());

const first = (...values: unknown[]) => values.find((value) => !isEmpty(value));

const listOf = (value: unknown): unknown[] => [value ?? []].flat();

const join = (separator: string, ...values: unknown[]) =>
	values.filter((value) => !isEmpty(value) && typeof value !== 'object').join(separator);

/** The value at a path such as `shipping_lines.0.title` or `meta_data._packetery_point_id`. */
const at = (value: unknown, path: string): unknown => path.split('.').reduce(valueOfKey, value);

/** The value of one key. Of several entries with it in a list, the first one that is not empty. */
function valueOfKey(given: unknown, key: string): unknown {
	// Some plugins store JSON as text.
	const of = typeof given === 'string' ? parseJson(given) : given;
	if (!Array.isArray(of) || /^\d+$/.test(key)) return (Object(of) as Record<string, unknown>)[key];
	// The metafields of Shopify have a namespace as well.
	const keyOf = ({ key: own, namespace }: Record<string, unknown>) =>
		[namespace ?? [], own].flat().join('/');
	return of.filter(isRecord).find((each) => keyOf(each) === key && !isEmpty(each.value))?.value;
}
