import { IANAZone } from 'luxon';
import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { readBoolean, readNumber, readWholeNumber } from '../parameterValues';
import { isSameCode } from '../lists';
import {
	type EventGroupRow,
	eventGroups,
	type PeriodRow,
	periodTypes,
	type PeriodType,
} from '../tracking/eventGroups';
import type { CarrierNumber, DayLimits, Watch } from '../tracking/watch';
import { ItemError } from '../transport/errors';
import { filtersField, numberFilter, readCodes, readFilters, shipmentFilters } from './filters';
import { simplifyField } from './listing';
import { choices, maxConcurrencyOption, optionsField, outputField } from './options';
import { readShipmentNumbers } from './shipmentNumbers';

const DEFAULT_WITHIN_DAYS = 30;

const { carrierCodes, search, cod, onlyMaster, orderId } = shipmentFilters;
const watchFilters = {
	...{ carrierCodes, search, cod, onlyMaster, orderId },
	createdWithinDays: numberFilter({
		displayName: 'Created Within Days',
		default: DEFAULT_WITHIN_DAYS,
		typeOptions: { minValue: 1, maxValue: 365 },
		description: 'For how many days after its creation to watch a shipment',
	}),
};

const periodNames = Object.values(periodTypes).map(({ form: [name] }) => `'${name}'`);

const eventsField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'events',
	type: 'multiOptions',
	default: ['all'],
	description: `The events that start the workflow. 'All' does not include ${periodNames.join(' and ')}.`,
	// The nodes panel shows `action`. Without it, the panel would show "On all".
	options: [
		{
			name: 'All',
			value: 'all',
			action: 'On any tracking event',
			description: 'Every event, also of categories that belong to no group',
		},
		...Object.entries<EventGroupRow | PeriodRow>({ ...eventGroups, ...periodTypes })
			.map(([value, { form }]) => {
				const [name, description, action = `On shipment ${name.toLowerCase()}`] = form;
				return { name, value, action, description };
			})
			.sort((a, b) => (a.name < b.name ? -1 : 1)),
	],
};

const dayFields = Object.entries(periodTypes).map(
	([type, { days }]): INodeProperties => ({
		...days,
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 365 },
		displayOptions: { show: { events: [type] } },
	}),
);

const listedShipmentsField: INodeProperties = {
	displayName: 'Shipments',
	name: 'shipments',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Carrier',
	default: {},
	displayOptions: { show: { watch: ['list'] } },
	options: [
		{
			displayName: 'Carrier',
			name: 'carriers',
			values: [
				{
					displayName: 'Carrier Name or ID',
					name: 'carrierCode',
					type: 'options',
					default: '',
					typeOptions: { loadOptionsMethod: 'getCarriers' },
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Shipment Numbers',
					name: 'packageNumbers',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0012345678901234567890, 0012345678901234567891',
					description: "The carrier's shipment numbers, separated by commas",
				},
			],
		},
	],
};

const DEFAULT_MAX_REQUESTS = 500;

/** Fewer would not be enough for both the list and the events. */
const MIN_MAX_REQUESTS = 10;

const maxRequestsOption: INodeProperties = {
	displayName: 'Max Requests per Poll',
	name: 'maxRequestsPerPoll',
	type: 'number',
	default: DEFAULT_MAX_REQUESTS,
	typeOptions: { minValue: MIN_MAX_REQUESTS },
	description:
		'Maximum number of requests of one poll for the list of shipments and their events. What does not fit comes first in the next poll.',
};

export const triggerFields: INodeProperties[] = [
	eventsField,
	...dayFields,
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		default: 'filtered',
		description: 'Which shipments to watch',
		options: choices({
			filtered: [
				'Shipments of the Account',
				'All shipments that match the filters, including those created later',
			],
			list: ['Shipments From a List', 'Shipments that you list by carrier and number'],
		}),
	},
	listedShipmentsField,
	{ ...filtersField(watchFilters), displayOptions: { show: { watch: ['filtered'] } } },
	{
		displayName: 'Timezone',
		name: 'timezone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Prague',
		description:
			'Time zone of event dates that carry no offset, usually that of your account at the service',
		// Shows the default, which the field itself cannot.
		hint: 'If empty, the timezone of your account at the service is used. Without one, that of the workflow',
	},
	outputField('event', {
		event: ['One Item per Event', 'Each new event, oldest first'],
		shipment: ['One Item per Shipment', 'Each shipment that has new events, with these events'],
	}),
	{
		displayName: 'Repeated Events',
		name: 'repeatedEvents',
		type: 'options',
		default: 'all',
		description:
			'What to do if a carrier reports several events of the same group, such as two deliveries',
		options: choices({
			all: ['Emit All', 'Each event starts the workflow. The output has isFirstOfGroup.'],
			first: [
				'Only the First of Each Group',
				'For each piece, such as one delivery. Events without a group are all emitted.',
			],
		}),
	},
	{
		displayName: 'Include Shipment',
		name: 'includeShipment',
		type: 'boolean',
		default: true,
		description:
			'Whether each item also has the recipient, the tracking link, your order number and the cash on delivery of the shipment. This takes at most one more request per shipment with new events.',
	},
	simplifyField,
	{
		displayName: 'Freshness',
		name: 'freshness',
		type: 'options',
		default: 'balanced',
		description:
			'How often to check shipments for events, and so how late an event can come. Delivered and canceled shipments are checked every hour.',
		options: choices({
			balanced: [
				'Balanced',
				'In every poll for two hours after an event, then every 10 to 60 minutes',
			],
			everyPoll: ['Every Poll', 'Every shipment in every poll. Many shipments take many requests.'],
		}),
	},
	optionsField(maxConcurrencyOption, maxRequestsOption, {
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		default: 'now',
		description: 'What to do with events that already exist when you publish the workflow',
		options: choices({
			now: ['Now', 'Only events that occur after publishing start the workflow'],
			existing: ['Existing Events', 'Existing events also start the workflow, once'],
		}),
	}),
];

