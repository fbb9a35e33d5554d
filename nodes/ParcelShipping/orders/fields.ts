import type { FieldType } from 'n8n-workflow';

import type { ShipmentCreation } from '../transport/contract';

/** The names of the mapped fields. The service is a parameter of its own. */
export type CreationFieldName = Exclude<
	keyof ShipmentCreation,
	'serviceType' | 'senderEnabled' | 'coverEnabled'
>;

type AddressPrefix = 'rec' | 'sender' | 'cover';
type AddressFieldName<Prefix extends AddressPrefix> = Extract<
	CreationFieldName,
	`${Prefix}${string}`
>;
type ShipmentFieldName = Exclude<CreationFieldName, AddressFieldName<AddressPrefix>>;

type KindFor<Value> = Value extends boolean
	? 'yesNo'
	: Value extends number
		? 'amount' | 'count' | 'recordId'
		: Value extends string
			? 'text' | 'phone' | 'country' | 'currency' | 'email'
			: 'list';

export type FieldKind = KindFor<boolean | number | string | object>;

export interface CreationField<Kind = FieldKind> {
	/** The name in the form and in messages. */
	caption: string;
	/** Which values it accepts and how they are sent, see `kinds`. */
	kind: Kind;
	description: string;
	example: string;
	required?: true;
	/** Shown in the form from the start. The user adds the others. */
	isShown?: true;
}

/** Exactly these fields, each of a kind that fits the type in the contract. */
type Fields<Name extends CreationFieldName> = {
	readonly [Field in Name]: CreationField<KindFor<NonNullable<ShipmentCreation[Field]>>>;
};

