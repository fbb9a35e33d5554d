import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { BatchFilter, PickupPointFilter, ShipmentFilter } from '../transport/client';
import { ItemError } from '../transport/errors';
import { readDay, refuseReversedDays } from './dates';

/** A filter: its form field, and how the value of the field becomes a value of the request. */
export interface Filter<Value> {
	form: Omit<INodeProperties, 'name'>;
	/** Returns `undefined` to leave the filter out of the request. */
	read(value: unknown, caption: string, timezone: string): Value | undefined;
}

/** The filters of a request by the names that the service gives to its fields. */
export type Filters<Request> = {
	[Field in keyof Request]-?: Filter<NonNullable<Request[Field]>>;
};

export function filtersField<Request>(filters: Filters<Request>): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: Object.entries<Filter<unknown>>(filters)
			.map(([name, { form }]) => ({ ...form, name }) as INodeProperties)
			.sort((a, b) => (a.displayName < b.displayName ? -1 : 1)),
	};
}

export function readFilters<Request>(
	filters: Filters<Request>,
	given: IDataObject,
	timezone: string,
): Partial<Request> {
	const read = Object.entries<Filter<unknown>>(filters)
		.map(([name, filter]) => [name, filter.read(given[name], filter.form.displayName, timezone)])
		.filter(([, value]) => value !== undefined);
	const request = Object.fromEntries(read) as Partial<Request>;
	refuseReversedDays(request);
	return request;
}

function readText(value: unknown): string | undefined {
	const text = value === undefined || value === null ? '' : String(value).trim();
	return text === '' ? undefined : text;
}

function readBoolean(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

export function readWholeNumber(value: unknown, caption: string): number | undefined {
	const text = readText(value);
	if (text === undefined) return undefined;
	if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new ItemError(
		`Invalid ${caption}: ${JSON.stringify(value)}`,
		`Enter a whole number, such as 501, or check the result of the expression for this item.`,
		{ field: caption },
	);
}

/** Accepts a list from the form or an expression, or text separated by commas. */
export function readCodes(value: unknown): string[] | undefined {
	const parts = Array.isArray(value) ? value.map(String) : (readText(value) ?? '').split(',');
	const codes = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
	return codes.length > 0 ? codes : undefined;
}

function carrierCodesFilter(records: 'shipments' | 'batches'): Filter<string[]> {
	return {
		form: {
			displayName: 'Carrier Names or IDs',
			type: 'multiOptions',
			default: [],
			typeOptions: { loadOptionsMethod: 'getCarriers' },
			description: `Only return ${records} of these carriers. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
		},
		read: readCodes,
	};
}

const createdFrom: Filter<string> = {
	form: {
		displayName: 'Created From',
		type: 'dateTime',
		default: '',
		description: 'First creation date to include. The time of day is ignored.',
	},
	read: readDay,
};

const createdTo: Filter<string> = {
	form: {
		displayName: 'Created To',
		type: 'dateTime',
		default: '',
		description: 'Last creation date to include. The time of day is ignored.',
	},
	read: readDay,
};

const statuses = [
	{ name: 'Deleted', value: 'Deleted' },
	{ name: 'Delivered', value: 'Delivered' },
	{ name: 'Not Delivered', value: 'NotDelivered' },
	{ name: 'Not Picked Up by the Carrier', value: 'NotPicked' },
	{ name: 'Not Printed', value: 'NotPrinted' },
	{ name: 'Not Submitted to the Carrier', value: 'NotSubmitted' },
	{ name: 'Printed', value: 'Printed' },
	{ name: 'Submitted to the Carrier', value: 'Submitted' },
];

export function isDocumentedStatus(status: string): boolean {
	return statuses.some(({ value }) => value === status);
}

/** Carrier numbers are found by Search. Not every service has a filter for them. */
type OfferedFilter = Omit<ShipmentFilter, 'packageNumberCarrier'>;

export const shipmentFilters: Filters<OfferedFilter> = {
	search: {
		form: {
			displayName: 'Search',
			type: 'string',
			default: '',
			placeholder: 'e.g. ORDER-1042',
			description:
				'Text to search for, such as a shipment number or a name. Also finds parts: ORDER-1 finds ORDER-10.',
		},
		read: readText,
	},
	packageNumberCustom: {
		form: {
			displayName: 'Custom Shipment Number',
			type: 'string',
			default: '',
			placeholder: 'e.g. ORDER-1042',
			description: 'Only return shipments with exactly this number',
		},
		read: readText,
	},
	carrierCodes: carrierCodesFilter('shipments'),
	cod: {
		form: {
			displayName: 'Cash on Delivery',
			type: 'boolean',
			default: true,
			description:
				'Whether to return only cash-on-delivery shipments. If turned off, only shipments without cash on delivery are returned. Remove this filter to return both.',
		},
		read: readBoolean,
	},
	onlyMaster: {
		form: {
			displayName: 'Main Shipments Only',
			type: 'boolean',
			default: true,
			description: 'Whether to return only the main piece of multi-piece shipments',
		},
		read: readBoolean,
	},
	orderId: {
		form: {
			displayName: 'Order ID',
			type: 'number',
			default: '',
			placeholder: 'e.g. 501',
			description: 'ID of an order in the shipping service, not the order number of your shop',
		},
		read: readWholeNumber,
	},
	createdFrom,
	createdTo,
	status: {
		form: {
			displayName: 'Status',
			type: 'options',
			default: 'NotPicked',
			description:
				'Only return shipments with this status. With an expression, you can specify another status of the service.',
			options: statuses,
		},
		read: readText,
	},
};

export const batchFilters: Filters<Omit<BatchFilter, 'sortOrder'>> = {
	carrierCodes: carrierCodesFilter('batches'),
	createdFrom,
	createdTo,
	archived: {
		form: {
			displayName: 'Archived',
			type: 'boolean',
			default: false,
			description:
				'Whether to return only archived batches. If turned off, only batches that are not archived are returned. Remove this filter to return both.',
		},
		read: readBoolean,
	},
};

export const pickupPointFilters: Filters<PickupPointFilter> = {
	branchType: {
		form: {
			displayName: 'Kind',
			type: 'options',
			default: 'Branch',
			description: 'Only return pickup points of this kind',
			options: [
				{ name: 'Branch', value: 'Branch' },
				{ name: 'Pickup Box', value: 'Box' },
			],
		},
		read: readText,
	},
	country: {
		form: {
			displayName: 'Country',
			type: 'string',
			default: '',
			placeholder: 'e.g. CZ',
			description: 'Only return pickup points in this country, as a two-letter code',
		},
		read: (value) => readText(value)?.toUpperCase(),
	},
	name: {
		form: {
			displayName: 'Name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Brno',
			description: 'One word of the name, city or street',
		},
		read: readText,
	},
	serviceType: {
		form: {
			displayName: 'Service',
			type: 'string',
			default: '',
			placeholder: 'e.g. ANT-POINT',
			description:
				'Only return pickup points that this service delivers to. Enter the code of the service, as returned by Carrier: Get Services.',
		},
		read: readText,
	},
};
