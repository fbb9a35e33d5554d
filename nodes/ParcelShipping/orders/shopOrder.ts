import { foldText } from '../lists';
import { isRecord, parseJson } from '../records';
import { cleanPaymentMethod, isCashOnDeliveryMethod } from './cashOnDelivery';
import { findCountryCode } from './countries';
import { captions } from './fields';
import { type Problem, problemOf, showValue } from './order';
import { type Criterion, type Shop, SHOPS } from './shops';
import { isEmpty } from './values';

export interface ShopOrder {
	/** By the names of the form's fields. Without a value, a field is missing. */
	values: Record<string, unknown>;
	shippingMethod: unknown;
	/** The country of the address that the phone is from, if that is not the delivery address. It can be the same country. */
	phoneCountry: string | undefined;
	/** The shop says that something is left to pay. It can be cash on delivery, an invoice, or a transfer that has not come yet. */
	isUnpaid: boolean;
	/** Why the order cannot be shipped as it is. The user can set the field of a problem instead. */
	problems: Problem[];
}

const orderIn = (json: unknown, { order }: Shop) => (order && at(json, order)) ?? json;

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
export function readShopOrder(
	json: unknown,
	shop: Shop,
	codMethods: string,
): ShopOrder | undefined {
	const order = orderIn(json, shop);
	if (!isRecord(order)) return undefined;
	const addresses = shop.addressPaths.map((path) => at(order, path));
	const address =
		addresses.find((each) => !isEmpty(at(each, shop.street))) ??
		addresses.find((each) => isRecord(each) && !Object.values(each).every(isEmpty));
	const all = { ...order, address };
	const values: Record<string, unknown> = {};
	for (const [name, paths] of Object.entries(shop.fields)) {
		const value = firstOf(paths, all);
		if (value !== undefined) values[name] = value;
	}
	if (values.packageNumberCustom === undefined) return undefined;
	// What is no number is refused like any other value. In a number, a point is never one of thousands.
	const weight = toNumber(values.weight);
	if (weight !== undefined) values.weight = weight / (shop.unitsPerKilogram ?? 1);
	values.price = withoutRefunds(values.price, order, shop.payment);
	const due = withoutRefunds(firstOf(shop.payment.amount, order), order, shop.payment);
	values.cod = due === 0 ? false : readPayment(order, shop.payment, codMethods);
	const reasons = notShipped(order, shop);
	const hasNoAddress = !address && shop.addressPaths.length === 1;
	const problems = [
		...reasons,
		...(hasNoAddress && reasons.length === 0 ? [NO_ADDRESS] : []),
		...setPickupPoint(values, order, shop),
		...setAmount(values, due, order, shop),
		...paymentProblems(values.cod, order, shop.payment, codMethods),
	];
	return {
		values,
		shippingMethod: firstOf(shop.shippingMethod, all),
		isUnpaid: typeof due === 'number' && due > 0 && isCertainlyUnpaid(order, shop.payment),
		problems,
		phoneCountry: phoneCountryOf(all, shop),
	};
}

/** Sets the code of the pickup point, unless two plugins have stored different ones. */
function setPickupPoint(values: Record<string, unknown>, order: unknown, shop: Shop): Problem[] {
	const points = shop.pickupPoint
		.map((path) => [path, at(order, path)] as const)
		.filter(([, code]) => !isEmpty(code));
	const codes = new Set(points.map(([, code]) => String(code).trim()));
	if (codes.size === 1) values.branchId = points[0]?.[1];
	if (codes.size < 2) return [];
	const found = points.map(([path, code]) => `${showValue(code)} (${path})`).join(' and ');
	const expected = `one. To say which one counts, ${toSet('branchId')}`;
	return [problemOf('branchId', `The order has different pickup points: ${found}`, expected)];
}

/** How the user sets a field in place of the shop's value. */
const toSet = (field: 'branchId' | 'cod' | 'recStreet') =>
	`add '${captions[field]}' to '${captions.overrides}'`;

const NO_ADDRESS = problemOf(
	'recStreet',
	'The order has no delivery address: it may have nothing to ship, or the customer may pick it up at the shop',
	`an order to deliver. Leave out orders like this one with a Filter node before this node. To ship it anyway, ${toSet('recStreet')}, with the other fields of the address`,
);

function fits(of: unknown, { path, values }: Criterion): boolean {
	const value = at(of, path);
	if (values) return values.includes(String(value).toLowerCase());
	return typeof value === 'string' && !isEmpty(value);
}

function notShipped(order: unknown, shop: Shop): Problem[] {
	return shop.notShipped.flatMap(({ of, message, unlessPickupPoint, ...criterion }) => {
		const tested = of === undefined ? [order] : [at(order, of) ?? []].flat();
		if (tested.length === 0 || !tested.every((each) => fits(each, criterion))) return [];
		const status = showValue(at(order, criterion.path));
		const text = message ?? `The order has the status ${status} in the shop`;
		const expected =
			'an order to ship. Leave out orders like this one with a Filter node before this node, or change the order in the shop';
		if (!unlessPickupPoint) return [problemOf('orderData', text, expected)];
		return [
			problemOf(
				'branchId',
				text,
				`${expected}. To ship it to a pickup point, ${toSet('branchId')}`,
			),
		];
	});
}

