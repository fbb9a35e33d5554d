import { type HandOverSettings, handOverShipments } from '../../changes/handOver';
import { toPreview } from '../../changes/output';
import { type HandOverItem, planHandOvers } from '../../changes/planHandOver';
import { carrierCodeField, readLocator } from '../../descriptions/locators';
import { binaryField, readBinaryField, readChoice, optionsField } from '../../descriptions/options';
import {
	byOrderNumber,
	chosenShipmentIdsField,
	ONE_SHIPMENT,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { confirmField, requireConfirm } from '../../descriptions/tools';
import { readBoolean, readDay } from '../../parameterValues';
import { mainIdsByCarrier, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';
import { type NodeRun } from '../../run';

export const operation: BulkOperation = {
	name: 'Hand Over',
	value: 'handOver',
	action: 'Hand over shipment',
	description: 'Hand shipments over to their carriers and download the protocols',
	pattern: {
		task: 'Hand the shipment of an order over to its carrier:',
		parameters: "shipments: 'orderNumbers', orderNumber: expr('{{ $json.orderNumber }}')",
		output: 'carrierCode, handOverId, packagesCount, shipmentIds, protocolUrl',
		note: "The protocol is in the binary field data. For all shipments of the day, set shipments to 'allCarriers'.",
	},
	fields: [
		shipmentsField(
			'allCarriers',
			'Which shipments to hand over. Those that are already handed over are skipped.',
			{
				allCarriers: ['All Not Handed Over', 'All shipments of all carriers and the last 30 days'],
				all: ['All Not Handed Over of One Carrier', 'Only those of the carrier that you select'],
				ids: ['By ID', 'Shipments by their ID in the service'],
				orderNumbers: byOrderNumber(ONE_SHIPMENT),
			},
		),
		{ ...carrierCodeField, displayOptions: { show: { shipments: ['all', 'ids'] } } },
		chosenShipmentIdsField,
		orderNumberField,
		confirmField('handed over'),
		binaryField('protocol'),
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
		const settings = readSettings(run);
		const { items, failed } = await readItems<HandOverItem, OrderNumbers>(
			run,
			(item) => readHandOverItem(item, run, settings),
			mainIdsByCarrier,
		);
		const results = settings.isDryRun
			? toPreview(items, await planHandOvers(run.client, items))
			: await handOverShipments(run, items, settings, failed);
		return [...failed, ...results];
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

type Settings = HandOverSettings & { isDryRun: boolean };

function readSettings({ context }: NodeRun): Settings {
	const dryRun = context.getNodeParameter('options.dryRun', 0, false);
	const date = context.getNodeParameter('options.date', 0, '');
	const field = context.getNodeParameter('binaryPropertyName', 0, 'data');
	return {
		date: readDay(date, 'Date', context.getTimezone()),
		binaryField: readBinaryField(field),
		isDryRun: readBoolean(dryRun, 'Dry Run'),
	};
}

function readHandOverItem(
	item: number,
	{ context }: NodeRun,
	{ isDryRun }: Settings,
): HandOverItem | OrderNumbers {
	if (!isDryRun) requireConfirm(context, item, 'handed over');
	const given = context.getNodeParameter('shipments', item, 'allCarriers');
	const ways = ['allCarriers', 'all', 'ids', 'orderNumbers'] as const;
	const shipments = readChoice('Shipments', given, ways);
	if (shipments === 'allCarriers') return { item };
	if (shipments === 'orderNumbers') return { item, orderNumbers: readOrderNumbers(context, item) };
	const carrierCode = readLocator(context, carrierCodeField, item);
	if (shipments === 'all') return { item, carrierCode };
	const shipmentIds = context.getNodeParameter(chosenShipmentIdsField.name, item, '');
	return { item, carrierCode, shipmentIds: readShipmentIds(shipmentIds) };
}
