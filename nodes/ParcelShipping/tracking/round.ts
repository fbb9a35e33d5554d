import { requestAndHandle } from '../transport/concurrency';
import type { TrackingEvent, TrackingResult } from '../transport/contract';
import { type Circumstances, type NewEvent, takeAnswer } from './answers';
import { byDate } from './dates';
import { readList, readNumbers, type Tally } from './discovery';
import { type Asked, type Group, groupByCarrier, requeue, selectDue } from './queue';
import { Roster } from './roster';
import { byNumber, rowOf } from './rows';
import type { TrackingService } from './service';
import { forgetShipments, type WatchedShipment, type WatchState } from './state';
import type { TimeLeft } from './timeLeft';
import type { Watch, WatchedByFilters } from './watch';

/** So that one poll doesn't hand thousands of events to one execution; the next one goes on. */
const ENOUGH_EVENTS = 5_000;

/** What one poll found out. */
export interface Round {
	state: WatchState;
	/** Of all kinds, oldest first. */
	news: NewEvent[];
	/** Requests that went wrong; shipments that the service could not track are not among them. */
	failures: unknown[];
	/** Nothing that was asked was answered. */
	wasInVain: boolean;
	/** Shipments that the service said it could not track. */
	untracked: unknown[];
}

/**
 * One poll: finds the shipments that are meant, asks those that are due, the longest unasked first,
 * as far as time allows, and tells what is new. What fails is asked again by the next poll.
 */
export async function runRound(
	before: WatchState,
	watch: Watch,
	service: TrackingService,
	time: TimeLeft,
	isBeginning: boolean,
): Promise<Round> {
	const nowMs = time.now();
	const roster = new Roster(before, watch, nowMs);
	// Tracking keeps at least half of the time, however long the list is.
	const { sweep, tally: found } = await discover(before, watch, service, roster, time.share(0.5));

	const state = { ...before, sweep, shipments: roster.shipments };
	const due = selectDue(state, nowMs).filter(({ number }) => number !== '');
	const circumstances: Circumstances = {
		nowMs,
		timezone: watch.timezone,
		...(isBeginning ? { baselineSince: before.since } : {}),
	};
	const tracked = await track(due, watch, service, time, circumstances);

	const attempts = tracked.tally.answered + tracked.tally.failures.length;
	const answered = attempts > 0 ? tracked.tally.answered : found.answered;
	const failures = [...tracked.tally.failures, ...found.failures];
	return {
		state: forgetShipments(
			{ ...state, shipments: requeue(state.shipments, tracked.asked) },
			watch,
			nowMs,
		),
		news: tracked.news.sort((a, b) => byDate(a.event, b.event)),
		failures,
		wasInVain: failures.length > 0 && answered === 0,
		untracked: tracked.untracked,
	};
}

async function discover(
	state: WatchState,
	watch: Watch,
	service: TrackingService,
	roster: Roster,
	time: TimeLeft,
): Promise<{ sweep: WatchState['sweep']; tally: Tally }> {
	const { what } = watch;
	if (what.by === 'list') {
		for (const { carrier, number } of what.shipments) roster.meet({ id: 0, carrier, number });
		roster.endSweep();
		return { sweep: { next: 0, wasCompleted: true }, tally: { answered: 0, failures: [] } };
	}
	const byFilters: Watch & { what: WatchedByFilters } = { ...watch, what };
	const list = await readList(state, byFilters, service, roster, time.share(0.5));
	const unnumbered = selectDue({ ...state, shipments: roster.shipments }, time.now()).filter(
		({ number }) => number === '',
	);
	const numbers = await readNumbers(unnumbered, watch, service, roster, time);
	return {
		sweep: list.sweep,
		tally: {
			answered: list.tally.answered,
			failures: [...list.tally.failures, ...numbers.failures],
		},
	};
}

interface Tracked {
	asked: Asked;
	news: NewEvent[];
	tally: Tally;
	untracked: unknown[];
}

async function track(
	due: readonly WatchedShipment[],
	{ maxConcurrency }: Watch,
	service: TrackingService,
	time: TimeLeft,
	circumstances: Circumstances,
): Promise<Tracked> {
	const tracked: Tracked = {
		asked: { answered: new Map(), failed: new Map() },
		news: [],
		tally: { answered: 0, failures: [] },
		untracked: [],
	};
	// A carrier that has just failed is left alone until the next poll, the others go on.
	const silent = new Set<string>();
	const ask = async ({ carrier, shipments }: Group): Promise<Answer | undefined> => {
		if (silent.has(carrier)) return fail(tracked, shipments);
		if (time.isUp || tracked.news.length >= ENOUGH_EVENTS) return undefined;
		try {
			const numbers = shipments.map(({ number }) => number);
			const rows = await service.track(carrier, numbers, time.requestTimeoutMs);
			tracked.tally.answered++;
			return { carrier, shipments, rows };
		} catch (failure) {
			tracked.tally.failures.push(failure);
			silent.add(carrier);
			return fail(tracked, shipments);
		}
	};
	await requestAndHandle(groupByCarrier(due), maxConcurrency, ask, (answer) =>
		takeRows(tracked, answer, circumstances),
	);
	return tracked;
}

interface Answer extends Group {
	rows: TrackingResult[];
}

function takeRows(
	{ asked, news, untracked }: Tracked,
	{ carrier, shipments, rows }: Answer,
	circumstances: Circumstances,
): void {
	const told = byNumber(rows);
	for (const shipment of shipments) {
		const row = rowOf(told, { carrierCode: carrier, number: shipment.number, correlationId: '' });
		if (row instanceof Error || !Array.isArray(row.events)) {
			asked.failed.set(shipment, shipment);
			untracked.push(row);
			continue;
		}
		const events = row.events.filter(isEvent);
		const taken = takeAnswer(shipment, events, circumstances);
		asked.answered.set(shipment, taken.shipment);
		news.push(...taken.news);
	}
}

function isEvent(event: unknown): event is TrackingEvent {
	return typeof event === 'object' && event !== null && !Array.isArray(event);
}

function fail({ asked }: Tracked, shipments: readonly WatchedShipment[]): undefined {
	for (const shipment of shipments) asked.failed.set(shipment, shipment);
}
