import { chosenName, printerField, readLocator } from '../../descriptions/locators';
import { choices, readChoice, optionsField } from '../../descriptions/options';
import {
	byOrderNumber,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentIdsField,
} from '../../descriptions/shipmentNumbers';
import type { HashItem } from '../../labels/job';
import { printLabels, type ShipmentsItem } from '../../labels/print';
import { skipPrintedOption } from '../../labels/notPrinted';
import type { NodeRun } from '../../run';
import { ItemError } from '../../transport/errors';
import { labelIdsByOrder, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';

export const operation: BulkOperation = {
	name: 'Send to Printer',
	value: 'sendToPrinter',
	action: 'Send labels to printer',
	description: 'Print the labels of shipments, or labels with a print hash, on a printer',
	pattern: {
		task: 'Print the labels of shipments from Shipment: Create:',
		parameters:
			"labels: 'shipments', shipmentIds: expr('{{ $json.id }}'), printerName: { __rl: true, mode: 'name', value: 'Warehouse Zebra' }",
		output: 'printerName, printed, carrierCode, labelsCount',
		note: 'The value of printerName is the system name of a printer of the user: do not invent it.',
	},
	fields: [
		{
			displayName: 'Labels',
			name: 'labels',
			type: 'options',
			default: 'shipments',
			options: choices({
				notPrinted: [
					'All Not Printed',
					'Of all carriers and the last 30 days, all on the printer of the first item',
				],
				orderNumbers: byOrderNumber('Labels of all shipments of an order of your shop'),
				hash: ['By Print Hash', 'All labels that were created together with a hash'],
				shipments: ['Of Shipments', 'Labels of shipments by ID, in one print job per carrier'],
			}),
			description: 'Which labels to print',
		},
		{
			displayName: 'Hash',
			name: 'hash',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. {{ $json.hash }}',
			description:
				'The print hash: labelsHash of a created shipment, or hash of Label: Create Label Files. It is valid for 14 days. Each hash is sent once per run, even if several items have it.',
			displayOptions: { show: { labels: ['hash'] } },
		},
		{
			...shipmentIdsField,
			displayOptions: { show: { labels: ['shipments'] } },
		},
		{ ...orderNumberField, displayOptions: { show: { labels: ['orderNumbers'] } } },
		printerField,
		optionsField({
			...skipPrintedOption,
			displayOptions: { show: { '/labels': ['shipments', 'orderNumbers'] } },
		}),
	],

	async executeAll(run) {
		const { items, failed } = await readItems<HashItem | ShipmentsItem, OrdersItem>(
			run,
			readPrintItem,
			labelIdsByOrder,
		);
		return await printLabels(run, items, failed);
	},

	describeCompleted: (results) =>
		listDone('printed', results, ({ printed, carrierCode, labelsMissing }, items) => {
			if (printed !== true) return undefined;
			const missing = labelsMissing ? `${labelsMissing} missing` : '';
			const more = [carrierCode, missing].filter(Boolean).join(', ');
			return `item ${items.join(', ')}${more === '' ? '' : ` (${more})`}`;
		}),
};

type OrdersItem = OrderNumbers & { printerName: string; printer: string };

function readPrintItem(item: number, { context }: NodeRun): HashItem | ShipmentsItem | OrdersItem {
	const given = context.getNodeParameter('labels', item, 'shipments');
	const labels = readChoice('Labels', given, ['hash', 'shipments', 'orderNumbers', 'notPrinted']);
	// Of everything that was not printed, each label is printed once, whatever printers the items have.
	const at = labels === 'notPrinted' ? 0 : item;
	const printerName = readLocator(context, printerField, at);
	const printer = { printerName, printer: chosenName(context, printerField, at) };
	if (labels === 'orderNumbers') {
		return { item, orderNumbers: readOrderNumbers(context, item), ...printer };
	}
	if (labels === 'notPrinted') return { item, ...printer };
	if (labels === 'shipments') {
		const ids: unknown = context.getNodeParameter(shipmentIdsField.name, item, '');
		return { item, shipmentIds: readShipmentIds(ids), ...printer };
	}
	const hash = String(context.getNodeParameter('hash', item, '') ?? '').trim();
	if (hash === '') {
		throw new ItemError(
			`Hash of item ${item} is empty`,
			"A shipment that already existed has no labelsHash. Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}: this prints new and existing shipments.",
			{ field: 'hash', itemIndex: item },
		);
	}
	return { item, hash, ...printer };
}
