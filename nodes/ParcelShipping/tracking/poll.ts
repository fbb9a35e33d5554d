import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { TrackingEvent } from '../transport/contract';
import { isRefusal, requestWithoutRefused, Splitting } from '../transport/refusals';
import { byNumber, rowOf, type TrackingBatch } from '../transport/trackingRequests';
import { compareEvents, type Comparison } from './compare';
import { isLocalDate, sortByDate } from './dates';
import { discoverShipments } from './discover';
import { hasEventType } from './events';
import {
	type Budget,
	infosOf,
	isNoted,
	logAssumedTimezone,
	logFailure,
	memoryOf,
	note,
	shouldThrow,
} from './host';
import { includeShipments, ShipmentRecords } from './include';
import { isEvent, toItems } from './output';
import { takePeriodEvents } from './periods';
import { selectBatches } from './select';
import {
	type NewEvent,
	periodTypesOf,
	removeExpired,
	type RequestCounts,
	toMinute,
	type Watch,
	type WatchedShipment,
} from './state';
import { loadState, saveState } from './storage';

/** Limits how many events one execution gets. The next poll continues. */
const MAX_EVENTS = 5_000;

/** How often a refused number is requested, alone. */
const REFUSED_INTERVAL_MS = 3_600_000;

export interface Poll {
	context: IPollFunctions;
	client: Client;
	watch: Watch;
	budget: Budget;
}

/** The output items of one poll: empty if there is no new event, or if they must not be emitted. */
export async function pollOnce(
	poll: Poll,
	isFirst: boolean,
	isCurrent: () => boolean,
): Promise<IDataObject[]> {
	const { context, client, watch, budget } = poll;
	const { timezone, limits, eventTypes } = watch;
	const nowMs = budget.now();
	const start = await loadState(context, watch, nowMs);
	if (!start) return [];
	const { state: before, isStart } = start;

	const records = new ShipmentRecords(nowMs, infosOf(memoryOf(context), watch.account));
	const discovered = await discoverShipments(before, poll, records);
	const baseline = isStart ? { baselineSince: before.since } : {};
	const comparison = { nowMs, timezone, limits, ...baseline };
	const tracked = await trackShipments(discovered.state.shipments, poll, comparison);

	// If the service did not respond at all, n8n shows the failure.
	const [failure] = [...tracked.failures, ...discovered.requests.failures];
	const hasResponse =
		tracked.responses > 0 ||
		// If it responded to the list and refuses each shipment in it, it is there: the user cannot correct
		// those shipments, and must be able to publish the workflow.
		(discovered.requests.responses > 0 && tracked.failures.every(isRefusal));
	if (failure !== undefined && !hasResponse && shouldThrow(context, failure, isFirst))
		throw failure;
	if (failure !== undefined) {
		const retry = client.isHeldBack
			? 'The service asked for a pause. A poll after it sends the other requests'
			: 'Some requests failed. The next poll retries them';
		logFailure(context, retry, failure);
	}

	const periods = takePeriodEvents(
		{ ...before, shipments: tracked.shipments },
		watch,
		nowMs,
		MAX_EVENTS - tracked.newEvents.length,
	);
	// Events of types that the user did not select count as known, and are not emitted later.
	const newEvents = [...tracked.newEvents, ...periods.newEvents];
	const wanted = sortByDate(newEvents, timezone).filter(({ event }) =>
		hasEventType(event, eventTypes),
	);
	const complete = await includeShipments(wanted, periods.shipments, records, poll);
	const items = toItems(complete.newEvents, watch);
	const state = {
		...discovered.state,
		savedAt: Math.max(budget.now(), before.savedAt + 1),
		periodTypes: periodTypesOf(watch),
		shipments: removeExpired(complete.shipments, watch, nowMs),
	};
	const isSaved = await saveState(context, state, items.length > 0, isCurrent);
	return isSaved ? items : [];
}

/** What all responses of a poll change. */
interface Tracked extends RequestCounts {
	/**
	 * In the order for the next poll: first the shipments that this poll did not request, then those that
	 * failed, then the others. So every shipment gets its turn, even if one carrier never responds.
	 */
	shipments: WatchedShipment[];
	newEvents: NewEvent[];
}

/**
 * Requests the events of the shipments that are due, as far as the poll may, and compares each response
 * with the known events while the next requests are running. A carrier that fails or refuses does not
 * delay the others.
 */
