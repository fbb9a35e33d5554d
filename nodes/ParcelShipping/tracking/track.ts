import { chunk, groupBy, mapWithPauses } from '../lists';
import { isRecord } from '../records';
import { NUMBERS_PER_REQUEST, type TrackingResult } from '../transport/endpoints';
import { isRefusal, isStatus500 } from '../transport/errors';
import { numberOfRow, requestWithoutRefused, rowOf, SplitBudget } from '../transport/numbers';
import {
	happenedBy,
	latestOf,
	markOf,
	type Moment,
	newOnes,
	paceOf,
	pieceNumberOf,
	readEvents,
	readPeriods,
	type SentEvent,
} from './history';
import { logFailure, memoryOf } from './host';
import type { NewEvent } from './items';
import { keyOf } from './list';
import type { State } from './state';
import type { Poll, Watched } from './watch';

/** Limits how many events one execution gets. The next poll continues. */
const MAX_EVENTS = 5_000;

/** How many numbers one poll requests alone. */
const MAX_ALONE = 10;

const ALONE_MINUTES = 60;

/** For a shipment that has no events at the provider yet. Also, shipments that are due so soon fill requests. */
const USUAL_MINUTES = 10;

/** No request is planned further ahead, unless the clock was wrong at that moment. */
const LONGEST_MINUTES = 60;

/** A request that makes the provider fail is split again after this time if no part of it got a response. */
const SPLIT_AGAIN_MS = 10 * 60_000;

/** Leaves time to read the shipments of new events. */
const TRACK_SHARE = 9 / 10;

/** What comes of the requests for events. */
export interface Tracked {
	newEvents: NewEvent[];
	failures: unknown[];
	/** Why single shipments have no events. */
	reasons: unknown[];
	hasResponse: boolean;
	/** Whether a carrier has shipments of which none was due, so that it is not known to be down. */
	hasOtherCarriers: boolean;
}

/** Requests the events of the shipments that are due. `isStart`: those of shipments that were added now are not new. */
export async function trackShipments(
	state: State,
	poll: Poll,
	moment: Moment,
	isStart: boolean,
): Promise<Tracked> {
	const minute = Math.floor(poll.nowMs / 60_000);
	const isWatched = ({ number, listed }: Watched) => number !== '' && listed > 0;
	const watched = new Map(state.shipments.filter(isWatched).map((each) => [keyOf(each), each]));
	const requests = planRequests([...watched.values()], minute);
	const budgets = new Map(
		requests.map(([{ carrier }]) => [carrier, new SplitBudget(() => poll.mayAsk(TRACK_SHARE))]),
	);
	const tracked: Tracked = {
		...{ newEvents: [], failures: [], reasons: [], hasResponse: false },
		hasOtherCarriers: [...watched.values()].some(({ carrier }) => !budgets.has(carrier)),
	};
	const refused: Array<{ shipment: Watched; failure: unknown }> = [];
	const failedCarriers = new Set<string>();
	const asked = new Set<Watched>();

	await poll.client.mapParallel(requests, async (shipments) => {
		const [{ carrier }] = shipments;
		const isFull = tracked.newEvents.length >= MAX_EVENTS;
		// Further requests to a carrier that just failed would take time from the others.
		if (isFull || failedCarriers.has(carrier) || !poll.mayAsk(TRACK_SHARE)) return;
		for (const each of shipments) asked.add(each);
		const budget = budgets.get(carrier) as SplitBudget;
		const { rows, answered, ...split } = await sendRequest(shipments, budget, poll);
		refused.push(...split.refused);
		tracked.failures.push(...split.failures);
		if (split.isCarrierDown) failedCarriers.add(carrier);
		await readResponses(answered, rows);
	});

	/** Reads each response as a history, with the events of the shipment that came under other numbers. */
	async function readResponses(answered: readonly Watched[], rows: TrackingResult[]) {
		const rowsOf = groupBy(rows, numberOfRow);
		const histories = new Map<Watched, SentEvent[]>();
		const own = new Set<Watched>();
		for (const shipment of answered) {
			const { carrier, number } = shipment;
			const requested = { carrierCode: carrier, number, correlationId: '' };
			const row = rowOf(rowsOf.get(number) ?? [], requested);
			const sent = row instanceof Error ? undefined : eventsIn(row);
			if (row instanceof Error) tracked.reasons.push(row);
			if (sent) own.add(shipment);
			else planNext(shipment, USUAL_MINUTES, 0);
			if (!histories.has(shipment)) histories.set(shipment, []);
			for (const event of sent ?? []) {
				const named = keyOf({ carrier, number: pieceNumberOf(event) });
				const piece = watched.get(named) ?? shipment;
				// A piece that has responses of its own has this event in them.
				const isRead = piece.since === undefined && !piece.isAlone;
				if (piece !== shipment && isRead) continue;
				const events = histories.get(piece) ?? [];
				events.push(event);
				histories.set(piece, events);
			}
		}
		await mapWithPauses([...histories], ([shipment, events], position) => {
			const isOwn = own.has(shipment);
			const { news, pace } = readHistory(shipment, events, isOwn);
			tracked.newEvents.push(...news.map((each) => ({ ...each, shipment })));
			if (isOwn) planNext(shipment, pace, position);
		});
	}

	/** Returns the new events of a response, which are known from now on. */
	function readHistory(shipment: Watched, events: readonly SentEvent[], isOwn: boolean) {
		const history = readEvents(events, shipment, moment);
		const all = [...history, ...(isOwn ? readPeriods(history, shipment, moment) : [])];
		const startsNow = isStart && state.since !== '' && shipment.since === state.since;
		const news = startsNow ? [] : newOnes(all, shipment.since);
		const unknown = all.filter(({ isKnown }) => !isKnown);
		shipment.marks += unknown.map(({ id }) => markOf(id)).join('');
		const happened = happenedBy(history, moment);
		// After a change of its number, a carrier may leave out events for a moment.
		const isShortened = (happened.at(-1)?.at ?? '') < shipment.latest;
		if (isOwn && !isShortened) delete shipment.since;
		shipment.latest = latestOf(happened, shipment);
		return { news, pace: paceOf(history, shipment, moment) };
	}

	/** After the first response and after an outage, those of a response are spread, so that they do not come at once again. */
	function planNext(shipment: Watched, minutes: number, position: number): void {
		const { askAt } = shipment;
		const wasOnTime = askAt > 0 && minute - askAt < minutes / 2;
		const early = wasOnTime || minutes === 0 ? 0 : position % minutes;
		shipment.askAt = minute + minutes - early;
		delete shipment.isAlone;
	}

	for (const { shipment, failure } of refused) {
		const { carrier, number, isAlone } = shipment;
		// Otherwise, the carrier itself may be the problem.
		const hasResponded = budgets.get(carrier)?.hasResponse === true;
		if (!isAlone && !hasResponded) {
			tracked.failures.push(failure);
			continue;
		}
		const what = `The provider refuses to track shipment ${number} of carrier ${carrier}. From now on it is requested alone, once an hour`;
		if (!isAlone) logFailure(poll.context, what, failure);
		tracked.reasons.push(failure);
		Object.assign(shipment, { isAlone: true, askAt: minute + ALONE_MINUTES });
	}
	// The next poll begins with those that have waited longest, so that each gets its turn.
	state.shipments = [...state.shipments.filter((each) => !asked.has(each)), ...asked];
	tracked.hasResponse = [...budgets.values()].some((each) => each.hasResponse);
	return tracked;
}

