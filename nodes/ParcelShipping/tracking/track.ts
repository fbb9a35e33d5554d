import type { Client } from '../transport/client';
import type { TrackingResult } from '../transport/contract';
import {
	isRefusal,
	requestWithoutRefused,
	type SplitAnswer,
	Splitting,
} from '../transport/refusals';
import type { TrackingBatch } from '../transport/trackingRequests';
import {
	applyResponses,
	type ComparedResponse,
	compareResponse,
	type Comparison,
	type Response,
	type Tracked,
} from './compare';
import type { Budget } from './host';
import { planRequests } from './select';
import type { Watch, WatchedShipment } from './state';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

interface Run {
	client: Client;
	budget: Budget;
	/** Whether requests that the carrier refuses may be split. */
	maySplit: (carrier: string) => boolean;
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each response
 * with the known events while the next requests are running.
 */
export async function trackShipments(
	shipments: readonly WatchedShipment[],
	watch: Pick<Watch, 'freshness' | 'limits'>,
	comparison: Comparison,
	run: Run,
): Promise<{ tracked: Tracked; unansweredCarriers: string[] }> {
	const requests = planRequests(shipments, comparison.nowMs, watch);
	const carriers = new CarrierRequests(run);
	const compared: ComparedResponse[] = [];
	let events = 0;
	await run.client.requestAndHandle(
		requests,
		async (request) => (events < MAX_EVENTS ? carriers.send(request) : undefined),
		(response) => {
			const found = compareResponse(response, comparison);
			events += found.newEvents.length;
			compared.push(found);
		},
	);
	const tracked = applyResponses(shipments, compared, comparison.nowMs);
	return { tracked, unansweredCarriers: carriers.unanswered };
}

/** The requests of a poll to each carrier: one that fails or refuses does not delay the others. */
class CarrierRequests {
	private readonly failed = new Set<string>();

	private readonly splittings = new Map<string, Splitting>();

	constructor(private readonly run: Run) {}

	/** `undefined` if the poll may not send the request. */
	async send(batch: TrackingBatch<WatchedShipment>): Promise<Response | undefined> {
		const { carrier, shipments } = batch;
		const { client, budget, maySplit } = this.run;
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (this.failed.has(carrier)) {
			const failed = shipments.map(({ number }) => number);
			return { ...batch, rows: [], answered: [], refused: [], failed, failures: [] };
		}
		if (budget.isSpent()) return undefined;
		const splitting =
			this.splittings.get(carrier) ?? new Splitting(() => !budget.isSpent() && maySplit(carrier));
		this.splittings.set(carrier, splitting);
		const response = await requestRows(batch, client, budget, splitting);
		const isFailing = (failure: unknown) => !splitting.hasAnswer || !isRefusal(failure);
		if (response.failures.some(isFailing)) this.failed.add(carrier);
		return { ...batch, ...response };
	}

	/** Carriers that refused everything, although the requests were split. */
	get unanswered(): string[] {
		return [...this.splittings].filter(([, each]) => each.isFutile).map(([carrier]) => carrier);
	}
}

/** The rows of up to a hundred shipments of one carrier. */
export async function requestRows(
	{ carrier, shipments }: TrackingBatch<WatchedShipment>,
	client: Pick<Client, 'call'>,
	budget: Budget,
	splitting = new Splitting(() => !budget.isSpent()),
): Promise<SplitAnswer<TrackingResult>> {
	const request = async (packages: string[]) => {
		const body = { packages };
		const path = { carrier_code: carrier };
		return (await client.call('trackShipments', { path, body }, budget.spend())).result;
	};
	return await requestWithoutRefused(
		shipments.map(({ number }) => number),
		request,
		splitting,
	);
}
