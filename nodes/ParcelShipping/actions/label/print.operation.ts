import type { INodeProperties } from 'n8n-workflow';

import { itemParameter } from '../../itemParameter';
import { readBoolean } from '../../parameterValues';
import {
	binaryField,
	choices,
	readBinaryField,
	readChoice,
	optionsField,
} from '../../descriptions/options';
import {
	byOrderNumber,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentIdsField,
	shipmentsField,
} from '../../descriptions/shipmentNumbers';
import { isTool, unlessTool } from '../../descriptions/tools';
import { createLabels, type WantedLabel } from '../../labels/createLabels';
import { type LabelSettings, saveLabels } from '../../labels/files';
import { ALL_NOT_PRINTED, skipPrintedOption } from '../../labels/notPrinted';
import { type ItemShipments, selectLabels } from '../../labels/select';
import { groupBy } from '../../lists';
import { endsWithError, type ItemResult, type NodeRun } from '../../run';
import { describeError, ItemError } from '../../transport/errors';
import { labelIdsByOrder, type OrderNumbers, readItems } from '../readItems';
import type { BulkOperation } from '../operation';

const downloadField: INodeProperties = {
	displayName: 'Download',
	name: 'download',
	type: 'boolean',
	default: true,
	description:
		'Whether to download the label files. If turned off, the output only contains their links and hashes.',
};

export const operation: BulkOperation = {
	name: 'Create Label Files',
	value: 'print',
	action: 'Create label files',
	description: 'Create the labels of shipments as files, without printing them',
	pattern: {
		task: 'Create the labels of shipments from Shipment: Create as PDF files:',
		parameters: "shipments: 'ids', shipmentIds: expr('{{ $json.id }}')",
		output: 'carrierCode, carrierName, labelsCount, labelsUrl, hash',
		note: 'The file is in the binary field data.',
	},
	fields: [
		shipmentsField('ids', 'Whose labels to create', {
			notPrinted: ALL_NOT_PRINTED,
			ids: ['By ID', 'Shipments by their ID in the service'],
			orderNumbers: byOrderNumber('All shipments of an order of your shop'),
		}),
		{ ...shipmentIdsField, displayOptions: { show: { shipments: ['ids'] } } },
		orderNumberField,
		{
			displayName: 'Format',
			name: 'format',
			type: 'options',
			default: 'pdf',
			options: choices({
				pdf: ['PDF', 'For office and label printers'],
				zpl: ['ZPL', 'For label printers. Not every carrier supports it.'],
			}),
			description: 'The format of the label file',
		},
		{
			displayName: 'Layout',
			name: 'layout',
			type: 'options',
			default: 'carrierDefault',
			options: choices({
				carrierDefault: ['Carrier Default', 'As the carrier arranges them'],
				fourPerPage: ['Four per Page', 'Four labels per A4 page'],
				onePerPage: ['One per Page', 'One label per A6 page'],
			}),
			description: 'How to arrange the labels on the pages',
			displayOptions: { show: { format: ['pdf'] } },
		},
		...unlessTool(downloadField, {
			...downloadField,
			default: false,
			description: 'Whether to download the label files, which the AI model cannot read',
		}),
		{ ...binaryField('file'), displayOptions: { show: { download: [true] } } },
		optionsField(
			{
				displayName: 'First Label Position',
				name: 'firstLabelPosition',
				type: 'number',
				default: 1,
				typeOptions: { minValue: 1 },
				description:
					"Where to print the first label of each file, for a sheet that is partly used, e.g. 3. A sheet has 4 labels with 'Four per Page'. With 'Carrier Default', the carrier decides how many.",
				displayOptions: {
					show: { '/format': ['pdf'], '/layout': ['carrierDefault', 'fourPerPage'] },
				},
			},
			{ ...skipPrintedOption, displayOptions: { hide: { '/shipments': ['notPrinted'] } } },
		),
	],

	async executeAll(run) {
		const { items, failed } = await readItems<ItemLabels, OrderLabels>(
			run,
			itemLabelsReader(run),
			labelIdsByOrder,
		);
		const { wanted, results } = await selectLabels(run, items);
		results.unshift(...failed);
		if (endsWithError(run, results)) return results;
		const bySettings = groupBy(wanted, ({ settings }) => JSON.stringify(settings));
		const created = await run.client.mapParallel([...bySettings.values()], async (group) =>
			createFiles(run, group, group[0].settings),
		);
		return [...results, ...created.flat()];
	},

	describeCompleted(results) {
		const created = results
			.map((result) => ('failure' in result ? describeError(result.failure).details : result.json))
			.filter(({ hash }) => hash)
			.map(({ carrierName, labelsCount, hash, labelsUrl }) => {
				// Some services leave out what others say.
				const labels = [carrierName, labelsCount].filter(Boolean).join(' ');
				return [labels, `hash ${String(hash)}`, labelsUrl].filter(Boolean).join(', ');
			});
		return created.length > 0 ? `Labels created: ${created.join('; ')}.` : undefined;
	},
};

