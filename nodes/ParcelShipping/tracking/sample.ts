import { ItemError, describeError } from '../transport/errors';
import { chunk } from '../lists';
import type { NewEvent } from './answers';
import { byDate, dayBefore } from './dates';
import { readNumbers, sightingOf } from './discovery';
import { isWanted } from './eventKinds';
import { eventIdOf } from './identity';
import { groupByCarrier } from './queue';
import { Roster } from './roster';
import { byNumber, rowOf } from './rows';
import type { TrackingService } from './service';
import { beginState, type WatchedShipment } from './state';
import type { TimeLeft } from './timeLeft';
import type { Watch } from './watch';

const SAMPLE_SIZE = 10;

/** Shipments that are looked at, ten at a time, before it is said that there is nothing. */
const MAX_SHIPMENTS = 50;

/** Up to ten recent events, read with as few requests as possible and without any state. */
export async function readSample(
	watch: Watch,
	service: TrackingService,
	time: TimeLeft,
): Promise<NewEvent[]> {
	const found: NewEvent[] = [];
	const untracked: unknown[] = [];
	const failures: unknown[] = [];
	let looked = 0;
	for await (const shipments of tens(watch, service, time)) {
		looked += shipments.length;
		for (const group of groupByCarrier(shipments)) {
			const numbers = group.shipments.map(({ number }) => number);
			const rows = await service
				.track(group.carrier, numbers, time.requestTimeoutMs)
				.catch((failure: unknown) => {
					failures.push(failure);
					return [];
				})
				.then(byNumber);
			for (const shipment of group.shipments) {
				const { carrier, number } = shipment;
				const row = rowOf(rows, { carrierCode: carrier, number, correlationId: '' });
				if (row instanceof Error) untracked.push(row);
				else found.push(...eventsOf(shipment, row.events ?? []));
			}
		}
		if (found.filter(({ event }) => isWanted(event, watch.kinds)).length >= SAMPLE_SIZE) break;
	}
	const wanted = found
		.filter(({ event }) => isWanted(event, watch.kinds))
		.sort((a, b) => byDate(a.event, b.event));
	if (wanted.length > 0) return wanted.slice(-SAMPLE_SIZE);
	if (failures.length > 0) throw failures[0];
	throw nothing(watch, looked, found.length, untracked);
}

/** The first shipments that are meant, ten at a time, those without a number left out. */
async function* tens(
	watch: Watch,
	service: TrackingService,
	time: TimeLeft,
): AsyncGenerator<WatchedShipment[]> {
	const { what, timezone } = watch;
	const nowMs = time.now();
	const newRoster = () => new Roster(beginState(watch, nowMs), watch, nowMs);
	if (what.by === 'list') {
		for (const part of chunk(what.shipments.slice(0, MAX_SHIPMENTS), SAMPLE_SIZE)) {
			const roster = newRoster();
			for (const { carrier, number } of part) roster.meet({ id: 0, carrier, number });
			yield roster.shipments;
		}
		return;
	}
	const createdFrom = dayBefore(nowMs, what.createdWithinDays, timezone);
	for (let start = 0; start < MAX_SHIPMENTS; start += SAMPLE_SIZE) {
		const { rows, total } = await service.findPage(
			{ ...what.filters, createdFrom, start, length: SAMPLE_SIZE },
			time.requestTimeoutMs,
		);
		const roster = newRoster();
		for (const record of rows) roster.meet(sightingOf(record));
		const unnumbered = roster.shipments.filter(({ number }) => number === '');
		await readNumbers(unnumbered, watch, service, roster, time);
		yield roster.shipments.filter(({ number }) => number !== '');
		if (start + rows.length >= total || rows.length === 0) return;
	}
}

function eventsOf(shipment: WatchedShipment, events: ReadonlyArray<NewEvent['event']>): NewEvent[] {
	const byId = new Map(
		events.map((event) => [eventIdOf(shipment.carrier, shipment.number, event), event]),
	);
	return [...byId].map(([eventId, event]) => ({ shipment, eventId, event }));
}

function nothing(watch: Watch, looked: number, found: number, untracked: unknown[]): ItemError {
	const { what } = watch;
	if (looked === 0) {
		return new ItemError(
			'There is no shipment to show events of',
			what.by === 'list'
				? 'Enter the shipment numbers under Shipments.'
				: `The service lists no shipment with a number that was created in the last ${what.createdWithinDays} days and fits the filters. Change the filters, or create a shipment first. Once published, the workflow starts by itself when events come.`,
		);
	}
	if (found > 0) {
		return new ItemError(
			'There are events, but none of the chosen kinds',
			`The ${looked} shipments looked at have ${found} events, none of the kinds chosen under Events. Choose All there to see them. Once published, the workflow starts by itself when such an event comes.`,
		);
	}
	const said = untracked[0] === undefined ? '' : ` ${describeError(untracked[0]).message}.`;
	return new ItemError(
		'The shipments have no events yet',
		`The ${looked} shipments looked at were asked, and no carrier has reported an event so far.${said} Once published, the workflow starts by itself when one comes.`,
	);
}
