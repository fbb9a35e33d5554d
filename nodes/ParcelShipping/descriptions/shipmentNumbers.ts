import type { INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';

export const shipmentIdsField: INodeProperties = {
	displayName: 'Shipment IDs',
	name: 'shipmentIds',
	type: 'string',
	// The shipments of the previous node, whether created, found or retrieved.
	default: '={{ $json.id }}',
	required: true,
	placeholder: 'e.g. 1001 or 1001, 1002',
	description:
		"IDs of the shipments in the service, not the carrier's shipment numbers. Separate several IDs with commas.",
};

/** Without a default, for operations that must not act on whatever has an `id`. */
export const chosenShipmentIdsField: INodeProperties = {
	...shipmentIdsField,
	default: '',
	placeholder: 'e.g. {{ $json.id }}',
};

export const packageNumberField: INodeProperties = {
	displayName: 'Shipment Number',
	name: 'packageNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0012345678901234567890',
	description:
		"The carrier's shipment number (packageNumberCarrier). Separate several numbers with commas.",
};

/** The shipment IDs of one item, from a number, text separated by commas, or a list of these. */
export function readShipmentIds(value: unknown, itemIndex: number): number[] {
	const parts = [value]
		.flat(Infinity)
		.flatMap((part) => idText(part).split(/[,\n]/))
		.map((part) => part.trim())
		.filter((part) => part !== '');
	const caption = shipmentIdsField.displayName;
	const details = { field: shipmentIdsField.name, itemIndex };
	if (parts.length === 0) {
		throw new ItemError(
			`${caption} of item ${itemIndex} is empty`,
			'Enter the ID of a shipment, or check the result of the expression for this item.',
			details,
		);
	}
	const invalid = parts.filter((part) => !isId(part));
	if (invalid.length > 0) {
		throw new ItemError(
			`Invalid ${caption} of item ${itemIndex}: ${invalid.map((part) => JSON.stringify(part)).join(', ')}`,
			"Enter the field id of a shipment, which is a whole number above zero. The carrier's shipment number (packageNumberCarrier) is not the ID.",
			details,
		);
	}
	return [...new Set(parts.map(Number))];
}

// Only a carrier's number has leading zeros. Without them, it could be the ID of another shipment.
function isId(text: string): boolean {
	return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

function idText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Text that was a floating point number before, such as 1.2345678901234568e+21. */
const LOST_DIGITS = /^\d+(\.\d+)?e\+\d+$/i;

/**
 * The carrier's shipment numbers of one item, from text separated by commas, a list or one number.
 * They stay text, because they can have leading zeros and any length.
 */
export function readShipmentNumbers(value: unknown, caption: string): string[] {
	const numbers = [value]
		.flat(Infinity)
		.flatMap((part) => numberText(part, caption).split(/[,\n]/));
	const distinct = [...new Set(numbers.map((number) => number.trim()).filter(Boolean))];
	if (distinct.length > 0) return distinct;
	throw new ItemError(
		`${caption} is empty`,
		"Enter the carrier's shipment number, or check the result of the expression for this item.",
		{ field: caption },
	);
}

function numberText(value: unknown, caption: string): string {
	if (value === undefined || value === null) return '';
	const isNumber = typeof value === 'number';
	const text = String(value).trim();
	const hasLostDigits = isNumber ? !Number.isSafeInteger(value) : LOST_DIGITS.test(text);
	if (!hasLostDigits && typeof value !== 'object') return text;
	throw new ItemError(
		isNumber || hasLostDigits
			? `${caption} is the number ${text}, which has lost digits`
			: `${caption} is an object, not text`,
		'Pass shipment numbers as text, in quotes in JSON. They can start with zeros and be longer than a number can hold.',
		{ field: caption },
	);
}
