import { IANAZone } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { factsOf, isMissingEndpoint, isRefusal, isTransient, ItemError } from '../transport/errors';
import { type EventGroup, groupRows, isSelected } from './eventGroups';
import { byDate, exampleOf, momentOf } from './history';
import { isDueAgain, logFailure, shouldThrow, warn } from './host';
import { type NewEvent, toItems } from './items';
import { readList } from './list';
import { adaptState, createState, loadState, saveState, type State } from './state';
import { trackShipments } from './track';
import type { Poll, Watch } from './watch';
import { windowsZones } from './windowsZones.generated';

/** The output items of one poll: empty if there is no new event, or if they must not be emitted. */
export async function pollOnce(poll: Poll, isFirst: boolean): Promise<IDataObject[]> {
	const { context, watch, nowMs } = poll;
	const loaded = await loadState(context, nowMs);
	// n8n is still saving the last events.
	if (!loaded) return [];
	const { zone, ofAccount } = await readZone(poll, loaded.state);
	// After an unreadable state, most of the existing events were emitted before.
	const startFrom = loaded.isUnreadable ? 'now' : watch.startFrom;
	const state = loaded.state ?? createState({ ...watch, startFrom }, nowMs, zone);
	const isStart = !loaded.state || adaptState(state, watch, nowMs, zone);
	state.zone = ofAccount;

	const moment = momentOf(nowMs, { zone, idZone: state.idZone }, watch.days);
	const listed = await readList(state, poll);
	const tracked = await trackShipments(state, poll, moment, isStart);

	const [failure] = [...tracked.failures, ...listed.failures];
	const isResponding =
		tracked.hasResponse ||
		// It refuses each shipment of its list, which the user cannot correct.
		(listed.hasResponse && tracked.failures.every(isRefusal)) ||
		// One carrier is down, and nothing was due at the others.
		(tracked.hasOtherCarriers && listed.failures.length === 0 && isTransient(factsOf(failure)));
	const mustThrow =
		failure !== undefined && !isResponding && shouldThrow(context, failure, isFirst);
	// Nothing is saved: watching starts with the first poll that does not throw.
	if (mustThrow && isStart) throw failure;

	const items = await toItems(selectEvents(tracked.newEvents, watch), zone, poll);
	// Last: if the poll failed afterwards, the events would be known without having been emitted.
	const saving = { isStart, isInNode: loaded.isInNode, hasEvents: items.length > 0 };
	if (!(await saveState(poll, state, saving))) return [];
	// Without a response, there is no item that would be lost.
	if (mustThrow) throw failure;
	if (failure !== undefined)
		logFailure(context, 'Some requests failed. The next poll retries them', failure);
	return items;
}

/** Events that the user did not select count as known, and are not emitted later. */
function selectEvents(events: readonly NewEvent[], watch: Watch): NewEvent[] {
	const { eventTypes, isOncePerOrder } = watch;
	const isWanted = ({ event, isFirstOfGroup }: NewEvent) =>
		isSelected(event, eventTypes) && (isFirstOfGroup || !isOncePerOrder);
	return events.filter(isWanted).sort(byDate);
}

/** Enough for some pages of the list, the numbers of some shipments, and the events of some hundred. */
const SAMPLE_REQUESTS = 24;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, and an example of each selected type without one. It
 * takes the steps of a poll, and neither reads nor changes the state.
 */
export async function readSample(given: Poll): Promise<IDataObject[]> {
	let asked = 0;
	const poll: Poll = {
		...given,
		mayAsk: (share = 1) => asked < SAMPLE_REQUESTS * share && given.mayAsk(share),
		ask: async (request) => {
			asked++;
			return await given.ask(request);
		},
	};
	const { nowMs, watch } = poll;
	const { zone } = await readZone(poll);
	// All events are new.
	const state = createState({ ...watch, startFrom: 'existing' }, nowMs, zone);
	const listed = await readList(state, poll);
	const moment = momentOf(nowMs, { zone, idZone: zone }, watch.days);
	const tracked = await trackShipments(state, poll, moment, false);

	const numbered = state.shipments.filter(({ number }) => number !== '');
	const withEvents = numbered.find(({ latest }) => latest !== '');
	const shipment = withEvents ?? numbered[0];
	const [failure = withEvents ? undefined : tracked.reasons[0]] = shipment
		? tracked.failures
		: listed.failures;
	const events = selectEvents(tracked.newEvents, watch).slice(-10);
	if (events.length === 0 && failure !== undefined) throw poll.client.http.withoutSecrets(failure);
	if (!shipment) {
		throw new ItemError(
			'No shipments found',
			'The provider lists no shipment that matches the filters, has a number and was created in the last 30 days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.',
		);
	}
	const missing = watch.eventTypes.filter(
		(type) => type in groupRows && !events.some(({ group }) => group === type),
	) as EventGroup[];
	const wanted = events.length + missing.length > 0 ? missing : (['inTransit'] as const);
	const examples = wanted.map((type) => ({
		...exampleOf(type, shipment.number, moment),
		shipment,
	}));
	return await toItems([...events, ...examples], zone, given);
}

/** It only helps, so it may not take long. */
const ZONE_TIMEOUT_MS = 5_000;

/** When an account that did not tell it is asked again. */
const ZONE_MS = 30 * 60_000;

/**
 * The zone of dates without an offset: that of the form, of the account or of the workflow. `ofAccount` is null if the
 * account has none, `undefined` until the provider has told it. It is asked at the start and then every half hour.
 */
async function readZone({ ask, client, context, watch, nowMs }: Poll, state?: State) {
	const isOtherAccount = state?.account !== watch.account;
	let ofAccount = isOtherAccount ? undefined : state.zone;
	if (watch.timezone) return { zone: watch.timezone, ofAccount };
	if (ofAccount === undefined && (isDueAgain(context, 'zone', ZONE_MS, nowMs) || isOtherAccount)) {
		const limits = { timeoutMs: ZONE_TIMEOUT_MS };
		ofAccount = await ask(async () => client.call('getAccount', {}, limits)).then(
			({ result }) => readZoneName(result.timeZone) ?? null,
			// Any other failure says nothing about the account, for example a wrong password.
			(failure: unknown) => (isMissingEndpoint(failure) ? null : undefined),
		);
	}
	const zone = ofAccount ?? context.getTimezone();
	const what = `The provider does not tell the time zone of the account, and Timezone is empty. Event dates without an offset are read in the time zone of the workflow, ${zone}. If dateTime is off by hours, set Timezone in the trigger`;
	if (ofAccount === null) warn(context, what);
	return { zone, ofAccount };
}

/** Providers use the names of Windows. */
export function readZoneName(name: unknown): string | undefined {
	if (typeof name !== 'string') return undefined;
	const zone = windowsZones[name.trim()] ?? name.trim();
	return IANAZone.isValidZone(zone) ? zone : undefined;
}
