import type { IDataObject } from 'n8n-workflow';

import { printerField, readLocator } from '../../descriptions/locators';
import {
	choices,
	maxConcurrencyOption,
	readChoice,
	requestOptions,
	timeoutOption,
} from '../../descriptions/options';
import {
	byOrderNumber,
	itemsWith,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentIdsField,
} from '../../descriptions/shipmentNumbers';
import {
	jobKeyOf,
	planShipmentJobs,
	PRINT_TIMEOUT_MS,
	type PrintJob,
	printJobs,
} from '../../labels/print';
import { type ItemShipments, leaveOutPrinted, skipPrintedOption } from '../../labels/printed';
import { groupBy } from '../../lists';
import { type ItemResult, type NodeRun, showHints } from '../../run';
import { ItemError } from '../../transport/errors';
import type { Outcome } from '../../writes/journal';
import { executeFound, labelIdsByCarrier, type OrderNumbers } from '../byOrderNumber';
import type { BulkOperation } from '../operation';

export const operation: BulkOperation = {
	name: 'Send to Printer',
	value: 'sendToPrinter',
	action: 'Send a label to a printer',
	description: 'Print the labels of shipments, or labels with a print hash, on a printer',
	fields: [
		{
			displayName: 'Labels',
			name: 'labels',
			type: 'options',
			default: 'hash',
			options: choices({
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
			timeoutOption(PRINT_TIMEOUT_MS, 'How long to wait for the printer to accept one job'),
		),
	],

	async executeAll(run) {
		return await executeFound<HashItem | ShipmentsItem, OrdersItem>(
			run,
			readPrintItem,
			labelIdsByCarrier,
			async (items) => print(run, items),
		);
	},

	describeCompleted(results) {
		const printed = results
			.filter((result) => !('failure' in result) && !result.json.skipped)
			.flatMap(({ items }) => items)
			.sort((a, b) => a - b);
		return printed.length > 0 ? `Already printed: item ${printed.join(', ')}.` : undefined;
	},
};

/** With a copy number, the hash is sent also if another item has it. */
type HashItem = PrintJob & { item: number };

type ShipmentsItem = ItemShipments & { printerName: string };

type OrdersItem = OrderNumbers & { printerName: string };

/** One job per hash and printer, and for shipments one per printer and carrier. */
type ItemsJob = PrintJob & { items: number[]; isOfShipments: boolean };

async function print(
	run: NodeRun,
	items: ReadonlyArray<HashItem | ShipmentsItem>,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const stopsOnFailure = !context.continueOnFail();
	const withHash = items.filter((each) => 'hash' in each);
	const jobs = [...groupBy(withHash, jobKeyOf).values()].map(
		(group): ItemsJob => ({
			...group[0],
			items: group.map(({ item }) => item),
			isOfShipments: false,
		}),
	);
	const withShipments = items.filter((each) => 'shipmentIds' in each);
	const { toPrint, results } = await leaveOutPrinted(run, withShipments);
	const byPrinter = [...groupBy(toPrint, ({ printerName }) => printerName)];
	await client.mapParallel(byPrinter, async ([printerName, group]) => {
		const ids = group.flatMap(({ shipmentIds }) => shipmentIds);
		for (const job of await planShipmentJobs(run, printerName, ids)) {
			const of = itemsWith(job.shipmentIds, group);
			if ('hash' in job) jobs.push({ ...job, items: of, isOfShipments: true });
			else results.push(...of.map((item) => ({ items: [item], failure: job.failure })));
		}
	});
	if (stopsOnFailure && results.some((result) => 'failure' in result)) return results;

	const shared = jobs.filter((job) => job.items.length > 1 && !job.isOfShipments);
	if (shared.length > 0) {
		showHints(run, [
			`${shared.flatMap((job) => job.items).length} items have the same hash and printer as another item. Each hash was sent once. To print copies, turn on the option 'Repeat'.`,
		]);
	}
	const { timeout: timeoutMs = PRINT_TIMEOUT_MS } = context.getNodeParameter('options', 0, {}) as {
		timeout?: number;
	};
	const outcomes = await printJobs(run, jobs, { timeoutMs, stopsOnFailure });
	return [...results, ...jobs.flatMap((job) => toResults(job, outcomes.get(jobKeyOf(job))))];
}

function toResults(
	{ items, isOfShipments }: ItemsJob,
	outcome: Outcome<IDataObject> | undefined,
): ItemResult[] {
	if (!outcome) return [];
	// The labels of a carrier cannot be told apart by item.
	const groups = isOfShipments ? [items] : items.map((item) => [item]);
	return groups.map((group, index) => {
		if (outcome.kind !== 'done') return { items: group, failure: outcome.errors[0] };
		const json = index === 0 ? outcome.value : { ...outcome.value, printedWithItem: items[0] };
		return { items: group, json };
	});
}

function readPrintItem(item: number, { context }: NodeRun): HashItem | ShipmentsItem | OrdersItem {
	const given = context.getNodeParameter('labels', item, 'hash');
	const labels = readChoice('Labels', given, ['hash', 'shipments', 'orderNumbers'], item);
	if (labels === 'orderNumbers') {
		const orderNumbers = readOrderNumbers(context, item);
		return { item, orderNumbers, printerName: readLocator(context, printerField, item) };
	}
	if (labels === 'shipments') {
		const ids: unknown = context.getNodeParameter(shipmentIdsField.name, item, '');
		const shipmentIds = readShipmentIds(ids, item);
		return { item, shipmentIds, printerName: readLocator(context, printerField, item) };
	}
	const hash = String(context.getNodeParameter('hash', item, '') ?? '').trim();
	if (hash === '') {
		throw new ItemError(
			`Hash of item ${item} is empty`,
			"A shipment that already existed has no labelsHash. Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}: this prints new and existing shipments.",
			{ field: 'hash', itemIndex: item },
		);
	}
	const { repeat } = context.getNodeParameter('options', item, {}) as { repeat?: boolean };
	const printerName = readLocator(context, printerField, item);
	return { item, hash, printerName, ...(repeat ? { copy: item } : {}) };
}
