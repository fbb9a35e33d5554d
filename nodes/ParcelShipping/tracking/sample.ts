import type { IDataObject } from 'n8n-workflow';

import { chunk, countOf } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import { completeTimezone } from './accountTimezone';
import { sortByDate } from './dates';
import { listFilters, readNumbers } from './discover';
import { type NewEvent, selectEvents } from './events';
import type { Poll } from './host';
import { KnownRecords } from './knownRecords';
import { toItems } from './output';
import { periodEventOf, unreportedSince } from './periods';
import { ShipmentIndex, toListEntries } from './shipmentIndex';
import type { WatchedShipment } from './state';
import { createState } from './storage';
import { trackShipments } from './track';
import { periodTypesOf, type Watch } from './watch';

const SAMPLE_SIZE = 10;

/** How many shipments are checked. */
const MAX_SHIPMENTS = 50;

/** How many of them have their numbers read from their details at a time, until some have one. */
const MAX_DETAILS = 10;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, and one of each selected period. Neither reads nor
 * changes the state.
 */
export async function readSample(given: Poll): Promise<IDataObject[]> {
	const watch = await completeTimezone(given);
	const poll = { ...given, watch };
	const { timezone, limits } = watch;
	const nowMs = poll.budget.now();
	const records = new KnownRecords(nowMs);
	const shipments = await readWatched(poll, records);
	const comparison = { nowMs, timezone, idTimezone: timezone, limits };
	const tracked = await trackShipments(shipments, poll, comparison);
	const { newEvents, failures, rowErrors } = tracked.tracking;
	const selected = selectEvents(newEvents, watch);
	const sample = sortByDate(selected, timezone).slice(-SAMPLE_SIZE);
	const events = [...sample, ...periodSample(tracked.shipments, watch)];
	if (events.length > 0) return (await toItems(events, [], records, poll)).items;
	if (failures.length > 0) throw failures[0];
	const reasons = [...tracked.refused.map(({ failure }) => failure), ...rowErrors];
	const empty = emptySampleError(watch, shipments.length, newEvents.length, reasons);
	throw poll.client.withoutSecrets(empty);
}

/** Those on the first page of the list that have a number. All of their events are new. */
async function readWatched(poll: Poll, records: KnownRecords): Promise<WatchedShipment[]> {
	const { watch, client, budget } = poll;
	const { selection } = watch;
	const nowMs = budget.now();
	const index = new ShipmentIndex(createState({ ...watch, startFrom: 'existing' }, nowMs), nowMs);
	if (selection.by === 'numbers') {
		for (const shipment of selection.shipments.slice(0, MAX_SHIPMENTS))
			index.upsert({ id: 0, ...shipment });
		return index.shipments;
	}
	const filters = listFilters(selection, nowMs);
	const { data } = await client.findUncheckedShipments(filters, 0, MAX_SHIPMENTS, budget.spend());
	for (const record of data) records.add(record);
	for (const entry of toListEntries(data, selection.filters)) index.upsert(entry);
	const numbered = () => index.shipments.filter(({ number }) => number !== '');
	const unnumbered = index.shipments.filter(({ number }) => number === '');
	// The newest ones may have no number yet.
	for (const part of chunk(unnumbered, MAX_DETAILS)) {
		const [failure] = await readNumbers(part, poll, index, records);
		if (numbered().length > 0) break;
		if (failure !== undefined) throw failure;
	}
	return numbered();
}

/** For each selected type that depends on days, the event of the shipment that reaches its limit first. */
function periodSample(shipments: readonly WatchedShipment[], watch: Watch): NewEvent[] {
	const watched = shipments.filter(({ endedAt }) => endedAt === undefined);
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
	checked: number,
	events: number,
	reasons: unknown[],
): ItemError {
	if (checked === 0) {
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
