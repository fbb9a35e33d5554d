import { groupBy, mapWithPauses } from '../lists';
import { isRecord } from '../records';
import type { TrackingEvent } from '../transport/contract';
import type { ItemError } from '../transport/errors';
import {
	isRefusal,
	isServerError,
	requestWithoutRefused,
	SplitBudget,
} from '../transport/splitRequests';
import { numberOfRow, rowOf } from '../transport/trackingRows';
import { compareEvents, eventsUnder } from './compare';
import { hasOffset } from './dates';
import { type Comparison, type NewEvent } from './events';
import type { Poll } from './host';
import { memoryOf } from './nodeMemory';
import {
	type EventRequest,
	hasEndedLongAgo,
	isSuspectedAndWaiting,
	scheduleNext,
	selectRequests,
	scheduleWithoutEvents,
} from './select';
import { likelyMainOf } from './shipmentIndex';
import { shipmentKey, type WatchedShipment } from './state';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

/** With so many suspected numbers, the carrier itself is the likelier problem. */
const MAX_SUSPECTED = 10;

/**
 * If a request makes the service fail, and does so again in the next poll, one of its numbers may be the reason. Then it
 * is split like a request that is refused, and again after so many polls: the service itself may be the reason as well.
 */
const SPLIT_EVERY_POLLS = 10;

/** A number that the service refuses, and why. */
interface Refusal {
	shipment: WatchedShipment;
	failure: unknown;
}

/** What comes of the requests of a poll. */
class Tracking {
	/** The shipments that got a response or were refused alone, and what they are then. */
	readonly updated = new Map<WatchedShipment, WatchedShipment>();

	/** Requested without a response. The next poll requests these again. */
	readonly failed: WatchedShipment[] = [];

	/** Not requested, because a request to their carrier had failed. */
	readonly skipped: WatchedShipment[] = [];

	readonly failures: unknown[] = [];

	readonly newEvents: NewEvent[] = [];

	/** What rows of responses say instead of events. */
	readonly rowErrors: ItemError[] = [];

	/** Whether any row has a list of events, even an empty one. */
	hasEvents = false;

	hasOffsets = false;

	private readonly refused: Refusal[] = [];

	private readonly failedCarriers = new Set<string>();

	/** Those of which a request has made the service fail. */
	private readonly serverErrors = new Set<string>();

	/** Those of which such a request was split, and a part of it got a response. */
	private readonly partlyAnswered = new Set<string>();

	private readonly failedPolls: Map<string, number>;

	/** By carrier. */
	private readonly splitBudgets = new Map<string, SplitBudget>();

	/** The keys of shipments that had their first response before (see `newSince`), or a list of events in this poll. */
	private readonly tracked: Set<string>;

	private readonly byId: ReadonlyMap<number, WatchedShipment>;

	constructor(
		private readonly shipments: readonly WatchedShipment[],
		requests: readonly EventRequest[],
		private readonly poll: Poll,
		private readonly comparison: Comparison,
	) {
		const { nowMs } = comparison;
		const suspected = shipments.filter((shipment) => isSuspectedAndWaiting(shipment, nowMs));
		for (const carrier of new Set(requests.map((request) => request.carrier))) {
			const { length } = suspected.filter((shipment) => shipment.carrier === carrier);
			const mayTry = () =>
				!poll.budget.isSpent() && (length < MAX_SUSPECTED || this.hasResponded(carrier));
			this.splitBudgets.set(carrier, new SplitBudget(mayTry));
		}
		const tracked = shipments.filter(({ newSince }) => newSince === undefined);
		this.tracked = new Set(tracked.map(shipmentKey));
		this.byId = new Map(shipments.map((shipment) => [shipment.id, shipment]));
		this.failedPolls = memoryOf(poll.context).failedPolls;
	}

	/** Whether the carrier has responded to any request of this poll. */
	hasResponded(carrier: string): boolean {
		return this.splitBudgets.get(carrier)?.hasResponse === true;
	}

	get hasResponse(): boolean {
		return [...this.splitBudgets.values()].some(({ hasResponse }) => hasResponse);
	}

	/** Whether shipments of other carriers are under way that were not due. */
	get hasOthers(): boolean {
		return this.shipments.some(
			({ carrier, endedAt, listed, number, status }) =>
				listed !== 'unlisted' &&
				number !== '' &&
				status === 'usual' &&
				endedAt === undefined &&
				!this.splitBudgets.has(carrier),
		);
	}

