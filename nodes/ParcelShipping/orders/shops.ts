import type { MappedFieldName } from './fields';

/** Fits what has one of these values at the path; with any text, if there are none. */
export interface Criterion {
	path: string;
	values?: readonly string[];
}

/**
 * Where a shop keeps what a shipment needs, as its public API documents orders. Paths begin at the order;
 * `address` is its delivery address. The first path that has a value counts. Several paths in one text
 * are joined by what stands between them. In a list of keys and values, a path continues with the key.
 */
export interface Shop {
	caption: string;
	/** What only orders of this shop have. */
	identifiedBy: readonly string[];
	/** Where the order is, if not in the item itself. */
	order?: string;
	/**
	 * Orders that are not shipped. With `of`, it must fit everything in that list. Without a message, it
	 * is the status of the order. With `unlessPickupPoint`, those with a pickup point are shipped.
	 */
	notShipped: ReadonlyArray<
		Criterion & { of?: string; message?: string; unlessPickupPoint?: true }
	>;
	/** The first one with a street counts. If there is only one path, an order without that address is not to be delivered. */
	addressPaths: readonly string[];
	street: string;
	/**
	 * The shop's API knows the order by `shopOrderId`. The parts of a name are used only if the user replaces
	 * the other part.
	 */
	fields: Readonly<Partial<Record<MappedFieldName, readonly string[]>>>;
	/** The lists of keys and values in which plugins keep what the shop itself has no field for. */
	metadata: readonly string[];
	/** Where the shop and its plugins keep the code of the pickup point. */
	pickupPoint: readonly string[];
	shippingMethod: readonly string[];
	/** How many units of the weight are a kilogram. */
	unitsPerKilogram?: number;
	payment: {
		paid: Criterion;
		/** For cash on delivery, this must fit, too, if the shop marks it as paid before it is delivered. */
		delivered?: Criterion;
		/** A method, or a list of them. */
		methods: readonly string[];
		/** Not paid yet, or never. Only matters for methods that the shop does not know. */
		pending?: Criterion;
		/** What pays a part besides another method. It says nothing about the rest. */
		partial?: readonly string[];
		/** Methods of the shop itself that mean cash on delivery, and those that do not, without accents. */
		cashOnDelivery: readonly string[];
		notCashOnDelivery: readonly string[];
		/** What is left to pay. */
		amount: readonly string[];
		/** The refunds that the amount and the price still contain, with their own amounts, which are negative. */
		refunds?: { list: string; amount: string };
		/** The currency that the customer pays in, and the end of the path of a total in that currency. */
		local?: { currency: string; total: string };
	};
}

/** The choice of 'Order Data' without a shop. */
export const MAPPED = 'mapped';

const NAME_PARTS = { recFirstName: ['address.first_name'], recLastName: ['address.last_name'] };

const CANCELED = 'The order is canceled in the shop';

export const SHOPS: Readonly<Record<string, Shop>> = {
	wooCommerce: {
		caption: 'WooCommerce Order',
		identifiedBy: ['number', 'billing'],
		notShipped: [
			{ path: 'status', values: ['cancelled', 'checkout-draft', 'failed', 'refunded', 'trash'] },
			{
				// The latter is of the checkout that consists of blocks.
				path: 'shipping_lines.0.method_id',
				values: ['local_pickup', 'pickup_location'],
				message: 'The customer picks the order up at the shop',
				// Plugins for pickup points use the same methods.
				unlessPickupPoint: true,
			},
		],
		addressPaths: ['shipping', 'billing'],
		street: 'address_1',
		fields: {
			packageNumberCustom: ['number'],
			shopOrderId: ['id'],
			price: ['total'],
			codCurrency: ['currency'],
			note: ['customer_note'],
			recName: ['address.first_name address.last_name'],
			...NAME_PARTS,
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
			// Only the method `cod` has no date yet when WooCommerce marks the order as ready to ship.
			delivered: { path: 'status', values: ['completed'] },
			pending: { path: 'status', values: ['pending'] },
			methods: ['payment_method'],
			cashOnDelivery: ['cod'],
			notCashOnDelivery: ['bacs', 'cheque'],
			amount: ['total'],
			refunds: { list: 'refunds', amount: 'total' },
		},
	},
	shopify: {
		caption: 'Shopify Order',
		identifiedBy: ['order_number', 'total_price'],
		notShipped: [
			{ path: 'cancelled_at', message: CANCELED },
			{ path: 'financial_status', values: ['refunded', 'voided'] },
			// An order that was not placed in the shop can have an address all the same.
			{
				of: 'line_items',
				path: 'requires_shipping',
				values: ['false'],
				message: 'The order has nothing to ship: none of its products requires shipping',
			},
		],
		// Shopify has none for a pickup at the shop and a sale at its counter.
		addressPaths: ['shipping_address'],
		street: 'address1',
		fields: {
			// Not `name`, because services refuse its number sign.
			packageNumberCustom: ['order_number'],
			shopOrderId: ['id'],
			// Without what was removed or refunded after the order.
			price: ['current_total_price', 'total_price'],
			codCurrency: ['currency'],
			weight: ['total_weight'],
			note: ['note'],
			recName: ['address.name', 'address.first_name address.last_name'],
			...NAME_PARTS,
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
			// Not `pending`, which each manual payment is as well, for example an invoice.
			pending: { path: 'financial_status', values: ['expired'] },
			methods: ['payment_gateway_names'],
			partial: ['gift_card'],
			cashOnDelivery: ['cash on delivery (cod)', 'cash on delivery'],
			notCashOnDelivery: ['bank deposit', 'money order'],
			amount: ['total_outstanding', 'current_total_price', 'total_price'],
			local: { currency: 'presentment_currency', total: '_set.presentment_money.amount' },
		},
	},
	shoptet: {
		caption: 'Shoptet Order',
		identifiedBy: ['code', 'price.withVat'],
		order: 'data.order',
		notShipped: [
			// Of the system status that is called Stornována, unless the shop has renamed it.
			{ path: 'status.id', values: ['-4'], message: CANCELED },
			{ path: 'cashDeskOrder', values: ['true'], message: 'The order was sold at the cash desk' },
		],
		addressPaths: ['deliveryAddress', 'billingAddress'],
		street: 'street',
		fields: {
			packageNumberCustom: ['code'],
			shopOrderId: ['code'],
			price: ['price.withVat'],
			codCurrency: ['price.currencyCode'],
			// The API returns notes only with include=notes.
			note: ['notes.customerRemark'],
			recName: ['address.fullName'],
			recCompany: ['address.company'],
			recStreet: ['address.street address.houseNumber, address.additional'],
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
			notCashOnDelivery: [],
			amount: ['price.toPay', 'price.withVat'],
		},
	},
};
