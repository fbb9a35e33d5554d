import { chunk, groupBy, mapWithPauses } from '../lists';
import { isRecord } from '../records';
import { PAGE_LENGTH, type TrackingResult } from '../transport/endpoints';
import { isRefusal, isStatus500 } from '../transport/errors';
import { requestWithoutRefused, rowOf, SplitBudget } from '../transport/numbers';
import {
	happenedBy,
	lastAt,
	markOf,
	type Moment,
	newOnes,
	paceOf,
	readEvents,
	readPeriods,
	type SentEvent,
} from './history';
import { isDueAgain, logFailure } from './host';
import type { NewEvent } from './items';
import { keyOf } from './list';
import type { State } from './state';
import type { Poll, Watched } from './watch';

/** Limits how many events one execution gets. The next poll continues. */
const MAX_EVENTS = 5_000;

/** How many numbers one poll requests alone. */
const MAX_ALONE = 10;

/** For a shipment that has no events at the provider yet. Also, shipments that are due so soon fill requests. */
const USUAL_MINUTES = 10;

/** For a number that is refused. No request is planned further ahead, unless the clock was wrong at that moment. */
const LONGEST_MINUTES = 60;

/** Requests the events of the shipments that are due. `isStart`: those of shipments that were added now are not new. */
export async function trackShipments(state: State, poll: Poll, moment: Moment, isStart: boolean) {
	const minute = Math.floor(poll.nowMs / 60_000);
	const isWatched = ({ number, missesLeft }: Watched) => number !== '' && missesLeft > 0;
	const watched = new Map(state.shipments.filter(isWatched).map((each) => [keyOf(each), each]));
	const requests = planRequests([...watched.values()], minute);
	// Leaves time to read the shipments of new events.
	const mayAsk = () => poll.mayAsk(9 / 10);
	const budgets = new Map(requests.map(([{ carrier }]) => [carrier, new SplitBudget(mayAsk)]));
	const newEvents: NewEvent[] = [];
	const failures: unknown[] = [];
	/** Why single shipments have no events. */
	const reasons: unknown[] = [];
	const refused: Array<{ shipment: Watched; failure: unknown }> = [];
	const failedCarriers = new Set<string>();
	const asked = new Set<Watched>();

	await poll.client.mapParallel(requests, async (shipments) => {
		const [{ carrier }] = shipments;
		const isFull = newEvents.length >= MAX_EVENTS;
		// Further requests to a carrier that just failed would take time from the others.
		if (isFull || failedCarriers.has(carrier) || !mayAsk()) return;
		for (const each of shipments) asked.add(each);
		const split = await sendRequest(shipments, budgets.get(carrier) as SplitBudget, poll);
		if (split.left) failures.push(split.left.failure);
		if (split.left) failedCarriers.add(carrier);
		const shipmentOf = (number: string) => shipments.find((each) => each.number === number)!;
		refused.push(...split.refused.map((each) => ({ ...each, shipment: shipmentOf(each.number) })));
		await readResponses(split.answered.map(shipmentOf), split.rows);
	});

	/** Reads each response as a history, with the events of the shipment that came under other numbers. */
	async function readResponses(answered: readonly Watched[], rows: TrackingResult[]) {
		const histories = new Map(answered.map((shipment) => [shipment, [] as SentEvent[]]));
		const own = new Set<Watched>();
		for (const shipment of answered) {
			const { carrier, number } = shipment;
			delete shipment.isAlone;
			const row = rowOf(rows, { carrierCode: carrier, number, correlationId: '' });
			if (row instanceof Error) reasons.push(row);
			// Without a status, a row without events says nothing.
			const isEmpty = row instanceof Error || (row.events === null && row.statusCode === undefined);
			if (isEmpty) {
				shipment.askAt = minute + USUAL_MINUTES;
				continue;
			}
			own.add(shipment);
			for (const event of [row.events ?? []].flat().filter(isRecord)) {
				const piece =
					watched.get(keyOf({ carrier, number: String(event.item ?? '').trim() })) ?? shipment;
				// A piece that has responses of its own has this event in them.
				const hasOwn = piece.newFrom === undefined && !piece.isAlone;
				if (piece !== shipment && hasOwn) continue;
				const events = histories.get(piece) ?? [];
				events.push(event);
				histories.set(piece, events);
			}
		}
		await mapWithPauses([...histories], ([shipment, events], position) => {
			const isOwn = own.has(shipment);
			const history = readEvents(events, shipment, moment);
			const all = [...history, ...(isOwn ? readPeriods(history, shipment, moment) : [])];
			const startsNow = isStart && state.newFrom !== '' && shipment.newFrom === state.newFrom;
			const added = startsNow ? [] : newOnes(all, shipment.newFrom);
			for (const each of added) newEvents.push({ ...each, shipment });
			// All of them are known from now on.
			const unknown = all.filter(({ isKnown }) => !isKnown);
			shipment.marks += unknown.map(({ id }) => markOf(id)).join('');
			const latest = lastAt(happenedBy(history, moment));
			// After a change of its number, a carrier may leave out events for a moment.
			if (isOwn && latest >= shipment.latest) delete shipment.newFrom;
			if (latest > shipment.latest) shipment.latest = latest;
			if (!isOwn) return;
			const minutes = paceOf(history, shipment, moment);
			const isOnTime = shipment.askAt > 0 && minute - shipment.askAt < minutes / 2;
			// After the first response and an outage, those of a response are spread: they do not come at once again.
			shipment.askAt = minute + minutes - (isOnTime ? 0 : position % (minutes || 1));
		});
	}

	for (const { shipment, failure } of refused) {
		const { carrier, number, isAlone } = shipment;
		// Otherwise, the carrier itself may be the problem.
		const isRefused = isAlone ?? budgets.get(carrier)?.hasResponse;
		(isRefused ? reasons : failures).push(failure);
		if (!isRefused) continue;
		const what = `The provider refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
		if (!isAlone) logFailure(poll.context, what, failure);
		Object.assign(shipment, { isAlone: true, askAt: minute + LONGEST_MINUTES });
	}
	// The next poll begins with those that have waited longest, so that each gets its turn.
	state.shipments = [...state.shipments.filter((each) => !asked.has(each)), ...asked];
	const hasResponse = [...budgets.values()].some((each) => each.hasResponse);
	// Of a carrier without a request, it is not known whether it is down.
	const hasOtherCarriers = [...watched.values()].some(({ carrier }) => !budgets.has(carrier));
	return { newEvents, failures, reasons, hasResponse, hasOtherCarriers };
}

/** As few requests as possible, those that have waited longest first. Shipments that are due soon fill the last one. */
function planRequests(watched: readonly Watched[], minute: number): Array<[Watched, ...Watched[]]> {
	const isDue = ({ askAt }: Watched) => askAt <= minute || askAt > minute + LONGEST_MINUTES;
	const alone = watched.filter((each) => each.isAlone && isDue(each)).slice(0, MAX_ALONE);
	const together = watched.filter((each) => !each.isAlone);
	const ofCarriers = [...groupBy(together, ({ carrier }) => carrier).values()];
	const requests = ofCarriers.flatMap((ofCarrier) => {
		const due = ofCarrier.filter(isDue);
		const soon = ofCarrier.filter((each) => !isDue(each) && each.askAt <= minute + USUAL_MINUTES);
		const room = Math.ceil(due.length / PAGE_LENGTH) * PAGE_LENGTH - due.length;
		return chunk([...due, ...soon.slice(0, room)], PAGE_LENGTH);
	});
	return [...requests, ...alone.map((each) => [each])] as Array<[Watched, ...Watched[]]>;
}

/** Sends a request, and finds by halving which numbers make it fail. */
async function sendRequest(
	[first, ...others]: readonly [Watched, ...Watched[]],
	budget: SplitBudget,
	{ client, ask, nowMs, context }: Poll,
) {
	const { carrier, isAlone = false } = first;
	// A number can make the provider fail. If the provider always fails, it is not asked for parts in each poll.
	const isAboutNumbers = (failure: unknown) =>
		isStatus500(failure)
			? isAlone || isDueAgain(context, `halved ${carrier}`, USUAL_MINUTES * 60_000, nowMs)
			: isRefusal(failure);
	const numbers = [first, ...others].map(({ number }) => number);
	return await requestWithoutRefused(
		numbers,
		async (packages) => {
			const request = { path: { carrier_code: carrier }, body: { packages } };
			return (await ask(async (limits) => client.call('trackShipments', request, limits))).result;
		},
		budget,
		isAboutNumbers,
	);
}
