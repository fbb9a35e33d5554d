import { chunk, groupBy } from '../lists';
import { cancelDoubles } from './doubles';
import type { Ledger } from './ledger';
import { withLock } from './lock';
import { LookUp } from './lookUp';
import { emptyResult } from './reconcile';
import { Submitter } from './submit';
import {
	type CreationClient,
	type CreationSettings,
	type LookUpScope,
	type Order,
	type OrderResult,
	referenceOf,
} from './types';

/**
 * Creates each order once and returns a result for each. Why nothing ships twice:
 * 1. Lock: no other execution in this process looks up or sends the same reference meanwhile.
 * 2. Recall: the ledger has the results of earlier tries. Their orders are not sent again, and the
 *    outcome of a request that an earlier try could not establish is read back.
 * 3. Look up: an order that already exists at the service is not sent.
 * 4. Batch: one carrier's requests go one after another, and no request has a reference twice, so
 *    that rows and records can be told apart by reference.
 * 5. Send: a request that may have been carried out is never repeated. Its outcome is read back.
 * 6. Check: what another process has created at the same moment is found, and the double canceled.
 * Why nothing is lost: a request is in the ledger before it is sent, and `reconcile()` gives each of
 * its orders and rows a result.
 */
export async function createShipments(
	orders: readonly Order[],
	{
		client,
		settings,
		ledger,
		hasInvalidItems,
	}: {
		client: CreationClient;
		settings: CreationSettings;
		ledger: Ledger;
		hasInvalidItems: boolean;
	},
): Promise<OrderResult[]> {
	const { stopOnError } = settings;
	const newOrders = orders.filter(({ itemIndex }) => !ledger.has(itemIndex));
	const pendingOrders = ledger.pendingRequests().flatMap(({ request }) => request.orders);
	const lockKeys = [...newOrders, ...pendingOrders].map((order) =>
		JSON.stringify([client.address.origin, referenceOf(order)]),
	);
	const lookUp = new LookUp(client);
	const submitter = new Submitter(client, lookUp, settings, ledger);

	return await withLock(lockKeys, async () => {
		const recalled = await submitter.recall();
		if (stopOnError && hasInvalidItems) return recalled;

		const found = await lookUp.findExisting(newOrders, settings);
		for (const result of found.results) {
			if (result.pieces.length > 0) ledger.settle(result);
		}
		const results = [...recalled, ...found.results];
		if (stopOnError && found.results.some(({ notCreated }) => notCreated !== undefined)) {
			return results;
		}
		const groups = planRequests(found.toSend, settings.batchSize);
		const sent = await client.mapParallel(groups, async ({ carrierCode, requests }) => {
			const idsBefore = await submitter.readIdsBefore(carrierCode, found.canceledIds);
			return await submitOneByOne(submitter, carrierCode, requests, idsBefore);
		});
		const checked = await cancelDoubles(sent.flat(), { client, lookUp, ledger, settings });
		return [...results, ...checked];
	});
}

/** Orders with the same reference among those that are looked up together, in groups of two or more. */
export function findRepeated(orders: readonly Order[], lookUpScope: LookUpScope): Order[][] {
	const groups = groupBy(orders, (order) =>
		JSON.stringify([lookUpScope === 'sameCarrier' && order.carrierCode, referenceOf(order)]),
	);
	return [...groups.values()].filter((group) => group.length > 1);
}

interface CarrierRequests {
	carrierCode: string;
	requests: Order[][];
}

/** The requests of each carrier, because a batch belongs to one carrier. */
export function planRequests(orders: readonly Order[], batchSize: number): CarrierRequests[] {
	const length = Math.max(1, Math.floor(batchSize));
	const byCarrier = groupBy(orders, ({ carrierCode }) => carrierCode);
	return [...byCarrier].map(([carrierCode, ofCarrier]) => ({
		carrierCode,
		requests: separateRepeated(ofCarrier).flatMap((distinct) => chunk(distinct, length)),
	}));
}

/** The first order of each reference, then the second ones, and so on. */
function separateRepeated(orders: readonly Order[]): Order[][] {
	const separated: Order[][] = [];
	for (const repeated of groupBy(orders, referenceOf).values()) {
		for (const [index, order] of repeated.entries()) (separated[index] ??= []).push(order);
	}
	return separated;
}

/** Stops at an error that every further request would get, such as a wrong credential. */
async function submitOneByOne(
	submitter: Submitter,
	carrierCode: string,
	requests: readonly Order[][],
	idsBefore: number[] | null,
): Promise<OrderResult[]> {
	const results: OrderResult[] = [];
	let stop: unknown;
	for (const orders of requests) {
		if (stop !== undefined) {
			const notCreated = stop;
			results.push(...orders.map((order) => ({ ...emptyResult([order]), notCreated })));
			continue;
		}
		const submission = await submitter.submit(carrierCode, orders, idsBefore);
		results.push(...submission.results);
		stop = submission.stop;
	}
	return results;
}
