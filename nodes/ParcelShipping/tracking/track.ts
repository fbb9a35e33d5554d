import { mapWithPauses } from '../lists';
import { isRecord } from '../records';
import type { TrackingEvent } from '../transport/contract';
import {
	isRefusal,
	requestWithoutRefused,
	rowOf,
	SplitBudget,
} from '../transport/trackingRequests';
import { compareEvents } from './compare';
import { hasOffset } from './dates';
import type { Comparison, NewEvent } from './events';
import { logFailure, type Poll } from './host';
import { isNoted, memoryOf, note } from './nodeMemory';
import { type EventRequest, refusedTurn, selectRequests, turnWithoutEvents } from './select';
import { keyOf, type WatchedShipment } from './state';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

/** What the service says about the shipments of one or more requests. */
interface EventResponse {
	refused: Array<{ shipment: WatchedShipment; failure: unknown }>;
	/** The next poll requests these again. */
	failed: WatchedShipment[];
	/** Why there is no response. */
	failures: unknown[];
	/** There is a response, but no events in it. */
	untracked: WatchedShipment[];
	/** What rows say instead of events. */
	rowErrors: Error[];
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each response
 * with the known events while the next requests are running. The shipments are returned in the order for
 * the next poll: first those that this poll did not request, then those that failed, then the others. So
 * every shipment gets its turn, even if one carrier never responds.
 */
export async function trackShipments(
	shipments: readonly WatchedShipment[],
	poll: Poll,
	comparison: Comparison,
) {
	const { context, watch } = poll;
	const { nowMs } = comparison;
	const splitBudgets = new Map<string, SplitBudget>();
	const requests = selectRequests(shipments, nowMs, watch);
	const watched = new Set(shipments.map(keyOf));
	const responses = await requestAll(requests, watched, poll, splitBudgets, comparison);
	const compared = responses.flatMap((response) => response.compared);
	const failures = responses.flatMap((response) => response.failures);
	const failed = responses.flatMap((response) => response.failed);
	const updated = new Map(compared.map(({ before, shipment }) => [before, shipment]));
	for (const { shipment, failure } of responses.flatMap(({ refused }) => refused)) {
		const { carrier, number, refusedSince } = shipment;
		// If the carrier did not respond to any request, the carrier may be the problem.
		if (refusedSince === undefined && !splitBudgets.get(carrier)?.hasResponse) {
			failures.push(failure);
			failed.push(shipment);
			continue;
		}
		const nextRequestAt = refusedTurn(nowMs);
		updated.set(shipment, { ...shipment, refusedSince: refusedSince ?? nowMs, nextRequestAt });
		if (refusedSince !== undefined) continue;
		const what = `The service refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	for (const { untracked } of responses) {
		for (const [position, shipment] of untracked.entries()) {
			const nextRequestAt = turnWithoutEvents(shipment, { nowMs, position });
			updated.set(shipment, { ...shipment, nextRequestAt });
		}
	}
	for (const [carrier, { isUnanswered }] of splitBudgets) {
		if (isUnanswered) note(memoryOf(context), `unanswered ${carrier}`);
	}
	const requested = new Set([...failed, ...updated.keys()]);
	const unrequested = shipments.filter((shipment) => !requested.has(shipment));
	return {
		shipments: [...unrequested, ...failed, ...updated.values()],
		newEvents: compared.flatMap(({ newEvents }) => newEvents),
		failures,
		hasOffsets: responses.some((response) => response.hasOffsets),
		hasResponse: [...splitBudgets.values()].some((splitBudget) => splitBudget.hasResponse),
	};
}

interface ComparedResponse extends EventResponse {
	hasOffsets: boolean;
	compared: Array<{ before: WatchedShipment; shipment: WatchedShipment; newEvents: NewEvent[] }>;
}

/** Sends the requests, except to carriers that have failed, and as long as the poll may. */
async function requestAll(
	requests: readonly EventRequest[],
	watched: ReadonlySet<string>,
	poll: Poll,
	splitBudgets: Map<string, SplitBudget>,
	comparison: Comparison,
): Promise<ComparedResponse[]> {
	const { context, client, budget } = poll;
	const failedCarriers = new Set<string>();
	let newEventCount = 0;
	return await client.mapParallel(requests, async (request) => {
		const { carrier, shipments } = request;
		const noEvents = { untracked: [], rowErrors: [], compared: [], hasOffsets: false };
		const nothing = { refused: [], failed: [], failures: [], ...noEvents };
		if (newEventCount >= MAX_EVENTS) return nothing;
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (failedCarriers.has(carrier)) return { ...nothing, failed: shipments };
		if (budget.isSpent()) return nothing;
		// A carrier that refuses everything gets one request per poll, which is split once an hour.
		const maySplit = () =>
			!budget.isSpent() && !isNoted(memoryOf(context), `unanswered ${carrier}`);
		const splitBudget = splitBudgets.get(carrier) ?? new SplitBudget(maySplit);
		splitBudgets.set(carrier, splitBudget);
		const response = await requestEvents(request, poll, splitBudget);
		const isFailed = (failure: unknown) => !splitBudget.hasResponse || !isRefusal(failure);
		if (response.failures.some(isFailed)) failedCarriers.add(carrier);
		const compared = await mapWithPauses(response.listed, ({ shipment, events }, position) => ({
			before: shipment,
			...compareEvents(shipment, ownEvents(shipment, events, watched), { ...comparison, position }),
		}));
		for (const { newEvents } of compared) newEventCount += newEvents.length;
		const hasOffsets = response.listed.some(({ events }) =>
			events.some(({ date }) => hasOffset(date)),
		);
		return { ...response, compared, hasOffsets };
	});
}

/** Without those of another piece that is watched as well: they come with its own number, too. */
export function ownEvents(
	{ carrier, number }: WatchedShipment,
	events: readonly TrackingEvent[],
	watched: ReadonlySet<string>,
): TrackingEvent[] {
	return events.filter(({ item }) => {
		const of = String(item ?? '').trim();
		return of === '' || of === number || !watched.has(keyOf({ carrier, number: of }));
	});
}

/** The events of up to a hundred shipments of one carrier. */
export async function requestEvents(
	{ carrier, shipments }: EventRequest,
	{ client, budget }: Pick<Poll, 'client' | 'budget'>,
	splitBudget: SplitBudget,
) {
	const byNumber = new Map(shipments.map((shipment) => [shipment.number, shipment]));
	const shipmentOf = (number: string) => byNumber.get(number) as WatchedShipment;
	const { rows, answered, refused, failed, failures } = await requestWithoutRefused(
		[...byNumber.keys()],
		async (packages) => {
			const request = { path: { carrier_code: carrier }, body: { packages } };
			return (await client.call('trackShipments', request, budget.spend())).result;
		},
		splitBudget,
	);
	const response = {
		refused: refused.map(({ number, failure }) => ({ shipment: shipmentOf(number), failure })),
		failed: failed.map(shipmentOf),
		failures,
		untracked: [] as WatchedShipment[],
		rowErrors: [] as Error[],
		listed: [] as Array<{ shipment: WatchedShipment; events: TrackingEvent[] }>,
	};
	for (const number of answered) {
		const shipment = shipmentOf(number);
		const row = rowOf(rows, { carrierCode: carrier, number, correlationId: '' });
		const events: unknown = row instanceof Error ? undefined : (row.events ?? []);
		if (row instanceof Error) response.rowErrors.push(row);
		if (Array.isArray(events)) {
			response.listed.push({ shipment, events: (events as TrackingEvent[]).filter(isRecord) });
		} else response.untracked.push(shipment);
	}
	return response;
}
