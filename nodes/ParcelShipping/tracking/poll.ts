import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { isRefusal } from '../transport/errors';
import { completeTimezone } from './accountTimezone';
import { sortByDate } from './dates';
import { discoverShipments } from './discover';
import { selectEvents } from './events';
import { isTransient, logFailure, shouldThrow } from './host';
import { KnownRecords } from './knownRecords';
import { infosOf, memoryOf } from './nodeMemory';
import { toItems } from './output';
import { takePeriodEvents } from './periods';
import { removeExpired } from './state';
import { loadState, saveState } from './storage';
import { MAX_EVENTS, trackShipments } from './track';
import type { Poll, Watch } from './watch';

type Listed = Awaited<ReturnType<typeof discoverShipments>>;
type Tracked = Awaited<ReturnType<typeof trackShipments>>;

/** The output items of one poll: empty if there is no new event, or if they must not be emitted. */
export async function pollOnce(given: Poll, isFirst: boolean): Promise<IDataObject[]> {
	const { context, client, budget } = given;
	const nowMs = budget.now();
	const form = await completeTimezone(given);
	const loaded = await loadState(context, form, nowMs);
	if (!loaded) return [];
	const before = loaded.state;
	// Until the service has said the timezone, that of the saved state counts.
	const timezone = form.isTimezonePending ? before.idTimezone : form.timezone;
	const watch = { ...form, timezone };
	const poll = { ...given, watch };

	const records = new KnownRecords(nowMs, infosOf(memoryOf(context), watch.account));
	const listed = await discoverShipments(before, poll, records);
	const { idTimezone } = before;
	const baselineAt = loaded.isStart ? before.startedAt : undefined;
	const comparison = { nowMs, timezone, idTimezone, limits: watch.limits, baselineAt };
	const tracked = await trackShipments(listed.shipments, poll, comparison);
	const { tracking } = tracked;
	logMissingEvents(context, tracked);
	const [failure] = [...tracking.failures, ...listed.failures];
	const mustThrow =
		hasFailed(failure, tracked, listed, watch, loaded) && shouldThrow(context, failure, isFirst);
	// Nothing is saved: watching starts with the first poll that does not throw.
	if (mustThrow && loaded.isStart) throw failure;
	const maxEvents = MAX_EVENTS - tracking.newEvents.length;
	const after = { ...before, shipments: tracked.shipments };
	const periods = takePeriodEvents(after, watch, nowMs, maxEvents);
	const newEvents = sortByDate([...tracking.newEvents, ...periods.newEvents], timezone);
	const selected = selectEvents(newEvents, watch);
	const { items, shipments } = await toItems(selected, periods.shipments, records, poll);
	const state = {
		...before,
		list: listed.list,
		savedAt: Math.max(budget.now(), before.savedAt + 1),
		shipments: removeExpired(shipments, watch, nowMs),
	};
	const saving = { ...loaded, hasEvents: items.length > 0 };
	if (!(await saveState(context, state, saving))) return [];
	// Events of periods must not be lost. Without any, this process keeps the state for the next poll.
	if (mustThrow && items.length === 0) throw failure;
	if (failure !== undefined) {
		const what = client.isHeldBack
			? 'The service asked for a pause. A poll after it sends the other requests'
			: 'Some requests failed. The next poll retries them';
		logFailure(context, what, failure);
	}
	return items;
}

/** Whether no request for events got a response, and nothing else says that the service is there. */
function hasFailed(
	failure: unknown,
	{ tracking }: Tracked,
	listed: Pick<Listed, 'hasResponse'>,
	{ selection }: Pick<Watch, 'selection'>,
	{ isStart }: { isStart: boolean },
): boolean {
	if (failure === undefined || tracking.hasResponse) return false;
	// Other carriers may be fine: their shipments were only not due in this poll.
	const mayOthersRespond = !isStart && tracking.hasCarriersNotDue && isTransient(failure);
	if (selection.by === 'numbers') return !mayOthersRespond;
	// If the service responded to the list and refuses each shipment in it, it is there: the user
	// cannot correct those shipments, and must be able to publish the workflow.
	const isThere = mayOthersRespond || tracking.failures.every(isRefusal);
	return !listed.hasResponse || !isThere;
}

function logMissingEvents(context: IPollFunctions, { newlyRefused, tracking }: Tracked): void {
	for (const { shipment, failure } of newlyRefused) {
		const { number, carrier } = shipment;
		const what = `The service refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
		logFailure(context, what, failure);
	}
	// That a row refuses a number is usual: the carrier may not know it yet. Missing rows are not.
	const missing = tracking.rowErrors.find(({ details }) => details?.statusCode === undefined);
	if (missing && !tracking.hasEventList)
		logFailure(context, 'The service returned no events of any shipment', missing);
}
