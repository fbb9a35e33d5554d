import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { findOperation, nodeProperties, patterns } from './actions';
import type { BulkOperation, Operation } from './actions/operation';
import { listSearch } from './methods/listSearch';
import { loadOptions } from './methods/loadOptions';
import { resourceMapping } from './methods/resourceMapping';
import { createClient } from './transport/client';
import { groupBy, listTexts, mapWithPauses } from './lists';
import { describeError, toNodeError } from './transport/errors';
import { forgetTries } from './writes/sent';
import { type FailedResult, type ItemResult, type NodeRun, runTasks } from './run';

export class ParcelShipping implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parcel Shipping',
		name: 'parcelShipping',
		icon: {
			light: 'file:../../icons/parcelShipping.svg',
			dark: 'file:../../icons/parcelShipping.dark.svg',
		},
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create parcel shipments with several carriers, print their labels and track them',
		defaults: { name: 'Parcel Shipping' },
		usableAsTool: true,
		builderHint: {
			searchHint: [
				'Ships orders: connect the shop or a table to Shipment: Create, set On Error to continueErrorOutput and connect the second output to a message about refused orders.',
				'Preview with the option Dry Run: it sends nothing and outputs what would happen to each order.',
				'For orders of WooCommerce, Shopify or Shoptet, set orderData and map nothing.',
				'For labels, follow with Label: Create Label Files (a file) or Label: Send to Printer (paper).',
				"Get, Track, Cancel, Hand Over and labels take the shop's order number: set shipments (or labels) to orderNumbers, and do not search for the shipment first.",
				'One node handles all items; do not loop.',
			].join(' '),
			extraTypeDefContent: patterns,
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-parcel-shipping.parcelShippingTrigger',
					relationHint: 'Starts a workflow with the tracking events of the created shipments',
				},
				{
					nodeType: 'n8n-nodes-base.readWriteFile',
					relationHint: 'Saves the label files of Label: Create Label Files',
				},
				{
					nodeType: 'n8n-nodes-base.emailSend',
					relationHint: 'Reports refused orders from the error output, or sends a label',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: nodeProperties,
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const operation = readOperation(this);
		const items = this.getInputData();
		const results = await execute(this, operation, items).catch((thrown: unknown) =>
			// What belongs to no item, such as an invalid credential, is an error of every item.
			items.map((_, index): ItemResult => ({ items: [index], failure: thrown })),
		);

		const ordered = results.toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
		const failed = ordered.filter((result) => 'failure' in result);
		if (failed.length > 0 && !this.continueOnFail()) {
			throw toRunError(this, operation, ordered, failed);
		}
		const inputs = inputLookUp(this);
		// *Retry On Fail* runs the node again if the first output item is a failed one.
		if (!(ordered[0] && 'failure' in ordered[0])) forgetTries(this);
		return [
			await mapWithPauses(ordered, (result): INodeExecutionData => {
				if ('failure' in result) return toFailedItem(result, this, inputs);
				const { items: from, json, binary } = result;
				return { json, pairedItem: toPairedItem(from), ...(binary ? { binary } : {}) };
			}),
		];
	}
}

function readOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation) return operation;
	const message = `The resource "${resource}" has no operation "${name}". Choose an operation from the list`;
	throw toNodeError(context.getNode(), new Error(message));
}

async function execute(
	context: IExecuteFunctions,
	operation: Operation,
	items: INodeExecutionData[],
): Promise<ItemResult[]> {
	const client = await createClient(context);
	const { http } = client;
	const run: NodeRun = { context, client, items };
	const executing =
		'executeAll' in operation
			? operation.executeAll(run)
			: runTasks(
					run,
					[...items.keys()].map((item) => ({ item })),
					async ({ item }) => operation.executeItem(run, item),
				);
	const found = await executing.catch((thrown: unknown) => {
		throw http.withoutSecrets(thrown);
	});
	return found.map((each): ItemResult => {
		if (!('failure' in each)) return { ...each, json: http.secrets.redactData(each.json) };
		return { ...each, failure: http.withoutSecrets(each.failure) };
	});
}

/** Failed items with the same message. */
type FailedGroup = [FailedResult, ...FailedResult[]];