export function readTriggerForm(context: IPollFunctions) {
	const timezone = String(context.getNodeParameter('timezone', '') ?? '').trim();
	const zone = timezone || context.getTimezone();
	// Luxon remembers zones, and checks them in each call of `isValidZone`.
	if (!IANAZone.create(zone).isValid) {
		throw new ItemError(
			`Unknown timezone: ${JSON.stringify(zone)}`,
			'Enter a region and a city, for example Europe/Prague.',
			{ field: 'Timezone' },
		);
	}
	const eventTypes = readCodes(context.getNodeParameter('events', ['all'])) ?? [];
	const limits: DayLimits = {};
	for (const [type, { days }] of Object.entries(periodTypes)) {
		if (!eventTypes.some((each) => isSameCode(each, type))) continue;
		const { displayName, name, default: fallback } = days;
		const read = readWholeNumber(context.getNodeParameter(name, fallback), displayName);
		limits[type as PeriodType] = Math.max(1, read ?? fallback);
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const freshness = context.getNodeParameter('freshness', 'balanced');
	const readSwitch = (name: string, caption: string) =>
		readBoolean(context.getNodeParameter(name, true), caption);
	const watch: Omit<Watch, 'account'> = {
		selection: readSelection(context, zone),
		eventTypes,
		limits,
		startFrom: options.startFrom === 'existing' ? 'existing' : 'now',
		output: context.getNodeParameter('output', 'event') === 'shipment' ? 'shipment' : 'event',
		includeShipment: readSwitch('includeShipment', 'Include Shipment'),
		isFirstOnly: context.getNodeParameter('repeatedEvents', 'all') === 'first',
		isSimple: readSwitch('simplify', 'Simplify'),
		freshness: freshness === 'everyPoll' ? 'everyPoll' : 'balanced',
		timezone: zone,
		isTimezonePending: timezone === '',
	};
	const { displayName, default: fallback } = maxConcurrencyOption;
	const maxRequests =
		readWholeNumber(options.maxRequestsPerPoll, maxRequestsOption.displayName) ??
		DEFAULT_MAX_REQUESTS;
	return {
		watch,
		maxConcurrency: readNumber(options.maxConcurrency, displayName, fallback as number),
		maxRequests: Math.max(MIN_MAX_REQUESTS, maxRequests),
	};
}

function readSelection(context: IPollFunctions, zone: string): Watch['selection'] {
	if (context.getNodeParameter('watch', 'filtered') === 'list') {
		return { by: 'numbers', shipments: readListedShipments(context) };
	}
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const { createdWithinDays, ...filters } = readFilters(watchFilters, given, zone);
	return {
		by: 'filters',
		filters,
		createdWithinDays: Math.max(1, createdWithinDays ?? DEFAULT_WITHIN_DAYS),
	};
}

function readListedShipments(context: IPollFunctions): CarrierNumber[] {
	const { carriers = [] } = context.getNodeParameter('shipments', {}) as {
		carriers?: Array<{ carrierCode?: string; packageNumbers?: unknown }>;
	};
	const listed = carriers.flatMap(({ carrierCode, packageNumbers }) => {
		const carrier = carrierCode?.trim() ?? '';
		if (carrier === '') {
			throw new ItemError(
				"A carrier is missing under 'Shipments'",
				'Choose the carrier of each list of shipment numbers.',
				{ field: 'Carrier Name or ID' },
			);
		}
		const numbers = readShipmentNumbers(packageNumbers, 'Shipment Numbers');
		return numbers.map((number) => ({ carrier, number }));
	});
	if (listed.length > 0) return listed;
	throw new ItemError(
		'No shipments to watch',
		"Add a carrier and its shipment numbers under 'Shipments', or set 'Watch' to 'Shipments of the Account'.",
		{ field: 'Shipments' },
	);
}