async function trackShipments(
	shipments: readonly WatchedShipment[],
	{ context, client, watch, budget }: Poll,
	comparison: Comparison,
): Promise<Tracked> {
	const { nowMs } = comparison;
	const memory = memoryOf(context);
	const carriers = new Map<string, { isFailed: boolean; splitting: Splitting }>();
	const responses: ComparedResponse[] = [];
	let eventCount = 0;
	await client.requestAndHandle(
		selectBatches(shipments, nowMs, watch),
		async (batch): Promise<Response | undefined> => {
			const code = batch.carrier;
			// A carrier that refuses everything gets one request per poll, which is split once an hour.
			const maySplit = () => !budget.isSpent() && !isNoted(memory, `unanswered ${code}`, nowMs);
			const carrier = carriers.get(code) ?? { isFailed: false, splitting: new Splitting(maySplit) };
			carriers.set(code, carrier);
			if (eventCount >= MAX_EVENTS) return undefined;
			// Further requests to a carrier that just failed would take time from the other carriers.
			if (carrier.isFailed) return { ...NO_RESPONSE, failed: batch.shipments };
			if (budget.isSpent()) return undefined;
			const { splitting } = carrier;
			const response = await requestEvents(batch, client, budget, splitting);
			carrier.isFailed ||= response.failures.some(
				(failure) => !splitting.hasResponse || !isRefusal(failure),
			);
			return response;
		},
		(response) => {
			const compared = response.listed.map(({ shipment, events }, position) => ({
				before: shipment,
				...compareEvents(shipment, events, { ...comparison, position }),
			}));
			eventCount += compared.reduce((count, { newEvents }) => count + newEvents.length, 0);
			responses.push({ ...response, compared });
			const events = watch.isTimezoneAssumed ? response.listed.flatMap((each) => each.events) : [];
			if (events.some(({ date }) => isLocalDate(date))) logAssumedTimezone(context, watch.timezone);
		},
	);
	const responding = new Set<string>();
	for (const [code, { splitting }] of carriers) {
		if (splitting.hasResponse) responding.add(code);
		if (splitting.isUnanswered) note(memory, `unanswered ${code}`, nowMs);
	}
	const { newlyRefused, ...tracked } = applyResponses(shipments, responses, responding, nowMs);
	for (const { shipment, failure } of newlyRefused) {
		const what = `The service refuses to track shipment ${shipment.number} of carrier ${shipment.carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	return tracked;
}

/** What the responses change. `responding` are the carriers that responded to a request. Pure. */
function applyResponses(
	shipments: readonly WatchedShipment[],
	responses: readonly ComparedResponse[],
	responding: ReadonlySet<string>,
	nowMs: number,
): Tracked & { newlyRefused: Response['refused'] } {
	const failed = new Set(responses.flatMap((response) => response.failed));
	const failures = responses.flatMap((response) => response.failures);
	const compared = responses.flatMap((response) => response.compared);
	/** The shipments after their responses, by the shipments before them. */
	const updated = new Map(compared.map(({ before, shipment }) => [before, shipment]));
	const newlyRefused: Response['refused'] = [];
	for (const each of responses.flatMap(({ refused }) => refused)) {
		const { carrier, refusedSince } = each.shipment;
		// If the carrier did not respond to any request, the carrier may be the problem.
		if (refusedSince === undefined && !responding.has(carrier)) {
			failures.push(each.failure);
			failed.add(each.shipment);
			continue;
		}
		const nextRequestAt = toMinute(nowMs + REFUSED_INTERVAL_MS);
		const since = refusedSince ?? nowMs;
		updated.set(each.shipment, { ...each.shipment, refusedSince: since, nextRequestAt });
		if (refusedSince === undefined) newlyRefused.push(each);
	}
	const unrequested = shipments.filter((each) => !updated.has(each) && !failed.has(each));
	return {
		shipments: [...unrequested, ...failed, ...updated.values()],
		newEvents: compared.flatMap(({ newEvents }) => newEvents),
		responses: responses.filter(({ hasResponse }) => hasResponse).length,
		failures,
		newlyRefused,
	};
}

type ComparedResponse = Response & {
	compared: Array<{
		before: WatchedShipment;
		shipment: WatchedShipment;
		newEvents: NewEvent[];
	}>;
};

/** What the service says about the shipments of a request. */
interface Response {
	hasResponse: boolean;
	listed: Array<{ shipment: WatchedShipment; events: TrackingEvent[] }>;
	refused: Array<{ shipment: WatchedShipment; failure: unknown }>;
	/** The next poll requests these again. */
	failed: WatchedShipment[];
	/** Why there is no response, and what rows of a response say instead of events. */
	failures: unknown[];
	rowErrors: Error[];
}

const NO_RESPONSE: Response = {
	hasResponse: false,
	listed: [],
	refused: [],
	failed: [],
	failures: [],
	rowErrors: [],
};

/** The events of up to a hundred shipments of one carrier. */
export async function requestEvents(
	{ carrier, shipments }: TrackingBatch<WatchedShipment>,
	client: Pick<Client, 'call'>,
	budget: Budget,
	splitting = new Splitting(() => !budget.isSpent()),
): Promise<Response> {
	const { rows, answered, refused, failed, failures } = await requestWithoutRefused(
		shipments.map(({ number }) => number),
		async (packages) => {
			const request = { path: { carrier_code: carrier }, body: { packages } };
			return (await client.call('trackShipments', request, budget.spend())).result;
		},
		splitting,
	);
	const byItsNumber = new Map(shipments.map((each) => [each.number, each]));
	const shipmentsOf = (numbers: readonly string[]) =>
		numbers.flatMap((number) => byItsNumber.get(number) ?? []);
	const response: Response = {
		hasResponse: answered.length > 0,
		listed: [],
		refused: refused.flatMap(({ number, failure }) =>
			shipmentsOf([number]).map((shipment) => ({ shipment, failure })),
		),
		failed: shipmentsOf(failed),
		failures,
		rowErrors: [],
	};
	const rowsByNumber = byNumber(rows);
	for (const shipment of shipmentsOf(answered)) {
		const { number } = shipment;
		const row = rowOf(rowsByNumber, { carrierCode: carrier, number, correlationId: '' });
		const events: unknown = row instanceof Error ? undefined : (row.events ?? []);
		if (Array.isArray(events)) response.listed.push({ shipment, events: events.filter(isEvent) });
		else response.failed.push(shipment);
		if (row instanceof Error) response.rowErrors.push(row);
	}
	return response;
}
