import { choices, optionsField } from '../../descriptions/options';
import { ALL_NOT_PRINTED, shipmentFields } from '../../descriptions/shipmentNumbers';
import { createLabels, describeLabels, type LabelFormat, saveLabels } from '../../labels/labels';
import { selectLabels } from '../../labels/select';
import { readChoice, readNumber, readOptionalText } from '../../parameterValues';
import { endsWithError, failEach, type ItemResult } from '../../run';
import { describeError, ItemError } from '../../transport/errors';
import { labelsOf, readItems } from '../readItems';
import type { Operation } from '../operation';

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

export const operation: Operation = {
	name: 'Create Label Files',
	value: 'create',
	action: 'Create label files',
	description: 'Create the labels of shipments as files, without printing them',
	fields: [
		...shipments,
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
	],

	async execute(run) {
		const { context } = run;
		const chosen = context.getNodeParameter('format', 0, 'pdf');
		const name = readChoice('Format', chosen, Object.keys(FORMATS));
		const first = context.getNodeParameter('firstPosition', 0, 1);
		const position = readNumber(first, 'First Position', { least: 1, most: 4 }) ?? 1;
		const skip = name === 'pdfFourPerA4' ? { skip: position - 1 } : {};
		const format: LabelFormat = { type: 'pdf', ...FORMATS[name], ...skip };
		const fileField = context.getNodeParameter('options.binaryPropertyName', 0, '');
		const { items, failed } = await readItems(run, shipments, (named, ofOrders) => [
			labelsOf(named, ofOrders),
		]);
		const { wanted, results } = await selectLabels(run, items);
		results.unshift(...failed);
		if (endsWithError(run, results)) return results;
		// A carrier has several files if it has more shipments than one request can have, or if one of them is refused.
		const created = await createLabels(run, wanted, format);
		const files = created.map(async (labels): Promise<ItemResult[]> => {
			const { items: linked, ids, groups } = labels;
			if (groups.length === 0) {
				const why = describeError(labels.failure);
				const details = { ...why.details, shipmentIds: ids };
				const message = describeLabels(labels, why);
				return failEach(linked, new ItemError(message, why.description, details));
			}
			return await run.client.mapParallel(groups, async (group) =>
				saveLabels(run, group, format.type, readOptionalText(fileField) ?? 'data').then(
					(output): ItemResult => ({ items: linked, ...output }),
					(failure: unknown): ItemResult => ({ items: linked, failure }),
				),
			);
		});
		return [...results, ...(await Promise.all(files)).flat()];
	},
};
