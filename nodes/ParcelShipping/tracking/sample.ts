import type { IDataObject } from 'n8n-workflow';

import { countOf } from '../lists';
import { describeError, ItemError } from '../transport/errors';
import { SplitBudget } from '../transport/trackingRequests';
import { completeTimezone } from './accountTimezone';
import { compareEvents } from './compare';
import { sortByDate } from './dates';
import { isUnnumbered, listFilters, readNumbers } from './discover';
import { type NewEvent, selectEvents } from './events';
import type { Poll } from './host';
import { KnownRecords } from './knownRecords';
import { toItems } from './output';
import { periodEventOf, unreportedSince } from './periods';
import { selectRequests } from './select';
import { ShipmentIndex, toListEntries } from './shipmentIndex';
import type { WatchedShipment } from './state';
import { createState } from './storage';
import { requestEvents } from './track';
import { periodTypesOf, type Watch } from './watch';

const SAMPLE_SIZE = 10;

/** How many shipments are checked, ten at a time, before the sample is empty. */
const MAX_SHIPMENTS = 50;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, with as few requests as possible.
 * Neither reads nor changes the state.
 */
export async function readSample(given: Poll): Promise<IDataObject[]> {
	const watch = await completeTimezone(given);
	const poll = { ...given, watch };
	const { budget } = poll;
	const { timezone, limits } = watch;
	const nowMs = budget.now();
	const records = new KnownRecords(nowMs);
	const all: NewEvent[] = [];
	const refusals: unknown[] = [];
	const failures: unknown[] = [];
	let checked = 0;
	let selected: NewEvent[] = [];
	for (let start = 0; start < MAX_SHIPMENTS; start += SAMPLE_SIZE) {
		const { shipments, isLast } = await readShipments(poll, records, start);
		checked += shipments.length;
		for (const request of selectRequests(shipments, nowMs, watch)) {
			const splitBudget = new SplitBudget(() => !budget.isSpent());
			const response = await requestEvents(request, poll, splitBudget);
			failures.push(...response.failures);
			const reasons = response.refused.map(({ failure }) => failure);
			// If the carrier responded to nothing, it may be the problem.
			(splitBudget.hasResponse ? refusals : failures).push(...reasons);
			refusals.push(...response.rowErrors);
			for (const { shipment, events } of response.listed) {
				all.push(...compareEvents(shipment, events, { nowMs, timezone, limits }).newEvents);
			}
		}
		selected = selectEvents(all, watch);
		if (isLast || selected.length >= SAMPLE_SIZE) break;
	}
	const sample = sortByDate(selected, timezone).slice(-SAMPLE_SIZE);
	const events = [...sample, ...periodSample(all, watch)];
	if (events.length > 0) return (await toItems(events, [], records, poll)).items;
	if (failures.length > 0) throw failures[0];
	throw emptySampleError(watch, checked, all.length, refusals);
}

/** Ten of the watched shipments, without those that have no number. */
async function readShipments(
	poll: Poll,
	records: KnownRecords,
	start: number,
): Promise<{ shipments: WatchedShipment[]; isLast: boolean }> {
	const { watch, client, budget } = poll;
	const { selection } = watch;
	const nowMs = budget.now();
	// All of their events are new.
	const index = new ShipmentIndex(createState(watch, nowMs), { startFrom: 'existing' }, nowMs);
	if (selection.by === 'numbers') {
		const listed = selection.shipments.slice(start, start + SAMPLE_SIZE);
		for (const shipment of listed) index.upsert({ id: 0, ...shipment });
		const isLast = start + SAMPLE_SIZE >= selection.shipments.length;
		return { shipments: index.shipments, isLast };
	}
	const filters = listFilters(selection, nowMs, watch.timezone);
	const timeoutMs = budget.spend();
	const { data, total } = await client.findShipments(filters, start, SAMPLE_SIZE, timeoutMs);
	for (const record of data) records.add(record);
	for (const entry of toListEntries(data, selection.filters)) index.upsert(entry);
	await readNumbers(index.shipments.filter(isUnnumbered), poll, index, records);
	const shipments = index.shipments.filter((shipment) => !isUnnumbered(shipment));
	return { shipments, isLast: start + data.length >= total || data.length === 0 };
}

/** For each selected type that depends on days, the event of the shipment that reaches its limit first. */
function periodSample(newEvents: readonly NewEvent[], watch: Watch): NewEvent[] {
	const shipments = [...new Set(newEvents.map(({ shipment }) => shipment))];
	return periodTypesOf(watch).flatMap((type) => {
		const running = shipments.flatMap((shipment) => {
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
	refusals: unknown[],
): ItemError {
	if (checked === 0) {
		return new ItemError(
			'No shipments found',
			selection.by === 'numbers'
				? "Enter the shipment numbers under 'Shipments'."
				: `The service lists no shipment that matches the filters, has a number and was created in the last ${selection.createdWithinDays} days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.`,
		);
	}
	const reason = refusals[0] === undefined ? '' : ` ${describeError(refusals[0]).message}.`;
	const all = events > 0 ? " Select 'All' there to see them." : '';
	return new ItemError(
		'No events of the selected types',
		`The trigger checked ${countOf(checked, 'shipment')} with ${countOf(events, 'event')}, none of a type that is selected under 'Trigger On'.${all}${reason} A published workflow starts as soon as there is one.`,
	);
}
