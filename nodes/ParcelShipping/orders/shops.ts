import { foldText } from '../lists';
import { isRecord, parseJson } from '../records';
import { findCountryCode } from './countries';
import { captions, type MappedFieldName } from './fields';
import { type Problem, problemOf, showValue } from './order';
import { cleanPaymentMethod, isCashOnDeliveryMethod, isEmpty } from './values';

type Json = Readonly<Record<string, unknown>>;

export interface ShopOrder {
	/** By the names of the form's fields. Without a value, a field is missing. */
	values: Partial<Record<MappedFieldName, unknown>>;
	shippingMethod: unknown;
	/** The country of the address that the phone is from, if that is not the delivery address. It can be the same country. */
	phoneCountry: string | undefined;
	/** The shop says that something is left to pay. It can be cash on delivery, an invoice, or a transfer that has not come yet. */
	isUnpaid: boolean;
	/** Why the order cannot be shipped as it is. The user can set the field of a problem instead. */
	problems: Problem[];
}

export interface Shop {
	caption: string;
	/** What only orders of this shop have. The first one is the order number. */
	identifiedBy: readonly [number: string, other: string];
	/** Where the order is, if not in the item itself. */
	orderPath?: string;
	/** The lists of keys and values in which plugins keep what the shop itself has no field for. */
	metadata: readonly string[];
	read(order: Json, codMethods: string): ShopOrder;
}

/** The choice of 'Order Data' without a shop. */
export const MAPPED = 'mapped';

/** Each shop as its public API documents its orders. */
export const SHOPS: Readonly<Record<string, Shop>> = {
	wooCommerce: {
		caption: 'WooCommerce Order',
		identifiedBy: ['number', 'billing'],
		metadata: ['meta_data', 'shipping_lines.0.meta_data'],
		read: readWooCommerce,
	},
	shopify: {
		caption: 'Shopify Order',
		identifiedBy: ['order_number', 'total_price'],
		metadata: ['note_attributes', 'metafields'],
		read: readShopify,
	},
	shoptet: {
		caption: 'Shoptet Order',
		identifiedBy: ['code', 'price.withVat'],
		orderPath: 'data.order',
		metadata: [],
		read: readShoptet,
	},
};

const orderIn = (json: unknown, { orderPath }: Shop) => (orderPath && at(json, orderPath)) ?? json;

/** The shop whose order the item is, if it is not an order of this one. */
export function findOtherShop(json: unknown, shop: Shop): Shop | undefined {
	const isOrderOf = (each: Shop) =>
		each.identifiedBy.every((path) => !isEmpty(at(orderIn(json, each), path)));
	return isOrderOf(shop) ? undefined : Object.values(SHOPS).find(isOrderOf);
}

export function readMetadata(json: unknown, shop: Shop, key: string): unknown {
	const values = shop.metadata.flatMap((path) => {
		const list = at(orderIn(json, shop), path);
		// A key may contain points itself.
		return [valueOfKey(list, key), at(list, key)];
	});
	return values.find((value) => !isEmpty(value));
}

/** Reads an order of a shop; undefined if the item is not one. */
export function readShopOrder(json: unknown, shop: Shop, codMethods: string) {
	const order = orderIn(json, shop);
	if (!isRecord(order) || isEmpty(at(order, shop.identifiedBy[0]))) return undefined;
	return shop.read(order, codMethods);
}

