import type { ShipmentCreation } from '../transport/contract';
import type { FieldKind } from './values';

/** What is sent from the mapping. The service is a parameter of its own. */
export type SentFieldName = Exclude<
	keyof ShipmentCreation,
	'serviceType' | 'piecesCount' | 'senderEnabled' | 'coverEnabled'
>;

type AddressPrefix = 'rec' | 'sender' | 'cover';
type ShipmentFieldName = Exclude<SentFieldName, `${AddressPrefix}${string}`> | 'shopOrderId';

interface MappedField {
	caption: string;
	/** Which values it accepts and how they are sent, see `kinds`. */
	kind: FieldKind;
	description: string;
	example: string;
	required?: true;
	/** Shown in the form from the start. The user adds the others. */
	isShown?: boolean;
}

const shipmentFields: Readonly<Record<ShipmentFieldName, MappedField>> = {
	packageNumberCustom: {
		caption: 'Order Number',
		kind: 'text',
		description: 'Number of the order in your shop, unique for each shipment',
		example: 'WEB-2026-0042',
		required: true,
		isShown: true,
	},
	// Not sent. It is in the output, for what comes after: the shop's API knows the order by it.
	shopOrderId: {
		caption: 'Shop Order ID',
		kind: 'shopId',
		description:
			'ID of the order in your shop, which its API needs to update the order. Not sent, only returned as shopOrderId',
		example: '5500000001201',
		isShown: true,
	},
	price: {
		caption: 'Shipment Value',
		kind: 'money',
		description: 'Value of the goods in the shipment',
		example: '1200.50',
		required: true,
		isShown: true,
	},
	pieceCount: {
		caption: 'Piece Count',
		kind: 'count',
		description: 'Number of pieces, if more than one; some carriers accept only one',
		example: '2',
	},
	weight: {
		caption: 'Weight',
		kind: 'amount',
		description: 'Weight in kilograms, which most carriers require',
		example: '1.5',
	},
	branchId: {
		caption: 'Pickup Point Code',
		kind: 'text',
		description:
			"Code of the pickup point in the carrier's system, as returned by Pickup Point: Get Many, for services that deliver to a pickup point",
		example: 'P-001',
		isShown: true,
	},
	cod: {
		caption: 'Cash on Delivery',
		kind: 'codChoice',
		description:
			"Whether the recipient pays the 'Shipment Value' on delivery. Not read if 'Cash on Delivery Amount' is mapped",
		example: 'true',
		isShown: true,
	},
	codPrice: {
		caption: 'Cash on Delivery Amount',
		kind: 'money',
		description:
			'Amount the recipient pays on delivery. If it is mapped, it decides alone: more than 0 is collected, and without a value, nothing is',
		example: '1200.50',
		isShown: true,
	},
	codCurrency: {
		caption: 'Cash on Delivery Currency',
		kind: 'currency',
		description: 'Currency of the cash-on-delivery amount as a three-letter code (ISO 4217)',
		example: 'CZK',
		isShown: true,
	},
	vs: {
		caption: 'Variable Symbol',
		kind: 'text',
		description: 'Variable symbol of the cash-on-delivery payment',
		example: '0000012',
	},
	services: {
		caption: 'Additional Services',
		kind: 'list',
		description: 'Codes of additional services of the carrier, separated by commas',
		example: 'SMS, INSURANCE',
	},
	note: {
		caption: 'Note',
		kind: 'text',
		description: 'Note for the carrier, printed on the label by some carriers',
		example: 'Ring the bell twice',
	},
	reference: {
		caption: 'Reference',
		kind: 'text',
		description: 'Another number of yours, printed on the label by some carriers',
		example: 'INV-2026-0042',
	},
	width: {
		caption: 'Width',
		kind: 'amount',
		description: 'Width in centimeters, or in meters if the carrier wants that',
		example: '30',
	},
	height: {
		caption: 'Height',
		kind: 'amount',
		description: 'Height in centimeters, or in meters if the carrier wants that',
		example: '20',
	},
	length: {
		caption: 'Length',
		kind: 'amount',
		description: 'Length in centimeters, or in meters if the carrier wants that',
		example: '40',
	},
	insurancePrice: {
		caption: 'Insured Value',
		kind: 'money',
		description: 'Amount to insure the shipment for',
		example: '5000',
	},
	insuranceCurrency: {
		caption: 'Insured Value Currency',
		kind: 'currency',
		description: 'Currency of the insured value as a three-letter code (ISO 4217)',
		example: 'CZK',
	},
	smsNotification: {
		caption: 'SMS Notification',
		kind: 'yesNo',
		description: 'Whether the carrier sends an SMS to the recipient',
		example: 'true',
	},
	ageCheck: {
		caption: 'Age Check',
		kind: 'age',
		description: 'Whether the carrier checks the age of the recipient, or the age to check',
		example: 'true',
	},
	pickupDate: {
		caption: 'Pickup Date',
		kind: 'day',
		description: 'Day on which the carrier picks the shipment up',
		example: '2026-01-14',
	},
	packageNumberOrder: {
		caption: 'Piece Number',
		kind: 'count',
		description:
			"Number of this piece in a shipment of several pieces, for carriers that do not take 'Piece Count'",
		example: '1',
	},
	orderId: {
		// The caption names the service because the form shows nothing else: a shop's own order number
		// in this field would attach an unrelated order.
		caption: 'Order ID in the Shipping Service',
		kind: 'count',
		description:
			"ID of an order in the service's own administration to attach to the shipment, not your shop's order number",
		example: '501',
	},
};

