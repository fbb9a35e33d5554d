import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../../descriptions/itemParameter';
import { requestOptionsField } from '../../descriptions/requestOptions';
import { readShipmentIds, shipmentIdsField } from '../../descriptions/shipmentIds';
import {
	type LabelRequest,
	type LabelSettings,
	type LabelWish,
	planLabelRequests,
} from '../../labels/labelRequests';
import { HASH_VALIDITY_DAYS, type LabelGroup } from '../../transport/contract';
import { labelFileName, saveLabelFile } from '../../labels/labelFile';
import { ItemError, describeError } from '../../transport/errors';
import type { BulkOperation, Outcome, Run } from '../operation';

const MAX_SHIPMENTS_PER_REQUEST = 1_000;
const DAY_MS = 86_400_000;

/** What the form calls it -> what the service does when asked for it. */
const LAYOUTS: Readonly<Record<string, Pick<LabelSettings, 'onePerPage'>>> = {
	carrierDefault: {},
	onePerPage: { onePerPage: true },
	fourPerPage: { onePerPage: false },
};

export const operation: BulkOperation = {
	name: 'Print',
	value: 'print',
	action: 'Print labels',
	description:
		'Make the labels of shipments, one file per carrier, with a hash for direct printing',
	fields: [
		shipmentIdsField,
		{
			displayName: 'Format',
			name: 'format',
			type: 'options',
			default: 'pdf',
			options: [
				{ name: 'PDF', value: 'pdf' },
				{ name: 'ZPL', value: 'zpl', description: 'For label printers; not every carrier has it' },
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
				{ name: 'Four per Page', value: 'fourPerPage', description: 'Four labels on a page of A4' },
				{ name: 'One per Page', value: 'onePerPage', description: 'One label on a page of A6' },
			],
			description: 'How the labels are laid out on the pages',
			displayOptions: { show: { format: ['pdf'] } },
		},
		{
			displayName: 'Download',
			name: 'download',
			type: 'boolean',
			default: true,
			description:
				'Whether to put the label files into the output. Without it there are only their links and hashes.',
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
		requestOptionsField,
	],

	async executeAll(run) {
		const { wishes, refused } = readWishes(run);
		if (refused.length > 0 && !run.context.continueOnFail()) return refused;

		const requests = planLabelRequests(wishes, MAX_SHIPMENTS_PER_REQUEST);
		const made = await run.client.mapParallel(requests, async (request) =>
			makeLabels(run, request),
		);
		const delivered = await run.client.mapParallel(made.flat(), async (labels) =>
			'failure' in labels ? labels : deliver(run, labels),
		);
		return [...refused, ...delivered];
	},

	describeKept(outcomes) {
		const made = outcomes
			.map((outcome) =>
				'failure' in outcome ? describeError(outcome.failure).details : outcome.json,
			)
			.filter(({ hash }) => hash)
			.map(
				({ carrierName, labelsCount, hash, labelsUrl }) =>
					`${String(carrierName)} ${String(labelsCount)}, hash ${String(hash)}, ${String(labelsUrl)}`,
			);
		return made.length > 0 ? `These labels were made: ${made.join('; ')}.` : undefined;
	},
};

function readWishes({ context, items }: Run) {
	const parameter = (name: string, instead?: unknown) =>
		itemParameter(context, items, name, instead);
	const form = {
		shipmentIds: parameter(shipmentIdsField.name),
		format: parameter('format', 'pdf'),
		layout: parameter('layout', 'carrierDefault'),
		download: parameter('download', true),
		binaryPropertyName: parameter('binaryPropertyName', 'data'),
	};
	const wishes: LabelWish[] = [];
	const refused: Outcome[] = [];
	for (const item of items.keys()) {
		try {
			const shipmentIds = readShipmentIds(form.shipmentIds(item), item);
			wishes.push({ item, shipmentIds, settings: readSettings(form, item) });
		} catch (failure) {
			refused.push({ items: [item], failure });
		}
	}
	return { wishes, refused };
}

type SettingsForm = Record<'format' | 'layout' | 'download' | 'binaryPropertyName', ItemParameter>;

function readSettings(form: SettingsForm, item: number): LabelSettings {
	const format = form.format(item) as string;
	const layout = form.layout(item) as string;
	const field = form.binaryPropertyName(item) as string;
	if (format !== 'pdf' && format !== 'zpl')
		throw notOffered('Format', format, ['pdf', 'zpl'], item);
	// Pages are a matter of PDF; a roll of labels has none.
	const pages = format === 'pdf' ? LAYOUTS[layout] : {};
	if (!pages) throw notOffered('Layout', layout, Object.keys(LAYOUTS), item);
	if (!form.download(item)) return { format, ...pages };
	if (field) return { format, ...pages, binaryPropertyName: field };
	throw new ItemError(
		`Put Output File in Field of item ${item} is empty`,
		'Enter the name of a binary field, such as data, or turn off Download.',
		{ field: 'binaryPropertyName', itemIndex: item },
	);
}

function notOffered(label: string, value: unknown, choices: string[], item: number): ItemError {
	return new ItemError(
		`${label} of item ${item} can't be ${JSON.stringify(value)}`,
		`Choose one of: ${choices.join(', ')}.`,
		{ field: label.toLowerCase(), itemIndex: item },
	);
}

/** The labels of one carrier, made by the service. */
interface Made {
	items: number[];
	group: LabelGroup;
	json: IDataObject;
	settings: LabelSettings;
}

type Failed = { items: number[]; failure: unknown };

async function makeLabels(run: Run, request: LabelRequest): Promise<Array<Made | Failed>> {
	const { items, shipmentIds, settings } = request;
	const { format, onePerPage } = settings;
	const failEach = (failure: unknown) => items.map((item) => ({ items: [item], failure }));
	try {
		const { result: groups, correlationId } = await run.client.call('printLabels', {
			query: { type: format },
			body: { packages: shipmentIds, ...(onePerPage === undefined ? {} : { onePerPage }) },
		});
		const hashExpiresAt = new Date(Date.now() + HASH_VALIDITY_DAYS * DAY_MS).toISOString();
		if (groups.length === 0) return failEach(noLabels(correlationId));

		hintAtMissing(run.context, groups, shipmentIds.length);
		// The answer doesn't say which shipments are in which group, so each may come from any item.
		return groups.map((group) => ({
			items,
			group,
			json: { ...group, hashExpiresAt },
			settings,
		}));
	} catch (failure) {
		return failEach(failure);
	}
}

function noLabels(correlationId: string): ItemError {
	return new ItemError(
		'The service made no label for these shipments',
		'Look with Shipment, Get whether they are printable and not canceled.',
		{ correlationId },
		true,
	);
}

function hintAtMissing(context: IExecuteFunctions, groups: LabelGroup[], shipmentCount: number) {
	const labelCount = groups.reduce((sum, { labelsCount }) => sum + labelsCount, 0);
	if (!(labelCount < shipmentCount)) return;
	context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message: `The service made ${labelCount} labels for ${shipmentCount} shipments and does not say which are missing. Shipment, Get tells whether a shipment is printable.`,
	});
}

async function deliver(run: Run, { items, group, json, settings }: Made): Promise<Outcome> {
	const { format, binaryPropertyName } = settings;
	if (binaryPropertyName === undefined) return { items, json };
	try {
		const fileName = labelFileName(group, today(run.context), format);
		const file = await saveLabelFile(run, group.labelsUrl, format, fileName);
		return { items, json, binary: { [binaryPropertyName]: file } };
	} catch (thrown) {
		const { message, description, details } = describeError(thrown);
		const failure = new ItemError(
			`The labels of ${group.carrierName} were made, but their file was not saved: ${message}`,
			`${description} The labels can be printed with Label, Send to Printer by their hash, or opened with labelsUrl.`,
			{ ...details, ...json },
			true,
		);
		return { items, failure };
	}
}

/** `2026-11-20` where the workflow is at home. */
function today(context: IExecuteFunctions): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: context.getTimezone() }).format();
}
