import { chosenName, printerField, readLocator } from '../../descriptions/locators';
import { ALL_NOT_PRINTED, shipmentFields } from '../../descriptions/shipmentNumbers';
import { type HashItem, printLabels, type ShipmentsItem } from '../../labels/print';
import { readBoolean } from '../../parameterValues';
import { ItemError } from '../../transport/errors';
import { labelsOf, readItems } from '../readItems';
import { type Operation, listDone } from '../operation';

const labels = shipmentFields(
	'Which labels to print',
	{
		notPrinted: [
			ALL_NOT_PRINTED[0],
			'Of all carriers and the last 30 days, all on the printer of the first item',
		],
		orderNumbers: ['By Order Number', 'Labels of all shipments of an order of your shop'],
		hash: ['By Print Hash', 'All labels that were created together with a hash'],
		shipments: ['By ID', 'Labels of shipments by their ID at the provider'],
	},
	{ displayName: 'Labels', name: 'labels' },
);

export const operation: Operation = {
	name: 'Send to Printer',
	value: 'sendToPrinter',
	action: 'Send labels to printer',
	description: 'Print the labels of shipments, or labels with a print hash, on a printer',
	fields: [
		...labels,
		{
			displayName: 'Hash',
			name: 'hash',
			type: 'string',
			default: '={{ $json.hash || $json.labelsHash }}',
			required: true,
			placeholder: 'e.g. 7c6e8c1cfc579aa385312e0ec0eab928',
			description:
				'The print hash: labelsHash of a created shipment, or hash of Label: Create Label Files. It is valid for 14 days.',
			displayOptions: { show: { labels: ['hash'] } },
		},
		printerField,
		{
			displayName: 'Skip Printed',
			name: 'skipPrinted',
			type: 'boolean',
			default: false,
			description:
				'Whether to leave out labels that were printed before, according to the records of the provider',
			displayOptions: { show: { labels: ['orderNumbers'] } },
		},
	],

	async execute(run) {
		const { context } = run;
		const skips = context.getNodeParameter('skipPrinted', 0, false);
		const skipsPrinted = readBoolean(skips, 'Skip Printed');
		const { items, failed } = await readItems<HashItem | ShipmentsItem>(
			run,
			labels,
			(named, ofOrders) => {
				const { item, way } = named;
				// Of everything that was not printed, each label is printed once, whatever printers the items have.
				const at = way === 'notPrinted' ? 0 : item;
				const printer = {
					printerName: readLocator(context, printerField, at),
					printer: chosenName(context, printerField, at),
				};
				if (way !== 'hash') return [{ ...labelsOf(named, ofOrders), ...printer }];
				const hash = String(context.getNodeParameter('hash', item, '') ?? '').trim();
				if (hash !== '') return [{ item, hash, ...printer }];
				const advice =
					"A shipment that already existed has no labelsHash. Set 'Labels' to 'By Order Number': this prints new and existing shipments.";
				throw new ItemError('Hash is empty', advice, { field: 'hash', itemIndex: item });
			},
		);
		return await printLabels(run, items, failed, skipsPrinted);
	},

	describeCompleted: (results) =>
		listDone('printed', results, ({ printed, carrierCode, labelsMissing }, items) => {
			if (printed !== true) return undefined;
			const missing = labelsMissing ? `${labelsMissing} missing` : '';
			const more = [carrierCode, missing].filter(Boolean).join(', ');
			return `item ${items.join(', ')}${more === '' ? '' : ` (${more})`}`;
		}),
};
