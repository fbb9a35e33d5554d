import type { Client } from '../transport/client';
import type { TrackingResult } from '../transport/contract';
import type { Allowance } from './allowance';
import { compareEvents, type Comparison, type NewEvent } from './compare';
import { isLocalDate, sortByDate } from './dates';
import type { RequestCounts } from './discovery';
import { isEvent } from './output';
import { toMinute } from './pace';
import { planPoll } from './plan';
import {
	isRefusal,
	requestWithoutRefused,
	type SplitAnswer,
	Splitting,
} from '../transport/refusals';
import { byNumber, rowOf, type TrackingBatch } from '../transport/trackingRequests';
import { type RequestedShipments, requeue, type WatchedShipment } from './state';
import type { Freshness } from './watch';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

/** How often a refused number is requested, alone. */
export const REFUSED_INTERVAL_MS = 3_600_000;

type Answer = SplitAnswer<TrackingResult> & TrackingBatch<WatchedShipment>;

export interface Tracked {
	shipments: WatchedShipment[];
	newEvents: NewEvent[];
	requests: RequestCounts;
	/** Shipments that this poll found to be refused. */
	refused: Array<{ shipment: WatchedShipment; failure: unknown }>;
	/** Carriers that refused everything, although the requests were split. */
	futileCarriers: string[];
	hasLocalDates: boolean;
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each answer
 * with the known events while the next requests are running. The next poll repeats what has failed.
 * `maySplit` says for which carriers a refused request may be split.
 */
export async function trackShipments(
	shipments: readonly WatchedShipment[],
	client: Client,
	allowance: Allowance,
	comparison: Comparison,
	{ freshness, maySplit }: { freshness: Freshness; maySplit: (carrier: string) => boolean },
): Promise<Tracked> {
	const requested: RequestedShipments = { answered: new Map(), failed: new Set() };
	const requests: RequestCounts = { answered: 0, failures: [] };
	const newEvents: NewEvent[] = [];
	const refused: Tracked['refused'] = [];
	const failedCarriers = new Set<string>();
	const splittings = new Map<string, Splitting>();
	let hasLocalDates = false;

	const splittingOf = (carrier: string): Splitting => {
		const splitting =
			splittings.get(carrier) ?? new Splitting(() => !allowance.isSpent && maySplit(carrier));
		splittings.set(carrier, splitting);
		return splitting;
	};

	const ask = async (batch: TrackingBatch<WatchedShipment>): Promise<Answer | undefined> => {
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (failedCarriers.has(batch.carrier)) {
			for (const shipment of batch.shipments) requested.failed.add(shipment);
			return undefined;
		}
		if (allowance.isSpent || newEvents.length >= MAX_EVENTS) return undefined;
		const splitting = splittingOf(batch.carrier);
		const answer = await requestRows(batch, client, allowance, splitting);
		if (answer.answered.length > 0) requests.answered++;
		const isFailing = (failure: unknown) => !splitting.hasAnswer || !isRefusal(failure);
		if (answer.failures.some(isFailing)) failedCarriers.add(batch.carrier);
		requests.failures.push(...answer.failures);
		return { ...batch, ...answer };
	};

	const compare = (answer: Answer): void => {
		const { carrier } = answer;
		const byItsNumber = new Map(answer.shipments.map((each) => [each.number, each]));
		const shipmentsOf = (numbers: readonly string[]) =>
			numbers.flatMap((number) => byItsNumber.get(number) ?? []);
		for (const shipment of shipmentsOf(answer.failed)) requested.failed.add(shipment);
		for (const { number, failure } of answer.refused) {
			for (const shipment of shipmentsOf([number])) refused.push({ shipment, failure });
		}
		const rowsByNumber = byNumber(answer.rows);
		for (const shipment of shipmentsOf(answer.answered)) {
			const { number } = shipment;
			const row = rowOf(rowsByNumber, { carrierCode: carrier, number, correlationId: '' });
			const events: unknown = row instanceof Error ? undefined : (row.events ?? []);
			if (!Array.isArray(events)) {
				requested.failed.add(shipment);
				continue;
			}
			const known = events.filter(isEvent);
			hasLocalDates ||= known.some(({ date }) => isLocalDate(date));
			const compared = compareEvents(shipment, known, comparison);
			requested.answered.set(shipment, compared.shipment);
			newEvents.push(...compared.newEvents);
		}
	};

	const { nowMs, limits = {} } = comparison;
	const batches = planPoll(shipments, nowMs, { freshness, limits });
	await client.requestAndHandle(batches, ask, compare);

	const isCarrierTracked = (carrier: string) => splittingOf(carrier).hasAnswer;
	const newlyRefused = refused.filter(({ shipment, failure }) => {
		const isKnown = shipment.refusedSince !== undefined;
		// If nothing of the carrier was answered, the carrier may be the problem.
		if (isKnown || isCarrierTracked(shipment.carrier)) {
			requested.answered.set(shipment, postponeRefused(shipment, nowMs));
			return !isKnown;
		}
		requests.failures.push(failure);
		requested.failed.add(shipment);
		return false;
	});
	return {
		shipments: requeue(shipments, requested),
		newEvents: sortByDate(newEvents, comparison.timezone),
		requests,
		refused: newlyRefused,
		futileCarriers: [...splittings].filter(([, each]) => each.isFutile).map(([name]) => name),
		hasLocalDates,
	};
}

function postponeRefused(shipment: WatchedShipment, nowMs: number): WatchedShipment {
	const { refusedSince = nowMs } = shipment;
	return { ...shipment, refusedSince, nextRequestAt: toMinute(nowMs + REFUSED_INTERVAL_MS) };
}

/** The rows of up to a hundred shipments of one carrier. */
export async function requestRows(
	{ carrier, shipments }: TrackingBatch<WatchedShipment>,
	client: Pick<Client, 'call'>,
	allowance: Allowance,
	splitting = new Splitting(),
): Promise<SplitAnswer<TrackingResult>> {
	const request = async (packages: string[]) => {
		const body = { path: { carrier_code: carrier }, body: { packages } };
		return (await client.call('trackShipments', body, allowance.spend())).result;
	};
	return await requestWithoutRefused(
		shipments.map(({ number }) => number),
		request,
		splitting,
	);
}

/**
 * Whether the service answered nothing. If it answered the list and refuses each shipment in it, it is
 * there: the user cannot correct those shipments, and must be able to publish the workflow.
 */
export function hasNoAnswer(list: RequestCounts, tracking: RequestCounts): boolean {
	if (list.failures.length + tracking.failures.length === 0 || tracking.answered > 0) return false;
	return list.answered === 0 || !tracking.failures.every(isRefusal);
}
