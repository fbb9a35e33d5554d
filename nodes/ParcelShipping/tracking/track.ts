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
import { type Comparison, itemOf, type NewEvent } from './events';
import { logFailure, type Poll } from './host';
import {
	type EventRequest,
	hasEndedLongAgo,
	isSuspected,
	refusedTurn,
	selectRequests,
	turnWithoutEvents,
} from './select';
import { shipmentKey, type WatchedShipment } from './state';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

/** With so many suspected numbers, the carrier itself is the likelier problem. */
const MAX_SUSPECTED = 10;

/** What comes of the requests of a poll. */
class Tracking {
	/** The shipments that the service said something about, and as they are then. */
	readonly updated = new Map<WatchedShipment, WatchedShipment>();

	/** The next poll requests these again. */
	readonly failed: WatchedShipment[] = [];

	readonly failures: unknown[] = [];

	readonly newEvents: NewEvent[] = [];

	hasOffsets = false;

	private readonly refused: Refusal[] = [];

	private readonly failedCarriers = new Set<string>();

	/** By carrier. */
	private readonly splitBudgets = new Map<string, SplitBudget>();

	/** The keys of shipments that have had a response with events, also in this poll. */
	private readonly responding: Set<string>;

	private readonly byId: ReadonlyMap<number, WatchedShipment>;

	constructor(
		shipments: readonly WatchedShipment[],
		requests: readonly EventRequest[],
		private readonly poll: Poll,
		private readonly comparison: Comparison,
	) {
		const { nowMs } = comparison;
		const suspected = shipments.filter((shipment) => isSuspected(shipment, nowMs));
		for (const { carrier } of requests) {
			const { length } = suspected.filter((shipment) => shipment.carrier === carrier);
			const mayTry = () =>
				!poll.budget.isSpent() && (length < MAX_SUSPECTED || this.isAnswered(carrier));
			this.splitBudgets.set(carrier, new SplitBudget(mayTry));
		}
		const known = shipments.filter(({ newSince }) => newSince === undefined);
		this.responding = new Set(known.map(shipmentKey));
		this.byId = new Map(shipments.map((shipment) => [shipment.id, shipment]));
	}

	/** Whether the carrier has responded to any request of this poll. */
	isAnswered(carrier: string): boolean {
		return this.splitBudgets.get(carrier)?.hasResponse === true;
	}

	get hasResponse(): boolean {
		return [...this.splitBudgets.values()].some(({ hasResponse }) => hasResponse);
	}

	/** Sends a request, unless its carrier has failed, or the poll may not continue. */
	async request(request: EventRequest): Promise<void> {
		const { carrier, shipments } = request;
		if (this.newEvents.length >= MAX_EVENTS) return;
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (this.failedCarriers.has(carrier)) return void this.failed.push(...shipments);
		if (this.poll.budget.isSpent()) return;
		const splitBudget = this.splitBudgets.get(carrier) as SplitBudget;
		const { answers, refused, failed, failures } = await requestEvents(
			request,
			this.poll,
			splitBudget,
		);
		this.refused.push(...refused);
		this.failed.push(...failed);
		this.failures.push(...failures);
		const isFailed = (failure: unknown) => !splitBudget.hasResponse || !isRefusal(failure);
		if (failures.some(isFailed)) this.failedCarriers.add(carrier);
		for (const { shipment, events } of answers)
			if (events) this.responding.add(shipmentKey(shipment));
		await mapWithPauses(answers, (answer, position) => this.compare(answer, position));
	}

	private compare({ shipment: before, events }: Answer, position: number): void {
		const mainBefore = before.mainId ? this.byId.get(before.mainId) : undefined;
		const main = mainBefore && (this.updated.get(mainBefore) ?? mainBefore);
		const comparison = { ...this.comparison, position, main };
		if (!events) {
			const nextRequestAt = turnWithoutEvents(before, comparison);
			return this.update(before, { nextRequestAt });
		}
		const own = ownEvents(before, events, this.responding);
		const { shipment, newEvents } = compareEvents(before, own, comparison);
		this.updated.set(before, shipment);
		this.newEvents.push(...newEvents);
		this.hasOffsets ||= events.some(({ date }) => hasOffset(date));
	}