const addressTexts = {
	rec: {
		caption: 'Recipient',
		party: 'the recipient',
		name: 'Name of the recipient',
		nameExample: 'Jana Nováková',
		email: 'jana@example.com',
	},
	// For a pickup at another place than usual, such as a return. Not every service accepts it.
	sender: {
		caption: 'Sender',
		party: 'the sender',
		name: 'Name of the sender, where the shipment is picked up',
		nameExample: 'Jana Nováková',
		email: 'jana@example.com',
	},
	// Shown to the recipient instead of the sender. Not every service accepts it.
	cover: {
		caption: 'Cover',
		party: 'the cover address',
		name: 'Name shown instead of the sender',
		nameExample: 'Žofie Šťastná',
		email: 'shop@example.com',
	},
} as const;

function addressFields(prefix: AddressPrefix): Record<string, MappedField> {
	const { caption, party, name, nameExample, email } = addressTexts[prefix];
	const field = (part: string, kind: FieldKind, description: string, example: string) => ({
		...{ caption: `${caption} ${part}`, kind, description, example },
		isShown: prefix === 'rec',
	});
	const street = `Street and house number of ${party}`;
	const zip = `Postal code of ${party}, with its leading zeros`;
	const country = `Country of ${party}: a two-letter code (ISO 3166) or a name`;
	const phone = `Phone of ${party}: plus sign, country prefix and digits, without spaces`;
	return {
		[`${prefix}Name`]: field('Name', 'text', name, nameExample),
		[`${prefix}Company`]: field('Company', 'text', `Company of ${party}`, 'Novák a syn s.r.o.'),
		[`${prefix}Street`]: field('Street', 'text', street, 'Dlouhá 12'),
		[`${prefix}City`]: field('City', 'text', `City of ${party}`, 'Praha'),
		[`${prefix}Zip`]: field('Postal Code', 'text', zip, '01001'),
		[`${prefix}Country`]: field('Country', 'country', country, 'CZ'),
		[`${prefix}Phone`]: field('Phone', 'phone', phone, '+420777123456'),
		[`${prefix}Email`]: field('Email', 'email', `Email address of ${party}`, email),
	};
}

export type MappedFieldName = SentFieldName | 'shopOrderId';

/** The fields of the mapping in the order of the form. The key is the service's own field name. */
export const mappedFields = {
	...shipmentFields,
	...addressFields('rec'),
	...addressFields('sender'),
	...addressFields('cover'),
} as Readonly<Record<MappedFieldName, MappedField>>;

export const mappedFieldNames = Object.keys(mappedFields) as MappedFieldName[];

export const isMappedField = (name: string): boolean => Object.hasOwn(mappedFields, name);

const parameterCaptions = {
	carrierService: 'Carrier and Service',
	shippingMethod: 'Shipping Method',
	rules: 'Carrier Rules',
	orderData: 'Order Data',
	shipment: 'Shipment',
	overrides: 'Replace Values of the Order',
	orderNumberPrefix: 'Order Number Prefix',
	additionalServices: 'Additional Service Names or IDs',
	additionalFields: 'Additional Fields',
	printerName: 'Printer',
};

export type ParameterName = keyof typeof parameterCaptions;

/** What the form and messages call a parameter or a mapped field. */
export const captions: Readonly<Record<ParameterName | MappedFieldName, string>> = {
	...parameterCaptions,
	...(Object.fromEntries(
		mappedFieldNames.map((name) => [name, mappedFields[name].caption]),
	) as Record<MappedFieldName, string>),
};

export const sentFieldNames = mappedFieldNames.filter((name) => name !== 'shopOrderId');

export const requiredFieldNames = sentFieldNames.filter((name) => mappedFields[name].required);
