import type { Batch, CreationEnvelope } from '../transport/contract';
import { PAGE_LENGTH } from '../transport/contract';
import { describeError, isServiceError } from '../transport/errors';
import { messageBeside } from '../transport/serviceMessage';
import type { Ledger, PendingRequest } from './ledger';
import type { LookUp } from './lookUp';
import { emptyResult, NO_EVIDENCE, reconcile, type Reconciliation } from './reconcile';
import {
	type BatchInfo,
	type CreationClient,
	type CreationSettings,
	type FoundRecord,
	type OrderResult,
	searchStart,
} from './types';
import { type Order, referenceOf } from '../orders/order';

export interface Submission {
	results: OrderResult[];
	/** An error that every further request of the carrier would get, too. */
	stop?: unknown;
}

/** The number of batches that are opened at most to find those of recovered shipments. */
const MAX_BATCHES = 20;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Sends each request once. If the answer is lost or incomplete, it reads back what was created. */
export class Submitter {
	constructor(
		private readonly client: CreationClient,
		private readonly lookUp: LookUp,
		private readonly settings: CreationSettings,
		private readonly ledger: Ledger,
	) {}

	/**
	 * IDs of shipments that the next requests of a carrier do not create. If there was no look-up,
	 * this takes one request. Null if it cannot be established.
	 */
	async readIdsBefore(carrierCode: string, canceledIds: number[]): Promise<number[] | null> {
		if (this.settings.ifExists !== 'create') return canceledIds;
		return await this.lookUp.readIds(carrierCode, searchStart(Date.now(), 0)).catch(() => null);
	}

	async submit(
		carrierCode: string,
		orders: Order[],
		idsBefore: number[] | null,
	): Promise<Submission> {
		const pending = this.ledger.add({
			orders,
			rows: [],
			candidates: [],
			batch: null,
			idsBefore,
			since: searchStart(Date.now(), 0),
			reason: 'The node was interrupted before the answer arrived',
			correlationId: null,
		});
		const { id, request } = pending;
		const { timeout: timeoutMs, carrierEndpoint } = this.settings;
		const shipments = orders.map(({ body }) => body);
		return await this.client
			.createShipments(carrierCode, shipments, { timeoutMs, carrierEndpoint })
			.then(
				async (answer) => {
					const batch = toBatchInfo(answer);
					const { correlationId } = batch;
					const message = messageBeside(answer);
					const reason = `The answer of the service does not contain it${message ? `. The service said: ${message}` : ''}`;
					const answered = { ...request, rows: answer.result, batch, reason, correlationId };
					return { results: await this.conclude({ id, request: answered }) };
				},
				async (thrown: unknown) => {
					const facts = isServiceError(thrown) ? thrown.facts : undefined;
					if (facts?.mayHaveActed === false) return this.giveUp(pending, thrown);
					const correlationId = facts?.correlationId ?? null;
					const reason = reasonOf(thrown);
					return {
						results: await this.conclude({ id, request: { ...request, reason, correlationId } }),
					};
				},
			);
	}

	/** The results of earlier tries, and the outcome of requests that they could not establish. */
	async recall(): Promise<OrderResult[]> {
		const settled = this.ledger.settledResults();
		const concluded = await this.client.mapParallel(
			this.ledger.pendingRequests(),
			async (pending) => this.conclude(pending),
		);
		return [...settled, ...concluded.flat()];
	}

	/** The request was certainly not carried out, so a later try may send it again. */
	private giveUp(pending: PendingRequest, thrown: unknown): Submission {
		this.ledger.remove(pending);
		const results = pending.request.orders.map((order) => ({
			...emptyResult([order]),
			notCreated: thrown,
		}));
		const isForAll = isServiceError(thrown) && thrown.facts.cause !== undefined;
		return isForAll ? { results, stop: thrown } : { results };
	}

	/** Settles what is certain. What is not stays in the ledger for a later try. */
	private async conclude({ id, request }: PendingRequest): Promise<OrderResult[]> {
		const answered = reconcile(request, NO_EVIDENCE);
		const { results: known, pending } =
			answered.incomplete.length === 0
				? answered
				: await this.readBack({ id, request }, answered.incomplete);
		const results = await this.addBatches(known, request.since, request.correlationId);
		for (const result of results) {
			// An order that was only refused may be sent again by a later try.
			if (result.pieces.length > 0 && !result.isUnmatched) this.ledger.settle(result);
		}
		if (pending) this.ledger.update({ id, request: pending });
		else this.ledger.remove({ id, request });
		return results;
	}

