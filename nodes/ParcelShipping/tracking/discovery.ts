import { mapParallel } from '../transport/concurrency';
import { PAGE_LENGTH, type ShipmentRecord } from '../transport/contract';
import { isServiceError } from '../transport/errors';
import { dayBefore } from './dates';
import type { Roster, Sighting } from './roster';
import type { TrackingService } from './service';
import type { WatchedShipment, WatchState } from './state';
import type { TimeLeft } from './timeLeft';
import type { Watch, WatchedByFilters } from './watch';

/** Pages of the list that a poll reads after the first one, once the list is known. */
const PAGES_PER_POLL = 10;

/** When a number that the service doesn't tell is asked for again. */
const NUMBER_PAUSE_MS = 10 * 60_000;

/** What was asked, with what success. */
export interface Tally {
	answered: number;
	failures: unknown[];
}

/**
 * Finds the shipments that are meant. Each poll reads the first page, where new ones can be
 * expected, and goes on reading the list where the poll before it stopped, so that a long list
 * takes several polls and leaves time for tracking. The first time it is read as a whole, because
 * what is met early is told apart best from what happened before.
 */
export async function readList(
	state: WatchState,
	{ what, timezone, maxConcurrency }: Watch & { what: WatchedByFilters },
	service: TrackingService,
	roster: Roster,
	time: TimeLeft,
): Promise<{ sweep: WatchState['sweep']; tally: Tally }> {
	const createdFrom = dayBefore(time.now(), what.createdWithinDays, timezone);
	const tally: Tally = { answered: 0, failures: [] };
	let { next } = state.sweep;
	let total = Infinity;
	/** How many records it held; `undefined` after the first page that can't be read. */
	const readPage = async (start: number): Promise<number | undefined> => {
		if (tally.failures.length > 0) return undefined;
		try {
			const page = await service.findPage(
				{ ...what.filters, createdFrom, start, length: PAGE_LENGTH },
				time.requestTimeoutMs,
			);
			tally.answered++;
			for (const record of page.rows) meet(roster, record);
			({ total } = page);
			return page.rows.length;
		} catch (failure) {
			tally.failures.push(failure);
			return undefined;
		}
	};

	const stride = (await readPage(0)) ?? 0;
	next = Math.max(next, stride);
	let pagesLeft = state.sweep.wasCompleted ? PAGES_PER_POLL : Infinity;
	while (stride > 0 && next < total && pagesLeft > 0) {
		const starts = startsFrom(next, stride, total).slice(0, pagesLeft);
		const lengths = await mapParallel(starts, maxConcurrency, async (start) =>
			time.isUp ? undefined : readPage(start),
		);
		const unread = starts.find((_, place) => lengths[place] === undefined);
		next = unread ?? next + stride * starts.length;
		if (unread !== undefined) break;
		pagesLeft -= starts.length;
	}
	if (next < total) return { sweep: { ...state.sweep, next }, tally };
	roster.endSweep();
	return { sweep: { next: 0, wasCompleted: true }, tally };
}

/** Where further pages begin; a service may hand out shorter ones than it was asked for. */
function startsFrom(next: number, stride: number, total: number): number[] {
	const count = Math.ceil((total - next) / stride);
	return Array.from({ length: count }, (_, index) => next + index * stride);
}

function meet(roster: Roster, record: ShipmentRecord): void {
	const sighting = sightingOf(record);
	if (sighting.carrier !== '' && Number.isSafeInteger(sighting.id)) roster.meet(sighting);
}

/** List records are documented without the number; some services give it all the same. */
export function sightingOf(
	record: Partial<ShipmentRecord> & { packageNumberCarrier?: unknown; delivered?: unknown },
): Sighting {
	return {
		id: Number(record.id),
		carrier: String(record.carrierCode ?? ''),
		number: String(record.packageNumberCarrier ?? '').trim(),
		isOver: record.canceled === true || record.delivered === true,
	};
}

/** Reads the numbers that the list didn't tell from the details, once for each shipment. */
export async function readNumbers(
	unnumbered: readonly WatchedShipment[],
	{ maxConcurrency }: Watch,
	service: TrackingService,
	roster: Roster,
	time: TimeLeft,
): Promise<Tally> {
	const tally: Tally = { answered: 0, failures: [] };
	const silent = new Set<string>();
	const learned = new Set<number>();
	await mapParallel(unnumbered, maxConcurrency, async ({ id, carrier }) => {
		if (time.isUp || silent.has(carrier) || learned.has(id)) return;
		try {
			const details = await service.readDetail(carrier, id, time.requestTimeoutMs);
			tally.answered++;
			// A shipment of several pieces comes with all of them.
			for (const detail of details) {
				const number = String(detail.packageNumberCarrier ?? '').trim();
				roster.learnNumber(detail.id, number);
				if (number !== '') learned.add(detail.id);
			}
			if (!learned.has(id)) roster.postpone(id, time.now() + NUMBER_PAUSE_MS);
		} catch (failure) {
			tally.failures.push(failure);
			// So that the next poll begins with another one, should it be this shipment that fails.
			roster.postpone(id, time.now() + NUMBER_PAUSE_MS);
			// Further pieces of a shipment have no detail of their own; the main one tells theirs.
			const isUnknown = isServiceError(failure) && failure.facts.status === 404;
			if (!isUnknown) silent.add(carrier);
		}
	});
	return tally;
}
