import type { IExecuteFunctions } from 'n8n-workflow';

import { printerField, readLocator } from '../../descriptions/locators';
import { maxConcurrencyOption, maxRetryWaitOption, optionsField } from '../../descriptions/options';
import { readShipmentIds, shipmentIdsField } from '../../descriptions/shipmentNumbers';
import {
	jobKeyOf,
	planShipmentJobs,
	PRINT_TIMEOUT_MS,
	type PrintJob,
	printJobs,
	type ShipmentsJob,
} from '../../labels/print';
import { leaveOutPrinted, skipPrintedOption } from '../../labels/printed';
import { groupBy } from '../../lists';
import { type ItemResult, type NodeRun, readEachItem, showHints } from '../../run';
import { ItemError } from '../../transport/errors';
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
			options: [
				{
					name: 'By Print Hash',
					value: 'hash',
					description: 'Labels that were created with a hash. It prints all labels of its batch.',
				},
				{
					name: 'Of Shipments',
					value: 'shipments',
					description:
						'Labels of shipments by ID, also of shipments that already existed. The shipments of all items are printed together, one job per carrier.',
				},
			],
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
				'The print hash: labelsHash of a created shipment, or hash of Create Label Files. It is valid for 14 days. Each hash is sent once per run and printer, even if several items have it.',
			displayOptions: { show: { labels: ['hash'] } },
		},
		{
			...shipmentIdsField,
			displayOptions: { show: { labels: ['shipments'] } },
		},
		printerField,
		optionsField(
			{
				...maxConcurrencyOption,
				description:
					'Maximum number of printers to use in parallel. The jobs of one printer are sent one after another.',
			},
			maxRetryWaitOption,
			{
				displayName: 'Repeat',
				name: 'repeat',
				type: 'boolean',
				default: false,
				description:
					'Whether to send a hash again for each item that has it, for example to print copies',
				displayOptions: { show: { '/labels': ['hash'] } },
			},
			{ ...skipPrintedOption, displayOptions: { show: { '/labels': ['shipments'] } } },
			{
				displayName: 'Timeout (Ms)',
				name: 'timeout',
				type: 'number',
				default: PRINT_TIMEOUT_MS,
				typeOptions: { minValue: 1 },
				description: 'How long to wait for the printer to accept one job',
			},
		),
	],

	async executeAll(run) {
		const { context } = run;
		const { valid, invalid } = readEachItem(run, (item) => readPrintItem(context, item));
		const isStopped = (failures: ItemResult[]) => failures.length > 0 && !context.continueOnFail();
		if (isStopped(invalid)) return invalid;

		const withHash = valid.filter((each) => 'hash' in each);
		const withShipments = valid.filter((each) => 'shipmentIds' in each);
		const { toPrint, skipped, failed } = await leaveOutPrinted(run, withShipments);
		const { jobs, failed: unplanned } = await planJobs(run, withHash, toPrint);
		const refused = [...invalid, ...failed, ...unplanned];
		if (isStopped(refused)) return refused;

		addHintAboutSharedJobs(run, jobs);
		const { timeout = PRINT_TIMEOUT_MS } = context.getNodeParameter('options', 0, {}) as {
			timeout?: number;
		};
		const outcomes = await printJobs(run, jobs, {
			timeoutMs: timeout,
			stopsOnFailure: !context.continueOnFail(),
		});
		const printed = jobs.flatMap((job): ItemResult[] => {
			const outcome = outcomes.get(jobKeyOf(job));
			if (!outcome) return [];
			const { items, isCombined } = job;
			const [first = 0] = items;
			if (outcome.kind !== 'done') {
				const [failure] = outcome.errors;
				return isCombined
					? [{ items, failure }]
					: items.map((item) => ({ items: [item], failure }));
			}
			const json = outcome.value;
			if (isCombined) return [{ items, json }];
			return items.map((item) => ({
				items: [item],
				json: item === first ? json : { ...json, printedWithItem: first },
			}));
		});
		return [...refused, ...skipped, ...printed];
	},

	describeCompleted(results) {
		const printed = results
			.filter((result) => !('failure' in result) && !result.json.skipped)
			.flatMap(({ items }) => items)
			.sort((a, b) => a - b);
		return printed.length > 0 ? `Already printed: item ${printed.join(', ')}.` : undefined;
	},
};

