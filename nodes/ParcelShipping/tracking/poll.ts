import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../records';
import type { TrackingEvent } from '../transport/contract';
import { isRefusal, requestWithoutRefused, rowOf, Splitting } from '../transport/trackingRequests';
import { compareEvents } from './compare';
import { isLocalDate, sortByDate } from './dates';
import { discoverShipments } from './discover';
import { hasEventType } from './events';
import {
	infosOf,
	isNoted,
	logAssumedTimezone,
	logFailure,
	memoryOf,
	note,
	type Poll,
	shouldThrow,
} from './host';
import { ShipmentRecords, toItems } from './output';
import { takePeriodEvents } from './periods';
import { type Batch, selectBatches } from './select';
import {
	type Comparison,
	type NewEvent,
	periodTypesOf,
	removeExpired,
	toMinute,
	type WatchedShipment,
} from './state';
import { loadState, saveState } from './storage';

/** Limits how many events one execution gets. The next poll continues. */
const MAX_EVENTS = 5_000;

/** How often a refused number is requested, alone. */
const REFUSED_INTERVAL_MS = 3_600_000;

/** The output items of one poll: empty if there is no new event, or if they must not be emitted. */
export async function pollOnce(
	poll: Poll,
	isFirst: boolean,
	isCurrent: () => boolean,
): Promise<IDataObject[]> {
	const { context, client, watch, budget } = poll;
	const { timezone, limits, eventTypes, isFirstOnly } = watch;
	const nowMs = budget.now();
	const start = await loadState(context, watch, nowMs);
	if (!start) return [];
	const { state: before, ...origin } = start;

	const records = new ShipmentRecords(nowMs, infosOf(memoryOf(context), watch.account));
	const discovered = await discoverShipments(before, poll, records);
	const baseline = origin.isStart ? { baselineSince: before.since } : {};
	const comparison = { nowMs, timezone, limits, ...baseline };
	const tracked = await trackShipments(discovered.shipments, poll, comparison);

	const [failure] = [...tracked.failures, ...discovered.requests.failures];
	if (failure !== undefined) {
		const hasResponse =
			tracked.hasResponse ||
			// If the service responded to the list and refuses each shipment in it, it is there: the user
			// cannot correct those shipments, and must be able to publish the workflow.
			(discovered.requests.responses > 0 && tracked.failures.every(isRefusal));
		// If the service did not respond at all, n8n shows the failure.
		if (!hasResponse && shouldThrow(context, failure, isFirst)) throw failure;
		const retry = client.isHeldBack
			? 'The service asked for a pause. A poll after it sends the other requests'
			: 'Some requests failed. The next poll retries them';
		logFailure(context, retry, failure);
	}

	const maxEvents = MAX_EVENTS - tracked.newEvents.length;
	const reported = { ...before, shipments: tracked.shipments };
	const periods = takePeriodEvents(reported, watch, nowMs, maxEvents);
	// Events of types that the user did not select count as known, and are not emitted later.
	const newEvents = [...tracked.newEvents, ...periods.newEvents];
	if (watch.isTimezoneAssumed && newEvents.some(({ event }) => isLocalDate(event.date))) {
		logAssumedTimezone(context, timezone);
	}
	const wanted = sortByDate(newEvents, timezone).filter(
		({ event, isFirstOfGroup }) =>
			hasEventType(event, eventTypes) && (isFirstOfGroup || !isFirstOnly),
	);
	const { items, shipments } = await toItems(wanted, periods.shipments, records, poll);
	const state = {
		...before,
		list: discovered.list,
		savedAt: Math.max(budget.now(), before.savedAt + 1),
		periodTypes: periodTypesOf(watch),
		shipments: removeExpired(shipments, watch, nowMs),
	};
	const changes = { ...origin, hasEvents: items.length > 0 };
	const isSaved = await saveState(context, state, changes, isCurrent);
	return isSaved ? items : [];
}

