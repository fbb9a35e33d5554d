import type { IDataObject } from 'n8n-workflow';

import { printerField, readLocator } from '../../descriptions/locators';
import {
	choices,
	lookbackOption,
	maxConcurrencyOption,
	readChoice,
	requestOptions,
	timeoutOption,
} from '../../descriptions/options';
import {
	byOrderNumber,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentIdsField,
} from '../../descriptions/shipmentNumbers';
import { readBoolean, readNumber } from '../../itemParameter';
import { planJobs } from '../../labels/planJobs';
import { openPrinting, PRINT_TIMEOUT_MS } from '../../labels/print';
import { jobKeyOf, type PrintJob } from '../../labels/printJob';
import {
	ALL_NOT_PRINTED,
	type ItemShipments,
	selectShipments,
	skipPrintedOption,
} from '../../labels/select';
import { groupBy, listTexts } from '../../lists';
import { type ItemResult, type NodeRun, showHints } from '../../run';
import { ItemError, withNote } from '../../transport/errors';
import type { Outcome } from '../../writes/journal';
import { labelIdsByCarrier, type OrderNumbers, readItems } from '../byOrderNumber';
import type { BulkOperation } from '../operation';

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
				notPrinted: ALL_NOT_PRINTED,
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
				'The print hash: labelsHash of a created shipment, or hash of Label: Create Label Files. It is valid for 14 days. Each hash is sent once per run and printer, even if several items have it.',
			displayOptions: { show: { labels: ['hash'] } },
		},
		{
			...shipmentIdsField,
			displayOptions: { show: { labels: ['shipments'] } },
		},
		{ ...orderNumberField, displayOptions: { show: { labels: ['orderNumbers'] } } },
		printerField,
		requestOptions(
			{
				...maxConcurrencyOption,
				description:
					'Maximum number of printers to use in parallel. The jobs of one printer are sent one after another.',
			},
			{
				displayName: 'Repeat',
				name: 'repeat',
				type: 'boolean',
				default: false,
				description:
					'Whether to send a hash again for each item that has it, for example to print copies',
				displayOptions: { show: { '/labels': ['hash'] } },
			},
			{
				...skipPrintedOption,
				displayOptions: { show: { '/labels': ['shipments', 'orderNumbers'] } },
			},
			{ ...lookbackOption('printed'), displayOptions: { show: { '/labels': ['notPrinted'] } } },
			timeoutOption(PRINT_TIMEOUT_MS, 'How long to wait for the printer to accept one job'),
		),
	],

	async executeAll(run) {
		const timeout = run.context.getNodeParameter('options.timeout', 0, PRINT_TIMEOUT_MS);
		const timeoutMs = readNumber(timeout, 'Timeout (Ms)', PRINT_TIMEOUT_MS, 1);
		const { items, failed } = await readItems<HashItem | ShipmentsItem, OrdersItem>(
			run,
			readPrintItem,
			labelIdsByCarrier,
		);
		return [...failed, ...(await print(run, items, timeoutMs))];
	},

	describeCompleted(results) {
		const failed = results.filter((result) => 'failure' in result).flatMap(({ items }) => items);
		// An item can have shipments of several carriers.
		const names = results.flatMap((result) => {
			if ('failure' in result || result.json.printed !== true) return [];
			const { carrierCode } = result.json;
			return result.items.map((item): [number, string] => [
				item,
				failed.includes(item) ? `${item} (only ${String(carrierCode)})` : String(item),
			]);
		});
		const printed = [...new Set(names.sort(([a], [b]) => a - b).map(([, name]) => name))];
		const areMissing = results.some((result) => 'json' in result && result.json.labelsMissing);
		const without = areMissing
			? ' (some labels are missing, and the service does not say which)'
			: '';
		return printed.length > 0
			? `Already printed: item ${printed.join(', ')}${without}.`
			: undefined;
	},
};

type HashItem = PrintJob & { item: number };

type ShipmentsItem = ItemShipments & { printerName: string };

type OrdersItem = OrderNumbers & { printerName: string };