const WOOCOMMERCE_POINTS = [
	// Packeta: Zasilkovna/WooCommerce, Module/Order/ApiExtender.php, as of 2026 and of 2023, and the
	// key of older orders in Module/Upgrade.php.
	'shipping_lines.0.packeta.point_id',
	'meta_data._packetery_point_id',
	'meta_data.packetery_point_id',
	// Toret Zásilkovna: the plugin's own source. The plugin of SuperFaktura reads it, too.
	'meta_data.zasilkovna_id_pobocky',
	// PPL: PPL-CZ/PPL-WooCommerce, Traits/ParcelDataModelTrait.php and globals.php.
	'shipping_lines.0.meta_data.pplcz_parcelshop_data.code',
	// GLS: plugin gls-shipping-for-woocommerce, includes/api/class-gls-shipping-api-data.php.
	'meta_data._gls_pickup_info.id',
	// InPost: plugin inpost-for-woocommerce, EasyPack.php.
	'meta_data._parcel_machine_id',
	// DPD in the Baltic states: plugin woo-shipping-dpd-baltic, admin/class-dpd-admin.php.
	'meta_data.wc_shipping_dpd_parcels_terminal',
	'meta_data.wc_shipping_dpd_sameday_parcels_terminal',
	// Omniva: mijora/omniva-woocommerce, core/class-core.php.
	'meta_data._omnivalt_terminal_id',
	// Foxpost: plugin foxpost-woo-parcel, its list of parcels to send.
	'meta_data.foxpost_woo_parcel_apt_id',
	// Several carriers in Hungary: plugin hungarian-pickup-points-for-woocommerce, index.php.
	'meta_data._vp_woo_pont_point_id',
];

function readWooCommerce(order: Json, codMethods: string): ShopOrder {
	const of = (path: string) => at(order, path);
	const address = addressOf([of('shipping'), of('billing')], 'address_1') ?? {};
	const phone = phoneOf([address.phone], [of('billing.phone'), of('billing.country')]);
	// The amounts of refunds are negative.
	const refunds = [of('refunds') ?? []].flat().map((refund) => at(refund, 'total'));
	const total = sumOf(of('total'), refunds);
	const payment = readPayment(
		{
			due: total,
			isPaid: isText(of('date_paid')),
			// Only the method `cod` has no date yet when WooCommerce marks the order as ready to ship.
			isDelivered: isOneOf(of('status'), 'completed'),
			status: of('status'),
			isPending: isOneOf(of('status'), 'pending'),
			methods: [of('payment_method')],
			cashOnDelivery: ['cod'],
			notCashOnDelivery: ['bacs', 'cheque'],
		},
		codMethods,
	);
	const point = readPickupPoint(order, WOOCOMMERCE_POINTS);
	// The latter is of the checkout that consists of blocks. Plugins for pickup points use the same methods.
	const isPickedUp = isOneOf(of('shipping_lines.0.method_id'), 'local_pickup', 'pickup_location');
	const ended = ['cancelled', 'checkout-draft', 'failed', 'refunded', 'trash'];
	return {
		values: {
			packageNumberCustom: of('number'),
			shopOrderId: of('id'),
			price: total,
			branchId: point.code,
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
			recPhone: phone.value,
			recEmail: of('billing.email'),
		},
		shippingMethod: of('shipping_lines.0.method_title'),
		phoneCountry: phone.country,
		isUnpaid: payment.isUnpaid,
		problems: [
			...(isOneOf(of('status'), ...ended) ? [notShipped(statusText(of('status')))] : []),
			...(isPickedUp ? [PICKED_UP] : []),
			...point.problems,
			...payment.problems,
		],
	};
}

