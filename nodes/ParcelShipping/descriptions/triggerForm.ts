import { IANAZone } from 'luxon';
import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { splitList } from '../lists';
import { invalidValue, readBoolean, readNumber } from '../parameterValues';
import {
	type EventGroupRow,
	eventGroups,
	type PeriodRow,
	type PeriodType,
	periodTypes,
} from '../tracking/eventGroups';
import type { Watch } from '../tracking/watch';
import { filtersField, shipmentFilters } from './filters';
import { simplifyField } from './listing';
import { choices, optionsField } from './options';

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

export const triggerFields: INodeProperties[] = [
	eventsField,
	...dayFields,
	filtersField({ carrierCodes: shipmentFilters.carrierCodes }),
	{
		displayName: 'Timezone',
		name: 'timezone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Prague',
		description:
			'Time zone of event dates that have none, usually the one of your account at the provider',
		// Shows the default, which the field itself cannot.
		hint: 'If empty, the time zone of your account at the provider is used. If it has none, the one of the workflow',
	},
	{
		displayName: 'Once per Order',
		name: 'oncePerOrder',
		type: 'boolean',
		default: false,
		description:
			'Whether to start the workflow only with the first event of each group of an order, such as its first delivery. Additional pieces are left out. Turn it on for messages to customers.',
	},
	simplifyField,
	optionsField({
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		default: 'now',
		description: 'What to do with events that already exist when you first publish the workflow',
		options: choices({
			now: ['Now', 'Only events that occur after you first publish the workflow start it'],
			existing: ['Existing Events', 'Existing events also start the workflow, once'],
		}),
	}),
];

export function readTriggerForm(context: IPollFunctions): Omit<Watch, 'account'> {
	const timezone = String(context.getNodeParameter('timezone', '') ?? '').trim();
	const zone = timezone || context.getTimezone();
	// Luxon remembers zones, and checks them in each call of `isValidZone`.
	if (!IANAZone.create(zone).isValid) {
		const advice = 'Enter a region and a city, for example Europe/Prague.';
		throw invalidValue('Timezone', zone, advice);
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const days = {} as Watch['days'];
	// Also of a type that is not selected: its periods count as known, so that selecting it later reports only new ones.
	for (const [type, { days: field }] of Object.entries(periodTypes)) {
		const given = context.getNodeParameter(field.name, field.default);
		days[type as PeriodType] = readNumber(given, field.displayName, { least: 1 }) ?? field.default;
	}
	const carrierCodes = splitList(filters.carrierCodes);
	const isOncePerOrder = readBoolean(
		context.getNodeParameter('oncePerOrder', false),
		'Once per Order',
	);
	return {
		carrierCodes,
		isOncePerOrder,
		selection: JSON.stringify([carrierCodes, isOncePerOrder]),
		eventTypes: splitList(context.getNodeParameter('events', ['all'])),
		days,
		startFrom: options.startFrom === 'existing' ? 'existing' : 'now',
		isSimple: readBoolean(context.getNodeParameter('simplify', true), 'Simplify'),
		timezone,
	};
}
