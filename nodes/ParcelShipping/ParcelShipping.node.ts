import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { findOperation, resources } from './actions';
import { formOf } from './actions/form';
import type { BulkOperation, ItemOperation, Operation, Outcome, Run } from './actions/operation';
import { listSearch, loadOptions, resourceMapping } from './methods';
import { createClient } from './transport/client';
import { describeError, toNodeError } from './transport/errors';

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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parcelShippingApi', required: true }],
		properties: formOf(resources),
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const operation = readOperation(this);
		const items = this.getInputData();
		const outcomes = await execute(this, operation, items).catch((thrown: unknown) =>
			// Nothing was asked yet: the credential itself can't be used, which is true for every item.
			items.map((_, index): Outcome => ({ items: [index], failure: thrown })),
		);

		const failed = outcomes.filter((outcome) => 'failure' in outcome);
		if (failed.length > 0 && !this.continueOnFail()) {
			throw summaryOf(this, operation, outcomes, failed);
		}
		return [inInputOrder(outcomes).map(toOutputItem)];
	}
}

function readOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0) as string;
	const name = context.getNodeParameter('operation', 0) as string;
	const operation = findOperation(resource, name);
	if (operation) return operation;
	throw toNodeError(
		context.getNode(),
		new Error(
			`There is no operation "${name}" for the resource "${resource}". Choose one from the list`,
		),
	);
}

async function execute(
	context: IExecuteFunctions,
	operation: Operation,
	items: INodeExecutionData[],
): Promise<Outcome[]> {
	const options = context.getNodeParameter('options', 0, {}) as {
		maxConcurrency?: number;
		maxRetryWait?: number;
	};
	const { maxRetryWait, maxConcurrency } = options;
	const client = await createClient(context, {
		...(maxRetryWait === undefined ? {} : { maxRetryWaitMs: maxRetryWait }),
		...(maxConcurrency === undefined ? {} : { maxConcurrency }),
	});
	const run: Run = { context, client, items };
	return 'executeAll' in operation ? operation.executeAll(run) : eachItem(run, operation);
}

/** Under *Stop*, the first item that fails ends the run: the others would be read for nothing. */
async function eachItem(run: Run, operation: ItemOperation): Promise<Outcome[]> {
	const goesOn = run.context.continueOnFail();
	let hasFailed = false;
	const outcomes = await run.client.mapParallel(run.items, async (_, index) => {
		if (hasFailed && !goesOn) return [];
		return await operation.executeItem(run, index).then(
			(results) => results.map((result): Outcome => ({ items: [index], ...result })),
			(failure: unknown): Outcome[] => {
				hasFailed = true;
				return [{ items: [index], failure }];
			},
		);
	});
	return outcomes.flat();
}

type Failed = Outcome & { failure: unknown };

function summaryOf(
	context: IExecuteFunctions,
	operation: Operation,
	outcomes: Outcome[],
	failed: Failed[],
) {
	const [first, ...others] = failed as [Failed, ...Failed[]];
	const more = others.map(
		({ items, failure }) => `Item ${items.join(', ')}: ${describeError(failure).message}.`,
	);
	const kept = (operation as Partial<BulkOperation>).describeKept?.(outcomes);
	return toNodeError(
		context.getNode(),
		first.failure,
		first.items[0],
		[...more, kept].filter(Boolean).join(' '),
	);
}

function inInputOrder(outcomes: Outcome[]): Outcome[] {
	return [...outcomes].sort((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
}

function toOutputItem(outcome: Outcome): INodeExecutionData {
	const pairedItem = outcome.items.map((item) => ({ item }));
	if ('failure' in outcome) {
		const { message, description, details } = describeError(outcome.failure);
		// Exactly these three keys: n8n sends an item to the error branch in this shape only.
		return { json: { error: message, message: description, details }, pairedItem };
	}
	const { json, binary } = outcome;
	return { json, pairedItem, ...(binary ? { binary } : {}) };
}
