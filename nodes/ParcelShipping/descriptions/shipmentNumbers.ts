import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { splitList } from '../lists';
import { DEFAULT_LOOKBACK_DAYS, readOptionalText } from '../parameterValues';
import { isId } from '../records';
import { ItemError } from '../transport/errors';
import { choices } from './options';

export const shipmentIdsField: INodeProperties = {
	displayName: 'Shipment IDs',
	name: 'shipmentIds',
	type: 'string',
	// The shipments of the previous node, whether created, found or retrieved.
	default: '={{ $json.id }}',
	required: true,
	placeholder: 'e.g. 1001 or 1001, 1002',
	description:
		"IDs of the shipments at the provider, not the carrier's tracking numbers. Separate several IDs with commas.",
};

/** Without a default, for operations that must not act on whatever has an `id`. */
export const chosenShipmentIdsField: INodeProperties = {
	...shipmentIdsField,
	default: '',
	placeholder: 'e.g. {{ $json.id }}',
	displayOptions: { show: { shipments: ['ids'] } },
};

export const packageNumberField: INodeProperties = {
	displayName: 'Tracking Number',
	name: 'packageNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0012345678901234567890',
	description: "The carrier's number (packageNumberCarrier). Separate several numbers with commas.",
};

export const shipmentsField = (
	defaultWay: string,
	description: string,
	ways: Parameters<typeof choices>[0],
): INodeProperties => ({
	displayName: 'Shipments',
	name: 'shipments',
	type: 'options',
	default: defaultWay,
	description,
	options: choices(ways),
});

export const orderNumberField: INodeProperties = {
	displayName: 'Order Number',
	name: 'orderNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 7001 or 7001, 7002',
	description: `The order number with which the shipments were created (packageNumberCustom, with its prefix). Separate several numbers with commas: with several, shipments of the last ${DEFAULT_LOOKBACK_DAYS} days are searched.`,
	displayOptions: { show: { shipments: ['orderNumbers'] } },
};

export const byOrderNumber = (description: string) => ['By Order Number', description] as const;

/** The carrier of an ID or tracking number, if the item says it, as the items of this node do. Otherwise the records say it. */
export const carrierOfItem = (item: INodeExecutionData | undefined) =>
	readOptionalText(item?.json.carrierCode);

/** What an order number means where one of several shipments would be a guess. */
export const ONE_SHIPMENT =
	'The shipment of an order of your shop. An order with several shipments is refused.';

/** Three ways to name shipments, for operations that only read. */
export const namedShipmentFields = (description: string): INodeProperties[] => [
	shipmentsField('orderNumbers', description, {
		ids: ['By ID', 'By the ID at the provider'],
		numbers: ['By Tracking Number', "By the carrier's number of the shipment"],
		orderNumbers: byOrderNumber('All shipments of an order of your shop, with all pieces'),
	}),
	orderNumberField,
	{ ...packageNumberField, displayOptions: { show: { shipments: ['numbers'] } } },
	chosenShipmentIdsField,
];

export function readShipmentIds(value: unknown): number[] {
	const ids = splitList(value, (part) =>
		typeof part === 'object' ? JSON.stringify(part) : String(part),
	);
	const caption = shipmentIdsField.displayName;
	const details = { field: shipmentIdsField.name };
	if (ids.length === 0) {
		throw new ItemError(
			`${caption} is empty`,
			'Enter the ID of a shipment, or check the result of the expression for this item.',
			details,
		);
	}
	const invalid = ids.filter((id) => !isId(id));
	if (invalid.length === 0) return ids.map(Number);
	throw new ItemError(
		`Invalid ${caption}: ${invalid.map((id) => JSON.stringify(id)).join(', ')}`,
		"Enter the field id of a shipment, which is a whole number above zero. The carrier's tracking number (packageNumberCarrier) is not the ID.",
		details,
	);
}

/** Text that was a floating point number before, such as 1.2345678901234568e+21. */
const LOST_DIGITS = /^\d+(\.\d+)?e\+\d+$/i;

/** Tracking numbers, or order numbers. They stay text: they can have leading zeros and any length. */
export function readShipmentNumbers(value: unknown, caption: string): string[] {
	const numbers = splitList(value, (part) => {
		const text = String(part).trim();
		const hasLostDigits =
			typeof part === 'number' ? !Number.isSafeInteger(part) : LOST_DIGITS.test(text);
		if (!hasLostDigits && typeof part !== 'object') return text;
		throw new ItemError(
			hasLostDigits
				? `${caption} is the number ${text}, which has lost digits`
				: `${caption} is an object, not text`,
			'Pass numbers as text, in quotes in JSON. They can start with zeros and be longer than a number can hold.',
			{ field: caption },
		);
	});
	if (numbers.length > 0) return numbers;
	throw new ItemError(
		`${caption} is empty`,
		'Enter the number of a shipment, or check the result of the expression for this item.',
		{ field: caption },
	);
}

export function readOrderNumbers(context: IExecuteFunctions, itemIndex: number): string[] {
	const { name, displayName } = orderNumberField;
	return readShipmentNumbers(context.getNodeParameter(name, itemIndex, ''), displayName);
}