/** The error of the first failed item, with the other errors and what was completed in its description. */
function toRunError(
	context: IExecuteFunctions,
	operation: Operation,
	results: ItemResult[],
	failed: FailedResult[],
) {
	const groups = groupBy(failed, ({ failure }) => describeError(failure).message).values();
	const [first, ...others] = [...groups] as [FailedGroup, ...FailedGroup[]];
	const { describeCompleted, describeUnsent } = operation as Partial<BulkOperation>;
	const more = [
		...others.map((each) => `${describeGroup(each)}.`),
		describeCompleted?.(results, context),
	];
	const [{ failure }] = first;
	const items = itemsOf(first);
	const ofOrders = first.some((each) => orderNumbersOf(each).length > 0);
	// With an item index, n8n adds it, such as [item 0], which looks like the wrong item to people who count from 1.
	const index = items.length === 1 && !ofOrders ? items[0] : undefined;
	const error = toNodeError(context.getNode(), failure, index, more.filter(Boolean).join(' '));
	// What is wrong with all items, such as an option of the form, is not named by items.
	const isOfSome = items.length > 1 && items.length < context.getInputData().length;
	const message = ofOrders || isOfSome ? describeGroup(first) : error.message;
	const unsent = describeUnsent?.(results, context);
	return Object.assign(error, { message: unsent ? `${unsent}. ${message}` : message });
}

const itemsOf = (group: FailedGroup) => [...new Set(group.flatMap(({ items }) => items))];

/** Names the orders by their numbers, or else the items. */
function describeGroup(group: FailedGroup): string {
	const { message } = describeError(group[0].failure);
	const orderNumbers = new Set(group.flatMap(orderNumbersOf));
	if (orderNumbers.size === 0) return `Item ${listTexts(itemsOf(group).map(String))}: ${message}`;
	const [first = ''] = orderNumbers;
	const isNamed = message.includes(JSON.stringify(first)) || message.split(' ').includes(first);
	return isNamed ? message : `${listTexts([...orderNumbers])}: ${message}`;
}

function orderNumbersOf({ failure }: FailedResult): string[] {
	const { packageNumberCustom, orderNumbers } = describeError(failure).details;
	const all = [orderNumbers ?? packageNumberCustom].flat();
	return all.filter((each): each is string => typeof each === 'string');
}

function toFailedItem(
	{ items, failure }: FailedResult,
	context: IExecuteFunctions,
	{ has, isBefore3 }: ReturnType<typeof inputLookUp>,
): INodeExecutionData {
	const node = context.getNode();
	const { message, description, details } = describeError(failure);
	// The only keys with which n8n since 2.36 sends an item to the error output.
	const json = { error: message, message: description, details };
	const item: INodeExecutionData = { json, pairedItem: toPairedItem(items) };
	if (node.onError !== 'continueErrorOutput') return item;
	const [first = 0] = items;
	const isFound = has(first);
	// n8n does not look up a number.
	if (!isFound) item.pairedItem = first;
	// Most versions up to n8n-core 2.35.1 need `item.error`, but any version that finds it afterwards
	// replaces `json`. n8n copies the items whose input it finds, and copies have no hidden properties.
	if (isBefore3) {
		const error = toNodeError(node, failure, first);
		if (!isFound) error.message = `${message}. ${description}`;
		Object.defineProperty(item, 'error', { value: error });
	}
	return item;
}

/**
 * Whether n8n can look up an input item, to add its fields to the item of the error output. If it cannot, it
 * throws, and the input of the node leaves through the success output, as if the node had succeeded.
 */
function inputLookUp(context: IExecuteFunctions) {
	const proxy = context.getWorkflowDataProxy(0);
	// From version 3 on, n8n keeps this function to itself.
	const isBefore3 = typeof proxy.$getPairedItem === 'function';
	let count: number | undefined;
	const has = (item: number) => {
		try {
			const source = context.getInputSourceData();
			const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
			if (isBefore3) return proxy.$getPairedItem(previousNode, source, { item }) !== undefined;
			count ??= (proxy.$(previousNode).all(previousNodeOutput, previousNodeRun) as unknown[])
				.length;
			return item < count;
		} catch {
			return false;
		}
	};
	return { isBefore3, has };
}

const toPairedItem = (items: number[]) => items.map((item) => ({ item }));