const shipmentFields = {
	packageNumberCustom: {
		caption: 'Custom Shipment Number',
		kind: 'text',
		description: 'Your unique reference for the shipment, such as the order number',
		example: 'WEB-2026-0042',
		required: true,
		isShown: true,
	},
	price: {
		caption: 'Price',
		kind: 'amount',
		description: 'Value of the shipment',
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
		kind: 'yesNo',
		description: 'Whether the recipient pays on delivery',
		example: 'true',
		isShown: true,
	},
	codPrice: {
		caption: 'Cash on Delivery Amount',
		kind: 'amount',
		description: 'Amount the recipient pays on delivery',
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
	orderId: {
		// The caption names the service because the form shows nothing else: a shop's own order number
		// in this field would attach an unrelated order.
		caption: 'Order ID in the Shipping Service',
		kind: 'recordId',
		description:
			"ID of an order in the service's own administration to attach to the shipment, not your shop's order number",
		example: '501',
	},
} as const satisfies Fields<ShipmentFieldName>;

interface Address {
	prefix: AddressPrefix;
	caption: string;
	/** As descriptions name it. */
	party: string;
	nameDescription: string;
	nameExample: string;
	emailExample: string;
	isShown?: true;
}

function addressFields<Prefix extends AddressPrefix>({
	prefix,
	caption,
	party,
	nameDescription,
	nameExample,
	emailExample,
	isShown,
}: Address & { prefix: Prefix }): Fields<AddressFieldName<Prefix>> {
	const parts: Array<[string, string, FieldKind, string, string]> = [
		['Name', 'Name', 'text', nameDescription, nameExample],
		['Company', 'Company', 'text', `Company of ${party}`, 'Novák a syn s.r.o.'],
		['Street', 'Street', 'text', `Street and house number of ${party}`, 'Dlouhá 12'],
		['City', 'City', 'text', `City of ${party}`, 'Praha'],
		['Zip', 'Postal Code', 'text', `Postal code of ${party}, with its leading zeros`, '01001'],
		[
			'Country',
			'Country Code',
			'country',
			`Country of ${party} as a two-letter code (ISO 3166)`,
			'CZ',
		],
		[
			'Phone',
			'Phone',
			'phone',
			`Phone of ${party}: plus sign, country prefix and digits, without spaces`,
			'+420777123456',
		],
		['Email', 'Email', 'email', `Email address of ${party}`, emailExample],
	];
	const fields = parts.map(([suffix, part, kind, description, example]) => [
		`${prefix}${suffix}`,
		{ caption: `${caption} ${part}`, kind, description, example, ...(isShown ? { isShown } : {}) },
	]);
	return Object.fromEntries(fields) as Fields<AddressFieldName<Prefix>>;
}

const recipientFields = addressFields({
	prefix: 'rec',
	caption: 'Recipient',
	party: 'the recipient',
	nameDescription: 'Name of the recipient',
	nameExample: 'Jana Nováková',
	emailExample: 'jana@example.com',
	isShown: true,
});

/** For a pickup at another place than usual, such as a return. Not every service accepts it. */
const senderFields = addressFields({
	prefix: 'sender',
	caption: 'Sender',
	party: 'the sender',
	nameDescription: 'Name of the sender, where the shipment is picked up',
	nameExample: 'Jana Nováková',
	emailExample: 'jana@example.com',
});

/** Shown to the recipient instead of the sender. Not every service accepts it. */
const coverFields = addressFields({
	prefix: 'cover',
	caption: 'Cover',
	party: 'the cover address',
	nameDescription: 'Name shown instead of the sender',
	nameExample: 'Žofie Šťastná',
	emailExample: 'shop@example.com',
});

/** The fields that the service has. The key is its own field name. */
export const creationFields: Readonly<Record<CreationFieldName, CreationField>> = {
	...shipmentFields,
	...recipientFields,
	...senderFields,
	...coverFields,
};

export const creationFieldNames = Object.keys(creationFields) as CreationFieldName[];
export const senderFieldNames = Object.keys(senderFields) as Array<keyof typeof senderFields>;
export const coverFieldNames = Object.keys(coverFields) as Array<keyof typeof coverFields>;

/** Fields of the form that the service does not have: see `joinNames`. */
export type NamePart = `${'rec' | 'sender'}${'First' | 'Last'}Name`;

const namePart = (caption: string, example: string): CreationField => ({
	caption,
	kind: 'text',
	description: `Instead of ${caption.replace(/(First|Last) /, '')}: the names are joined`,
	example,
});

const nameParts: Readonly<Record<NamePart, CreationField>> = {
	recFirstName: { ...namePart('Recipient First Name', 'Jana'), isShown: true },
	recLastName: { ...namePart('Recipient Last Name', 'Nováková'), isShown: true },
	senderFirstName: namePart('Sender First Name', 'Jana'),
	senderLastName: namePart('Sender Last Name', 'Nováková'),
};

/** The fields of the mapping in the order of the form. */
export const mappedFields = Object.fromEntries(
	Object.entries(creationFields).flatMap(([name, field]) => [
		[name, field],
		...Object.entries(nameParts).filter(([part]) => part.replace(/First|Last/, '') === name),
	]),
) as Readonly<Record<CreationFieldName | NamePart, CreationField>>;

export const mappedFieldNames = Object.keys(mappedFields) as Array<keyof typeof mappedFields>;

export const isMappedField = (name: string): boolean => Object.hasOwn(mappedFields, name);

interface Kind {
	/** The type of the field in the form. */
	mapperType: FieldType;
	expected: string;
	/** The value to send, or undefined if it would have to be guessed. */
	read(value: unknown): string | number | boolean | object | undefined;
}

/** What each kind of field accepts. A value that would have to be guessed is refused. */
export const kinds: Readonly<Record<FieldKind, Kind>> = {
	text: {
		mapperType: 'string',
		expected: 'text. Leading zeros and long numbers are only kept in text',
		read: readText,
	},
	phone: {
		mapperType: 'string',
		expected: 'a plus sign, the country prefix and digits without spaces, e.g. +420777123456',
		read: textMatching(/^\+[1-9]\d{5,14}$/),
	},
	country: {
		mapperType: 'string',
		expected: 'a country code of two letters, e.g. CZ',
		read: codeMatching(/^[A-Z]{2}$/),
	},
	currency: {
		mapperType: 'string',
		expected: 'a currency code of three letters, e.g. CZK',
		read: codeMatching(/^[A-Z]{3}$/),
	},
	email: {
		mapperType: 'string',
		expected: 'an email address, e.g. jana@example.com',
		read: textMatching(/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/),
	},
	amount: {
		mapperType: 'number',
		expected: 'a number of 0 or more with a decimal point and no spaces, e.g. 1200.50',
		read: readAmount,
	},
	count: {
		mapperType: 'number',
		expected: 'a whole number of 1 or more',
		read: readWholeNumber,
	},
	recordId: {
		mapperType: 'number',
		expected: "a whole number, the ID of an order in the service's own administration",
		read: readWholeNumber,
	},
	yesNo: {
		mapperType: 'boolean',
		expected:
			'true or false, or a payment method. The option Cash on Delivery Methods lists those that mean cash on delivery',
		read: (value) => BOOLEANS.get(value),
	},
	list: {
		mapperType: 'string',
		expected: 'codes separated by commas, or a JSON list',
		read: readCodes,
	},
};

const BOOLEANS = new Map<unknown, boolean>([
	[true, true],
	[false, false],
	// An expression inside a text gives a text.
	['true', true],
	['false', false],
]);

/** An expression may give a number for a text field. It is accepted if no digit can be lost. */
function readText(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
	if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
	const text = String(value);
	return text.includes('e') ? undefined : text;
}

function textMatching(pattern: RegExp): (value: unknown) => string | undefined {
	return (value) => {
		const text = readText(value);
		return text !== undefined && pattern.test(text) ? text : undefined;
	};
}

/** Codes are the same in small letters. */
function codeMatching(pattern: RegExp): (value: unknown) => string | undefined {
	const read = textMatching(pattern);
	return (value) => read(typeof value === 'string' ? value.trim().toUpperCase() : value);
}

/**
 * Codes as a list. JSON is sent as it is, because a service may want more than a code, such as the
 * value to insure. n8n writes a list from an expression as JSON text.
 */
function readCodes(value: unknown): object | undefined {
	if (typeof value === 'object' && value !== null) return value;
	if (typeof value !== 'string') return undefined;
	if (/^\s*[[{]/.test(value)) {
		try {
			return JSON.parse(value) as object;
		} catch {
			return undefined;
		}
	}
	const codes = value.split(',').map((code) => code.trim());
	return codes.filter((code) => code !== '');
}

const PLAIN_DECIMAL = /^\d+(?:\.\d+)?$/;

/** The number of decimal digits that a JavaScript number always keeps. */
const MAX_DIGITS = 15;

function readAmount(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
	if (typeof value !== 'string' || !PLAIN_DECIMAL.test(value)) return undefined;
	const digits = value.replace('.', '').replace(/^0+/, '');
	return digits.length <= MAX_DIGITS ? Number(value) : undefined;
}

function readWholeNumber(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
	return Number.isSafeInteger(number) && (number as number) >= 1 ? (number as number) : undefined;
}
