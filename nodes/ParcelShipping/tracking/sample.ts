import type { IDataObject } from 'n8n-workflow';

import { countOf } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import { periodTypes } from './eventGroups';
import { momentOf } from './history';
import { type NewEvent, toItems } from './items';
import { readList } from './list';
import { selectEvents } from './poll';
import { createState } from './state';
import { type Tracked, trackShipments } from './track';
import type { Poll, Watch } from './watch';
import { readZone } from './zone';

const SAMPLE_SIZE = 10;

/** Enough for some pages of the list, the numbers of some shipments, and the events of some hundred. */
const SAMPLE_REQUESTS = 24;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, and one of each selected period. It takes the steps of
 * a poll, and neither reads nor changes the state.
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
	// Also periods that have just begun.
	for (const period of Object.values(moment.periods)) period.began = moment.soon;
	const tracked = await trackShipments(state, poll, moment, false);
	const selected = selectEvents(tracked.newEvents, watch);
	const first = (type: string) => selected.filter(({ group }) => group === type).slice(0, 1);
	const events = [
		...selected.filter((each) => !isPeriod(each)).slice(-SAMPLE_SIZE),
		...Object.keys(periodTypes).flatMap(first),
	];
	if (events.length > 0) return await toItems(events, zone, given);
	const { length } = state.shipments.filter(({ number }) => number !== '');
	const [failure] = length > 0 ? tracked.failures : listed.failures;
	if (failure !== undefined) throw failure;
	throw poll.client.http.withoutSecrets(emptySampleError(watch, length, tracked));
}

const isPeriod = ({ group }: NewEvent) => group !== null && group in periodTypes;

function emptySampleError({ selection }: Watch, found: number, tracked: Tracked): ItemError {
	if (found === 0) {
		return new ItemError(
			'No shipments found',
			selection.by === 'numbers'
				? "Enter the tracking numbers under 'Shipments'."
				: 'The provider lists no shipment that matches the filters, has a number and was created in the last 30 days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.',
		);
	}
	const { count, reasons } = tracked;
	const newEvents = tracked.newEvents.filter((each) => !isPeriod(each));
	const reason = reasons[0] === undefined ? '' : ` ${describeError(reasons[0]).message}.`;
	const all = newEvents.length > 0 ? " Select 'All' there to see them." : '';
	return new ItemError(
		'No events of the selected types',
		`The trigger checked ${countOf(count, 'shipment')} with ${countOf(newEvents.length, 'event')}, none of a type that is selected under 'Trigger On'.${all}${reason} A published workflow starts as soon as there is one.`,
	);
}