/** `undefined` if the row says nothing: without a status, a row without events does. */
function eventsIn({ events, statusCode }: TrackingResult): SentEvent[] | undefined {
	const sent: unknown = events === null && statusCode === undefined ? undefined : (events ?? []);
	return Array.isArray(sent) ? sent.filter(isRecord) : undefined;
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
		const room = Math.ceil(due.length / NUMBERS_PER_REQUEST) * NUMBERS_PER_REQUEST - due.length;
		return chunk([...due, ...soon.slice(0, room)], NUMBERS_PER_REQUEST);
	});
	return [...requests, ...alone.map((each) => [each])] as Array<[Watched, ...Watched[]]>;
}

/** Sends a request, and finds by halving which numbers make it fail. */
async function sendRequest(
	shipments: readonly [Watched, ...Watched[]],
	budget: SplitBudget,
	{ client, ask, nowMs, context }: Poll,
) {
	const [{ carrier, isAlone = false }] = shipments;
	const { splitInVainAt } = memoryOf(context);
	const byNumber = new Map(shipments.map((each) => [each.number, each]));
	const shipmentOf = (number: string) => byNumber.get(number) as Watched;
	const wasInVain = Math.abs(nowMs - (splitInVainAt.get(carrier) ?? -Infinity)) < SPLIT_AGAIN_MS;
	// A number can make the provider fail.
	const isAboutNumbers = (failure: unknown) =>
		isRefusal(failure) || (isStatus500(failure) && (isAlone || !wasInVain));
	const split = await requestWithoutRefused(
		[...byNumber.keys()],
		async (packages) => {
			const request = { path: { carrier_code: carrier }, body: { packages } };
			return (await ask(async (limits) => client.call('trackShipments', request, limits))).result;
		},
		budget,
		isAboutNumbers,
	);
	const { rows, answered, refused, failures } = split;
	const hasFailed = [...failures, ...refused.map(({ failure }) => failure)].some(isStatus500);
	if (hasFailed && !isAlone && !wasInVain && !budget.hasResponse) splitInVainAt.set(carrier, nowMs);
	return {
		rows,
		answered: answered.map(shipmentOf),
		refused: refused.map(({ number, failure }) => ({ shipment: shipmentOf(number), failure })),
		failures,
		isCarrierDown: failures.some((each) => !budget.hasResponse || !isAboutNumbers(each)),
	};
}