/** Whether the recipient pays on delivery. Any other payment method is the user's to decide. */
function readPayment(
	order: unknown,
	{ paid, delivered, methods, partial = [], ...known }: Shop['payment'],
	codMethods: string,
): unknown {
	const isOneOf = (names: readonly string[]) => (method: unknown) =>
		typeof method === 'string' && names.includes(foldText(method));
	const given = methods
		.flatMap((path) => at(order, path))
		.filter((method) => !isEmpty(method) && !isOneOf(partial)(method));
	// A method that the user has listed means cash on delivery, also if the shop's own meaning is another one.
	const listed = given.find((method) => isCashOnDeliveryMethod(method, codMethods));
	const isKnownCod = given.some(isOneOf(known.cashOnDelivery));
	const isCod = listed !== undefined || isKnownCod;
	if (fits(order, paid) && (!isCod || !delivered || fits(order, delivered))) return false;
	if (isKnownCod) return true;
	const unknown = given.find((method) => !isOneOf(known.notCashOnDelivery)(method));
	return listed ?? unknown ?? (given.length > 0 ? false : undefined);
}

/** The shop does not know how the order is paid, or waits for the payment. */
function paymentProblems(
	cod: unknown,
	order: unknown,
	{ pending }: Shop['payment'],
	codMethods: string,
): Problem[] {
	if (cod === undefined) {
		const expected = `a payment method in the order. To set it yourself, ${toSet('cod')}`;
		return [problemOf('cod', 'The order is not paid and has no payment method', expected)];
	}
	// A method that means no because the user has listed those that mean yes.
	const isListedAsNo = cod !== false && cleanPaymentMethod(cod, { codMethods }) === false;
	if (!pending || !isListedAsNo || !fits(order, pending)) return [];
	const status = showValue(at(order, pending.path));
	const expected = `an order that is paid, or that is paid on delivery. Leave it out with a Filter node before this node. To ship it anyway, ${toSet('cod')}`;
	const message = `The order is not paid: it has the status ${status} in the shop`;
	return [problemOf('cod', message, expected)];
}

/** A status that is null is not known. */
const isCertainlyUnpaid = (order: unknown, { paid }: Shop['payment']) =>
	!fits(order, paid) && (!paid.values || (at(order, paid.path) ?? null) !== null);

/** What is no number is refused like any other value. */
function withoutRefunds(amount: unknown, order: unknown, { refunds }: Shop['payment']): unknown {
	const refunded = refunds ? [at(order, refunds.list) ?? []].flat() : [];
	const parts = [amount, ...refunded.map((refund) => at(refund, refunds?.amount ?? ''))].map(
		toNumber,
	);
	if (parts[0] === undefined) return amount;
	const sum = parts.reduce<number>((total, part = 0) => total + part, 0);
	// 0.3 - 0.1 is not exactly 0.2.
	return Number(sum.toFixed(6));
}

/** Sets what is collected: in the currency of the customer, if it is not that of the shop. */
function setAmount(
	values: Record<string, unknown>,
	due: unknown,
	order: unknown,
	{ fields, payment: { local } }: Shop,
): Problem[] {
	const { codCurrency: currency } = values;
	const localCurrency = local && at(order, local.currency);
	if (!local || isEmpty(localCurrency) || localCurrency === currency) {
		values.codPrice = due;
		return [];
	}
	values.codCurrency = localCurrency;
	const total = fields.price?.find((path) => !isEmpty(at(order, path))) ?? '';
	const amount = toNumber(at(order, `${total}${local.total}`));
	if (due === values.price && amount !== undefined) {
		values.codPrice = amount;
		return [];
	}
	const expected = `the rest in ${localCurrency}. Add '${captions.codPrice}' to '${captions.overrides}'`;
	const message = `The customer pays in ${localCurrency}, but the order only says what is left to pay in ${currency}: ${due}`;
	return [problemOf('codPrice', message, expected)];
}

/** A phone of another address has the calling code of the country there. */
function phoneCountryOf(order: unknown, { fields }: Shop): string | undefined {
	const [address = '', part] =
		fields.recPhone?.find((path) => !isEmpty(at(order, path)))?.split('.') ?? [];
	if (part === undefined || address === 'address') return undefined;
	const paths = fields.recCountry?.map((path) => path.replace('address', address)) ?? [];
	const country = firstOf(paths, order);
	return typeof country === 'string' ? (findCountryCode(country) ?? country) : undefined;
}

function toNumber(value: unknown): number | undefined {
	if (typeof value !== 'number' && (typeof value !== 'string' || isEmpty(value))) return undefined;
	const number = Number(value);
	return Number.isFinite(number) ? number : undefined;
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

/** The value at the first path that has one. */
const firstOf = (paths: readonly string[], order: unknown) =>
	paths.map((path) => join(order, path)).find((value) => !isEmpty(value));

/** The values at the paths in a text such as `street houseNumber, additional`, without the empty ones. */
function join(order: unknown, text: string): unknown {
	const separator = text.includes(', ') ? ', ' : ' ';
	const parts = text
		.split(separator)
		.map((path) => (path.includes(' ') ? join(order, path) : at(order, path)))
		.filter((part) => !isEmpty(part));
	// What is no text cannot be joined, and is refused.
	if (parts.length === 1) return parts[0];
	return parts.find((part) => typeof part === 'object') ?? parts.map(String).join(separator).trim();
}
