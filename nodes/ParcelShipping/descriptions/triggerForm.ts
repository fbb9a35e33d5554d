import type { IDataObject, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { isZone } from '../tracking/dates';
import type { OutputMode } from '../tracking/output';
import type { ListedShipment, Watch } from '../tracking/watch';
import type { ShipmentFilter } from '../transport/client';
import { ItemError } from '../transport/errors';
import { eventsField } from './eventsField';
import {
	type Filters,
	filtersField,
	readCodes,
	readFilters,
	readWholeNumber,
	shipmentFilters,
} from './filters';
import { maxConcurrencyOption, optionsField } from './options';
import { readShipmentNumbers } from './shipmentNumbers';

const DEFAULT_WITHIN_DAYS = 30;
const DEFAULT_MAX_CONCURRENCY = 4;

type WatchFilters = Pick<
	ShipmentFilter,
	'carrierCodes' | 'search' | 'cod' | 'onlyMaster' | 'orderId'
> & { createdWithinDays: number };

const watchFilters: Filters<WatchFilters> = {
	carrierCodes: shipmentFilters.carrierCodes,
	search: shipmentFilters.search,
	cod: shipmentFilters.cod,
	onlyMaster: shipmentFilters.onlyMaster,
	orderId: shipmentFilters.orderId,
	createdWithinDays: {
		form: {
			displayName: 'Created Within Days',
			type: 'number',
			default: DEFAULT_WITHIN_DAYS,
			typeOptions: { minValue: 1, maxValue: 365 },
			description: 'How many days after its creation a shipment is watched',
		},
		read: readWholeNumber,
	},
};

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
					description: "The carrier's numbers of the shipments, separated by commas",
				},
			],
		},
	],
};

export const watchFields: INodeProperties[] = [
	eventsField,
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		default: 'filtered',
		description: 'Which shipments are watched',
		options: [
			{
				name: 'Shipments of the Account',
				value: 'filtered',
				description: 'All shipments of the account that fit the filters, also those created later',
			},
			{
				name: 'Shipments From a List',
				value: 'list',
				description: 'Shipments given by their carrier and number',
			},
		],
	},
	listedShipmentsField,
	{ ...filtersField(watchFilters), displayOptions: { show: { watch: ['filtered'] } } },
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		default: 'now',
		description: 'What happens with events that are there when the workflow is published',
		options: [
			{
				name: 'Now',
				value: 'now',
				description: 'Only events that come after publishing start the workflow',
			},
			{
				name: 'Existing Events',
				value: 'existing',
				description: 'Events that are already there start the workflow as well, once',
			},
		],
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'event',
		description: 'What an output item stands for',
		options: [
			{ name: 'One Item per Event', value: 'event', description: 'Each new event, oldest first' },
			{
				name: 'One Item per Shipment',
				value: 'shipment',
				description: 'Each shipment that has news, with its new events',
			},
		],
	},
	optionsField(maxConcurrencyOption, {
		displayName: 'Timezone',
		name: 'timezone',
		type: 'string',
		default: '',
		placeholder: 'e.g. Europe/Prague',
		description:
			"Zone in which the service means the dates of its events, which come without one. The workflow's timezone when empty.",
	}),
];

/** What the form asks for, or a refusal in the words of the form. */
export function readWatch(context: IPollFunctions, account: string): Watch {
	const { timezone, maxConcurrency } = context.getNodeParameter('options', {}) as {
		timezone?: string;
		maxConcurrency?: number;
	};
	const zone = readZone(timezone, context.getTimezone());
	return {
		what: readWhat(context, zone),
		kinds: readCodes(context.getNodeParameter('events', ['all'])) ?? [],
		startFrom: context.getNodeParameter('startFrom', 'now') === 'existing' ? 'existing' : 'now',
		timezone: zone,
		maxConcurrency: Math.max(1, maxConcurrency ?? DEFAULT_MAX_CONCURRENCY),
		account,
	};
}

export function readMaxConcurrency(context: IPollFunctions): number {
	const { maxConcurrency } = context.getNodeParameter('options', {}) as { maxConcurrency?: number };
	return Math.max(1, maxConcurrency ?? DEFAULT_MAX_CONCURRENCY);
}

export function readOutputMode(context: IPollFunctions): OutputMode {
	return context.getNodeParameter('output', 'event') === 'shipment' ? 'shipment' : 'event';
}

function readZone(given: string | undefined, workflowZone: string): string {
	const zone = given?.trim() || workflowZone;
	if (isZone(zone)) return zone;
	throw new ItemError(
		`Timezone is not one that is known: ${JSON.stringify(zone)}`,
		'Write it as a region and a city, for example Europe/Prague.',
		{ field: 'Timezone' },
	);
}

function readWhat(context: IPollFunctions, zone: string): Watch['what'] {
	if (context.getNodeParameter('watch', 'filtered') === 'list') {
		return { by: 'list', shipments: readListedShipments(context) };
	}
	const given = context.getNodeParameter('filters', {}) as IDataObject;
	const { createdWithinDays, ...filters } = readFilters(watchFilters, given, zone);
	return {
		by: 'filters',
		filters,
		createdWithinDays: Math.max(1, createdWithinDays ?? DEFAULT_WITHIN_DAYS),
	};
}

function readListedShipments(context: IPollFunctions): ListedShipment[] {
	const { carriers = [] } = context.getNodeParameter('shipments', {}) as {
		carriers?: Array<{ carrierCode?: string; packageNumbers?: unknown }>;
	};
	const listed = carriers.flatMap(({ carrierCode, packageNumbers }) => {
		const carrier = carrierCode?.trim() ?? '';
		if (carrier !== '') {
			return readShipmentNumbers(packageNumbers, 'Shipment Numbers').map((number) => ({
				carrier,
				number,
			}));
		}
		throw new ItemError(
			'A carrier is missing under Shipments',
			'Choose the carrier of each list of shipment numbers.',
			{ field: 'Carrier Name or ID' },
		);
	});
	if (listed.length > 0) return listed;
	throw new ItemError(
		'There is no shipment to watch',
		'Add a carrier and its shipment numbers under Shipments, or watch the shipments of the account instead.',
		{ field: 'Shipments' },
	);
}