/** What the service has said in this poll about the events of the shipments. */
interface Tracking extends Pick<Response, 'refused' | 'failed' | 'failures'> {
	/** One for each carrier that was requested. */
	splittings: Map<string, Splitting>;
	failedCarriers: Set<string>;
	/** The shipments after their responses, by the shipments before them. */
	updated: Map<WatchedShipment, WatchedShipment>;
	newEvents: NewEvent[];
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each response
 * with the known events while the next requests are running. A carrier that fails or refuses does not
 * delay the others. The shipments are returned in the order for the next poll: first those that this poll
 * did not request, then those that failed, then the others. So every shipment gets its turn, even if one
 * carrier never responds.
 */
async function trackShipments(
	shipments: readonly WatchedShipment[],
	poll: Poll,
	comparison: Comparison,
) {
	const { context, client, watch } = poll;
	const { nowMs } = comparison;
	const tracking: Tracking = {
		splittings: new Map(),
		failedCarriers: new Set(),
		updated: new Map(),
		newEvents: [],
		refused: [],
		failed: [],
		failures: [],
	};
	await client.requestAndHandle(
		selectBatches(shipments, nowMs, watch),
		async (batch) => requestBatch(batch, poll, tracking),
		(response) => compareResponse(response, comparison, tracking),
	);
	const { splittings, updated, failed, failures, newEvents } = tracking;
	for (const { shipment, failure } of tracking.refused) {
		const { carrier, number, refusedSince } = shipment;
		// If the carrier did not respond to any request, the carrier may be the problem.
		if (refusedSince === undefined && !splittings.get(carrier)?.hasResponse) {
			failures.push(failure);
			failed.push(shipment);
			continue;
		}
		const nextRequestAt = toMinute(nowMs + REFUSED_INTERVAL_MS);
		updated.set(shipment, { ...shipment, refusedSince: refusedSince ?? nowMs, nextRequestAt });
		if (refusedSince !== undefined) continue;
		const what = `The service refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	for (const [carrier, { isUnanswered }] of splittings) {
		if (isUnanswered) note(memoryOf(context), `unanswered ${carrier}`, nowMs);
	}
	const requested = new Set([...failed, ...updated.keys()]);
	const unrequested = shipments.filter((shipment) => !requested.has(shipment));
	return {
		shipments: [...unrequested, ...failed, ...updated.values()],
		newEvents,
		failures,
		hasResponse: [...splittings.values()].some((splitting) => splitting.hasResponse),
	};
}

/** Requests the events of one batch, unless the poll or its carrier must not be requested any more. */
async function requestBatch(
	batch: Batch,
	poll: Poll,
	{ splittings, failedCarriers, newEvents, failed }: Tracking,
): Promise<Response | undefined> {
	const { context, budget } = poll;
	const { carrier, shipments } = batch;
	if (newEvents.length >= MAX_EVENTS) return undefined;
	// Further requests to a carrier that just failed would take time from the other carriers.
	if (failedCarriers.has(carrier)) {
		failed.push(...shipments);
		return undefined;
	}
	if (budget.isSpent()) return undefined;
	// A carrier that refuses everything gets one request per poll, which is split once an hour.
	const maySplit = () =>
		!budget.isSpent() && !isNoted(memoryOf(context), `unanswered ${carrier}`, budget.now());
	const splitting = splittings.get(carrier) ?? new Splitting(maySplit);
	splittings.set(carrier, splitting);
	const response = await requestEvents(batch, poll, splitting);
	const hasFailed = response.failures.some(
		(failure) => !splitting.hasResponse || !isRefusal(failure),
	);
	if (hasFailed) failedCarriers.add(carrier);
	return response;
}

function compareResponse(
	{ listed, refused, failed, failures }: Response,
	comparison: Comparison,
	tracking: Tracking,
): void {
	for (const [position, { shipment, events }] of listed.entries()) {
		const compared = compareEvents(shipment, events, { ...comparison, position });
		tracking.updated.set(shipment, compared.shipment);
		tracking.newEvents.push(...compared.newEvents);
	}
	tracking.refused.push(...refused);
	tracking.failed.push(...failed);
	tracking.failures.push(...failures);
}

/** What the service says about the shipments of a request. */
interface Response {
	listed: Array<{ shipment: WatchedShipment; events: TrackingEvent[] }>;
	refused: Array<{ shipment: WatchedShipment; failure: unknown }>;
	/** The next poll requests these again. */
	failed: WatchedShipment[];
	/** Why there is no response. */
	failures: unknown[];
	/** What rows of a response say instead of events. */
	rowErrors: Error[];
}

/** The events of up to a hundred shipments of one carrier. */
export async function requestEvents(
	{ carrier, shipments }: Batch,
	{ client, budget }: Poll,
	splitting: Splitting,
): Promise<Response> {
	const byNumber = new Map(shipments.map((shipment) => [shipment.number, shipment]));
	const shipmentOf = (number: string) => byNumber.get(number) as WatchedShipment;
	const split = await requestWithoutRefused(
		[...byNumber.keys()],
		async (packages) => {
			const request = { path: { carrier_code: carrier }, body: { packages } };
			return (await client.call('trackShipments', request, budget.spend())).result;
		},
		splitting,
	);
	const response: Response = {
		listed: [],
		refused: split.refused.map(({ number, failure }) => ({
			shipment: shipmentOf(number),
			failure,
		})),
		failed: split.failed.map(shipmentOf),
		failures: split.failures,
		rowErrors: [],
	};
	for (const number of split.answered) {
		const shipment = shipmentOf(number);
		const row = rowOf(split.rows, { carrierCode: carrier, number, correlationId: '' });
		const events: unknown = row instanceof Error ? undefined : (row.events ?? []);
		if (Array.isArray(events)) {
			response.listed.push({ shipment, events: (events as TrackingEvent[]).filter(isRecord) });
		} else response.failed.push(shipment);
		if (row instanceof Error) response.rowErrors.push(row);
	}
	return response;
}
