import type {
	IDataObject,
	INodeProperties,
	NodeParameterValueType,
	NodePropertyTypes,
} from 'n8n-workflow';

import { splitList } from '../lists';
import { findCountryCode } from '../orders/countries';
import { readBoolean, readDay, readOptionalText, readWholeNumber } from '../parameterValues';
import type { PickupPointFilter, ShipmentFilter } from '../transport/client';
import { byCaption, choices } from './options';

/** A filter: its form field, and how the value of the field becomes a value of the request. */
interface Filter<Value> {
	form: Omit<INodeProperties, 'name'>;
	/** Returns `undefined` to leave the filter out of the request. */
	read(value: unknown, caption: string, timezone: string): Value | undefined;
}

/** The filters of a request by the names that the provider gives to its fields. */
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
			.sort(byCaption),
	};
}

export function readFilters<Request>(
	filters: Filters<Request>,
	given: IDataObject,
	timezone: string,
): Partial<Request> {
	const request = {} as Partial<Request>;
	for (const [name, { form, read }] of Object.entries<Filter<unknown>>(filters)) {
		const value = read(given[name], form.displayName, timezone);
		if (value !== undefined) Object.assign(request, { [name]: value });
	}
	return request;
}

/** Makes filters of one kind from the rest of their form. */
const filterOf =
	<Value>(type: NodePropertyTypes, initial: NodeParameterValueType, read: Filter<Value>['read']) =>
	(form: Partial<INodeProperties> & { displayName: string }): Filter<Value> => ({
		form: { type, default: initial, ...form },
		read,
	});

const textFilter = filterOf('string', '', readOptionalText);
const numberFilter = filterOf('number', '', (value, caption) => readWholeNumber(value, caption));
const codesFilter = filterOf('multiOptions', [], (value) => {
	const codes = splitList(value);
	return codes.length > 0 ? codes : undefined;
});
const countryFilter = filterOf('string', '', (value) => {
	const text = readOptionalText(value);
	return text && (findCountryCode(text) ?? text);
});
const choiceFilter = filterOf('options', '', readOptionalText);
const dayFilter = filterOf('dateTime', '', readDay);
const booleanFilter = filterOf('boolean', true, (value, caption) =>
	readOptionalText(value) === undefined ? undefined : readBoolean(value, caption),
);

/** The filters of everything that has a carrier and a day of creation. */
export const creationFilters = {
	carrierCodes: codesFilter({
		displayName: 'Carrier Names or IDs',
		typeOptions: { loadOptionsMethod: 'getCarriers' },
		description:
			'Only include these carriers. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	createdFrom: dayFilter({
		displayName: 'Created From',
		description: 'First creation date to include. The time of day is ignored.',
	}),
	createdTo: dayFilter({
		displayName: 'Created To',
		description: 'Last creation date to include. The time of day is ignored.',
	}),
};

/** Carrier numbers are found by 'Search'. Not every provider has a filter for them. */
type OfferedFilter = Omit<ShipmentFilter, 'packageNumberCarrier' | 'sortField' | 'sortOrder'>;

export const shipmentFilters: Filters<OfferedFilter> = {
	...creationFilters,
	search: textFilter({
		displayName: 'Search',
		placeholder: 'e.g. ORDER-1042',
		description:
			'Text to search for, such as a tracking number or a name. Also finds parts: ORDER-1 finds ORDER-10.',
	}),
	packageNumberCustom: textFilter({
		displayName: 'Order Number',
		placeholder: 'e.g. ORDER-1042',
		description: 'Only include shipments of the order with exactly this number',
	}),
	cod: filterOf<boolean>(
		'boolean',
		true,
		(value, caption) => readBoolean(value, caption) || undefined,
	)({
		displayName: 'Cash on Delivery Only',
		description: 'Whether to leave out shipments without cash on delivery',
	}),
	onlyMaster: booleanFilter({
		displayName: 'Main Shipments Only',
		description: 'Whether to leave out the additional pieces of multi-piece shipments',
	}),
	orderId: numberFilter({
		displayName: 'Order ID',
		placeholder: 'e.g. 501',
		description: 'ID of an order at the provider, not the order number of your shop',
	}),
	status: choiceFilter({
		displayName: 'Status',
		description:
			'Only include shipments with this status. With an expression, you can specify another status of the provider.',
		options: choices({
			Deleted: 'Canceled',
			Delivered: 'Delivered',
			NotDelivered: 'Not Delivered',
			NotPicked: 'Not Picked Up by the Carrier',
			NotPrinted: 'Not Printed',
			NotSubmitted: 'Not Handed Over',
			Printed: 'Printed',
			Submitted: 'Handed Over',
		}),
	}),
};

export const pickupPointFilters: Filters<PickupPointFilter> = {
	branchType: choiceFilter({
		displayName: 'Kind',
		description: 'Only include pickup points of this kind',
		options: choices({ Branch: 'Branch', Box: 'Pickup Box' }),
	}),
	country: countryFilter({
		displayName: 'Country',
		placeholder: 'e.g. CZ',
		description: 'Only include pickup points in this country, as a two-letter code or a name',
	}),
	name: textFilter({
		displayName: 'Name, City or Street',
		placeholder: 'e.g. Brno',
		description: 'Only include pickup points with this word in their name, city or street',
	}),
	serviceType: textFilter({
		displayName: 'Service',
		placeholder: 'e.g. ANT-POINT',
		description:
			'Only include pickup points that this service delivers to. Enter the code of the service, as returned by Carrier: Get Services.',
	}),
};
