import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import { isRefusal } from '../transport/refusals';
import type { RequestCounts, Tracked } from './compare';
import { sortByDate } from './dates';
import { discoverShipments } from './discover';
import { hasEventType } from './events';
import { type Budget, logAssumedTimezone, logFailure, shouldThrow } from './host';
import { includeShipments, ShipmentRecords } from './include';
import { infosOf, isNoted, memoryOf, note } from './memory';
import { toItems } from './output';
import { takePeriodEvents } from './periods';
import { periodTypesOf, removeExpired, type Watch } from './state';
import { loadState, saveState } from './storage';
import { MAX_EVENTS, trackShipments } from './track';

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
	const memory = memoryOf(context);
	const nowMs = budget.now();
	const start = await loadState(context, watch, nowMs);
	if (!start) return [];
	const { state: before, isStart } = start;

	const records = new ShipmentRecords(nowMs, infosOf(memory, watch.account));
	const discovered = await discoverShipments(before, poll, records);

	const baseline = isStart ? { baselineSince: before.since } : {};
	const comparison = { nowMs, timezone, limits, ...baseline };
	// A carrier that refuses everything gets one request per poll, which is split once an hour.
	const unansweredNote = (carrier: string) => `unanswered ${carrier}`;
	const maySplit = (carrier: string) => !isNoted(memory, unansweredNote(carrier), nowMs);
	const run = { client, budget, maySplit };
	const { tracked, unansweredCarriers } = await trackShipments(
		discovered.state.shipments,
		watch,
		comparison,
		run,
	);
	for (const carrier of unansweredCarriers) note(memory, unansweredNote(carrier), nowMs);
	reportTroubles(poll, discovered.requests, tracked, isFirst);

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

/** Logs what failed. If the service did not respond at all, n8n shows the failure. */
function reportTroubles(
	{ context, client, watch }: Poll,
	listRequests: RequestCounts,
	{ requests, newlyRefused, hasLocalDates }: Tracked,
	isFirst: boolean,
): void {
	for (const { shipment, failure } of newlyRefused) {
		const what = `The service refuses to track shipment ${shipment.number} of carrier ${shipment.carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	if (watch.isTimezoneAssumed && hasLocalDates) logAssumedTimezone(context, watch.timezone);
	const [failure] = [...requests.failures, ...listRequests.failures];
	if (failure === undefined) return;
	const hasResponse =
		requests.responses > 0 ||
		// If it responded to the list and refuses each shipment in it, it is there: the user cannot correct
		// those shipments, and must be able to publish the workflow.
		(listRequests.responses > 0 && requests.failures.every(isRefusal));
	if (!hasResponse && shouldThrow(context, failure, isFirst)) throw failure;
	const retry = client.isHeldBack
		? 'The service asked for a pause. A poll after it sends the other requests'
		: 'Some requests failed. The next poll retries them';
	logFailure(context, retry, failure);
}
