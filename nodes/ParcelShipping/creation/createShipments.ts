import { chunk, groupBy } from '../lists';
import { cancelDoubles } from './doubles';
import type { Ledger } from './ledger';
import { withLock } from '../writes/lock';
import { LookUp } from './lookUp';
import { emptyResult } from './reconcile';
import { Submitter } from './submit';
import type { CreationClient, CreationSettings, OrderResult } from './types';
import { type Order, referenceOf } from '../orders/order';

export interface OrdersToCreate {
	/** The references of the orders, and of others that may turn out to be invalid. */
	references: readonly string[];
	checked: Promise<{ orders: readonly Order[]; invalid: readonly unknown[] }>;
}

/**
 * Creates each order once and returns a result for each. Why nothing ships twice:
 * 1. Lock: no other execution in this process looks up or sends the same reference meanwhile.
 * 2. Recall: the ledger has the results of earlier tries. Their orders are not sent again, and the
 *    outcome of a request that an earlier try could not establish is read back.
 * 3. Look up: an order that already exists at the service is not sent.
 * 4. Batch: requests run in parallel, but no request has a reference twice, and no two requests of
 *    one carrier that run at the same time share a reference: the second order with a reference waits
 *    until the first one has a result. So a record that is read back belongs to the only request under
 *    way with its reference, unless it is older. Older records are known by their IDs: those read
 *    before the first request, and those of results in the ledger. If an earlier request with the
 *    reference has no certain result, the reference is contested, and no record counts as created.
 * 5. Send: a request that may have been carried out is never repeated. Its outcome is read back.
 * 6. Check: what another process has created at the same moment is found, and the double canceled.
 * Why nothing is lost: a request is in the ledger before it is sent, `reconcile()` gives each of its
 * orders and rows a result, and no error ends the run before every request under way has one.
 */
export async function createShipments(
	{ references, checked }: OrdersToCreate,
	{
		client,
		settings,
		ledger,
	}: { client: CreationClient; settings: CreationSettings; ledger: Ledger },
): Promise<OrderResult[]> {
	const { stopOnError } = settings;
	const pendingOrders = ledger.pendingRequests().flatMap(({ request }) => request.orders);
	const lockKeys = [...references, ...pendingOrders.map(referenceOf)].map((reference) =>
		JSON.stringify([client.address.origin, reference]),
	);
	const lookUp = new LookUp(client);
	const submitter = new Submitter(client, lookUp, settings, ledger);

	return await withLock(lockKeys, async () => {
		const { orders, invalid } = await checked;
		const newOrders = orders.filter(({ itemIndex }) => !ledger.has(itemIndex));
		const recalled = await submitter.recall();
		if (stopOnError && invalid.length > 0) return recalled;

		const found = await lookUp.findExisting(newOrders, settings);
		for (const result of found.results) {
			if (result.pieces.length > 0) ledger.settle(result);
		}
		const results = [...recalled, ...found.results];
		if (stopOnError && found.results.some(({ notCreated }) => notCreated !== undefined)) {
			return results;
		}
		const rounds = planRequests(found.toSend, settings.batchSize);
		const sent = await sendInRounds(rounds, client, submitter, found.canceledIds);
		const created = await cancelDoubles(sent, { client, lookUp, ledger, settings });
		return [...results, ...created];
	});
}

interface CreationRequest {
	carrierCode: string;
	orders: Order[];
}

/**
 * The requests in rounds. A batch belongs to one carrier, and no two requests of a round share a
 * reference at a carrier.
 */
export function planRequests(orders: readonly Order[], batchSize: number): CreationRequest[][] {
	const length = Math.max(1, Math.floor(batchSize));
	return separateRepeated(orders).map((distinct) => {
		const byCarrier = groupBy(distinct, ({ carrierCode }) => carrierCode);
		return [...byCarrier].flatMap(([carrierCode, ofCarrier]) =>
			chunk(ofCarrier, length).map((batch) => ({ carrierCode, orders: batch })),
		);
	});
}

/** The first order of each reference at a carrier, then the second ones, and so on. */
function separateRepeated(orders: readonly Order[]): Order[][] {
	const separated: Order[][] = [];
	const groups = groupBy(orders, (order) =>
		JSON.stringify([order.carrierCode, referenceOf(order)]),
	);
	for (const repeated of groups.values()) {
		for (const [index, order] of repeated.entries()) (separated[index] ??= []).push(order);
	}
	return separated;
}

/**
 * Sends the requests of each round in parallel. After an error that every further request of a carrier
 * would get, such as a wrong credential, no further one of this carrier begins.
 */
async function sendInRounds(
	rounds: readonly CreationRequest[][],
	client: CreationClient,
	submitter: Submitter,
	canceledIds: number[],
): Promise<OrderResult[]> {
	const carriers = [...new Set(rounds.flat().map(({ carrierCode }) => carrierCode))];
	const idsBefore = new Map<string, number[] | null>();
	await client.mapParallel(carriers, async (carrierCode) => {
		idsBefore.set(carrierCode, await submitter.readIdsBefore(carrierCode, canceledIds));
	});
	const stops = new Map<string, unknown>();
	const send = async ({ carrierCode, orders }: CreationRequest): Promise<OrderResult[]> => {
		const notCreated = stops.get(carrierCode);
		if (notCreated !== undefined) {
			return orders.map((order) => ({ ...emptyResult([order]), notCreated }));
		}
		const ids = idsBefore.get(carrierCode) ?? null;
		const { results, stop } = await submitter.submit(carrierCode, orders, ids);
		if (stop !== undefined) stops.set(carrierCode, stop);
		return results;
	};

	const sent: OrderResult[] = [];
	for (const requests of rounds) {
		const underWay: Array<Promise<unknown>> = [];
		const results = await client
			.mapParallel(requests, async (request) => {
				const sending = send(request);
				underWay.push(sending);
				return await sending;
			})
			.finally(async () => Promise.allSettled(underWay));
		sent.push(...results.flat());
	}
	return sent;
}
