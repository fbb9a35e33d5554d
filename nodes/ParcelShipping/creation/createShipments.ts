import { chunk, groupBy, isNonEmpty } from '../lists';
import { itemsOf, type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import { concernsAllRequests, isServiceError } from '../transport/errors';
import { notDone } from '../writes/journal';
import { recall, type Write, writeOnce } from '../writes/writeOnce';
import { confirmEarlier } from './confirmEarlier';
import { checkDuplicates } from './duplicates';
import { findExisting } from './lookUp';
import { match } from './match';
import { findSinceRequest } from './readBack';
import { lookUpRefused } from './refusedAsExisting';
import { idsOfPieces, isFromResponse, shipmentOf } from './shipments';
import type { CreateAct, CreationRun, OrderOutcome } from './types';

/** Shipments in a request. */
const BATCH_SIZE = 100;

/** How long to wait for the response. A large batch takes minutes. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Creates each order once, and returns what came of it. Orders that no try has sent, because another one fails, have no
 * outcome. Why nothing ships twice, and each shipment is output once:
 * 1. Lock: another execution in this process that creates an order with the same reference waits.
 *    `createAndPrint` holds the lock until the labels are printed as well.
 * 2. Recall: what an earlier try created, or may have created, is not sent again, unless a person retries and the
 *    records do not show it.
 * 3. Look up: an order that already exists at the service is not sent. If the list is behind, what this process has
 *    created a moment ago is read by its ID.
 * 4. Batch: no request has a reference twice, so that each row belongs to one order of its request. A record that is
 *    read back belongs to the request with its reference. Step 7 deals with other processes.
 * 5. Write once: see `writes/writeOnce.ts`. `match` decides from rows and records.
 * 6. Refused duplicates: an order that the service refuses because it exists is looked up again.
 * 7. Check: what another process has created at the same moment is found, and the duplicate canceled. What an earlier
 *    execution has created, which a person has retried, is only confirmed.
 * 8. Note: what this execution has created is noted for step 3 of the next one in this process.
 * 9. Unmatched: a piece that turns out to be of an order that is done has only the outcome of that order.
 * 10. Earlier outcomes: what may be sent again keeps its earlier outcome, unless step 3 or 5 has given it another one.
 */
export async function createShipments(
	orders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { context, journal } = run;
	// 2. Recall
	const { outcomes: recalled, sendable } = await recall(journal, creationWrite(run));
	const newOrders = withoutItems(orders, new Set(itemsOf(journal.notSendableTargets)));
	// 3. Look up
	const { toSend, outcomes: fromLookUp } = await findExisting(newOrders, run);
	// 4. to 6. Without *Continue*, the run ends with an error if the look-up failed, or if an order exists and must not.
	// Then nothing is sent. What earlier tries left unknown does not stop the others, and neither does what step 6 finds.
	const mustStop =
		!context.continueOnFail() && fromLookUp.some(({ outcome }) => outcome.state !== 'done');
	const fromSending = mustStop ? [] : await sendOrders(toSend, run);
	// 7. Check
	const isEarlier = ({ targets: [order], outcome }: OrderOutcome) =>
		outcome.state === 'done' && journal.isTargetOfEarlierExecution(order);
	const others = recalled.filter((each) => !isEarlier(each));
	const checked = [
		...(await confirmEarlier(recalled.filter(isEarlier), orders, run)),
		...(await checkDuplicates([...others, ...fromLookUp, ...fromSending], run)),
	];
	// 8. Note
	noteCreated(run);
	// 9. Unmatched, and 10. Earlier outcomes
	return [
		...withoutKnownUnmatched(checked),
		...withoutReplaced(sendable, [...fromLookUp, ...fromSending]),
	];
}

function noteCreated({ client, journal }: CreationRun): void {
	for (const {
		targets: [order],
		outcome: { value },
	} of journal.doneOutcomes) {
		const ids = idsOfPieces(value.pieces);
		const isNew = isFromResponse(value) && !journal.isTargetOfEarlierExecution(order);
		if (isNew && ids.length > 0)
			client.noteCreated(referenceOf(order), order.carrierCode, Math.min(...ids));
	}
}

/** The records of the check may show of which order an unmatched piece is. */
function withoutKnownUnmatched(outcomes: readonly OrderOutcome[]): OrderOutcome[] {
	const certain = outcomes.filter(({ outcome: { state } }) => state === 'done');
	const certainIds = new Set(
		certain.flatMap((each) => idsOfPieces(shipmentOf(each)?.pieces ?? [])),
	);
	return outcomes.filter(({ outcome }) => {
		if (outcome.state !== 'unmatched') return true;
		const ids = idsOfPieces(outcome.value.pieces);
		return ids.length === 0 || ids.some((id) => !certainIds.has(id));
	});
}

/** The earlier outcomes of items without a new one. */
function withoutReplaced(
	earlier: readonly OrderOutcome[],
	newOutcomes: readonly OrderOutcome[],
): OrderOutcome[] {
	const replaced = new Set(itemsOf(newOutcomes.flatMap(({ targets }) => targets)));
	return earlier.flatMap(({ targets, outcome }) => {
		const left = withoutItems(targets, replaced);
		return isNonEmpty(left) ? [{ targets: left, outcome }] : [];
	});
}

/**
 * The orders without these items. By item, because the items of one order may be several orders in a retry, for example
 * with references that are made of the time.
 */
export function withoutItems(orders: readonly Order[], items: ReadonlySet<number>): Order[] {
	return orders.flatMap((order) => {
		const [itemIndex, ...sameItems] = itemsOf([order]).filter((item) => !items.has(item));
		return itemIndex === undefined ? [] : [{ ...order, itemIndex, sameItems }];
	});
}

function creationWrite(run: CreationRun): Write<CreateAct> {
	const { client, journal } = run;
	return {
		client,
		maxWaitMs: client.maxRetryWaitMs,
		send: async ({ carrierCode, targets }, calls) =>
			calls.call(
				'createShipments',
				{ path: { carrier_code: carrierCode }, body: targets.map(({ body }) => body) },
				{ timeoutMs: TIMEOUT_MS },
			),
		find: async (targets, request) => findSinceRequest(targets, request, run),
		judge: (known) => match(known, journal),
	};
}

async function sendOrders(orders: readonly Order[], run: CreationRun): Promise<OrderOutcome[]> {
	const byCarrier = groupBy(orders, ({ carrierCode }) => carrierCode);
	const sent = await run.client.mapParallel(
		[...byCarrier],
		async ([carrierCode, ordersOfCarrier]) => sendToCarrier(carrierCode, ordersOfCarrier, run),
	);
	return sent.flat();
}

/**
 * Sends the orders of a carrier in batches, in parallel. After an error that every further request would
 * get, no further one of this carrier begins.
 */
async function sendToCarrier(
	carrierCode: string,
	orders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, journal } = run;
	const write = creationWrite(run);
	let errorOfEveryRequest: unknown;
	const sendBatch = async (targets: Order[]): Promise<OrderOutcome[]> => {
		if (errorOfEveryRequest !== undefined) return notDone<CreateAct>(targets, errorOfEveryRequest);
		const since = searchStart(Date.now(), 0);
		const outcomes = await writeOnce(journal, { targets, carrierCode, since }, write);
		for (const { outcome } of outcomes) {
			const [error] = outcome.state === 'notDone' ? outcome.errors : [];
			if (isServiceError(error) && concernsAllRequests(error.facts)) errorOfEveryRequest = error;
		}
		return await lookUpRefused(outcomes, run, sendBatch);
	};
	return (await client.mapParallel(chunk(orders, BATCH_SIZE), sendBatch)).flat();
}
