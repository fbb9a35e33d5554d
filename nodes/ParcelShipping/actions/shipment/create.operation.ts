import type { IDataObject } from 'n8n-workflow';

import { createOrders, type CreationSettings, prepareLookUps } from '../../creation/createOrders';
import { foretell, type RefusedItem } from '../../creation/dryRun';
import { lookForExisting } from '../../creation/existing';
import { Ledger } from '../../creation/ledger';
import { describeShipments, hintsOf, outcomesOf } from '../../creation/output';
import type { Order } from '../../creation/order';
import { findRepeated } from '../../creation/plan';
import { sameLabel } from '../../creation/words';
import {
	creationOptionsField,
	type CreationOptions,
	readCreationOptions,
	shipmentField,
} from '../../descriptions/createForm';
import { carrierCodeField, serviceTypeField } from '../../descriptions/locators';
import { endpointOf, fillPath } from '../../transport/endpoints';
import type { BulkOperation, ItemResult, NodeRun } from '../operation';
import { attachLabels } from '../../labels/attachLabels';
import { readOrders } from '../../creation/readOrders';
import { shippingServiceOf } from '../../creation/shippingService';

export const operation: BulkOperation = {
	name: 'Create',
	value: 'create',
	action: 'Create shipments',
	description:
		'Create a shipment for each item: one request per carrier and batch, none of them sent twice',
	fields: [carrierCodeField, serviceTypeField, shipmentField, creationOptionsField],

	async executeAll(run) {
		const options = readCreationOptions(
			run.context.getNodeParameter('options', 0, {}) as IDataObject,
		);
		const { orders, refused } = await readItems(run, options.ifExists);
		return options.dryRun
			? await foretellOutcomes(run, options, orders, refused)
			: await create(run, options, orders, refused);
	},

	describeCompleted: describeShipments,
};

interface ReadItems {
	orders: Order[];
	refused: RefusedItem[];
}

async function readItems(run: NodeRun, ifExists: CreationOptions['ifExists']): Promise<ReadItems> {
	try {
		const { orders, refused, hints } = await readOrders(run);
		showHints(run, hints);
		return ifExists === 'create' ? { orders, refused } : refuseRepeated(orders, refused);
	} catch (failure) {
		// Not the end: what an earlier try has created is still to be told.
		return { orders: [], refused: run.items.map((_, itemIndex) => ({ itemIndex, failure })) };
	}
}

/** Two items with one label would be one shipment to everything that looks for existing ones. */
function refuseRepeated(orders: Order[], refused: RefusedItem[]): ReadItems {
	const repeated = findRepeated(orders).flatMap((group) =>
		group.map((order) => ({ itemIndex: order.itemIndex, order, failure: sameLabel(group) })),
	);
	const isRepeated = new Set(repeated.map(({ order }) => order));
	return {
		orders: orders.filter((order) => !isRepeated.has(order)),
		refused: [...refused, ...repeated],
	};
}

async function create(
	run: NodeRun,
	options: CreationOptions,
	orders: Order[],
	refusedNow: readonly RefusedItem[],
): Promise<ItemResult[]> {
	const { context, client } = run;
	const goesOn = context.continueOnFail();
	const runIndex = context.getWorkflowDataProxy(0).$runIndex as number;
	const ledger = new Ledger(context.getContext('node'), runIndex);
	const refused = refusedNow.filter(({ itemIndex }) => !ledger.knows(itemIndex));
	const settings: CreationSettings = {
		...options,
		serviceOrigin: client.address.origin,
		maxConcurrency: client.maxConcurrency,
		maxLookMs: options.maxRetryWait,
		isAllOrNothing: !goesOn,
		hasRefusedItems: refused.length > 0,
	};
	const surroundings = {
		nowMs: () => Date.now(),
		pause: async (ms: number) => client.pause(ms),
		isStopped: () => client.isStopped,
	};

	const service = shippingServiceFor(run, options);
	const findings = await createOrders(orders, settings, service, surroundings, ledger);
	showHints(run, hintsOf(findings));
	const outcomes = [
		...refused.map(({ itemIndex, failure }) => ({ items: [itemIndex], failure })),
		...outcomesOf(findings, options.output),
	];
	const isThrown = !goesOn && outcomes.some((outcome) => 'failure' in outcome);
	if (!isThrown && !isRunAgain(outcomes)) ledger.clear();
	return options.downloadLabels && !isThrown
		? await attachLabels(run, outcomes, today(run))
		: outcomes;
}

/** *Retry On Fail* runs the node again when the first output item is a failed one. */
function isRunAgain(outcomes: readonly ItemResult[]): boolean {
	const [first] = [...outcomes].sort((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0));
	return first !== undefined && 'failure' in first;
}

async function foretellOutcomes(
	run: NodeRun,
	options: CreationOptions,
	orders: Order[],
	refused: readonly RefusedItem[],
): Promise<ItemResult[]> {
	const { maxConcurrency } = run.client;
	const service = shippingServiceFor(run, options);
	const lookUpOf = prepareLookUps(service, maxConcurrency);
	const settings = { ...options, maxConcurrency };
	const decisions = await lookForExisting(orders, lookUpOf, settings, Date.now());
	const { method, path } = endpointOf(
		options.carrierEndpoint ? 'createShipmentsOfCarrier' : 'createShipments',
	);
	return foretell(
		refused,
		decisions,
		(carrierCode) => `${method} ${fillPath(path, { carrier_code: carrierCode })}`,
	);
}

function shippingServiceFor({ client }: NodeRun, options: CreationOptions) {
	return shippingServiceOf(client, {
		timeoutMs: options.timeout,
		isCarrierEndpoint: options.carrierEndpoint,
	});
}

function showHints({ context }: NodeRun, hints: readonly string[]): void {
	context.addExecutionHints(
		...hints.map((message) => ({ message, location: 'outputPane' as const })),
	);
}

function today({ context }: NodeRun): string {
	return new Intl.DateTimeFormat('sv-SE', { timeZone: context.getTimezone() }).format();
}
