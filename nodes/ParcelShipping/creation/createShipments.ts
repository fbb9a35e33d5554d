import type { IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import { type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { concernsAllRequests, isServiceError } from '../transport/errors';
import { Journal, notDone } from '../writes/journal';
import { withLock } from '../writes/lock';
import { recall, type Write, writeOnce } from '../writes/writeOnce';
import { cancelDuplicates, type CreationRun } from './duplicates';
import { type CreationJournal, match } from './match';
import { settleRefusedDuplicates } from './refusedDuplicates';
import type { Creation, CreationSettings, OrderOutcome } from './types';

/**
 * What is created, for a run of the node. Its earlier tries are in the journal. The key of an order is its
 * item, because its values may change in a retry (a reference made of the current time, a corrected
 * address), and it must not be sent again because of that.
 */
export function openCreationJournal(context: IExecuteFunctions): CreationJournal {
	return new Journal(context, 'create', ({ itemIndex }: Order) => String(itemIndex));
}

/**
 * Lets another execution in this process wait that creates an order with the same reference: it then
 * finds the shipment of this one, and its label printed.
 */
export async function withOrdersLocked<Result>(
	orders: readonly Order[],
	{ client, journal }: Pick<CreationRun, 'client' | 'journal'>,
	work: () => Promise<Result>,
): Promise<Result> {
	const pending = journal.pending.flatMap(({ request }) => request.targets);
	const keys = [...orders, ...pending].map((order) =>
		JSON.stringify([client.address.origin, referenceOf(order)]),
	);
	return await withLock(keys, work);
}

/**
 * Creates each order once and returns an outcome for each. Why nothing ships twice:
 * 1. Lock: see `withOrdersLocked`. The caller holds it.
 * 2. Recall: what an earlier try created, or may have created, is not sent again.
 * 3. Look up: an order that already exists at the service is not sent.
 * 4. Batch: no request has a reference twice, and no two requests of one carrier that share one run at
 *    the same time. So a record that is read back belongs to the only request under way with its
 *    reference, unless it is older. Older living records are known by their IDs: those read before the
 *    first request, and those of outcomes in the journal. If another pending request has the reference, it is
 *    contested, and no record counts as created.
 * 5. Write once: see `writes/writeOnce.ts`. `match` decides from rows and records.
 * 6. Refused duplicates: an order that the service refuses because it exists is looked up again.
 * 7. Check: what another process has created at the same moment is found, and the duplicate canceled.
 *    Shipments of earlier tries take the same way, because it also reads whether they were printed.
 */
export async function createShipments(
	orders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, lookUp, journal, settings } = run;
	const write = creationWrite(run);
	const recalled = (await recall(journal, write)).map(markAsRecalled);
	if (settings.hasInvalidItem) return await cancelDuplicates(recalled, run);

	const newOrders = orders.filter((order) => !journal.has(journal.keyOf(order)));
	const found = await lookUp.findExisting(newOrders, settings);
	const hasFailed = found.outcomes.some(({ outcome }) => outcome.state !== 'done');
	if (settings.stopOnError && hasFailed) {
		return [...(await cancelDuplicates(recalled, run)), ...found.outcomes];
	}

	const send = async (toSend: readonly Order[]): Promise<OrderOutcome[]> => {
		const idsBefore = await readIdsBefore(toSend, client, settings);
		const sent = await sendBatches(toSend, client, settings, async (carrierCode, targets) => {
			const since = searchStart(Date.now(), 0);
			const ids = idsBefore.get(carrierCode) ?? null;
			return await writeOnce(journal, { targets, carrierCode, idsBefore: ids, since }, write);
		});
		return await settleRefusedDuplicates(sent, run, send);
	};
	const sent = await send(found.toSend);
	return await cancelDuplicates([...recalled, ...found.outcomes, ...sent], run);
}

function markAsRecalled({ targets, outcome }: OrderOutcome): OrderOutcome {
	if (outcome.state !== 'done') return { targets, outcome };
	return { targets, outcome: { ...outcome, value: { ...outcome.value, isRecalled: true } } };
}

function creationWrite({ client, lookUp, journal, settings }: CreationRun): Write<Creation> {
	return {
		client,
		maxWaitMs: settings.maxRetryWait,
		send: async ({ carrierCode, targets }, calls) =>
			calls.createShipments(
				carrierCode,
				targets.map(({ body }) => body),
				settings,
			),
		find: async (targets, { carrierCode, since }) =>
			lookUp.findCreated(carrierCode, targets, since),
		judge: (known) => {
			const others = journal.pending.filter(
				({ request }) =>
					request !== known.request && request.carrierCode === known.request.carrierCode,
			);
			const contested = others.flatMap(({ request, keys }) =>
				request.targets.filter((order) => keys.includes(journal.keyOf(order))).map(referenceOf),
			);
			const done = journal.done.flatMap(({ outcome }) =>
				outcome.state === 'done' ? outcome.value.pieces : [],
			);
			return match(known, {
				isDone: (order) => journal.isDone(order),
				doneIds: new Set(done.map(({ row }) => Number(row.id))),
				contested: new Set(contested),
				ifExists: settings.ifExists,
			});
		},
	};
}

/**
 * With *Create Another One*, the IDs of all shipments of today, by carrier. A carrier is missing if they could
 * not be read. Otherwise, no order that is sent has a living shipment.
 */
async function readIdsBefore(
	orders: readonly Order[],
	client: Client,
	{ ifExists }: CreationSettings,
): Promise<Map<string, number[]>> {
	const carriers = [...new Set(orders.map(({ carrierCode }) => carrierCode))];
	if (ifExists !== 'create') return new Map(carriers.map((code) => [code, []]));
	const ids = new Map<string, number[]>();
	const createdFrom = searchStart(Date.now(), 0);
	await client.mapParallel(carriers, async (carrierCode) => {
		const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
		const page = await client.findShipments(filter, 0, PAGE_LENGTH).catch(() => undefined);
		const isComplete = page && page.data.length >= page.total;
		if (isComplete)
			ids.set(
				carrierCode,
				page.data.map(({ id }) => id),
			);
	});
	return ids;
}

/**
 * Sends the orders of each carrier in batches, in parallel. With *Create Another One*, a reference may
 * come several times: then the batches of the carrier are sent one after another. After an error that
 * every further request of a carrier would get, no further one of this carrier begins.
 */
async function sendBatches(
	orders: readonly Order[],
	client: Client,
	{ batchSize }: CreationSettings,
	send: (carrierCode: string, batch: Order[]) => Promise<OrderOutcome[]>,
): Promise<OrderOutcome[]> {
	const byCarrier = groupBy(orders, ({ carrierCode }) => carrierCode);
	const sent = await client.mapParallel([...byCarrier], async ([carrierCode, own]) => {
		let stop: unknown;
		const sendBatch = async (batch: Order[]) => {
			if (stop !== undefined) return notDone<Creation>(batch, stop);
			const outcomes = await send(carrierCode, batch);
			for (const { outcome } of outcomes) {
				const [error] = outcome.state === 'notDone' ? outcome.errors : [];
				if (isServiceError(error) && concernsAllRequests(error.facts)) stop = error;
			}
			return outcomes;
		};
		const batches = planBatches(own, batchSize);
		const hasRepeated = new Set(own.map(referenceOf)).size < own.length;
		const ofBatches: OrderOutcome[][] = [];
		if (hasRepeated) for (const batch of batches) ofBatches.push(await sendBatch(batch));
		else ofBatches.push(...(await client.mapParallel(batches, sendBatch)));
		return ofBatches.flat();
	});
	return sent.flat();
}

/** A new batch begins where one is full, or has the reference of the next order. */
function planBatches(orders: readonly Order[], batchSize: number): Order[][] {
	const batches: Order[][] = [];
	let references = new Set<string>();
	for (const order of orders) {
		const reference = referenceOf(order);
		const isFull = references.size >= Math.max(1, Math.floor(batchSize));
		if (batches.length === 0 || isFull || references.has(reference)) {
			batches.push([]);
			references = new Set();
		}
		batches.at(-1)?.push(order);
		references.add(reference);
	}
	return batches;
}