	/** Sends a request, unless its carrier has failed, or the poll may not continue. */
	async request({ carrier, shipments }: EventRequest): Promise<void> {
		const { client, budget } = this.poll;
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (this.failedCarriers.has(carrier)) return void this.skipped.push(...shipments);
		if (this.newEvents.length >= MAX_EVENTS || budget.isSpent()) return;
		const splitBudget = this.splitBudgets.get(carrier) as SplitBudget;
		const byNumber = new Map(shipments.map((shipment) => [shipment.number, shipment]));
		const shipmentOf = (number: string) => byNumber.get(number) as WatchedShipment;
		const isAlone = shipments.some(({ status }) => status !== 'usual');
		const maySplit = isAlone || (this.failedPolls.get(carrier) ?? 0) % SPLIT_EVERY_POLLS === 1;
		const isAboutNumbers = (failure: unknown) =>
			isRefusal(failure) || (maySplit && isServerError(failure));
		const { rows, answered, refused, failed, failures } = await requestWithoutRefused(
			[...byNumber.keys()],
			async (packages) => {
				const request = { path: { carrier_code: carrier }, body: { packages } };
				const timeoutMs = budget.spend();
				return (await client.call('trackShipments', request, { timeoutMs })).result;
			},
			splitBudget,
			isAboutNumbers,
		);
		for (const { number, failure } of refused)
			this.refused.push({ shipment: shipmentOf(number), failure });
		this.failed.push(...failed.map(shipmentOf));
		this.failures.push(...failures);
		if (failures.some(isServerError)) {
			this.serverErrors.add(carrier);
			if (answered.length > 0) this.partlyAnswered.add(carrier);
		}
		const isFailed = (failure: unknown) => !splitBudget.hasResponse || !isAboutNumbers(failure);
		if (failures.some(isFailed)) this.failedCarriers.add(carrier);
		const rowsOf = groupBy(rows, numberOfRow);
		const responses = answered.map((number) => {
			const row = rowOf(rowsOf.get(number) ?? [], {
				carrierCode: carrier,
				number,
				correlationId: '',
			});
			if (row instanceof Error) this.rowErrors.push(row);
			// Without a status, a row without events says nothing.
			const isSilent =
				row instanceof Error || (row.events === null && row.statusCode === undefined);
			const events: unknown = isSilent ? undefined : (row.events ?? []);
			if (Array.isArray(events)) this.tracked.add(shipmentKey({ carrier, number }));
			return { shipment: shipmentOf(number), events };
		});
		await mapWithPauses(responses, ({ shipment, events }, position) =>
			this.compare(shipment, events, position),
		);
	}

	/** `events` is no list if the response says something else about the shipment. */
	private compare(before: WatchedShipment, events: unknown, position: number): void {
		const { mainId } = before;
		const likely = mainId === 0 ? likelyMainOf(this.shipments, before) : undefined;
		const mainBefore = mainId ? this.byId.get(mainId) : likely;
		const main = mainBefore && (this.updated.get(mainBefore) ?? mainBefore);
		const comparison = { ...this.comparison, position, main };
		if (!Array.isArray(events)) {
			// The service does not refuse a number that it has a row for.
			const status = before.status === 'suspected' ? 'usual' : before.status;
			const nextRequestAt = scheduleWithoutEvents({ ...before, status }, comparison);
			return this.updateWithoutEvents(before, status, nextRequestAt);
		}
		this.hasEvents = true;
		const records = (events as TrackingEvent[]).filter(isRecord);
		const underNumber = eventsUnder(before, records, this.tracked);
		const { shipment, newEvents } = compareEvents(before, underNumber, comparison);
		this.updated.set(before, shipment);
		this.newEvents.push(...newEvents);
		this.hasOffsets ||= records.some(({ date }) => hasOffset(date));
	}

	/** After a response without events or a refusal. A shipment that has ended long ago is finished with it. */
	private updateWithoutEvents(
		before: WatchedShipment,
		statusNow: WatchedShipment['status'],
		nextRequestAt: number | undefined,
	): void {
		const isFinished = hasEndedLongAgo(before, this.comparison.nowMs);
		const status = isFinished ? 'finished' : statusNow;
		this.updated.set(before, { ...before, status, nextRequestAt });
	}

	/** Counts the polls in which requests of the carriers have made the service fail. Not for *Fetch Test Event*. */
	countFailedPolls(): void {
		for (const carrier of this.splitBudgets.keys()) {
			// The next poll splits what is left over of a request.
			const before = this.partlyAnswered.has(carrier) ? 0 : (this.failedPolls.get(carrier) ?? 0);
			if (!this.serverErrors.has(carrier)) this.failedPolls.delete(carrier);
			else this.failedPolls.set(carrier, before + 1);
		}
	}

	/**
	 * A number that is refused alone is requested alone from then on. If its carrier did not respond to any request, the
	 * number is only suspected, until its next request. Returns those that are certainly refused since this poll.
	 */
	settleRefused(): Refusal[] {
		const { nowMs } = this.comparison;
		return this.refused.filter(({ shipment, failure }) => {
			const { carrier, status } = shipment;
			const isWaiting = isSuspectedAndWaiting(shipment, nowMs);
			const nextRequestAt = isWaiting
				? shipment.nextRequestAt
				: scheduleNext(shipment, 'refused', { nowMs });
			// While the service fails for every number, none of them is the reason.
			const isRepeated = status !== 'usual' && !isWaiting && !isServerError(failure);
			const isCertain = this.hasResponded(carrier) || isRepeated || status === 'refused';
			this.updateWithoutEvents(shipment, isCertain ? 'refused' : 'suspected', nextRequestAt);
			if (!isCertain) this.failures.push(failure);
			return isCertain && status !== 'refused';
		});
	}
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each response with the known
 * events while the next requests are running. Returns the shipments in the order for the next poll: those that this one
 * did not request, those of carriers that have failed, those whose request failed, and the others. So every shipment is
 * requested, even if one carrier or request always fails.
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
	const refused = tracking.settleRefused();
	const { updated, failed, skipped } = tracking;
	const requested = new Set([...skipped, ...failed, ...updated.keys()]);
	// If its carrier responds, the next request of a suspected number says whether it is the problem.
	const isDue = (shipment: WatchedShipment) =>
		isSuspectedAndWaiting(shipment, nowMs) && tracking.hasResponded(shipment.carrier);
	const unrequested = shipments
		.filter((shipment) => !requested.has(shipment))
		.map((shipment) => (isDue(shipment) ? { ...shipment, nextRequestAt: undefined } : shipment));
	return {
		tracking,
		refused,
		shipments: [...unrequested, ...skipped, ...failed, ...updated.values()],
	};
}
