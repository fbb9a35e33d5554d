import type { ShipmentCreation } from '../transport/endpoints';
import type { FieldKind } from './values';

/** What is sent from the mapping. The service is a parameter of its own. */
export type SentFieldName = Exclude<
	keyof ShipmentCreation,
	'serviceType' | 'piecesCount' | 'senderEnabled' | 'coverEnabled'
>;

/** The ID that the shop has for the order is not sent. It is in the output, because the shop's API knows the order by it. */
export type MappedFieldName = SentFieldName | 'shopOrderId';

type AddressPrefix = 'rec' | 'sender' | 'cover';

interface MappedField {
	caption: string;
	/** Which values it accepts and how they are sent, see `kinds`. */
	kind: FieldKind;
	required?: boolean;
	/** Shown in the form from the start. The user adds the others. */
	isShown?: boolean;
}

const shipmentFields: Record<Exclude<MappedFieldName, `${AddressPrefix}${string}`>, MappedField> = {
	packageNumberCustom: { caption: 'Order Number', kind: 'text', required: true, isShown: true },
	shopOrderId: { caption: 'Shop Order ID', kind: 'shopId' },
	price: { caption: 'Shipment Value', kind: 'money', required: true, isShown: true },
	pieceCount: { caption: 'Piece Count', kind: 'count' },
	weight: { caption: 'Weight', kind: 'amount' },
	branchId: { caption: 'Pickup Point Code', kind: 'text', isShown: true },
	cod: { caption: 'Cash on Delivery', kind: 'codChoice' },
	codPrice: { caption: 'Cash on Delivery Amount', kind: 'money', isShown: true },
	codCurrency: { caption: 'Cash on Delivery Currency', kind: 'currency', isShown: true },
	vs: { caption: 'Variable Symbol', kind: 'text' },
	services: { caption: 'Additional Services', kind: 'list' },
	note: { caption: 'Note', kind: 'text' },
	reference: { caption: 'Reference', kind: 'text' },
	width: { caption: 'Width', kind: 'amount' },
	height: { caption: 'Height', kind: 'amount' },
	length: { caption: 'Length', kind: 'amount' },
	insurancePrice: { caption: 'Insured Value', kind: 'money' },
	insuranceCurrency: { caption: 'Insured Value Currency', kind: 'currency' },
	smsNotification: { caption: 'SMS Notification', kind: 'yesNo' },
	ageCheck: { caption: 'Age Check', kind: 'yesNo' },
	pickupDate: { caption: 'Pickup Date', kind: 'day' },
	packageNumberOrder: { caption: 'Piece Number', kind: 'count' },
	// The form shows nothing else: a shop's own order number in this field would attach an unrelated order.
	orderId: { caption: 'Order ID at the Provider', kind: 'count' },
};

const addressFields = (prefix: AddressPrefix, party: string): Record<string, MappedField> => {
	const isShown = prefix === 'rec';
	return {
		[`${prefix}Name`]: { caption: `${party} Name`, kind: 'text', isShown },
		[`${prefix}Company`]: { caption: `${party} Company`, kind: 'text' },
		[`${prefix}Street`]: { caption: `${party} Street`, kind: 'text', isShown },
		[`${prefix}City`]: { caption: `${party} City`, kind: 'text', isShown },
		[`${prefix}Zip`]: { caption: `${party} Postal Code`, kind: 'text', isShown },
		[`${prefix}Country`]: { caption: `${party} Country`, kind: 'country', isShown },
		[`${prefix}Phone`]: { caption: `${party} Phone`, kind: 'phone', isShown },
		[`${prefix}Email`]: { caption: `${party} Email`, kind: 'email', isShown },
	};
};

/** The fields of the mapping in the order of the form. The key is the provider's own field name. */
export const mappedFields = {
	...shipmentFields,
	...addressFields('rec', 'Recipient'),
	// For a pickup at another place than usual, such as a return. Not every service accepts it.
	...addressFields('sender', 'Sender'),
	// Shown to the recipient instead of the sender. Not every service accepts it.
	...addressFields('cover', 'Cover'),
} as Readonly<Record<MappedFieldName, MappedField>>;

export const mappedFieldNames = Object.keys(mappedFields) as MappedFieldName[];

export const isMappedField = (name: string): name is MappedFieldName =>
	Object.hasOwn(mappedFields, name);

export const sentFieldNames = mappedFieldNames.filter((name) => name !== 'shopOrderId');

export const requiredFieldNames = sentFieldNames.filter((name) => mappedFields[name].required);

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
