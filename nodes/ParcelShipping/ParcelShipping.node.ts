import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { findOperation, nodeProperties } from './actions';
import type { Operation } from './actions/operation';
import { formLists } from './methods/formLists';
import { resourceMapping } from './methods/resourceMapping';
import { createClient } from './transport/client';
import { mapWithPauses } from './lists';
import { describeError, toNodeError } from './transport/errors';
import { forgetTries } from './writes/sent';
import { describeFailures, failEach, type FailedResult, type ItemResult } from './run';

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
				"Get, Track, Cancel, Hand Over and labels take the shop's order number: set shipments (or labels) to orderNumbers, and do not search for the shipment first.",
				'One node handles all items; do not loop.',
			].join(' '),
			extraTypeDefContent: [
				{
					content: `<patterns>
Create a shipment for each order:
{ resource: 'shipment', operation: 'create', orderData: 'wooCommerce', carrierService: { __rl: true, mode: 'code', value: 'ANT/ANT-HOME' } }
</patterns>
Output: packageNumberCustom, packageNumberCarrier, carrierCode, trackingUrl, shopOrderId, id, alreadyExisted, labelsHash. packageNumberCustom is the order number. shopOrderId goes into the Order ID of the node of the shop, and id into Label: Create Label Files. An order of several pieces gives one item per piece.`,
					displayOptions: { show: { resource: ['shipment'], operation: ['create'] } },
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: nodeProperties,
	};

	methods = { ...formLists, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0) as string;
		const name = this.getNodeParameter('operation', 0) as string;
		const operation = findOperation(resource, name);
		const results = await run(this, operation).catch((thrown: unknown) =>
			// What belongs to no item, such as an invalid credential, is an error of every item.
			failEach([...this.getInputData().keys()], thrown),
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

async function run(context: IExecuteFunctions, operation: Operation): Promise<ItemResult[]> {
	const client = await createClient(context);
	const { http } = client;
	const executing = operation.execute({ context, client, items: context.getInputData() });
	const results = await executing.catch((thrown: unknown) => {
		throw http.withoutSecrets(thrown);
	});
	return results.map((each): ItemResult => {
		if (!('failure' in each)) return { ...each, json: http.redact(each.json) };
		return { ...each, failure: http.withoutSecrets(each.failure) };
	});
}

/** The error of the first failed item, with the other errors and what was completed in its description. */
function toRunError(
	context: IExecuteFunctions,
	operation: Operation,
	results: ItemResult[],
	failed: FailedResult[],
) {
	const itemCount = context.getInputData().length;
	const [message = '', ...others] = describeFailures(failed, itemCount);
	const completed = operation.describeCompleted?.(results, itemCount);
	const more = [...others.map((each) => `${each}.`), completed].filter(Boolean).join(' ');
	const error = toNodeError(context.getNode(), failed[0]?.failure, undefined, more);
	const unsent = operation.describeUnsent?.(results, itemCount);
	return Object.assign(error, { message: unsent ? `${unsent}. ${message}` : message });
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