type ItemLabels = ItemShipments & { settings: LabelSettings };

type OrderLabels = OrderNumbers & { settings: LabelSettings };

/**
 * One output item for each file, linked to the items with shipments of its request. A carrier has several files if it has
 * more shipments than one request can have, or if one of them is refused.
 */
async function createFiles(
	run: NodeRun,
	wanted: readonly WantedLabel[],
	settings: LabelSettings,
): Promise<ItemResult[]> {
	const created = await createLabels(run, wanted, settings);
	const results = await run.client.mapParallel(created, async (labels): Promise<ItemResult[]> => {
		const { items } = labels;
		if ('failure' in labels) {
			return items.map((item) => ({ items: [item], failure: labels.failure }));
		}
		const { group, labelsMissing } = labels;
		const missing = labelsMissing > 0 ? { labelsMissing } : {};
		return await saveLabels(run, group, settings).then(
			(output) => [{ items, ...output, json: { ...output.json, ...missing } }],
			(failure: unknown) => [{ items, failure }],
		);
	});
	return results.flat();
}

function itemLabelsReader({ context, items }: NodeRun): (item: number) => ItemLabels | OrderLabels {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const shipments = parameter('shipments', 'ids');
	const shipmentIds = parameter(shipmentIdsField.name);
	const format = parameter('format', 'pdf');
	const layout = parameter('layout', 'carrierDefault');
	const firstPosition = parameter('options.firstLabelPosition', 1);
	const download = parameter('download', !isTool(context));
	const binaryPropertyName = parameter('binaryPropertyName', 'data');
	const readSettings = (item: number): LabelSettings => {
		const type = readChoice('Format', format(item), ['pdf', 'zpl']);
		return {
			format: type,
			// ZPL is printed on a roll of labels and has no pages.
			...(type === 'pdf' ? readLayout(layout(item), firstPosition(item), item) : {}),
			...(readBoolean(download(item), 'Download')
				? { binaryPropertyName: readBinaryField(binaryPropertyName(item)) }
				: {}),
		};
	};
	return (item) => {
		const ways = ['ids', 'orderNumbers', 'notPrinted'] as const;
		const way = readChoice('Shipments', shipments(item), ways);
		if (way === 'orderNumbers') {
			return { item, orderNumbers: readOrderNumbers(context, item), settings: readSettings(item) };
		}
		if (way === 'notPrinted') return { item, settings: readSettings(item) };
		const ids = readShipmentIds(shipmentIds(item));
		return { item, shipmentIds: ids, settings: readSettings(item) };
	};
}

/** As parameters of the request. */
function readLayout(layout: unknown, position: unknown, item: number) {
	const layouts = ['carrierDefault', 'onePerPage', 'fourPerPage'] as const;
	const chosen = readChoice('Layout', layout, layouts);
	if (chosen === 'onePerPage') return { onePerPage: true };
	return chosen === 'fourPerPage'
		? { onePerPage: false, skip: readPosition(position, LABELS_PER_A4_SHEET, item) - 1 }
		: { skip: readPosition(position, Infinity, item) - 1 };
}

const LABELS_PER_A4_SHEET = 4;

function readPosition(value: unknown, last: number, itemIndex: number): number {
	const position = Number(value);
	if (Number.isInteger(position) && position >= 1 && position <= last) return position;
	throw new ItemError(
		`Invalid First Label Position of item ${itemIndex}: ${JSON.stringify(value)}`,
		`Enter a whole number from 1, for example 3. A sheet has ${LABELS_PER_A4_SHEET} labels with 'Four per Page'.`,
		{ field: 'firstLabelPosition', itemIndex },
	);
}
