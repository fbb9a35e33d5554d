import { foldText } from '../lists';
import { isRecord, parseJson } from '../records';
import type { CreationFieldName } from './fields';
import { isEmpty } from './kinds';

/**
 * Where a shop keeps what a shipment needs, as its public API documents orders. Paths begin at the order;
 * `address` is its delivery address. The first path that has a value counts. Several paths in one text
 * are joined by what stands between them. In a list of keys and values, a path continues with the key.
 */
export interface Shop {
	caption: string;
	/** What only orders of this shop have. */
	marks: readonly string[];
	/** The ID by which the shop's API knows the order. Its number may be another one. */
	id: string;
	/** Where the order is, if not in the item itself. */
	order?: string;
	/** The first one with a street counts: without a delivery address, the order goes to the billing address. */
	addresses: readonly string[];
	street: string;
	fields: Readonly<Partial<Record<CreationFieldName, readonly string[]>>>;
	/** The lists of keys and values in which plugins keep what the shop itself has no field for. */
	metadata: readonly string[];
	/** Where the shop and its plugins keep the code of the pickup point. */
	pickupPoint: readonly string[];
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
		marks: ['number', 'billing'],
		id: 'id',
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
		metadata: ['meta_data', 'shipping_lines.0.meta_data'],
		pickupPoint: [
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
		],
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
		marks: ['order_number', 'total_price'],
		id: 'id',
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
		metadata: ['note_attributes', 'metafields'],
		pickupPoint: [
			// Atlas Pickup Points: atlaspickuppoints.com/docs/developer-reference/metafield-specification.
			'metafields.atlas_pickup_points/point.code',
		],
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
		marks: ['code', 'price.withVat'],
		id: 'code',
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
		metadata: [],
		// shoptet/developers, openapi.yaml. The API returns it only with include=shippingDetails.
		pickupPoint: ['shippingDetails.branchId'],
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
	/** By the names of the form's fields. Without a value, a field is missing. */
	values: Record<string, unknown>;
	shippingMethod: unknown;
	/** The codes of the pickup point, by where they are. If they differ, none is in `values`. */
	pickupPoints: ReadonlyArray<readonly [path: string, code: unknown]>;
}

/** The shop whose order the item is, if it is not an order of this one. */
export function findOtherShop(json: unknown, shop: Shop): Shop | undefined {
	const isOrderOf = ({ order, marks }: Shop) => {
		const from = (order && at(json, order)) ?? json;
		return marks.every((path) => !isEmpty(at(from, path)));
	};
	return isOrderOf(shop) ? undefined : Object.values(SHOPS).find(isOrderOf);
}

/** The value of a key in the metadata of an order. */
export function readMetadata(json: unknown, shop: Shop, key: string): unknown {
	const order = (shop.order && at(json, shop.order)) ?? json;
	const values = shop.metadata.map((path) => at(order, `${path}.${key}`));
	return values.find((value) => !isEmpty(value));
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
	const shopOrderId = at(order, shop.id);
	if (!isEmpty(shopOrderId)) values.shopOrderId = shopOrderId;
	const pickupPoints = shop.pickupPoint
		.map((path) => [path, at(order, path)] as const)
		.filter(([, code]) => !isEmpty(code));
	const [[, code] = []] = pickupPoints;
	if (pickupPoints.every(([, other]) => String(other).trim() === String(code).trim())) {
		if (code !== undefined) values.branchId = code;
	}
	const weight = toNumber(values.weight);
	// Shops write 0 if they do not know the weight. What is no number is refused like any other value.
	if (weight === 0) delete values.weight;
	else if (weight !== undefined) values.weight = weight / (shop.unitsPerKilogram ?? 1);

	const due = read(shop.payment.amount);
	values.cod = toNumber(due) === 0 ? false : readPayment(order, shop.payment);
	if (values.cod !== false) values.codPrice = due;
	return { values, shippingMethod: read(shop.shippingMethod), pickupPoints };
}

/** Where the order has a field, in words: "shipping phone or billing phone". */
export function placesOf(name: CreationFieldName, { fields, addresses }: Shop): string | undefined {
	const [delivery = ''] = addresses;
	const places = (fields[name] ?? []).map((paths) =>
		paths
			.replace(/,? /g, ' and ')
			.replaceAll('address.', `${delivery}.`)
			.replace(/[._]/g, ' ')
			.replace(/([a-z])([A-Z0-9])/g, '$1 $2')
			.toLowerCase(),
	);
	return places.length > 0 ? [...new Set(places)].join(' or ') : undefined;
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

/** The value at a path such as `shipping_lines.0.title` or `meta_data._packetery_point_id`. */
function at(value: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((given, key) => {
		// Some plugins store JSON as text.
		const of = typeof given === 'string' ? parseJson(given) : given;
		if (typeof of !== 'object' || of === null) return undefined;
		if (Object.hasOwn(of, key)) return (of as Record<string, unknown>)[key];
		return Array.isArray(of) ? of.find((entry) => keyOf(entry) === key)?.value : undefined;
	}, value);
}

/** WooCommerce writes `key`, the attributes of Shopify `name`, and its metafields a namespace as well. */
function keyOf(entry: unknown): string | undefined {
	if (!isRecord(entry)) return undefined;
	const key = String(entry.key ?? entry.name);
	return entry.namespace === undefined ? key : `${String(entry.namespace)}/${key}`;
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
