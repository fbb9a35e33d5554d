import type { INodeProperties } from 'n8n-workflow';

import { choices, optionsField } from '../../descriptions/options';
import { shipmentFields } from '../../descriptions/shipmentNumbers';
import { createLabels, type LabelFormat, notCreatedError, saveLabels } from '../../labels/labels';
import { ALL_NOT_PRINTED, selectLabels } from '../../labels/select';
import { invalidValue, readChoice } from '../../parameterValues';
import { endsWithError, failEach, type ItemResult, type NodeRun } from '../../run';
import { labelsOf, readItems } from '../readItems';
import type { BulkOperation } from '../operation';

const FORMATS: Readonly<Record<string, LabelFormat>> = {
	pdf: { type: 'pdf' },
	pdfOnePerPage: { type: 'pdf', onePerPage: true },
	pdfFourPerA4: { type: 'pdf', onePerPage: false },
	zpl: { type: 'zpl' },
};

const shipments = shipmentFields('Whose labels to create', {
	notPrinted: ALL_NOT_PRINTED,
	ids: ['By ID', 'Shipments by their ID at the provider'],
	orderNumbers: ['By Order Number', 'All shipments of an order of your shop'],
});

const formatFields: INodeProperties[] = [
	{
		displayName: 'Format',
		name: 'format',
		type: 'options',
		noDataExpression: true,
		default: 'pdf',
		options: choices({
			pdf: ['PDF', 'As the carrier arranges the labels'],
			pdfOnePerPage: ['PDF, 1 per Page', 'One label per A6 page'],
			pdfFourPerA4: ['PDF, 4 per A4', 'Four labels per A4 page'],
			zpl: ['ZPL', 'For label printers. Not every carrier supports it.'],
		}),
		description: 'The format of the label files',
	},
	{
		displayName: 'First Position',
		name: 'firstPosition',
		type: 'number',
		noDataExpression: true,
		default: 1,
		typeOptions: { minValue: 1, maxValue: 4 },
		description:
			'Where to print the first label of each file, from 1 to 4, for a sheet that is partly used',
		displayOptions: { show: { format: ['pdfFourPerA4'] } },
	},
	optionsField({
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		noDataExpression: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
	}),
];

export const operation: BulkOperation = {
	name: 'Create Label Files',
	value: 'create',
	action: 'Create label files',
	description: 'Create the labels of shipments as files, without printing them',
	fields: [...shipments, ...formatFields],

	async executeAll(run) {
		const format = readFormat(run);
		const given = run.context.getNodeParameter('options.binaryPropertyName', 0, '');
		const field = String(given ?? '').trim() || 'data';
		const { items, failed } = await readItems(run, shipments, (named, ofOrders) => [
			labelsOf(named, ofOrders),
		]);
		const { wanted, results } = await selectLabels(run, items);
		results.unshift(...failed);
		if (endsWithError(run, results)) return results;
		// A carrier has several files if it has more shipments than one request can have, or if one of them is refused.
		const created = await createLabels(run, wanted, format);
		const files = created.map(async (labels): Promise<ItemResult[]> => {
			const { items: linked, groups, labelsMissing } = labels;
			if (groups.length === 0) return failEach(linked, notCreatedError(labels));
			const missing = labelsMissing > 0 ? { labelsMissing } : {};
			return await run.client.mapParallel(groups, async (group) =>
				saveLabels(run, group, format.type, field).then(
					(output): ItemResult => ({
						...{ items: linked, ...output },
						json: { ...output.json, ...missing },
					}),
					(failure: unknown): ItemResult => ({ items: linked, failure }),
				),
			);
		});
		return [...results, ...(await Promise.all(files)).flat()];
	},
};

function readFormat({ context }: NodeRun): LabelFormat {
	const given = context.getNodeParameter('format', 0, 'pdf');
	const chosen = readChoice('Format', given, Object.keys(FORMATS));
	const format: LabelFormat = { type: 'pdf', ...FORMATS[chosen] };
	if (chosen !== 'pdfFourPerA4') return format;
	const position: unknown = context.getNodeParameter('firstPosition', 0, 1);
	const skip = Number(position) - 1;
	if ([0, 1, 2, 3].includes(skip)) return { ...format, skip };
	throw invalidValue('First Position', position, 'Enter a whole number from 1 to 4.');
}
