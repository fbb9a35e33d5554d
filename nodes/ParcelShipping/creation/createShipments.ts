import type { IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import { type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import type { Client } from '../transport/client';
import { PAGE_LENGTH } from '../transport/contract';
import { isServiceError } from '../transport/errors';
import { Journal, notDone } from '../writes/journal';
import { withLock } from '../writes/lock';
import { recall, type Write, writeOnce } from '../writes/writeOnce';
import { cancelDuplicates, type CreationRun } from './duplicates';
import { LookUp } from './lookUp';
import { type CreationJournal, match } from './match';
import type { Creation, CreationSettings, OrderOutcome } from './types';

/**
 * The key of an order is its item, because its values may change in a retry (a reference made of the
 * current time, a corrected address), and it must not be sent again because of that.
 */
export function openCreationJournal(context: IExecuteFunctions): CreationJournal {
	return new Journal(context, 'create', ({ itemIndex }: Order) => String(itemIndex));
}

/**
 * Creates each order once and returns an outcome for each. Why nothing ships twice:
 * 1. Lock: no other execution in this process looks up or sends the same reference meanwhile.
 * 2. Recall: what an earlier try created, or may have created, is not sent again.
 * 3. Look up: an order that already exists at the service is not sent.
 * 4. Batch: requests run in parallel, but no request has a reference twice, and no two requests of
 *    one carrier that run at the same time share a reference: the second order with a reference waits
 *    until the first one has an outcome. So a record that is read back belongs to the only request
 *    under way with its reference, unless it is older. Older records are known by their IDs: those
 *    read before the first request, and those of outcomes in the journal. If another open request has
 *    the reference, it is contested, and no record counts as created.
 * 5. Write once: see `writes/writeOnce.ts`. `match` decides from rows and records.
 * 6. Check: what another process has created at the same moment is found, and the duplicate canceled.
 *    Shipments of earlier tries take the same way, because it also reads whether they were printed.
 */
export async function createShipments(
	orders: readonly Order[],
	context: IExecuteFunctions,
	client: Client,
	settings: CreationSettings,
): Promise<OrderOutcome[]> {
	const journal = openCreationJournal(context);
	const openOrders = journal.open.flatMap(({ request }) => request.about);
	const lockKeys = [...orders, ...openOrders].map((order) =>
		JSON.stringify([client.address.origin, referenceOf(order)]),
	);
	return await withLock(lockKeys, async () => {
		const lookUp = new LookUp(client);
		const run = { context, client, lookUp, journal, settings };
		const recalled = await recall(journal, creationWrite(run));
		if (settings.sendsNothing) return await cancelDuplicates(recalled, run);

		const newOrders = orders.filter((order) => !journal.has(journal.keyOf(order)));
		const found = await lookUp.findExisting(newOrders, settings);
		for (const each of found.outcomes) if (each.outcome.kind === 'done') journal.write(each);
		const hasFailed = found.outcomes.some(({ outcome }) => outcome.kind !== 'done');
		if (settings.stopOnError && hasFailed) {
			return [...(await cancelDuplicates(recalled, run)), ...found.outcomes];
		}

		const isLookedUp = settings.ifExists !== 'create';
		const today = isLookedUp ? undefined : await readIds(client, found.toSend);
		const write = creationWrite(run);
		const rounds = planRounds(found.toSend, settings.batchSize);
		const sent = await sendRounds(rounds, client, async (carrierCode, about) => {
			const since = searchStart(Date.now(), 0);
			const idsBefore = today ? (today.get(carrierCode) ?? null) : found.canceledIds;
			return await writeOnce(journal, { about, carrierCode, idsBefore, since }, write);
		});
		return await cancelDuplicates([...recalled, ...found.outcomes, ...sent], run);
	});
}

function creationWrite({ client, lookUp, journal, settings }: CreationRun): Write<Creation> {
	/** The IDs of the first `counted` entries of the journal. There may be tens of thousands. */
	const doneIds = new Set<number>();
	let counted = 0;
	return {
		client,
		maxWaitMs: settings.maxRetryWait,
		send: async ({ carrierCode, about }, calls) =>
			calls.createShipments(
				carrierCode,
				about.map(({ body }) => body),
				settings,
			),
		find: async (about, { carrierCode, since }) => lookUp.findCreated(carrierCode, about, since),
		judge: (seen) => {
			const others = journal.open.filter(
				({ request }) =>
					request !== seen.request && request.carrierCode === seen.request.carrierCode,
			);
			for (const { outcome } of journal.done.slice(counted)) {
				const { pieces = [] } = outcome.kind === 'done' ? outcome.value : {};
				for (const { row } of pieces) doneIds.add(Number(row.id));
			}
			counted = journal.done.length;
			return match(seen, {
				isDone: (order) => journal.isDone(order),
				doneIds,
				contested: new Set(
					others.flatMap(({ request, keys }) =>
						request.about.filter((order) => keys.includes(journal.keyOf(order))).map(referenceOf),
					),
				),
				ifExists: settings.ifExists,
			});
		},
	};
}

/**
 * Today's shipments of each carrier, for *Create Another One*: what is there before the first request
 * does not come from it. A carrier is missing if they are unknown.
 */
async function readIds(client: Client, orders: readonly Order[]): Promise<Map<string, number[]>> {
	const ids = new Map<string, number[]>();
	const carriers = [...new Set(orders.map(({ carrierCode }) => carrierCode))];
	const createdFrom = searchStart(Date.now(), 0);
	await client.mapParallel(carriers, async (carrierCode) => {
		const filter = { carrierCodes: [carrierCode], createdFrom, onlyMaster: false };
		const page = await client.findShipments(filter, 0, PAGE_LENGTH).catch(() => undefined);
		if (page && page.rows.length >= page.total) {
			ids.set(
				carrierCode,
				page.rows.map(({ id }) => id),
			);
		}
	});
	return ids;
}

interface BatchToSend {
	carrierCode: string;
	orders: Order[];
}

/**
 * The requests in rounds. A batch belongs to one carrier, and no two requests of a round share a
 * reference at a carrier: a round has the first order of each reference, the next one the second.
 */
function planRounds(orders: readonly Order[], batchSize: number): BatchToSend[][] {
	const rounds: Order[][] = [];
	const repeated = groupBy(orders, (order) =>
		JSON.stringify([order.carrierCode, referenceOf(order)]),
	);
	for (const group of repeated.values()) {
		for (const [index, order] of group.entries()) (rounds[index] ??= []).push(order);
	}
	const length = Math.max(1, Math.floor(batchSize));
	return rounds.map((round) =>
		[...groupBy(round, ({ carrierCode }) => carrierCode)].flatMap(([carrierCode, ofCarrier]) =>
			chunk(ofCarrier, length).map((batch) => ({ carrierCode, orders: batch })),
		),
	);
}

/**
 * Sends the requests of each round in parallel. After an error that every further request of a carrier
 * would get, such as a wrong credential, no further one of this carrier begins.
 */
async function sendRounds(
	rounds: readonly BatchToSend[][],
	client: Client,
	send: (carrierCode: string, orders: Order[]) => Promise<OrderOutcome[]>,
): Promise<OrderOutcome[]> {
	const stops = new Map<string, unknown>();
	const sent: OrderOutcome[] = [];
	for (const requests of rounds) {
		const outcomes = await client.mapParallel(requests, async ({ carrierCode, orders }) => {
			const stop = stops.get(carrierCode);
			if (stop !== undefined) return notDone<Creation>(orders, stop);
			const settled = await send(carrierCode, orders);
			for (const { outcome } of settled) {
				const [error] = outcome.kind === 'notDone' ? outcome.errors : [];
				if (isServiceError(error) && error.facts.cause !== undefined) {
					stops.set(carrierCode, error);
				}
			}
			return settled;
		});
		sent.push(...outcomes.flat());
	}
	return sent;
}