	/** After a response without events. A shipment that has ended long ago is finished with it. */
	private update(
		before: WatchedShipment,
		changes: Pick<WatchedShipment, 'nextRequestAt' | 'refusal'>,
	): void {
		const isFinished = hasEndedLongAgo(before, this.comparison.nowMs);
		this.updated.set(before, { ...before, ...changes, isFinished });
	}

	/**
	 * A number that is refused alone is requested alone from then on. If its carrier did not respond to any
	 * request, the carrier may be the problem, so the number is only suspected, until its next turn.
	 */
	settleRefused(): void {
		const { nowMs } = this.comparison;
		for (const { shipment, failure } of this.refused) {
			const { carrier, number, refusal } = shipment;
			const isWaiting = isSuspected(shipment, nowMs);
			const nextRequestAt = isWaiting ? shipment.nextRequestAt : refusedTurn(nowMs);
			const isCertain = this.isAnswered(carrier) || (refusal !== undefined && !isWaiting);
			if (!isCertain) {
				this.failures.push(failure);
				this.update(shipment, { refusal: 'suspected', nextRequestAt });
				continue;
			}
			this.update(shipment, { refusal: 'refused', nextRequestAt });
			if (refusal === 'refused') continue;
			const what = `The service refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
			logFailure(this.poll.context, what, failure);
		}
	}
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
	const { nowMs } = comparison;
	const requests = selectRequests(shipments, nowMs, poll.watch);
	const tracking = new Tracking(shipments, requests, poll, comparison);
	await poll.client.mapParallel(requests, async (request) => tracking.request(request));
	tracking.settleRefused();
	const { updated, failed, failures, newEvents, hasOffsets, hasResponse } = tracking;
	const requested = new Set([...failed, ...updated.keys()]);
	// If its carrier responds, the next request of a suspected number says whether it is the problem.
	const isDue = (shipment: WatchedShipment) =>
		isSuspected(shipment, nowMs) && tracking.isAnswered(shipment.carrier);
	const unrequested = shipments
		.filter((shipment) => !requested.has(shipment))
		.map((shipment) => (isDue(shipment) ? { ...shipment, nextRequestAt: undefined } : shipment));
	const after = [...unrequested, ...failed, ...updated.values()];
	return { shipments: after, newEvents, failures, hasOffsets, hasResponse };
}

/** Without those of another piece that has responses of its own: they come with its own number, too. */
export function ownEvents(
	{ carrier, number }: WatchedShipment,
	events: readonly TrackingEvent[],
	responding: ReadonlySet<string>,
): TrackingEvent[] {
	return events.filter((event) => {
		const of = itemOf(event);
		return of === '' || of === number || !responding.has(shipmentKey({ carrier, number: of }));
	});
}

interface Refusal {
	shipment: WatchedShipment;
	failure: unknown;
}

export interface Answer {
	shipment: WatchedShipment;
	/** `undefined` if there is a response, but no events in it. */
	events: TrackingEvent[] | undefined;
	/** What it says instead of events. */
	error: Error | undefined;
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
	const answers = answered.map((number): Answer => {
		const row = rowOf(rows, { carrierCode: carrier, number, correlationId: '' });
		const error = row instanceof Error ? row : undefined;
		const events: unknown = row instanceof Error ? undefined : (row.events ?? []);
		const records = Array.isArray(events)
			? (events as TrackingEvent[]).filter(isRecord)
			: undefined;
		return { shipment: shipmentOf(number), events: records, error };
	});
	return {
		answers,
		refused: refused.map(({ number, failure }) => ({ shipment: shipmentOf(number), failure })),
		failed: failed.map(shipmentOf),
		failures,
	};
}
