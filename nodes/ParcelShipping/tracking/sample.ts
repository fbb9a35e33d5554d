import type { IDataObject } from 'n8n-workflow';

import { countOf } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import { completeTimezone } from './accountTimezone';
import { sortByDate } from './dates';
import { discoverShipments } from './discover';
import { type NewEvent, selectEvents } from './events';
import { KnownRecords } from './knownRecords';
import { toItems } from './output';
import { periodEventOf, unreportedSince } from './periods';
import { createState, isUnderWay, type WatchedShipment } from './state';
import { trackShipments } from './track';
import { periodTypesOf, type Poll, type Watch } from './watch';

const SAMPLE_SIZE = 10;

/** Enough for some pages of the list, the numbers of some shipments, and the events of some hundred. */
export const SAMPLE_REQUESTS = 24;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, and one of each selected period. It takes the steps of
 * a poll, and neither reads nor changes the state.
 */
export async function readSample(given: Poll): Promise<IDataObject[]> {
	const watch = await completeTimezone(given);
	const poll = { ...given, watch };
	const { timezone, limits } = watch;
	const nowMs = poll.budget.now();
	const records = new KnownRecords(nowMs);
	// All events are new.
	const state = createState({ ...watch, startFrom: 'existing' }, nowMs);
	const listed = await discoverShipments(state, poll, records);
	const comparison = { nowMs, timezone, idTimezone: timezone, limits };
	// Its failures do not count for the published trigger.
	const tracked = await trackShipments(listed.shipments, poll, comparison, new Map());
	const { newEvents, failures, rowErrors, updated } = tracked.tracking;
	const selected = selectEvents(newEvents, watch);
	const sample = sortByDate(selected, timezone).slice(-SAMPLE_SIZE);
	const events = [...sample, ...periodSample(tracked.shipments, watch)];
	if (events.length > 0) return (await toItems(events, [], records, poll)).items;
	const { length } = listed.shipments.filter(({ number }) => number !== '');
	const [failure] = length > 0 ? failures : listed.failures;
	if (failure !== undefined) throw failure;
	const reasons = [...tracked.newlyRefused.map((each) => each.failure), ...rowErrors];
	const counts = { found: length, checked: updated.size, events: newEvents.length };
	const empty = emptySampleError(watch, counts, reasons);
	throw poll.client.withoutSecrets(empty);
}

/** For each selected type that depends on days, the event of the shipment that reaches its limit first. */
function periodSample(shipments: readonly WatchedShipment[], watch: Watch): NewEvent[] {
	const watched = shipments.filter(isUnderWay);
	return periodTypesOf(watch).flatMap((type) => {
		const running = watched.flatMap((shipment) => {
			const since = unreportedSince(shipment, type);
			return since === undefined ? [] : [{ shipment, since }];
		});
		const [first] = running.sort((a, b) => a.since - b.since);
		return first ? [periodEventOf(first.shipment, type, first.since, watch)] : [];
	});
}

function emptySampleError(
	{ selection }: Watch,
	{ found, checked, events }: { found: number; checked: number; events: number },
	reasons: unknown[],
): ItemError {
	if (found === 0) {
		return new ItemError(
			'No shipments found',
			selection.by === 'numbers'
				? "Enter the shipment numbers under 'Shipments'."
				: `The service lists no shipment that matches the filters, has a number and was created in the last ${selection.createdWithinDays} days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.`,
		);
	}
	const reason = reasons[0] === undefined ? '' : ` ${describeError(reasons[0]).message}.`;
	const all = events > 0 ? " Select 'All' there to see them." : '';
	return new ItemError(
		'No events of the selected types',
		`The trigger checked ${countOf(checked, 'shipment')} with ${countOf(events, 'event')}, none of a type that is selected under 'Trigger On'.${all}${reason} A published workflow starts as soon as there is one.`,
	);
}