function readShopify(order: Json, codMethods: string): ShopOrder {
	const of = (path: string) => at(order, path);
	// Shopify has none for a pickup at the shop and a sale at its counter.
	const address = addressOf([of('shipping_address')], 'address1');
	const { name, first_name, last_name, ...where } = address ?? {};
	const billing = first(of('billing_address.country_code'), of('billing_address.country'));
	const phone = phoneOf(
		[where.phone],
		[of('phone')],
		[of('billing_address.phone'), billing],
		[of('customer.phone')],
	);
	// Without what was removed or refunded after the order.
	const totalPath = isEmpty(of('current_total_price')) ? 'total_price' : 'current_total_price';
	const total = sumOf(of(totalPath), []);
	const due = sumOf(first(of('total_outstanding'), of(totalPath)), []);
	const status = of('financial_status');
	const payment = readPayment(
		{
			due,
			isPaid: isOneOf(status, 'paid', 'authorized', 'partially_refunded', 'refunded'),
			isPaidUnknown: (status ?? null) === null,
			status,
			// Not `pending`, which each manual payment is as well, for example an invoice.
			isPending: isOneOf(status, 'expired'),
			// A gift card pays a part besides another method. It says nothing about the rest.
			methods: [of('payment_gateway_names')].flat().filter((each) => !isOneOf(each, 'gift_card')),
			cashOnDelivery: ['cash on delivery (cod)', 'cash on delivery'],
			notCashOnDelivery: ['bank deposit', 'money order'],
		},
		codMethods,
	);
	const point = readPickupPoint(order, [
		// Atlas Pickup Points: atlaspickuppoints.com/docs/developer-reference/metafield-specification.
		'metafields.atlas_pickup_points/point.code',
	]);
	const collected = inCurrencyOfCustomer(order, { due, total, totalPath });
	const products = [of('line_items') ?? []].flat();
	// An order that was not placed in the shop can have an address all the same.
	const isNothingToShip =
		products.length > 0 &&
		products.every((each) => String(at(each, 'requires_shipping')) === 'false');
	const reasons = [
		...(isText(of('cancelled_at')) ? [notShipped(CANCELED)] : []),
		...(isOneOf(status, 'refunded', 'voided') ? [notShipped(statusText(status))] : []),
		...(isNothingToShip ? [notShipped(NOTHING_TO_SHIP)] : []),
	];
	const weight = toNumber(of('total_weight'));
	return {
		values: {
			// Not `name`, because services refuse its number sign.
			packageNumberCustom: of('order_number'),
			shopOrderId: of('id'),
			price: total,
			branchId: point.code,
			cod: payment.cod,
			codPrice: collected.amount,
			codCurrency: collected.currency,
			// In grams. What is no number is refused like any other value.
			weight: weight === undefined ? of('total_weight') : weight / 1000,
			note: of('note'),
			recName: first(name, join(' ', first_name, last_name)),
			recCompany: where.company,
			recStreet: join(', ', where.address1, where.address2),
			recCity: where.city,
			recZip: where.zip,
			recCountry: first(where.country_code, where.country),
			recPhone: phone.value,
			recEmail: first(of('email'), of('contact_email'), of('customer.email')),
		},
		shippingMethod: of('shipping_lines.0.title'),
		phoneCountry: phone.country,
		isUnpaid: payment.isUnpaid,
		problems: [
			...reasons,
			...(!address && reasons.length === 0 ? [NO_ADDRESS] : []),
			...point.problems,
			...collected.problems,
			...payment.problems,
		],
	};
}

