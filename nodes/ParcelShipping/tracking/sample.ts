import type { IDataObject } from 'n8n-workflow';

import { describeError, ItemError } from '../transport/errors';
import { Splitting } from '../transport/trackingRequests';
import { compareEvents } from './compare';
import { dayBefore, sortByDate } from './dates';
import { isUnnumbered, readNumbers, ShipmentIndex, toFoundShipments } from './discover';
import { hasEventType } from './events';
import type { Poll } from './host';
import { ShipmentRecords, toItems } from './output';
import { periodEventOf } from './periods';
import { requestEvents } from './poll';
import { selectBatches } from './select';
import {
	createState,
	type NewEvent,
	openSince,
	periodTypesOf,
	type Watch,
	type WatchedShipment,
} from './state';

const SAMPLE_SIZE = 10;

/** How many shipments are checked, ten at a time, before the sample is empty. */
const MAX_SHIPMENTS = 50;

/**
 * The output items of *Fetch Test Event*: up to ten recent events, with as few requests as possible.
 * Neither reads nor changes the state.
 */
export async function readSample(poll: Poll): Promise<IDataObject[]> {
	const { watch, budget } = poll;
	const { timezone, limits, eventTypes, isFirstOnly } = watch;
	const nowMs = budget.now();
	const records = new ShipmentRecords(nowMs);
	const found: NewEvent[] = [];
	const refusals: unknown[] = [];
	const failures: unknown[] = [];
	let checked = 0;
	const wanted = () =>
		found.filter(
			({ event, isFirstOfGroup }) =>
				hasEventType(event, eventTypes) && (isFirstOfGroup || !isFirstOnly),
		);
	for (let start = 0; start < MAX_SHIPMENTS; start += SAMPLE_SIZE) {
		const { shipments, isLast } = await readShipments(poll, records, start);
		checked += shipments.length;
		for (const batch of selectBatches(shipments, nowMs, watch)) {
			const splitting = new Splitting(() => !budget.isSpent());
			const response = await requestEvents(batch, poll, splitting);
			failures.push(...response.failures);
			const reasons = response.refused.map(({ failure }) => failure);
			// If the carrier responded to nothing, it may be the problem.
			(splitting.hasResponse ? refusals : failures).push(...reasons);
			refusals.push(...response.rowErrors);
			for (const { shipment, events } of response.listed) {
				found.push(...compareEvents(shipment, events, { nowMs, timezone, limits }).newEvents);
			}
		}
		if (isLast || wanted().length >= SAMPLE_SIZE) break;
	}
	const sample = sortByDate(wanted(), timezone).slice(-SAMPLE_SIZE);
	const events = [...sample, ...periodSample(found, watch)];
	if (events.length > 0) return (await toItems(events, [], records, poll)).items;
	if (failures.length > 0) throw failures[0];
	throw emptySampleError(watch, checked, found.length, refusals);
}

/** Ten of the watched shipments, without those that have no number. */
async function readShipments(
	{ watch, client, budget }: Poll,
	records: ShipmentRecords,
	start: number,
): Promise<{ shipments: WatchedShipment[]; isLast: boolean }> {
	const { selection, timezone } = watch;
	const nowMs = budget.now();
	// All of their events are new.
	const existing = { ...watch, startFrom: 'existing' as const };
	const index = new ShipmentIndex(createState(watch, nowMs), existing, nowMs);
	if (selection.by === 'numbers') {
		const listed = selection.shipments.slice(start, start + SAMPLE_SIZE);
		for (const shipment of listed) index.upsert({ id: 0, ...shipment });
		const isLast = start + SAMPLE_SIZE >= selection.shipments.length;
		return { shipments: index.shipments, isLast };
	}
	const createdFrom = dayBefore(nowMs, selection.createdWithinDays, timezone);
	const filter = { onlyMaster: false, ...selection.filters, createdFrom };
	const timeoutMs = budget.spend();
	const { rows, total } = await client.findShipments(filter, start, SAMPLE_SIZE, timeoutMs);
	for (const row of rows) records.add(row);
	for (const found of toFoundShipments(rows, selection.filters)) index.upsert(found);
	const requests = { responses: 0, failures: [] };
	const discovery = { watch, client, budget, index, records, requests, total };
	await readNumbers(index.shipments.filter(isUnnumbered), discovery);
	const shipments = index.shipments.filter((shipment) => !isUnnumbered(shipment));
	return { shipments, isLast: start + rows.length >= total || rows.length === 0 };
}

/** For each selected type that depends on days, the event of the shipment that reaches its limit first. */
function periodSample(found: readonly NewEvent[], watch: Watch): NewEvent[] {
	const shipments = [...new Set(found.map(({ shipment }) => shipment))];
	return periodTypesOf(watch).flatMap((type) => {
		const open = shipments.flatMap((shipment) => {
			const since = openSince(shipment, type);
			return since === undefined ? [] : [{ shipment, since }];
		});
		const [first] = open.sort((a, b) => a.since - b.since);
		return first ? [periodEventOf(first.shipment, type, first.since, watch)] : [];
	});
}

function emptySampleError(
	{ selection }: Watch,
	checked: number,
	found: number,
	refusals: unknown[],
): ItemError {
	if (checked === 0) {
		return new ItemError(
			'No shipments found',
			selection.by === 'numbers'
				? 'Enter the shipment numbers under Shipments.'
				: `The service lists no shipment that matches the filters, has a number and was created in the last ${selection.createdWithinDays} days. Change the filters, or create a shipment first. A published workflow starts as soon as there are events.`,
		);
	}
	if (found > 0) {
		return new ItemError(
			'No events of the selected types',
			`The ${checked} shipments checked have ${found} events, but none of the types selected under 'Trigger On'. Select All there to see them. A published workflow starts as soon as there is such an event.`,
		);
	}
	const reason = refusals[0] === undefined ? '' : ` ${describeError(refusals[0]).message}.`;
	return new ItemError(
		'The shipments have no events yet',
		`No carrier has reported an event for the ${checked} shipments checked.${reason} A published workflow starts as soon as there is one.`,
	);
}
