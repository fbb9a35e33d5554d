import type { IDataObject } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { eventGroups, periodTypes } from './eventGroups';
import { exampleOf, type Moment, momentOf } from './history';
import { type NewEvent, toItems } from './items';
import { readList } from './list';
import { selectEvents } from './poll';
import { createState } from './state';
import { trackShipments } from './track';
import type { Poll, Watched } from './watch';
import { readZone } from './zone';

const SAMPLE_SIZE = 10;

/** Enough for some pages of the list, the numbers of some shipments, and the events of some hundred. */
const SAMPLE_REQUESTS = 24;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, and an example of each selected type without one. It
 * takes the steps of a poll, and neither reads nor changes the state.
 */
export async function readSample(given: Poll): Promise<IDataObject[]> {
	let asked = 0;
	const mayAsk = (share = 1) => asked < SAMPLE_REQUESTS * share && given.mayAsk(share);
	const ask: Poll['ask'] = async (request) => {
		asked++;
		return await given.ask(request);
	};
	const poll = { ...given, mayAsk, ask };
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
	const events = selectEvents(tracked.newEvents, watch).slice(-SAMPLE_SIZE);
	if (events.length === 0 && failure !== undefined) throw poll.client.http.withoutSecrets(failure);
	if (!shipment) {
		throw new ItemError(
			'No shipments found',
			watch.selection.by === 'numbers'
				? "Enter the tracking numbers under 'Shipments'."
				: 'The provider lists no shipment that matches the filters, has a number and was created in the last 30 days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.',
		);
	}
	return await toItems(
		[...events, ...examplesFor(watch.eventTypes, events, shipment, moment)],
		zone,
		given,
	);
}

/** So that a workflow can be built before the first such event: the name says that it is an example. */
function examplesFor(
	types: readonly string[],
	events: readonly NewEvent[],
	shipment: Watched,
	moment: Moment,
): NewEvent[] {
	const known = Object.keys({ ...eventGroups, ...periodTypes });
	const named = types.filter((type) => known.includes(type));
	const missing = named.filter((type) => !events.some(({ group }) => group === type));
	const wanted = events.length + missing.length > 0 ? missing : ['inTransit'];
	return wanted.map((type) => ({ ...exampleOf(type, shipment, moment), shipment }));
}
