import { type ItemParameter, itemParameter } from '../../itemParameter';
import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from '../../descriptions/options';
import { readShipmentIds, shipmentIdsField } from '../../descriptions/shipmentNumbers';
import {
	type LabelSettings,
	MAX_SHIPMENTS_PER_REQUEST,
	requestLabels,
	saveLabels,
} from '../../labels/files';
import { leaveOutPrinted, skipPrintedOption } from '../../labels/printed';
import { chunk, groupBy } from '../../lists';
import { type ItemResult, type NodeRun, readEachItem } from '../../run';
import { describeError, ItemError } from '../../transport/errors';
import type { BulkOperation } from '../operation';

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

		const { toPrint, skipped, failed } = await leaveOutPrinted(run, valid);
		if (isStopped(failed)) return [...invalid, ...failed];

		const created = await run.client.mapParallel(planRequests(toPrint), async (request) =>
			createFiles(run, request),
		);
		return [...invalid, ...failed, ...skipped, ...created.flat()];
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

/** The labels that one input item requests. */
interface ItemLabels {
	item: number;
	shipmentIds: number[];
	settings: LabelSettings;
}

interface LabelRequest {
	/** The items that contain one of the shipments. */
	items: number[];
	shipmentIds: number[];
	settings: LabelSettings;
}

/** Combines items with the same settings into as few requests as possible, each shipment once. */
export function planRequests(
	labels: readonly ItemLabels[],
	maxShipments = MAX_SHIPMENTS_PER_REQUEST,
): LabelRequest[] {
	const groups = groupBy(labels, ({ settings }) => JSON.stringify(settings));
	return [...groups.values()].flatMap((group) => {
		const ids = [...new Set(group.flatMap(({ shipmentIds }) => shipmentIds))];
		const { settings } = group[0];
		return chunk(ids, maxShipments).map((shipmentIds) => {
			const requested = new Set(shipmentIds);
			const items = group
				.filter((itemLabels) => itemLabels.shipmentIds.some((id) => requested.has(id)))
				.map(({ item }) => item);
			return { items, shipmentIds, settings };
		});
	});
}

/** One output item per carrier. The response does not say which shipments each group has. */
async function createFiles(
	run: NodeRun,
	{ items, shipmentIds, settings }: LabelRequest,
): Promise<ItemResult[]> {
	try {
		const groups = await requestLabels(run, shipmentIds, settings);
		return await run.client.mapParallel(groups, async (group) =>
			saveLabels(run, group, settings).then(
				(output): ItemResult => ({ items, ...output }),
				(failure: unknown) => ({ items, failure }),
			),
		);
	} catch (failure) {
		return items.map((item) => ({ items: [item], failure }));
	}
}

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
