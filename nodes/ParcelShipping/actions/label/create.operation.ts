import type { INodeProperties } from 'n8n-workflow';

import { itemParameter } from '../../itemParameter';
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
import {
	createLabels,
	type LabelFormat,
	notCreatedError,
	saveLabels,
	type WantedLabel,
} from '../../labels/labels';
import { ALL_NOT_PRINTED, type ItemShipments, selectLabels } from '../../labels/select';
import { groupBy } from '../../lists';
import { endsWithError, type ItemResult, type NodeRun } from '../../run';
import { describeError, ItemError } from '../../transport/errors';
import { labelsByOrder, type OrderNumbers, readItems } from '../readItems';
import type { BulkOperation } from '../operation';

const FORMATS: Readonly<Record<string, LabelFormat>> = {
	pdf: { type: 'pdf' },
	pdfOnePerPage: { type: 'pdf', onePerPage: true },
	pdfFourPerA4: { type: 'pdf', onePerPage: false },
	zpl: { type: 'zpl' },
};

const LABELS_PER_A4_SHEET = 4;

const firstPositionField: INodeProperties = {
	displayName: 'First Position',
	name: 'firstPosition',
	type: 'number',
	default: 1,
	typeOptions: { minValue: 1, maxValue: LABELS_PER_A4_SHEET },
	description:
		'Where to print the first label of each file, from 1 to 4, for a sheet that is partly used',
	displayOptions: { show: { format: ['pdfFourPerA4'] } },
};

export const operation: BulkOperation = {
	name: 'Create Label Files',
	value: 'create',
	action: 'Create label files',
	description: 'Create the labels of shipments as files, without printing them',
	pattern: {
		task: 'Create the labels of shipments from Shipment: Create as PDF files:',
		parameters: "shipments: 'ids', shipmentIds: expr('{{ $json.id }}')",
		output: 'carrierCode, carrierName, labelsCount, labelsUrl, hash',
		note: 'The file is in the binary field data.',
	},
	fields: [
		shipmentsField('orderNumbers', 'Whose labels to create', {
			notPrinted: ALL_NOT_PRINTED,
			ids: ['By ID', 'Shipments by their ID at the provider'],
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
				pdf: ['PDF', 'As the carrier arranges the labels'],
				pdfOnePerPage: ['PDF, 1 per Page', 'One label per A6 page'],
				pdfFourPerA4: ['PDF, 4 per A4', 'Four labels per A4 page'],
				zpl: ['ZPL', 'For label printers. Not every carrier supports it.'],
			}),
			description: 'The format of the label files',
		},
		firstPositionField,
		optionsField({ ...binaryField('file'), required: false }),
	],

	async executeAll(run) {
		const { items, failed } = await readItems<ItemLabels, OrderNumbers & File>(
			run,
			itemLabelsReader(run),
			labelsByOrder,
		);
		const { wanted, results } = await selectLabels(run, items);
		results.unshift(...failed);
		if (endsWithError(run, results)) return results;
		const byFile = groupBy(wanted, ({ file }) => JSON.stringify(file));
		const created = await run.client.mapParallel([...byFile.values()], async (group) =>
			createFiles(run, group, group[0]),
		);
		return [...results, ...created.flat()];
	},

	describeCompleted(results) {
		const created = results
			.map((result) => ('failure' in result ? describeError(result.failure).details : result.json))
			.filter(({ hash }) => hash)
			.map(({ carrierName, labelsCount, hash, labelsUrl }) => {
				// Some providers leave out what others say.
				const labels = [carrierName, labelsCount].filter(Boolean).join(' ');
				return [labels, `hash ${String(hash)}`, labelsUrl].filter(Boolean).join(', ');
			});
		return created.length > 0 ? `Labels created: ${created.join('; ')}.` : undefined;
	},
};

interface File {
	file: { format: LabelFormat; field: string };
}

type ItemLabels = ItemShipments & File;

/**
 * One output item for each file, linked to the items with shipments of its request. A carrier has several files if it has
 * more shipments than one request can have, or if one of them is refused.
 */
async function createFiles(
	run: NodeRun,
	wanted: readonly WantedLabel[],
	{ file: { format, field } }: File,
): Promise<ItemResult[]> {
	const created = await createLabels(run, wanted, format);
	const results = created.map(async (labels): Promise<ItemResult[]> => {
		const { items, ids, groups, labelsMissing } = labels;
		if (groups.length === 0) {
			const failure = notCreatedError(wanted, ids, labels.failure);
			return items.map((item) => ({ items: [item], failure }));
		}
		const missing = labelsMissing > 0 ? { labelsMissing } : {};
		return await run.client.mapParallel(groups, async (group) =>
			saveLabels(run, group, format.type, field).then(
				(output): ItemResult => ({ items, ...output, json: { ...output.json, ...missing } }),
				(failure: unknown): ItemResult => ({ items, failure }),
			),
		);
	});
	return (await Promise.all(results)).flat();
}

function itemLabelsReader({ context, items }: NodeRun) {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const shipments = parameter('shipments', 'orderNumbers');
	const shipmentIds = parameter(shipmentIdsField.name);
	const format = parameter('format', 'pdf');
	const firstPosition = parameter('firstPosition', 1);
	const field = parameter('options.binaryPropertyName', 'data');
	return (item: number): ItemLabels | (OrderNumbers & File) => {
		const way = readChoice('Shipments', shipments(item), ['ids', 'orderNumbers', 'notPrinted']);
		const chosen = readChoice('Format', format(item), Object.keys(FORMATS));
		const skip =
			chosen === 'pdfFourPerA4' ? { skip: readPosition(firstPosition(item), item) - 1 } : {};
		const layout: LabelFormat = { type: 'pdf', ...FORMATS[chosen], ...skip };
		const file = { format: layout, field: readBinaryField(field(item)) };
		if (way === 'orderNumbers')
			return { item, orderNumbers: readOrderNumbers(context, item), file };
		if (way === 'notPrinted') return { item, file };
		return { item, shipmentIds: readShipmentIds(shipmentIds(item)), file };
	};
}

function readPosition(value: unknown, itemIndex: number): number {
	const position = Number(value);
	if (Number.isInteger(position) && position >= 1 && position <= LABELS_PER_A4_SHEET)
		return position;
	throw new ItemError(
		`Invalid First Position of item ${itemIndex}: ${JSON.stringify(value)}`,
		`Enter a whole number from 1 to ${LABELS_PER_A4_SHEET}.`,
		{ field: firstPositionField.name, itemIndex },
	);
}
