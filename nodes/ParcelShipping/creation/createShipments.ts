import { chunk, groupBy, isNonEmpty } from '../lists';
import { itemsOf, type Order, referenceOf } from '../orders/order';
import { idOf, searchStart } from '../records';
import { PAGE_LENGTH } from '../transport/contract';
import { concernsAllRequests, isServiceError } from '../transport/errors';
import { notDone } from '../writes/journal';
import { recall, type Write, writeOnce } from '../writes/writeOnce';
import { checkDuplicates } from './duplicates';
import { findExisting } from './lookUp';
import { match } from './match';
import { findSinceRequest } from './readBack';
import { lookUpRefused } from './refusedAsExisting';
import { idsOfPieces, isFromResponse } from './shipments';
import type { CreateAct, CreationRun, OrderOutcome } from './types';

/**
 * Creates each order once, and returns what came of it. Orders that no try has sent, because another one fails, have no
 * outcome. Why nothing ships twice:
 * 1. Lock: another execution in this process that creates an order with the same reference waits.
 *    `createAndPrint` holds the lock until the labels are printed as well.
 * 2. Recall: what an earlier try created, or may have created, is not sent again, unless a person retries and the
 *    records do not show it.
 * 3. Look up: an order that already exists at the service is not sent. If the list is behind, what this process has
 *    created a moment ago is read by its ID.
 * 4. Batch: no request has a reference twice, and no two requests of one carrier with the same reference are
 *    under way at once in this process. So among the requests of this process, a record that is read back belongs
 *    to the one with its reference. Step 7 deals with other processes.
 * 5. Write once: see `writes/writeOnce.ts`. `match` decides from rows and records.
 * 6. Refused duplicates: an order that the service refuses because it exists is looked up again.
 * 7. Check: what another process has created at the same moment is found, and the duplicate canceled.
 *    Shipments that earlier tries have created take the same way.
 *
 * With *Create Another One*, an order may have several shipments:
 * - Look up, Refused duplicates and Check do nothing.
 * - Of the records with its reference (step 4), those that were there before are known by their IDs: they were read
 *   before the first request, or belong to outcomes in the journal.
 * - If another pending request has the reference, only a row of the response says what was created.
 */
export async function createShipments(
	orders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { context, client, journal } = run;
	// 2. Recall
	const { outcomes: recalled, notDone, repeatable } = await recall(journal, creationWrite(run));
	const notToSend = journal.doneOrPendingTargets.filter((order) => !journal.mayRequest(order));
	const newOrders = withoutItems(orders, new Set(itemsOf(notToSend)));
	// 3. Look up
	const { toSend, outcomes: fromLookUp } = await findExisting(newOrders, run);
	// 4. to 6. Without *Continue*, the run ends with an error if the look-up failed, or if an order exists and must not.
	// Then nothing is sent. What earlier tries left unknown does not stop the others, and neither does what step 6 finds.
	const mustStop =
		!context.continueOnFail() && fromLookUp.some(({ outcome }) => outcome.state !== 'done');
	const fromSending = mustStop ? [] : await sendOrders(toSend, run);
	// 7. Check
	const outcomes = await checkDuplicates([...recalled, ...fromLookUp, ...fromSending], orders, run);
	for (const {
		targets: [order],
		outcome: { value },
	} of journal.doneOutcomes) {
		const ids = idsOfPieces(value.pieces);
		const isNew = isFromResponse(value) && !journal.isTargetOfEarlierExecution(order);
		if (isNew && ids.length > 0)
			client.noteCreated(referenceOf(order), order.carrierCode, Math.min(...ids));
	}
	// What may be sent again keeps its earlier outcome, unless the look-up or sending it has given it another one. If
	// the look-up failed, an order whose outcome is unknown has the error of the look-up, and stays pending.
	const itemsWithOutcome = new Set(
		itemsOf([...fromLookUp, ...fromSending].flatMap(({ targets }) => targets)),
	);
	const earlierOutcomes = [...notDone, ...repeatable].flatMap(({ targets, outcome }) => {
		const left = withoutItems(targets, itemsWithOutcome);
		return isNonEmpty(left) ? [{ targets: left, outcome }] : [];
	});
	return [...outcomes, ...earlierOutcomes];
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
	const { client, journal, options } = run;
	return {
		client,
		maxWaitMs: options.maxRetryWait,
		send: async ({ carrierCode, targets }, calls) =>
			calls.call(
				'createShipments',
				{ path: { carrier_code: carrierCode }, body: targets.map(({ body }) => body) },
				{ timeoutMs: options.timeout },
			),
		find: async (targets, request) => findSinceRequest(targets, request, run),
		judge: (known) => {
			const otherRequests = journal.pendingRequests.filter(
				({ request }) =>
					request !== known.request && request.carrierCode === known.request.carrierCode,
			);
			const inOtherPendingRequests = otherRequests.flatMap((each) =>
				journal.pendingTargetsOf(each).map(referenceOf),
			);
			const done = journal.doneOutcomes.map(({ outcome }) => outcome.value);
			const doneIds = done.flatMap(({ pieces, canceledPieceIds = [] }) => [
				...idsOfPieces(pieces),
				...canceledPieceIds,
			]);
			return match(known, {
				isDone: (order) => journal.isDone(order),
				doneIds: new Set(doneIds),
				inOtherPendingRequests: new Set(inOtherPendingRequests),
				ifExists: options.ifExists,
			});
		},
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
	const { client, journal, options } = run;
	const write = creationWrite(run);
	// Without *Create Another One*, the look-up has just found no living shipment, so there is nothing to tell apart.
	const idsBefore = options.ifExists === 'create' ? await readRecentIds(carrierCode, run) : [];
	let errorOfEveryRequest: unknown;
	const sendBatch = async (targets: Order[]): Promise<OrderOutcome[]> => {
		if (errorOfEveryRequest !== undefined) return notDone<CreateAct>(targets, errorOfEveryRequest);
		const since = searchStart(Date.now(), 0);
		const request = { targets, carrierCode, idsBefore, since };
		const outcomes = await writeOnce(journal, request, write);
		for (const { outcome } of outcomes) {
			const [error] = outcome.state === 'notDone' ? outcome.errors : [];
			if (isServiceError(error) && concernsAllRequests(error.facts)) errorOfEveryRequest = error;
		}
		return await lookUpRefused(outcomes, run, sendBatch);
	};
	// Only with *Create Another One* can a reference come twice. The second order with it is sent after the first one.
	const rounds: Order[][] = [];
	for (const repeated of groupBy(orders, referenceOf).values()) {
		for (const [round, order] of repeated.entries()) (rounds[round] ??= []).push(order);
	}
	const batchSize = Math.floor(options.batchSize);
	const sent: OrderOutcome[][] = [];
	for (const round of rounds)
		sent.push(...(await client.mapParallel(chunk(round, batchSize), sendBatch)));
	return sent.flat();
}

/** The IDs of all shipments since yesterday. Not read if they are not on one page, or if reading fails. */
async function readRecentIds(
	carrierCode: string,
	{ client }: CreationRun,
): Promise<number[] | 'notRead'> {
	const createdFrom = searchStart(Date.now(), 0);
	const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
	const page = await client.findShipments(filter, 0, PAGE_LENGTH).catch(() => undefined);
	return page && page.data.length >= page.total ? page.data.map(idOf) : 'notRead';
}