async function print(
	run: NodeRun,
	items: ReadonlyArray<HashItem | ShipmentsItem>,
	timeoutMs: number,
): Promise<ItemResult[]> {
	const { context } = run;
	const { earlier, doneOrPendingIds, send } = await openPrinting(run, timeoutMs);
	const sentJobs = earlier.map(({ job }) => job);
	const withIds = items.filter((each) => 'shipmentIds' in each);
	const { toPrint, results } = await selectShipments(run, withIds);
	const mustStop = () => results.some((result) => 'failure' in result) && !context.continueOnFail();
	// Some services count a label as printed once it is created.
	const planned = await planJobs(run, mustStop() ? [] : toPrint, sentJobs);
	for (const { items: of, failure } of planned.unlabeled) {
		results.push(...of.map((item) => ({ items: [item], failure })));
	}

	// An earlier try may have sent it to another printer, or without 'Repeat'.
	const isSent = ({ hash, item }: HashItem) =>
		sentJobs.some((job) => job.hash === hash && job.items?.includes(item));
	// A job can be for several items, also for one whose printer was corrected to that of an earlier job.
	const jobs = joinEqual([
		...sentJobs,
		...items.filter((each) => 'hash' in each).filter((each) => !isSent(each)),
		...planned.jobs,
	]);
	const shared = jobs.filter(({ items: of = [], shipments }) => of.length > 1 && !shipments);
	if (shared.length > 0) {
		showHints(run, [
			`${shared.flatMap((job) => job.items).length} items have the same hash and printer as another item. Each hash was sent once. To print copies, turn on the option 'Repeat'.`,
		]);
	}
	const sent = mustStop() ? [] : await send(jobs, { stopsOnFailure: true });
	const outcomes = new Map(
		[...earlier, ...sent].map(({ job, outcome }) => [jobKeyOf(job), outcome]),
	);
	for (const job of jobs) {
		const outcome = outcomes.get(jobKeyOf(job));
		if (outcome) results.push(...toResults(job, outcome));
	}
	if (!mustStop()) return results;
	const mayBePrinted = doneOrPendingIds();
	const notPrinted = jobs
		.flatMap(({ shipments }) => shipments?.ids ?? [])
		.filter((id) => !mayBePrinted.has(id));
	return notPrinted.length === 0 ? results : results.map((each) => withCreated(each, notPrinted));
}

/** The run ends with the error of one of these results, and the service may count the labels as printed. */
function withCreated(result: ItemResult, ids: readonly number[]): ItemResult {
	if (!('failure' in result)) return result;
	const texts = [...new Set(ids)].map(String);
	const note = `Labels were created and not printed: those of ${listTexts(texts)}. The service may count them as printed now. To print them, retry this execution. If another shipment fails again, set 'On Error' to 'Continue' before you retry.`;
	return { ...result, failure: withNote(result.failure, note) };
}

/** One job for each hash and printer, with the items of all. */
function joinEqual(jobs: readonly PrintJob[]): PrintJob[] {
	return [...groupBy(jobs, jobKeyOf).values()].map((equal) => ({
		...equal[0],
		items: [...new Set(equal.flatMap(({ items = [] }) => items))],
	}));
}

function toResults(
	{ items = [], shipments }: PrintJob,
	outcome: Outcome<IDataObject>,
): ItemResult[] {
	// The labels of a carrier cannot be told apart by item.
	const groups = shipments ? [items] : items.map((item) => [item]);
	return groups.map((group, index) => {
		if ('errors' in outcome) return { items: group, failure: outcome.errors[0] };
		const json = index === 0 ? outcome.value : { ...outcome.value, printedWithItem: items[0] };
		return { items: group, json };
	});
}

function readPrintItem(
	item: number,
	{ context, items }: NodeRun,
): HashItem | ShipmentsItem | OrdersItem {
	const given = context.getNodeParameter('labels', item, 'shipments');
	const labels = readChoice(
		'Labels',
		given,
		['hash', 'shipments', 'orderNumbers', 'notPrinted'],
		item,
	);
	const printerName = readLocator(context, printerField, item);
	if (labels === 'orderNumbers') {
		return { item, orderNumbers: readOrderNumbers(context, item), printerName };
	}
	if (labels === 'notPrinted') {
		const first = items.findIndex(
			(_, at) => context.getNodeParameter('labels', at, 'shipments') === 'notPrinted',
		);
		if (item === first || printerName === readLocator(context, printerField, first)) {
			return { item, way: 'notPrinted', shipmentIds: [], printerName };
		}
		throw new ItemError(
			`Item ${item} has a different printer than item ${first}`,
			"'All Not Printed' prints each label once. Choose one printer for all items.",
			{ field: 'printerName', itemIndex: item },
		);
	}
	if (labels === 'shipments') {
		const ids: unknown = context.getNodeParameter(shipmentIdsField.name, item, '');
		return { item, way: 'ids', shipmentIds: readShipmentIds(ids, item), printerName };
	}
	const hash = String(context.getNodeParameter('hash', item, '') ?? '').trim();
	if (hash === '') {
		throw new ItemError(
			`Hash of item ${item} is empty`,
			"A shipment that already existed has no labelsHash. Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}: this prints new and existing shipments.",
			{ field: 'hash', itemIndex: item },
		);
	}
	const { repeat } = context.getNodeParameter('options', item, {}) as { repeat?: unknown };
	const more = readBoolean(repeat, 'Repeat') ? { repeatedFor: item } : {};
	return { item, items: [item], hash, printerName, ...more };
}
