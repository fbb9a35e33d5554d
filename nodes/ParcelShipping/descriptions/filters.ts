import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { readDay, refuseReversedDays } from './dates';

/** One filter: how the form asks for it, and how its value becomes what the service takes. */
export interface Filter<Value> {
	form: Omit<INodeProperties, 'name'>;
	/** `undefined` leaves the filter out. */
	read(value: unknown, label: string, timezone: string): Value | undefined;
}

/** A filter for every field of a request, under the service's own name of the field. */
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

/** The part of the request that narrows the list. */
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

export function readText(value: unknown): string | undefined {
	const text = value === undefined || value === null ? '' : String(value).trim();
	return text === '' ? undefined : text;
}

/** For filters that narrow the list when they are on, and are left out when they are off. */
export function readOnlyTrue(value: unknown): true | undefined {
	return value === true ? true : undefined;
}

export function readBoolean(value: unknown): boolean | undefined {
	return typeof value === 'boolean' ? value : undefined;
}

export function readWholeNumber(value: unknown, label: string): number | undefined {
	const text = readText(value);
	if (text === undefined) return undefined;
	if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
	throw new ItemError(
		`${label} must be a whole number, such as 501; it is ${JSON.stringify(value)}`,
		`Correct the ${label}, or check what its expression gives for this item.`,
		{ field: label },
	);
}

/** A list from the form or an expression, or text with commas. */
export function readCodes(value: unknown): string[] | undefined {
	const parts = Array.isArray(value) ? value.map(String) : (readText(value) ?? '').split(',');
	const codes = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
	return codes.length > 0 ? codes : undefined;
}

/** The filters that shipments and batches share. */
export const carrierCodes: Filter<string[]> = {
	form: {
		displayName: 'Carrier Names or IDs',
		type: 'multiOptions',
		default: [],
		typeOptions: { loadOptionsMethod: 'getCarriers' },
		description:
			'Only those of these carriers. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	read: readCodes,
};

export const createdFrom: Filter<string> = {
	form: {
		displayName: 'Created From',
		type: 'dateTime',
		default: '',
		description: 'First day of creation. The day counts as a whole, the time is not used.',
	},
	read: readDay,
};

export const createdTo: Filter<string> = {
	form: {
		displayName: 'Created To',
		type: 'dateTime',
		default: '',
		description: 'Last day of creation, included. The time is not used.',
	},
	read: readDay,
};
