import { ItemError } from '../transport/errors';

/** What text looks like once a number has been through floating point: 1.2345678901234568e+21. */
const LOST_DIGITS = /^\d+(\.\d+)?e\+\d+$/i;

/**
 * The carrier's shipment numbers of one item: text with commas, a list, or one number. They are
 * names, so they stay text as they came, with leading zeros and any length.
 */
export function readShipmentNumbers(value: unknown, label: string): string[] {
	const numbers = [value].flat(Infinity).flatMap((part) => asText(part, label).split(/[,\n]/));
	const distinct = [...new Set(numbers.map((number) => number.trim()).filter(Boolean))];
	if (distinct.length > 0) return distinct;
	throw new ItemError(
		`${label} is empty`,
		'Enter the number that the carrier gave to the shipment, or check what the expression gives for this item.',
		{ field: label },
	);
}

function asText(value: unknown, label: string): string {
	if (value === undefined || value === null) return '';
	const isNumber = typeof value === 'number';
	const text = String(value).trim();
	const hasLostDigits = isNumber ? !Number.isSafeInteger(value) : LOST_DIGITS.test(text);
	if (!hasLostDigits && typeof value !== 'object') return text;
	throw new ItemError(
		isNumber || hasLostDigits
			? `${label} came as the number ${text}, which has lost digits`
			: `${label} is an object, not text`,
		'Shipment numbers are text: they can begin with zeros and be longer than a number can hold. Hand them on as text, with quotes in JSON.',
		{ field: label },
	);
}
