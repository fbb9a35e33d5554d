import { type ItemParameter, itemParameter } from '../../itemParameter';
import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from '../../descriptions/options';
import { readShipmentIds, shipmentIdsField } from '../../descriptions/shipmentNumbers';
import {
	type ItemLabels,
	type LabelSettings,
	MAX_SHIPMENTS_PER_REQUEST,
	planLabelRequests,
	requestLabels,
	saveLabels,
} from '../../labels/labelRequests';
import { openPrintLedger } from '../../labels/printLedger';
import { isSkippingPrinted, leaveOutPrinted, skipPrintedOption } from '../../labels/skipPrinted';
import { describeError, ItemError } from '../../transport/errors';
import type { BulkOperation, ItemResult, NodeRun } from '../operation';
import { readEachItem } from '../runItems';

/** The values of Layout, as parameters of the request. */
const LAYOUTS: Readonly<Record<string, Pick<LabelSettings, 'onePerPage'>>> = {
	carrierDefault: {},
	onePerPage: { onePerPage: true },
	fourPerPage: { onePerPage: false },
};

export const operation: BulkOperation = {
	name: 'Create Label Files',
	value: 'print',
	action: 'Create a label file',
	description:
		'Create the labels of shipments as one file per carrier. The files are not printed: use Send to Printer for that.',
	fields: [
		shipmentIdsField,
		{
			displayName: 'Format',
			name: 'format',
			type: 'options',
			default: 'pdf',
			options: [
				{ name: 'PDF', value: 'pdf' },
				{
					name: 'ZPL',
					value: 'zpl',
					description: 'For label printers. Not every carrier supports it.',
				},
			],
			description: 'The format of the label file',
		},
		{
			displayName: 'Layout',
			name: 'layout',
			type: 'options',
			default: 'carrierDefault',
			options: [
				{ name: 'Carrier Default', value: 'carrierDefault' },
				{ name: 'Four per Page', value: 'fourPerPage', description: 'Four labels per A4 page' },
				{ name: 'One per Page', value: 'onePerPage', description: 'One label per A6 page' },
			],
			description: 'How to arrange the labels on the pages',
			displayOptions: { show: { format: ['pdf'] } },
		},
		{
			displayName: 'Download',
			name: 'download',
			type: 'boolean',
			default: true,
			description:
				'Whether to download the label files. If turned off, the output only contains their links and hashes.',
		},
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			placeholder: 'e.g. data',
			hint: 'The name of the output binary field to put the file in',
			displayOptions: { show: { download: [true] } },
		},
		optionsField(maxConcurrencyOption, maxRetryWaitOption, skipPrintedOption),
	],

	async executeAll(run) {
		const readLabels = itemLabelsReader(run);
		const { valid, invalid } = readEachItem(run, readLabels);
		const isStopped = (failures: ItemResult[]) =>
			failures.length > 0 && !run.context.continueOnFail();
		if (isStopped(invalid)) return invalid;

		const { toPrint, skipped, failed } = isSkippingPrinted(run)
			? await leaveOutPrinted(run, valid, openPrintLedger(run.context))
			: { toPrint: valid, skipped: [], failed: [] };
		if (isStopped(failed)) return [...invalid, ...failed];

		const requests = planLabelRequests(toPrint, MAX_SHIPMENTS_PER_REQUEST);
		const created = await run.client.mapParallel(requests, async (request) =>
			requestLabels(run, request),
		);
		const saved = await run.client.mapParallel(created.flat(), async (labels) =>
			'failure' in labels ? labels : saveLabels(run, labels),
		);
		return [...invalid, ...failed, ...skipped, ...saved];
	},

	describeCompleted(results) {
		const created = results
			.map((result) => ('failure' in result ? describeError(result.failure).details : result.json))
			.filter(({ hash }) => hash)
			.map(
				({ carrierName, labelsCount, hash, labelsUrl }) =>
					`${String(carrierName)} ${String(labelsCount)}, hash ${String(hash)}, ${String(labelsUrl)}`,
			);
		return created.length > 0 ? `Labels created: ${created.join('; ')}.` : undefined;
	},
};

function itemLabelsReader({ context, items }: NodeRun): (item: number) => ItemLabels {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const shipmentIds = parameter(shipmentIdsField.name);
	const settings = {
		format: parameter('format', 'pdf'),
		layout: parameter('layout', 'carrierDefault'),
		download: parameter('download', true),
		binaryPropertyName: parameter('binaryPropertyName', 'data'),
	};
	return (item) => ({
		item,
		shipmentIds: readShipmentIds(shipmentIds(item), item),
		settings: readSettings(settings, item),
	});
}

type SettingsParameters = Record<
	'format' | 'layout' | 'download' | 'binaryPropertyName',
	ItemParameter
>;

function readSettings(parameters: SettingsParameters, item: number): LabelSettings {
	const format = parameters.format(item) as string;
	const layout = parameters.layout(item) as string;
	const field = parameters.binaryPropertyName(item) as string;
	if (format !== 'pdf' && format !== 'zpl') {
		throw invalidChoice('Format', format, ['pdf', 'zpl'], item);
	}
	// ZPL is printed on a roll of labels and has no pages.
	const pages = format === 'pdf' ? LAYOUTS[layout] : {};
	if (!pages) throw invalidChoice('Layout', layout, Object.keys(LAYOUTS), item);
	if (!parameters.download(item)) return { format, ...pages };
	if (field) return { format, ...pages, binaryPropertyName: field };
	throw new ItemError(
		`Put Output File in Field of item ${item} is empty`,
		'Enter the name of a binary field, such as data, or turn off Download.',
		{ field: 'binaryPropertyName', itemIndex: item },
	);
}

function invalidChoice(caption: string, value: unknown, choices: string[], item: number) {
	return new ItemError(
		`Invalid ${caption} of item ${item}: ${JSON.stringify(value)}`,
		`Choose one of: ${choices.join(', ')}.`,
		{ field: caption.toLowerCase(), itemIndex: item },
	);
}
