import type { IDataObject } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { type EventGroup, groupRows } from './eventGroups';
import { exampleOf, momentOf } from './history';
import { toItems } from './items';
import { readList } from './list';
import { selectEvents } from './poll';
import { createState } from './state';
import { trackShipments } from './track';
import type { Poll } from './watch';
import { readZone } from './zone';

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