function readShoptet(order: Json, codMethods: string): ShopOrder {
	const of = (path: string) => at(order, path);
	const address = addressOf([of('deliveryAddress'), of('billingAddress')], 'street') ?? {};
	const total = sumOf(of('price.withVat'), []);
	const due = sumOf(first(of('price.toPay'), of('price.withVat')), []);
	const payment = readPayment(
		{
			due,
			isPaid: isOneOf(of('paid'), 'true'),
			isPaidUnknown: (of('paid') ?? null) === null,
			methods: [of('paymentMethod.name'), of('billingMethod.name')],
			cashOnDelivery: ['dobirkou', 'dobirka', 'dobierkou', 'dobierka', 'na dobirku', 'na dobierku'],
			notCashOnDelivery: [],
		},
		codMethods,
	);
	// shoptet/developers, openapi.yaml. The API returns it only with include=shippingDetails.
	const point = readPickupPoint(order, ['shippingDetails.branchId']);
	// Of the system status that is called Stornována, unless the shop has renamed it.
	const isCanceled = isOneOf(of('status.id'), '-4');
	const isSoldHere = isOneOf(of('cashDeskOrder'), 'true');
	return {
		values: {
			packageNumberCustom: of('code'),
			shopOrderId: of('code'),
			price: total,
			branchId: point.code,
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
		phoneCountry: undefined,
		isUnpaid: payment.isUnpaid,
		problems: [
			...(isCanceled ? [notShipped(CANCELED)] : []),
			...(isSoldHere ? [notShipped('The order was sold at the cash desk')] : []),
			...point.problems,
			...payment.problems,
		],
	};
}

const CANCELED = 'The order is canceled in the shop';
const NOTHING_TO_SHIP = 'The order has nothing to ship: none of its products requires shipping';
const AN_ORDER_TO_SHIP =
	'an order to ship. Leave out orders like this one with a Filter node before this node, or change the order in the shop';

const statusText = (status: unknown) => `The order has the status ${showValue(status)} in the shop`;

const notShipped = (message: string) => problemOf('orderData', message, AN_ORDER_TO_SHIP);

/** How the user sets a field in place of the shop's value. */
const toSet = (field: 'branchId' | 'cod' | 'recStreet') =>
	`add '${captions[field]}' to '${captions.overrides}'`;

const PICKED_UP = problemOf(
	'branchId',
	'The customer picks the order up at the shop',
	`${AN_ORDER_TO_SHIP}. To ship it to a pickup point, ${toSet('branchId')}`,
);

const NO_ADDRESS = problemOf(
	'recStreet',
	'The order has no delivery address: it may have nothing to ship, or the customer may pick it up at the shop',
	`an order to deliver. Leave out orders like this one with a Filter node before this node. To ship it anyway, ${toSet('recStreet')}, with the other fields of the address`,
);

/** The first address with a street, or else the first one that has anything. */
function addressOf(addresses: readonly unknown[], street: string): Json | undefined {
	const found =
		addresses.find((each) => !isEmpty(at(each, street))) ??
		addresses.find((each) => isRecord(each) && !Object.values(each).every(isEmpty));
	return found as Json | undefined;
}

/** The first phone, with the country of its own address. */
function phoneOf(...phones: Array<[phone: unknown, country?: unknown]>) {
	const [value, country] = phones.find(([phone]) => !isEmpty(phone)) ?? [];
	const code = typeof country === 'string' ? (findCountryCode(country) ?? country) : undefined;
	return { value, country: code };
}

/** The code of the pickup point, unless two plugins have stored different ones. */
function readPickupPoint(order: Json, paths: readonly string[]) {
	const points = paths
		.map((path) => [path, at(order, path)] as const)
		.filter(([, code]) => !isEmpty(code));
	const codes = new Set(points.map(([, code]) => String(code).trim()));
	if (codes.size < 2) return { code: points[0]?.[1], problems: [] };
	const found = points.map(([path, code]) => `${showValue(code)} (${path})`).join(' and ');
	const expected = `one. To say which one counts, ${toSet('branchId')}`;
	const message = `The order has different pickup points: ${found}`;
	return { code: undefined, problems: [problemOf('branchId', message, expected)] };
}

interface Payment {
	/** What is left to pay. */
	due: unknown;
	isPaid: boolean;
	/** The shop does not say whether the order is paid. */
	isPaidUnknown?: boolean;
	/** Unless set to false, a shop marks cash on delivery as paid only when it was. */
	isDelivered?: boolean;
	status?: unknown;
	/** Not paid yet, or never. Only matters for methods that the shop does not know. */
	isPending?: boolean;
	methods: readonly unknown[];
	/** Methods of the shop itself that mean cash on delivery, and those that do not, without accents. */
	cashOnDelivery: readonly string[];
	notCashOnDelivery: readonly string[];
}

/** Whether the recipient pays on delivery. Any other payment method is the user's to decide. */
function readPayment(payment: Payment, codMethods: string) {
	const { due, isPaid, isPaidUnknown = false, isPending = false } = payment;
	const cod = due === 0 ? false : readMethod(payment, codMethods);
	const isUnpaid = typeof due === 'number' && due > 0 && !isPaid && !isPaidUnknown;
	const problems: Problem[] = [];
	if (cod === undefined) {
		const expected = `a payment method in the order. To set it yourself, ${toSet('cod')}`;
		problems.push(problemOf('cod', 'The order is not paid and has no payment method', expected));
	} else if (isPending && cod !== false && cleanPaymentMethod(cod, codMethods) === false) {
		// A method that means no because the user has listed those that mean yes.
		const expected = `an order that is paid, or that is paid on delivery. Leave it out with a Filter node before this node. To ship it anyway, ${toSet('cod')}`;
		const message = `The order is not paid: it has the status ${showValue(payment.status)} in the shop`;
		problems.push(problemOf('cod', message, expected));
	}
	return { cod, isUnpaid, problems };
}

/** True or false, or a method of which the shop does not say whether it is cash on delivery. */
function readMethod(payment: Payment, codMethods: string): unknown {
	const { isPaid, isDelivered = true, cashOnDelivery, notCashOnDelivery } = payment;
	const methods = payment.methods.filter((method) => !isEmpty(method));
	const isIn = (names: readonly string[]) => (method: unknown) =>
		typeof method === 'string' && names.includes(foldText(method));
	// A method that the user has listed means cash on delivery, also if the shop's own meaning is another one.
	const listed = methods.find((method) => isCashOnDeliveryMethod(method, codMethods));
	const isKnown = methods.some(isIn(cashOnDelivery));
	const isCod = listed !== undefined || isKnown;
	if (isPaid && (!isCod || isDelivered)) return false;
	if (isKnown) return true;
	const unknown = methods.find((method) => !isIn(notCashOnDelivery)(method));
	return listed ?? unknown ?? (methods.length > 0 ? false : undefined);
}

/** What is collected from a customer of Shopify who pays in another currency than that of the shop. */
function inCurrencyOfCustomer(
	order: Json,
	{ due, total, totalPath }: { due: unknown; total: unknown; totalPath: string },
): { amount?: unknown; currency: unknown; problems: Problem[] } {
	const currency = at(order, 'currency');
	const local = at(order, 'presentment_currency');
	if (isEmpty(local) || local === currency) return { amount: due, currency, problems: [] };
	const amount = toNumber(at(order, `${totalPath}_set.presentment_money.amount`));
	if (due === total && amount !== undefined) return { amount, currency: local, problems: [] };
	const expected = `the rest in ${String(local)}. Add '${captions.codPrice}' to '${captions.overrides}'`;
	const message = `The customer pays in ${String(local)}, but the order only says what is left to pay in ${String(currency)}: ${String(due)}`;
	return { currency: local, problems: [problemOf('codPrice', message, expected)] };
}

/** What is no number is refused like any other value. */
function sumOf(amount: unknown, more: readonly unknown[]): unknown {
	const number = toNumber(amount);
	if (number === undefined) return amount;
	const sum = more.reduce<number>((total, each) => total + (toNumber(each) ?? 0), number);
	// 0.3 - 0.1 is not exactly 0.2.
	return Number(sum.toFixed(6));
}

function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || isEmpty(value))) return undefined;
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
}

