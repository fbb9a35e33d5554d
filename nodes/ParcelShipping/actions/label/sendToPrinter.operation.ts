import { printerField, readLocator } from '../../descriptions/locators';
import {
	choices,
	maxConcurrencyOption,
	readChoice,
	requestOptions,
} from '../../descriptions/options';
import {
	byOrderNumber,
	orderNumberField,
	readOrderNumbers,
	readShipmentIds,
	shipmentIdsField,
} from '../../descriptions/shipmentNumbers';
import type { WantedLabel } from '../../labels/createLabels';
import { openPrinting } from '../../labels/print';
import { printKeyOf, type PrintOutcome } from '../../labels/printJob';
import { type ItemShipments, selectLabels } from '../../labels/select';
import { skipPrintedOption } from '../../labels/notPrinted';
import { countOf, groupBy } from '../../lists';
import {
	endsWithError,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
	showHints,
} from '../../run';
import { ItemError } from '../../transport/errors';
import { labelIdsByCarrier, type OrderNumbers, readItems } from '../readItems';
import { type BulkOperation, listDone } from '../operation';

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
				notPrinted: [
					'All Not Printed',
					'Of all carriers and the last 30 days, all on the printer of the first item',
				],
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
				'The print hash: labelsHash of a created shipment, or hash of Label: Create Label Files. It is valid for 14 days. Each hash is sent once per run, even if several items have it.',
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
				...skipPrintedOption,
				displayOptions: { show: { '/labels': ['shipments', 'orderNumbers'] } },
			},
		),
	],

	async executeAll(run) {
		const { items, failed } = await readItems<HashItem | ShipmentsItem, OrdersItem>(
			run,
			readPrintItem,
			labelIdsByCarrier,
		);
		return await print(run, items, failed);
	},

	describeCompleted: (results) =>
		listDone('printed', results, ({ printed, carrierCode, labelsMissing }, items) => {
			if (printed !== true) return undefined;
			const missing = labelsMissing ? `${labelsMissing} missing` : '';
			const more = [carrierCode, missing].filter(Boolean).join(', ');
			return `item ${items.join(', ')}${more === '' ? '' : ` (${more})`}`;
		}),
};

type HashItem = { item: number; hash: string; printerName: string };

type ShipmentsItem = ItemShipments & { printerName: string };

type OrdersItem = OrderNumbers & { printerName: string };

/** A label, or what a hash prints. */
type ToPrint = HashItem | (WantedLabel & { printerName: string });

/** Without a lock: two executions that ask for one label at the same moment both print it. See docs/guarantees.md. */
async function print(
	run: NodeRun,
	items: ReadonlyArray<HashItem | ShipmentsItem>,
	failed: readonly ItemResult[],
): Promise<ItemResult[]> {
	const printing = await openPrinting(run);
	const { earlier, sendable, isSentInThisTry, mayPrint, send, printNew } = printing;
	const { wanted, results } = await selectLabels(
		run,
		items.filter((each): each is ShipmentsItem => !('hash' in each)),
	);
	results.unshift(...failed);
	const hashes = items.filter((each) => 'hash' in each);
	// Each is printed once, on the printer of the first item that has it.
	const byLabel = groupBy<ToPrint, string>([...hashes, ...wanted], printKeyOf);
	showRepeated(run, [...byLabel.values()]);
	const outcomes = [...earlier];
	if (!endsWithError(run, results)) {
		const open = [...byLabel.values()].filter(([first]) => mayPrint(first));
		// The labels of each printer and carrier are created right before they are printed.
		const tasks = groupBy(open, ([first]) =>
			'hash' in first
				? printKeyOf(first)
				: JSON.stringify([first.printerName, first.carrierCode?.toUpperCase()]),
		);
		const queues = groupBy([...tasks.values()], ([[{ printerName }]]) => printerName);
		const printTask = async (task: ReadonlyArray<[ToPrint, ...ToPrint[]]>) => {
			const all = task.flat();
			const labels = all.filter((each) => 'id' in each);
			const [first] = all;
			if (!first) return [];
			const { printerName } = first;
			if (!('hash' in first)) return await printNew(printerName, labels);
			const { hash } = first;
			const target = { hash, items: all.map(({ item }) => item) };
			return await send([{ printerName, hash, targets: [target] }]);
		};
		const isFailed = ({ outcome }: PrintOutcome) => 'errors' in outcome;
		outcomes.push(...(await runUntilFirstFailure(run, [...queues.values()], printTask, isFailed)));
	}
	results.push(...toResults(outcomes, byLabel));
	// What is not sent again because the run ends with an error is still unknown.
	const left = endsWithError(run, results) ? sendable.filter((each) => !isSentInThisTry(each)) : [];
	return [...results, ...toResults(left, byLabel)];
}

function showRepeated(run: NodeRun, labels: ReadonlyArray<[ToPrint, ...ToPrint[]]>): void {
	const repeated = labels.flatMap(([{ printerName }, ...more]) =>
		more.filter((each) => 'hash' in each || each.printerName !== printerName),
	);
	const count = new Set(repeated.map(({ item }) => item)).size;
	if (count === 0) return;
	showHints(run, [
		`${countOf(count, 'item', 'has')} a hash or label that an earlier item has as well. Each is printed once, on the printer of the first item that has it. To print a label again, or on another printer as well, use another node.`,
	]);
}

/** One for each print job, and an error for each item, also if an earlier try has printed for other items. */
function toResults(
	outcomes: readonly PrintOutcome[],
	byLabel: ReadonlyMap<string, readonly ToPrint[]>,
): ItemResult[] {
	const groups = groupBy(outcomes, ({ targets: [target], outcome }) => {
		if ('errors' in outcome) return outcome.errors[0];
		return JSON.stringify([outcome.value, 'hash' in target ? printKeyOf(target) : '']);
	});
	return [...groups.values()].flatMap((group): ItemResult[] => {
		const [{ outcome }] = group;
		const linked = group.flatMap(({ targets: [target] }) => [
			...target.items,
			...(byLabel.get(printKeyOf(target)) ?? []).map(({ item }) => item),
		]);
		const items = [...new Set(linked)].sort((a, b) => a - b);
		return 'errors' in outcome
			? items.map((item) => ({ items: [item], failure: outcome.errors[0] }))
			: [{ items, json: outcome.value }];
	});
}

function readPrintItem(item: number, { context }: NodeRun): HashItem | ShipmentsItem | OrdersItem {
	const given = context.getNodeParameter('labels', item, 'shipments');
	const labels = readChoice('Labels', given, ['hash', 'shipments', 'orderNumbers', 'notPrinted']);
	const printerName = readLocator(context, printerField, item);
	if (labels === 'orderNumbers') {
		return { item, orderNumbers: readOrderNumbers(context, item), printerName };
	}
	if (labels === 'notPrinted') {
		// Each label is printed once, whatever printers the items have.
		return { item, printerName: readLocator(context, printerField, 0) };
	}
	if (labels === 'shipments') {
		const ids: unknown = context.getNodeParameter(shipmentIdsField.name, item, '');
		return { item, shipmentIds: readShipmentIds(ids), printerName };
	}
	const hash = String(context.getNodeParameter('hash', item, '') ?? '').trim();
	if (hash === '') {
		throw new ItemError(
			`Hash of item ${item} is empty`,
			"A shipment that already existed has no labelsHash. Set 'Labels' to 'Of Shipments' and 'Shipment IDs' to {{ $json.id }}: this prints new and existing shipments.",
			{ field: 'hash', itemIndex: item },
		);
	}
	return { item, hash, printerName };
}
