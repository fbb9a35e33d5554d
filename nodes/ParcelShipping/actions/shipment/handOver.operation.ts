import { handOver } from '../../changes/handOver';
import type { Asked } from '../../changes/records';
import { carrierCodeField, readOptionalLocator } from '../../descriptions/locators';
import { optionsField } from '../../descriptions/options';
import { ONE_SHIPMENT, shipmentFields } from '../../descriptions/shipmentNumbers';
import { countOf } from '../../lists';
import { readBoolean, readDay } from '../../parameterValues';
import { showDone } from '../../run';
import { oneShipmentEach, readItems } from '../readItems';
import { type Operation, listDone } from '../operation';

const shipments = shipmentFields(
	'Which shipments to hand over. Those that are already handed over are skipped.',
	{
		all: ['All Not Handed Over', 'All shipments of the last 30 days'],
		ids: ['By ID', 'Shipments by their ID at the provider'],
		orderNumbers: ['By Order Number', ONE_SHIPMENT],
	},
	{ default: 'all' },
);

export const operation: Operation = {
	name: 'Hand Over',
	value: 'handOver',
	action: 'Hand over shipment',
	description:
		'Hand shipments over to their carriers, which cannot be undone, and download the protocols',
	fields: [
		...shipments,
		{
			...carrierCodeField,
			required: false,
			description: 'Only shipments of this carrier. Leave it empty for all carriers.',
			displayOptions: { show: { shipments: ['all'] } },
		},
		optionsField(
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				type: 'boolean',
				// On as soon as the user adds the option.
				default: true,
				description:
					'Whether to output only which shipments each carrier would get. Nothing is handed over.',
			},
			{
				displayName: 'Pickup Date',
				name: 'date',
				type: 'dateTime',
				default: '',
				description:
					'Day on which the carrier picks up the shipments. It does not choose shipments. The time of day is ignored. The same for all items.',
			},
		),
	],

	async execute(run) {
		const { context } = run;
		const dryRun = context.getNodeParameter('options.dryRun', 0, false);
		const date = context.getNodeParameter('options.date', 0, '');
		const settings = {
			date: readDay(date, 'Pickup Date', context.getTimezone()),
			isDryRun: readBoolean(dryRun, 'Dry Run'),
		};
		const { items, failed } = await readItems<Asked>(
			run,
			shipments,
			({ item, way, carrierCode, named }, ofOrders) => {
				const items = [item];
				if (way === 'all')
					return [{ items, carrierCode: readOptionalLocator(context, carrierCodeField, item) }];
				const ofIds = named.map((each) => ({ carrierCode, id: Number(each) }));
				return [...ofIds, ...oneShipmentEach(ofOrders)].map((each) => {
					return { items, carrierCode: each.carrierCode, id: each.id };
				});
			},
		);
		const results = [...failed, ...(await handOver(run, items, settings, failed))];
		const texts = results.flatMap((each) => {
			if ('failure' in each || !each.json.packagesCount) return [];
			const count = countOf(Number(each.json.packagesCount), 'shipment');
			return `${count} handed over to ${String(each.json.carrierCode)}`;
		});
		if (!settings.isDryRun) showDone(run, results, texts);
		return results;
	},

	describeCompleted: (results) =>
		listDone('handed over', results, (json) => {
			if (json.packagesCount === 0 || json.dryRun) return undefined;
			const { carrierCode, handOverId, shipmentIds, protocolUrl } = json;
			const known = [handOverId, protocolUrl].filter((each) => (each ?? '') !== '');
			const more =
				known.length > 0 ? known.join(', ') : 'for the protocol, use Hand-Over: Get Many';
			return `${String(carrierCode)} ${(shipmentIds as number[]).join(', ')} (${more})`;
		}),
};
