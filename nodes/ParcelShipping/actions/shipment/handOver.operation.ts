import { handOver, type HandOverItem } from '../../changes/handOver';
import { carrierCodeField, readOptionalLocator } from '../../descriptions/locators';
import { optionsField, readChoice } from '../../descriptions/options';
import {
	byOrderNumber,
	carrierOfItem,
	chosenShipmentIdsField,
	ONE_SHIPMENT,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { countOf } from '../../lists';
import { readBoolean, readDay } from '../../parameterValues';
import { type NodeRun, showDone } from '../../run';
import { mainIdsByCarrier, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';

export const operation: BulkOperation = {
	name: 'Hand Over',
	value: 'handOver',
	action: 'Hand over shipment',
	description: 'Hand shipments over to their carriers and download the protocols',
	pattern: {
		task: 'Hand the shipment of an order over to its carrier:',
		parameters: "shipments: 'orderNumbers', orderNumber: expr('{{ $json.orderNumber }}')",
		output: 'carrierCode, handOverId, packagesCount, shipmentIds, protocolUrl',
		note: "The protocol is in the binary field data. For all shipments of the day, set shipments to 'all'.",
	},
	fields: [
		shipmentsField(
			'all',
			'Which shipments to hand over. Those that are already handed over are skipped.',
			{
				all: ['All Not Handed Over', 'All shipments of the last 30 days'],
				ids: ['By ID', 'Shipments by their ID in the service'],
				orderNumbers: byOrderNumber(ONE_SHIPMENT),
			},
		),
		{
			...carrierCodeField,
			required: false,
			description: 'Only shipments of this carrier. Leave it empty for all carriers.',
			displayOptions: { show: { shipments: ['all'] } },
		},
		chosenShipmentIdsField,
		orderNumberField,
		optionsField(
			{
				displayName: 'Date',
				name: 'date',
				type: 'dateTime',
				default: '',
				description:
					'Day on which the carrier picks up the shipments. The time of day is ignored. The same for all items.',
			},
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				type: 'boolean',
				// On as soon as the user adds the option.
				default: true,
				description:
					'Whether to output only which shipments each carrier would get. Nothing is handed over.',
			},
		),
	],

	async executeAll(run) {
		const { context } = run;
		const dryRun = context.getNodeParameter('options.dryRun', 0, false);
		const date = context.getNodeParameter('options.date', 0, '');
		const settings = {
			date: readDay(date, 'Date', context.getTimezone()),
			isDryRun: readBoolean(dryRun, 'Dry Run'),
		};
		const { items, failed } = await readItems<HandOverItem, OrderNumbers>(
			run,
			(item) => readHandOverItem(item, run),
			mainIdsByCarrier,
		);
		const results = [...failed, ...(await handOver(run, items, settings, failed))];
		const done = results.flatMap((each) => ('failure' in each ? [] : [each.json]));
		const texts = done.flatMap(({ packagesCount, carrierCode }) =>
			Number(packagesCount) > 0
				? `${countOf(Number(packagesCount), 'shipment')} handed over to ${String(carrierCode)}`
				: [],
		);
		if (!settings.isDryRun) showDone(run, results, texts);
		return results;
	},

	describeCompleted: (results) =>
		listDone('handed over', results, (json) => {
			if (json.packagesCount === 0 || json.dryRun) return undefined;
			const { carrierCode, handOverId, shipmentIds, protocolUrl } = json;
			const ids = (shipmentIds as number[]).join(', ');
			const known = [handOverId, protocolUrl].filter((each) => (each ?? '') !== '');
			const more = known.length > 0 ? ` (${known.join(', ')})` : '';
			return `${String(carrierCode)} ${ids}${more}`;
		}),
};

function readHandOverItem(item: number, { context, items }: NodeRun): HandOverItem | OrderNumbers {
	const given = context.getNodeParameter('shipments', item, 'all');
	const shipments = readChoice('Shipments', given, ['all', 'ids', 'orderNumbers']);
	if (shipments === 'all') {
		return { item, carrierCode: readOptionalLocator(context, carrierCodeField, item) };
	}
	if (shipments === 'orderNumbers') return { item, orderNumbers: readOrderNumbers(context, item) };
	const shipmentIds = context.getNodeParameter(chosenShipmentIdsField.name, item, '');
	return {
		item,
		carrierCode: carrierOfItem(items[item]),
		shipmentIds: readShipmentIds(shipmentIds),
	};
}