interface HashItem {
	item: number;
	hash: string;
	printerName: string;
	/** Send the hash also if another item has it. */
	repeat: boolean;
}

interface ShipmentsItem {
	item: number;
	shipmentIds: number[];
	printerName: string;
}

type ItemsJob = PrintJob & {
	items: number[];
	/** One output item for all items. The labels of a carrier cannot be told apart by item. */
	isCombined: boolean;
};

/** One job per hash and printer, and for shipments one per printer and carrier. */
async function planJobs(
	run: NodeRun,
	withHash: readonly HashItem[],
	withShipments: readonly ShipmentsItem[],
): Promise<{ jobs: ItemsJob[]; failed: ItemResult[] }> {
	const byHash = groupBy(
		withHash.map(({ item, hash, printerName, repeat }) => ({
			item,
			job: { hash, printerName, ...(repeat ? { copy: item } : {}) },
		})),
		({ job }) => jobKeyOf(job),
	);
	const jobs = [...byHash.values()].map(
		(group): ItemsJob => ({
			...group[0].job,
			items: group.map(({ item }) => item),
			isCombined: false,
		}),
	);
	const failed: ItemResult[] = [];
	const byPrinter = [...groupBy(withShipments, ({ printerName }) => printerName)];
	await run.client.mapParallel(byPrinter, async ([printerName, group]) => {
		const ids = group.flatMap(({ shipmentIds }) => shipmentIds);
		const itemsOf = (job: ShipmentsJob) => {
			const isPrinted = new Set(job.shipmentIds);
			return group
				.filter(({ shipmentIds }) => shipmentIds.some((id) => isPrinted.has(id)))
				.map(({ item }) => item);
		};
		for (const job of await planShipmentJobs(run, printerName, ids)) {
			const items = itemsOf(job);
			if ('hash' in job) jobs.push({ ...job, items, isCombined: true });
			else failed.push(...items.map((item) => ({ items: [item], failure: job.failure })));
		}
	});
	return { jobs, failed };
}

function readPrintItem(context: IExecuteFunctions, item: number): HashItem | ShipmentsItem {
	const labels = context.getNodeParameter('labels', item, 'hash') as unknown;
	if (labels !== 'hash' && labels !== 'shipments') {
		throw new ItemError(
			`Invalid Labels of item ${item}: ${JSON.stringify(labels)}`,
			'Choose one of: hash, shipments.',
			{ field: 'labels', itemIndex: item },
		);
	}
	const printerName = () => readLocator(context, printerField, item);
	if (labels === 'shipments') {
		const shipmentIds = context.getNodeParameter(shipmentIdsField.name, item, '') as unknown;
		return { item, shipmentIds: readShipmentIds(shipmentIds, item), printerName: printerName() };
	}
	const hash = readText(context, 'hash', item, {
		message: `Hash of item ${item} is empty`,
		description:
			"A shipment that already existed has no labelsHash. Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}: this prints new and existing shipments.",
	});
	const { repeat = false } = context.getNodeParameter('options', item, {}) as { repeat?: boolean };
	return { item, hash, printerName: printerName(), repeat };
}

function readText(
	context: IExecuteFunctions,
	name: string,
	item: number,
	ifEmpty: { message: string; description: string },
): string {
	const value = context.getNodeParameter(name, item, '') as unknown;
	const text = value === null || value === undefined ? '' : String(value).trim();
	if (text !== '') return text;
	throw new ItemError(ifEmpty.message, ifEmpty.description, { field: name, itemIndex: item });
}

function addHintAboutSharedJobs(run: NodeRun, jobs: readonly ItemsJob[]): void {
	const shared = jobs.filter(({ items, isCombined }) => items.length > 1 && !isCombined);
	if (shared.length === 0) return;
	const count = shared.reduce((sum, { items }) => sum + items.length, 0);
	showHints(run, [
		`${count} items have the same hash and printer as another item. Each hash was sent once. To print copies, turn on the option 'Repeat'.`,
	]);
}