const isText = (value: unknown) => typeof value === 'string' && !isEmpty(value);

const isOneOf = (value: unknown, ...values: string[]) =>
	values.includes(String(value).toLowerCase());

const first = (...values: unknown[]) => values.find((value) => !isEmpty(value));

/** The values that are not empty. What is no text cannot be joined, and is refused. */
function join(separator: string, ...values: unknown[]): unknown {
	const parts = values.filter((value) => !isEmpty(value));
	if (parts.length < 2) return parts[0];
	return parts.find((part) => typeof part === 'object') ?? parts.map(String).join(separator).trim();
}

/** The value at a path such as `shipping_lines.0.title` or `meta_data._packetery_point_id`. */
const at = (value: unknown, path: string): unknown => path.split('.').reduce(valueOfKey, value);

/** The value of one key. Of several entries with it in a list, the first one that is not empty. */
function valueOfKey(given: unknown, key: string): unknown {
	// Some plugins store JSON as text.
	const of = typeof given === 'string' ? parseJson(given) : given;
	if (typeof of !== 'object' || of === null) return undefined;
	// The length of a list is no value of a key.
	if (Object.prototype.propertyIsEnumerable.call(of, key))
		return (of as Record<string, unknown>)[key];
	if (!Array.isArray(of)) return undefined;
	return of.find((entry) => keyOf(entry) === key && !isEmpty(entry.value))?.value;
}

/** WooCommerce writes `key`, the attributes of Shopify `name`, and its metafields a namespace as well. */
function keyOf(entry: unknown): string | undefined {
	if (!isRecord(entry)) return undefined;
	const key = String(entry.key ?? entry.name);
	return entry.namespace === undefined ? key : `${String(entry.namespace)}/${key}`;
}
