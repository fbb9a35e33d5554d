import type { INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';

export const shipmentIdsField: INodeProperties = {
	displayName: 'Shipment IDs',
	name: 'shipmentIds',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 1001 or 1001, 1002',
	description:
		"IDs of shipments in the service, one per item or several separated by commas. It is the field ID of a shipment, not the carrier's shipment number.",
};

/** The shipments one item names: a number, text with commas, or a list of either. */
export function readShipmentIds(value: unknown, itemIndex: number): number[] {
	const parts = [value]
		.flat(Infinity)
		.flatMap((part) => asText(part).split(/[,\n]/))
		.map((part) => part.trim())
		.filter((part) => part !== '');
	const label = shipmentIdsField.displayName;
	const details = { field: shipmentIdsField.name, itemIndex };
	if (parts.length === 0) {
		throw new ItemError(
			`${label} of item ${itemIndex} is empty`,
			'Enter the ID of a shipment, or check what the expression gives for this item.',
			details,
		);
	}
	const wrong = parts.filter((part) => !isId(part));
	if (wrong.length > 0) {
		throw new ItemError(
			`${label} of item ${itemIndex}: ${wrong.map((part) => JSON.stringify(part)).join(', ')} can't be the ID of a shipment`,
			"An ID is a whole number above zero, as in the field id of a shipment. The carrier's shipment number (packageNumberCarrier) is something else.",
			details,
		);
	}
	return [...new Set(parts.map(Number))];
}

// A leading zero is the mark of a carrier's number, which would turn into another shipment's ID.
function isId(text: string): boolean {
	return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

function asText(value: unknown): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