	/**
	 * Searches the service's records again and again for what a request has created, and never sends
	 * anything. A service may finish after its gateway has timed out, so that not finding a shipment
	 * does not prove that there is none.
	 */
	private async readBack(
		pending: PendingRequest,
		incomplete: readonly Order[],
	): Promise<Reconciliation> {
		const { request } = pending;
		const carrierCode = incomplete[0]?.carrierCode ?? '';
		const references = incomplete.map(referenceOf);
		const evidence = {
			records: [] as FoundRecord[],
			settledIds: this.ledger.settledIds(),
			contested: this.ledger.contestedReferences(pending),
			searches: 0,
		};
		let reconciliation = reconcile(request, evidence);
		const pauses = pausesBetweenSearches(this.settings.maxRetryWait);
		// Searches in a service that is in trouble take time as well, which must not add up.
		const endMs = Date.now() + 2 * pauses.reduce((sum, pauseMs) => sum + pauseMs, 0);
		for (const pauseMs of [0, ...pauses]) {
			if (this.client.isStopped || (pauseMs > 0 && Date.now() > endMs)) break;
			if (pauseMs > 0) await this.client.pause(pauseMs);
			const found = await this.search(carrierCode, references, request.since);
			if ('searchError' in found) {
				reconciliation = reconcile(request, { ...evidence, ...found });
				continue;
			}
			const records = new Map(
				[...evidence.records, ...found.records].map((each) => [each.id, each]),
			);
			evidence.records = [...records.values()];
			evidence.searches++;
			reconciliation = reconcile(request, evidence);
			if (reconciliation.missing.length === 0) break;
		}
		return reconciliation;
	}

	private async search(
		carrierCode: string,
		references: string[],
		since: string,
	): Promise<{ records: FoundRecord[] } | { searchError: string }> {
		return await this.lookUp.find(carrierCode, references, since).then(
			(records) => ({ records }),
			(thrown: unknown) => ({ searchError: describeError(thrown).message }),
		);
	}

	/**
	 * Adds the batches of recovered pieces. A shipment counts as recovered with or without its batch,
	 * so an error here is ignored.
	 */
	private async addBatches(
		results: OrderResult[],
		since: string,
		correlationId: string | null,
	): Promise<OrderResult[]> {
		const recovered = results.flatMap(({ orders, pieces }) =>
			pieces
				.filter(({ recovered, batch }) => recovered && !batch)
				.map(({ row }) => ({ id: Number(row.id), carrierCode: orders[0]?.carrierCode ?? '' })),
		);
		const [first] = recovered;
		if (!first) return results;
		const ids = recovered.map(({ id }) => id);
		const batches = await this.findBatches(first.carrierCode, since, ids);
		return results.map((result) => {
			// If the batch contains only the main shipment, its pieces are in the same batch.
			const batch = result.pieces.map(({ row }) => batches.get(Number(row.id))).find(Boolean);
			if (!batch) return result;
			const info = { ...batch, correlationId };
			const pieces = result.pieces.map((piece) =>
				piece.recovered && !piece.batch ? { ...piece, batch: info } : piece,
			);
			return { ...result, pieces, batch: info };
		});
	}

	private async findBatches(
		carrierCode: string,
		createdFrom: string,
		shipmentIds: number[],
	): Promise<Map<number, BatchInfo>> {
		const batches = new Map<number, BatchInfo>();
		const missing = new Set(shipmentIds);
		const filter = { carrierCodes: [carrierCode], createdFrom, sortOrder: 'desc' };
		const read = async () => {
			const { rows } = await this.client.findBatches(filter, 0, PAGE_LENGTH);
			for (const { id } of rows.slice(0, MAX_BATCHES)) {
				if (missing.size === 0) return;
				const { result: batch } = await this.client.call('getBatch', { path: { id } });
				for (const order of batch.orders ?? []) {
					if (missing.delete(order.id)) batches.set(order.id, toBatchInfo(batch));
				}
			}
		};
		await read().catch(() => undefined);
		return batches;
	}
}

/** Why an answer did not arrive, with the service's own words if there are any. */
function reasonOf(thrown: unknown): string {
	const { message, details } = describeError(thrown);
	const said = details.serviceMessage ? `The service said: ${String(details.serviceMessage)}` : '';
	return message.includes(said) ? message : `${message}. ${said}`;
}

/** Growing pauses that add up to `maxWaitMs` at most. */
export function pausesBetweenSearches(maxWaitMs: number): number[] {
	const pauses: number[] = [];
	let next = Math.min(FIRST_PAUSE_MS, maxWaitMs / 8);
	for (let left = maxWaitMs; next > 0 && left > 0; left -= next, next *= 2) {
		next = Math.min(next, LONGEST_PAUSE_MS, left);
		pauses.push(Math.round(next));
	}
	return pauses;
}

function toBatchInfo(source: Partial<CreationEnvelope> & Partial<Batch>): BatchInfo {
	return {
		batchId: source.batchId ?? source.id ?? null,
		labelsUrl: source.labelsUrl ?? null,
		labelsHash: source.labelsHash ?? null,
		ordersUrl: source.ordersUrl ?? null,
		ordersHash: source.ordersHash ?? null,
		packagesCount: source.packagesCount ?? null,
		correlationId: source.correlationId ?? null,
	};
}
