import { groupBy, mapWithPauses } from '../lists';
import { isRecord } from '../records';
import type { TrackingEvent, TrackingResult } from '../transport/contract';
import { isRefusal, isStatus500, type ItemError } from '../transport/errors';
import { requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
import { numberOfRow, rowOf } from '../transport/trackingRows';
import { compareEvents, type Comparison, eventsUnder } from './compare';
import { MINUTE_MS } from './dates';
import type { NewEvent } from './events';
import { memoryOf } from './nodeMemory';
import {
	type EventRequest,
	hasEndedLongAgo,
	scheduleNext,
	selectRequests,
	scheduleWithoutEvents,
} from './schedule';
import { likelyMainOf } from './shipmentIndex';
import { isMainUnknown, isUnderWay, shipmentKey, type WatchedShipment } from './state';
import type { Poll } from './watch';

/** Limits how many events one execution gets. The next poll continues. */
export const MAX_EVENTS = 5_000;

/**
 * A request that makes the service fail is split like one that is refused: one of its numbers may be the reason. If no
 * part of it gets a response, the service itself may be the reason. Then those of its carrier are not split for so long.
 */
const SPLIT_AGAIN_MS = 10 * MINUTE_MS;

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

	readonly rowErrors: ItemError[] = [];

	/** Whether a row had a list of events, which may be empty. */
	hasEventList = false;

	private readonly refused: Refusal[] = [];

	private readonly failedCarriers = new Set<string>();

	private readonly splitBudgets: ReadonlyMap<string, SplitBudget>;

	/** The keys of shipments that had their first response before (see `newSince`), or a list of events in this poll. */
	private readonly withOwnEvents: Set<string>;

	private readonly byId: ReadonlyMap<number, WatchedShipment>;

	constructor(
		private readonly shipments: readonly WatchedShipment[],
		requests: readonly EventRequest[],
		private readonly poll: Poll,
		private readonly comparison: Comparison,
		private readonly splitInVainAt: Map<string, number>,
	) {
		const mayTry = () => !poll.budget.isSpent();
		this.splitBudgets = new Map(requests.map(({ carrier }) => [carrier, new SplitBudget(mayTry)]));
		const tracked = shipments.filter(({ newSince }) => newSince === undefined);
		this.withOwnEvents = new Set(tracked.map(shipmentKey));
		this.byId = new Map(shipments.map((shipment) => [shipment.id, shipment]));
	}

	/** Whether the carrier has responded to any request of this poll. */
	hasResponded(carrier: string): boolean {
		return this.splitBudgets.get(carrier)?.hasResponse === true;
	}

	get hasResponse(): boolean {
		return [...this.splitBudgets.values()].some(({ hasResponse }) => hasResponse);
	}

	/** Whether a carrier has shipments under way of which none was due. */
	get hasCarriersNotDue(): boolean {
		return this.shipments.some(
			(each) =>
				isUnderWay(each) &&
				each.number !== '' &&
				each.status === 'usual' &&
				!this.splitBudgets.has(each.carrier),
		);
	}

	/** Sends a request, unless its carrier has failed, or the poll may not continue. */
	async request(request: EventRequest): Promise<void> {
		const { carrier, shipments } = request;
		// Further requests to a carrier that just failed would take time from the other carriers.
		if (this.failedCarriers.has(carrier)) return void this.skipped.push(...shipments);
		if (this.newEvents.length >= MAX_EVENTS || this.poll.budget.isSpent()) return;
		const { rows, answered } = await this.send(request);
		const rowsOf = groupBy(rows, numberOfRow);
		const responses = answered.map((shipment) => {
			const events = this.readEvents(shipment, rowsOf.get(shipment.number) ?? []);
			if (Array.isArray(events)) this.withOwnEvents.add(shipmentKey(shipment));
			return { shipment, events };
		});
		await mapWithPauses(responses, ({ shipment, events }, position) =>
			this.compare(shipment, events, position),
		);
	}

	/** Sends it without the numbers that the service refuses. Returns the shipments that got a response, and its rows. */
	private async send({ carrier, shipments }: EventRequest) {
		const { client, budget } = this.poll;
		const { nowMs } = this.comparison;
		const splitBudget = this.splitBudgets.get(carrier) as SplitBudget;
		const byNumber = new Map(shipments.map((shipment) => [shipment.number, shipment]));
		const shipmentOf = (number: string) => byNumber.get(number) as WatchedShipment;
		const isAlone = shipments.some(({ status }) => status === 'refused');
		const maySplitServerError =
			shipments.length > 1 &&
			// The clock may have been ahead.
			Math.abs(nowMs - (this.splitInVainAt.get(carrier) ?? -Infinity)) >= SPLIT_AGAIN_MS;
		const isAboutNumbers = (failure: unknown) =>
			isRefusal(failure) || ((isAlone || maySplitServerError) && isStatus500(failure));
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
		const all = [...failures, ...refused.map(({ failure }) => failure)];
		const isInVain = answered.length === 0 && all.some(isStatus500);
		// A poll that may not continue has not tried each part.
		if (maySplitServerError && isInVain && !budget.isSpent())
			this.splitInVainAt.set(carrier, nowMs);
		const isFailed = (failure: unknown) => !splitBudget.hasResponse || !isAboutNumbers(failure);
		if (failures.some(isFailed)) this.failedCarriers.add(carrier);
		return { rows, answered: answered.map(shipmentOf) };
	}

	/** What the rows of a shipment have as its events: `undefined` if they say something else about it, or nothing. */
	private readEvents({ carrier, number }: WatchedShipment, rows: TrackingResult[]): unknown {
		const row = rowOf(rows, { carrierCode: carrier, number, correlationId: '' });
		if (row instanceof Error) return void this.rowErrors.push(row);
		// Without a status, a row without events says nothing.
		const isSilent = row.events === null && row.statusCode === undefined;
		return isSilent ? undefined : (row.events ?? []);
	}

	private compare(before: WatchedShipment, events: unknown, position: number): void {
		if (!Array.isArray(events)) {
			const { nowMs } = this.comparison;
			const nextRequestAt = scheduleWithoutEvents(before, { nowMs, position });
			return this.updateWithoutEvents(before, before.status, nextRequestAt);
		}
		this.hasEventList = true;
		const records = (events as TrackingEvent[]).filter(isRecord);
		const underNumber = eventsUnder(before, records, this.withOwnEvents);
		const main = this.mainOf(before);
		const compared = compareEvents(before, underNumber, this.comparison, main, position);
		this.updated.set(before, compared.shipment);
		this.newEvents.push(...compared.newEvents);
	}

	/** The main shipment of a piece, as this poll has updated it. */
	private mainOf(piece: WatchedShipment): WatchedShipment | undefined {
		const likely = isMainUnknown(piece.mainId) ? likelyMainOf(this.shipments, piece) : undefined;
		const main = piece.mainId ? this.byId.get(piece.mainId) : likely;
		return main && (this.updated.get(main) ?? main);
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

	/**
	 * A number that is refused alone is requested alone from then on, if its carrier has responded to another request.
	 * Otherwise, the carrier itself may be the problem, and the number is requested again by the next poll. Returns those
	 * that are refused since this poll.
	 */
	settleRefused(): Refusal[] {
		const { nowMs } = this.comparison;
		return this.refused.filter(({ shipment, failure }) => {
			const isUsual = shipment.status === 'usual' && !hasEndedLongAgo(shipment, nowMs);
			if (isUsual && !this.hasResponded(shipment.carrier)) {
				// The first ones of a request are the last ones that are requested alone.
				this.failed.unshift(shipment);
				this.failures.push(failure);
				return false;
			}
			const nextRequestAt = scheduleNext(shipment, 'arrived', { nowMs });
			this.updateWithoutEvents(shipment, 'refused', nextRequestAt);
			return isUsual;
		});
	}
}

/**
 * Requests the events of the shipments that are due, as far as the poll may. Returns the shipments in the order for the
 * next poll: those that this one did not request, those of carriers that have failed, those whose request failed, and the
 * others. So every shipment is requested, even if one carrier or request always fails.
 */
export async function trackShipments(
	shipments: readonly WatchedShipment[],
	poll: Poll,
	comparison: Comparison,
	splitInVainAt = memoryOf(poll.context).splitInVainAt,
) {
	const requests = selectRequests(shipments, comparison.nowMs, poll.watch);
	const tracking = new Tracking(shipments, requests, poll, comparison, splitInVainAt);
	await poll.client.mapParallel(requests, async (request) => tracking.request(request));
	const newlyRefused = tracking.settleRefused();
	const { updated, failed, skipped } = tracking;
	const requested = new Set([...skipped, ...failed, ...updated.keys()]);
	const unrequested = shipments.filter((shipment) => !requested.has(shipment));
	return {
		tracking,
		newlyRefused,
		shipments: [...unrequested, ...skipped, ...failed, ...updated.values()],
	};
}
