import type { INodeProperties } from 'n8n-workflow';

import { itemParameter } from '../itemParameter';
import { splitList } from '../lists';
import { DEFAULT_LOOKBACK_DAYS, readChoice, readOptionalText } from '../parameterValues';
import { isId } from '../records';
import type { NodeRun } from '../run';
import { ItemError } from '../transport/errors';
import { choices } from './options';

/** What an order number means where one of several shipments would be a guess. */
export const ONE_SHIPMENT =
	'The shipment of an order of your shop. An order with several shipments is refused.';

export const ALL_NOT_PRINTED = [
	'All Not Printed',
	'Shipments of all carriers and the last 30 days whose label was not printed',
] as const;

const orderNumberField: INodeProperties = {
	displayName: 'Order Number',
	name: 'orderNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 7001 or 7001, 7002',
	description: `The order number with which the shipments were created (packageNumberCustom, with its prefix). Separate several numbers with commas: with several, shipments of the last ${DEFAULT_LOOKBACK_DAYS} days are searched.`,
};

const trackingNumberField: INodeProperties = {
	displayName: 'Tracking Number',
	name: 'packageNumber',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 0012345678901234567890',
	description: "The carrier's number (packageNumberCarrier). Separate several numbers with commas.",
};

const shipmentIdsField: INodeProperties = {
	displayName: 'Shipment IDs',
	name: 'shipmentIds',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 1001 or 1001, 1002',
	description:
		"IDs of the shipments at the provider, not the carrier's tracking numbers. Separate several IDs with commas.",
};

/** The field of each way to name shipments. Other ways, such as all that are not printed, have none. */
const fieldOfWay: Readonly<Record<string, INodeProperties>> = {
	orderNumbers: orderNumberField,
	numbers: trackingNumberField,
	ids: shipmentIdsField,
	shipments: shipmentIdsField,
};

/** The choice of how to name shipments, with the field of each way. `selector` is what differs from *Shipments*. */
export function shipmentFields(
	description: string,
	ways: Parameters<typeof choices>[0],
	selector: Partial<INodeProperties> = {},
): [INodeProperties, ...INodeProperties[]] {
	const chosen: INodeProperties = {
		displayName: 'Shipments',
		name: 'shipments',
		type: 'options',
		default: 'orderNumbers',
		description,
		options: choices(ways),
		...selector,
	};
	const fields = Object.keys(ways).flatMap((way) => {
		const field = fieldOfWay[way];
		return field ? { ...field, displayOptions: { show: { [chosen.name]: [way] } } } : [];
	});
	return [chosen, ...fields];
}

/** For operations that only read. */
export const readShipmentFields = (description: string) =>
	shipmentFields(description, {
		ids: ['By ID', 'By the ID at the provider'],
		numbers: ['By Tracking Number', "By the carrier's number of the shipment"],
		orderNumbers: ['By Order Number', 'All shipments of an order of your shop, with all pieces'],
	});

/** The shipments that an input item names, in one of these ways. */
export interface NamedShipments {
	item: number;
	way: string;
	/** As the items of this node have it. Undefined if only the records say it. */
	carrierCode: string | undefined;
	orderNumbers: string[];
	/** IDs as numbers, and tracking numbers as text. */
	named: Array<number | string>;
}

/** Reads the fields of `shipmentFields`, item by item. */
export function shipmentsReader(
	{ context, items }: NodeRun,
	[selector]: readonly INodeProperties[],
): (item: number) => NamedShipments {
	const { displayName = '', name = '', options = [] } = selector ?? {};
	const ways = options.map((option) => String('value' in option && option.value));
	const wayOf = itemParameter(context, items, name, selector?.default);
	const values = Object.fromEntries(
		Object.values(fieldOfWay).map(({ name: own }) => [own, itemParameter(context, items, own)]),
	);
	return (item) => {
		const way = readChoice(displayName, wayOf(item), ways);
		const field = fieldOfWay[way];
		const given = field ? readShipmentNumbers(values[field.name]?.(item), field.displayName) : [];
		const isOrder = field === orderNumberField;
		return {
			...{ item, way, carrierCode: readOptionalText(items[item]?.json.carrierCode) },
			orderNumbers: isOrder ? given : [],
			named: field === shipmentIdsField ? toIds(given) : isOrder ? [] : given,
		};
	};
}

export function toIds(numbers: readonly string[]): number[] {
	const invalid = numbers.filter((id) => !isId(id));
	if (invalid.length === 0) return numbers.map(Number);
	const { displayName: caption } = shipmentIdsField;
	throw new ItemError(
		`Invalid ${caption}: ${invalid.map((id) => JSON.stringify(id)).join(', ')}`,
		"Enter the field id of a shipment, which is a whole number above zero. The carrier's tracking number (packageNumberCarrier) is not the ID.",
		{ field: caption },
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
	const advice = 'Enter it, or check the result of the expression for this item.';
	throw new ItemError(`${caption} is empty`, advice, { field: caption });
}
