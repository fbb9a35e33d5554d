import { attachProtocol, today } from '../files';
import { countOf, groupBy, isSameCode } from '../lists';
import {
	endsWithError,
	type FailedResult,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
} from '../run';
import type { Client } from '../transport/client';
import type { ResponseOf } from '../transport/endpoints';
import { ItemError, reasonOf } from '../transport/errors';
import { withLock } from '../writes/lock';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import {
	type Id,
	keyOf,
	nameOfShipment,
	orderOf,
	piecesWithId,
	readStates,
	type ShipmentState,
} from './records';

/** The shipments that one input item hands over. */
export interface HandOverItem {
	item: number;
	/** Undefined: all carriers of the account. */
	carrierCode?: string | undefined;
	/** Undefined: all shipments of the carrier that are not handed over yet. */
	shipmentIds?: number[];
}

export interface HandOverSettings {
	/** Day of the pickup, yyyy-mm-dd. Undefined: the carrier decides. */
	date: string | undefined;
	isDryRun: boolean;
}

/** A shipment, and the input items that hand it over. Plain JSON, like `HandedOver`. */
type ItemShipment = ShipmentState & { items: number[] };

/** One hand-over: what the response said of it, the same for all of its shipments. */
interface HandedOver {
	handOverId: number | null;
	protocolUrl: string | null;
	labelsUrl: string | null;
	recovered: boolean;
	correlationId: string | null;
	/** Why the protocol is missing, or may not list all of them. */
	doubt: string;
}

/** A shipment that is neither done nor failed was handed over before. */
type Outcome = { shipment: ItemShipment } & ({ done?: HandedOver } | { failure: unknown });

type HandOverNotes = SentNotes<ItemShipment, HandedOver>;

/** How long the records are read again. */
const MAX_WAIT_MS = 4_000;

/**
 * Reads the shipments, sends those that are open, reads the records again unless the response counts all of them, and
 * reports what the records say. What an earlier try has sent is not sent again, unless a person retries and its record
 * says that it was not handed over.
 *
 * Another execution of this process waits until this one is over, so that both do not find the same shipments open.
 * `failedBefore` are items that failed when they were read.
 */
export async function handOver(
	run: NodeRun,
	items: readonly HandOverItem[],
	{ date, isDryRun }: HandOverSettings,
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { client, context } = run;
	const lock = JSON.stringify(['handOver', client.http.address.origin]);
	const results = await withLock([lock], async () => {
		const notes: HandOverNotes = new SentNotes(context, 'handOver');
		const { outcomes, toSend, failed } = await look(client, items, notes);
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode.toUpperCase());
		if (isDryRun) {
			outcomes.push(...toSend.map((shipment) => ({ shipment, done: NO_RESPONSE })));
		} else if (!endsWithError(run, [...failedBefore, ...failed])) {
			const sent = await runUntilFirstFailure(
				run,
				[...byCarrier.values()].map((shipments) => [shipments]),
				async (shipments) => send(client, shipments, date, notes),
				(each) => 'failure' in each,
			);
			outcomes.push(...sent);
		}
		const settled = new Set(outcomes.map(({ shipment }) => keyOf(shipment)));
		const unsent = toSend.filter((each) => !settled.has(keyOf(each)) && notes.get(keyOf(each)));
		outcomes.push(...unsent.map((each) => ({ shipment: each, failure: unknownError([each], 1) })));
		return toResults(items, outcomes, failed, isDryRun);
	});
	// A run that ends with an error has no files.
	if (endsWithError(run, [...failedBefore, ...results])) return results;
	return await client.mapParallel(results, async (result) =>
		'json' in result
			? { ...result, ...(await attachProtocol(run, result, today(context))) }
			: result,
	);
}

/** What to send, and the outcome of the others: of what the items name, of all others if an item asks for them, of the notes. */
async function look(client: Client, items: readonly HandOverItem[], notes: HandOverNotes) {
	const outcomes: Outcome[] = [];
	const toSend: ItemShipment[] = [];
	const failed: FailedResult[] = [];
	const fail = (of: readonly number[], failure: unknown) =>
		failed.push(...of.map((item) => ({ items: [item], failure })));

	const named = new Map<string, Id & { items: number[] }>();
	await client.mapParallel(items, async ({ item, carrierCode, shipmentIds = [] }) => {
		try {
			for (const id of shipmentIds) {
				const code = carrierCode ?? (await piecesWithId(client, id))[0]?.carrierCode ?? '';
				const key = keyOf({ carrierCode: code, id });
				const earlier = named.get(key)?.items ?? [];
				named.set(key, { carrierCode: code, id, items: [...earlier, item] });
			}
		} catch (failure) {
			fail([item], failure);
		}
	});
	const noted = notes.all.flatMap(({ target, done }) => (done ? [] : target));
	const ids = [...named.values(), ...noted];
	const ofAll = items.filter(({ shipmentIds }) => !shipmentIds);
	const states = await readStates(client, ids, ofAll).catch((failure: unknown) => {
		fail(itemsOf(ofAll), failure);
		return new Map(ids.map((each) => [keyOf(each), { failure }]));
	});

	const shipments = new Map<string, ItemShipment & { isNamed: boolean }>();
	for (const [asked, state] of states) {
		const own = named.get(asked)?.items ?? [];
		const note = notes.get(asked);
		if (note?.done) continue;
		if (!('failure' in state)) {
			const key = keyOf(state);
			const known = shipments.get(key);
			const all = [...(known?.items ?? []), ...own, ...itemsOf(ofAll, state.carrierCode)];
			const isNamed = known?.isNamed === true || own.length > 0;
			shipments.set(key, { ...state, isNamed, items: [...new Set(all)] });
		} else if (note) {
			outcomes.push({ shipment: note.target, failure: unknownError([note.target], 1) });
		} else {
			fail(own.length > 0 ? own : itemsOf(ofAll), state.failure);
		}
	}

	for (const { target: shipment, done } of notes.all) if (done) outcomes.push({ shipment, done });
	const unclear: ItemShipment[] = [];
	for (const [key, { isNamed, ...shipment }] of shipments) {
		const note = notes.get(key);
		if (note?.done) continue;
		// What no item names any more is only reported.
		const isAsked = shipment.items.length > 0;
		if (note && !isAsked) shipment.items = note.target.items;
		const { handedOver, canceled, items: own } = shipment;
		if (canceled) {
			if (isNamed) fail(own, canceledError(shipment));
		} else if (note && handedOver) {
			notes.add(key, { done: NO_RESPONSE });
			outcomes.push({ shipment, done: NO_RESPONSE });
		} else if (note && (handedOver === undefined || !isAsked || !notes.isOfEarlierExecution(key))) {
			outcomes.push({ shipment, failure: unknownError([shipment], 1) });
		} else if (handedOver) {
			if (isNamed) outcomes.push({ shipment });
		} else if (isNamed || handedOver === false) {
			toSend.push(shipment);
		} else {
			unclear.push(shipment);
		}
	}
	// A second hand-over may order a second pickup, so these are left out.
	const reason =
		"The provider does not say whether they were handed over. To hand them over, choose 'By ID'";
	for (const [carrierCode, own] of groupBy(unclear, (each) => each.carrierCode))
		fail(itemsOf(ofAll, carrierCode), unknownError(own, own.length, undefined, reason));
	// Lists begin with the newest one.
	return { outcomes, toSend: toSend.sort((a, b) => a.id - b.id), failed };
}

/** Those that ask for all shipments, of this carrier or of all. */
const itemsOf = (ofAll: readonly HandOverItem[], carrierCode?: string) =>
	ofAll
		.filter((each) => isSameCode(each.carrierCode ?? carrierCode, carrierCode ?? each.carrierCode))
		.map(({ item }) => item);

/** Hands over shipments of one carrier together. The request always names them: providers take an empty list as all. */
async function send(
	client: Client,
	shipments: readonly ItemShipment[],
	date: string | undefined,
	notes: HandOverNotes,
): Promise<Outcome[]> {
	const carrierCode = shipments[0]?.carrierCode ?? '';
	const noting = {
		sending: () => shipments.forEach((each) => notes.sending(keyOf(each), each)),
		forget: () => shipments.forEach((each) => notes.forget(keyOf(each))),
	};
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('handOverShipments', {
			path: { carrier_code: carrierCode },
			body: { ...(date === undefined ? {} : { date }), packages: shipments.map(({ id }) => id) },
		}),
	);
	if ('refused' in outcome)
		return shipments.map((shipment) => ({ shipment, failure: outcome.refused }));
	const response = 'response' in outcome ? outcome.response : undefined;

	let now = shipments;
	const isOpen = ({ handedOver, canceled }: ItemShipment) => !handedOver && !canceled;
	const isWhole = countsAll(response, shipments);
	if (!isWhole)
		await lookAgain(client, Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS), async () => {
			const states = await readStates(client, now.filter(isOpen)).catch(() => new Map());
			now = now.map((each) => ({ ...each, ...states.get(keyOf(each)), items: each.items }));
			return !now.some(isOpen);
		});
	const left = isWhole ? [] : now.filter(isOpen);
	const done = toHandedOver(response, shipments.length, left.length);
	const lost = 'lost' in outcome ? reasonOf(outcome.lost) : undefined;
	const unknown = unknownError(left, shipments.length, done, lost);
	return now.map((shipment): Outcome => {
		const key = keyOf(shipment);
		if (left.includes(shipment)) return { shipment, failure: unknown };
		if (shipment.canceled) {
			notes.forget(key);
			return { shipment, failure: canceledError(shipment) };
		}
		notes.add(key, { done });
		return { shipment, done };
	});
}

type Response = ResponseOf<'handOverShipments'> | undefined;

/**
 * Whether the count in the response proves that all shipments were handed over. Some providers count pieces, so that a
 * count says nothing of several shipments if one may have several pieces. A record with 0 pieces does not say how many.
 */
function countsAll(response: Response, shipments: readonly ItemShipment[]): boolean {
	const count = Number(response?.result?.packagesCount ?? 0);
	const pieceCounts = shipments.map(({ pieceCount }) => Number(pieceCount) || NaN);
	const isSum = count === pieceCounts.reduce((sum, each) => sum + each, 0);
	return count > 0 && (isSum || shipments.length === 1);
}

function toHandedOver(response: Response, sentCount: number, leftCount: number): HandedOver {
	if (!response) return NO_RESPONSE;
	const { id = null, protocolUrl = null, labelsUrl = null, packagesCount } = response.result ?? {};
	const { correlationId = null } = response;
	// If another run has handed one of them over, the hand-over may have one that is not confirmed instead.
	const mayLack = leftCount > 0 || Number(packagesCount ?? 0) < sentCount;
	const doubt = mayLack ? 'Check that the protocol lists all of them' : '';
	return { handOverId: id, protocolUrl, labelsUrl, recovered: false, correlationId, doubt };
}

const NO_RESPONSE: HandedOver = {
	...{ handOverId: null, protocolUrl: null, labelsUrl: null, recovered: true, correlationId: null },
	doubt: 'To get the protocol, use Hand-Over: Get Many',
};

const canceledError = ({ carrierCode, id, reference }: ShipmentState) =>
	new ItemError(
		`Shipment ${nameOfShipment(id, reference)} is canceled and cannot be handed over`,
		"Remove it from the items, or choose 'All Not Handed Over'.",
		{ ...orderOf(reference), carrierCode, shipmentId: id },
		true,
	);

/** The records do not show these shipments of a carrier as handed over, although they were sent unless `reason` says otherwise. */
function unknownError(
	left: readonly ShipmentState[],
	sentCount: number,
	known?: HandedOver,
	lost?: string,
): ItemError {
	const { carrierCode = '' } = left[0] ?? {};
	const { handOverId = null, protocolUrl = null } = known ?? {};
	const names = left.map(({ id, reference }) => nameOfShipment(id, reference));
	const sent = `${countOf(sentCount, 'shipment', 'was')} sent. The provider does not say which it handed over`;
	const protocol = protocolUrl && `The protocol is ${protocolUrl}`;
	const advice = left.every(({ handedOver }) => handedOver === false)
		? 'Run the workflow again later: shipments that were handed over by then are left out.'
		: 'Check with the carrier what was handed over before you hand anything over again.';
	// The message of a further error is all that n8n shows of it.
	const withId = handOverId === null ? '' : ` with hand-over ${handOverId}`;
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${left.length === 1 ? 'shipment' : 'shipments'} ${names.join(', ')}${withId}`,
		[lost ?? sent, protocol, advice].filter(Boolean).join('. '),
		{
			...{ carrierCode, shipmentIds: left.map(({ id }) => id) },
			...(handOverId === null ? {} : { handOverId, protocolUrl }),
		},
		true,
	);
}

/**
 * One output item for each hand-over; one for each carrier of the items that have nothing to hand over; and each error
 * once for each of its items.
 */
function toResults(
	items: ReadonlyArray<{ item: number; carrierCode?: string | undefined }>,
	outcomes: readonly Outcome[],
	failed: readonly FailedResult[],
	isDryRun: boolean,
): ItemResult[] {
	const results: ItemResult[] = [...failed];
	const notDone = outcomes.filter((each) => 'failure' in each);
	for (const [failure, group] of groupBy(notDone, (each) => each.failure)) {
		const failedItems = new Set(group.flatMap(({ shipment }) => shipment.items));
		results.push(...[...failedItems].map((item) => ({ items: [item], failure })));
	}
	const known = outcomes.flatMap((each) => ('failure' in each ? [] : each));
	for (const ofCarrier of groupBy(known, keyOfCarrier).values()) {
		const [{ shipment }] = ofCarrier;
		const before = ofCarrier.flatMap((each) => (each.done ? [] : each.shipment));
		const handedOver = ofCarrier.filter(({ done }) => done);
		const parts = [...groupBy(handedOver, ({ done }) => JSON.stringify(done)).values()];
		for (const [index, part] of (parts.length > 0 ? parts : [[]]).entries()) {
			const shipments = part.map((each) => each.shipment);
			const already = index < parts.length - 1 ? [] : before;
			const linked = [...new Set([...shipments, ...already].flatMap((each) => each.items))];
			const json = describe(shipment.carrierCode, shipments, already, part[0]?.done, isDryRun);
			results.push({ items: linked.sort((a, b) => a - b), json });
		}
	}
	const hasResult = new Set(results.flatMap((result) => result.items));
	const others = items.filter(({ item }) => !hasResult.has(item));
	for (const [carrierCode, group] of groupBy(others, (each) => each.carrierCode ?? null)) {
		const json = describe(carrierCode, [], [], undefined, isDryRun);
		results.push({ items: group.map(({ item }) => item), json });
	}
	return results;
}

const keyOfCarrier = ({ shipment }: Outcome) => shipment.carrierCode.toUpperCase();

function describe(
	carrierCode: string | null,
	shipments: readonly ItemShipment[],
	before: readonly ItemShipment[],
	handOver: HandedOver | undefined,
	isDryRun: boolean,
) {
	const to = carrierCode === null ? '' : ` to ${carrierCode}`;
	const { length } = handOver ? shipments : before;
	const done = `${countOf(length, 'shipment', 'was')} handed over${to}${handOver ? '' : ' before'}`;
	const nothing = `Nothing to hand over${to}. Skipped: already handed over, canceled, or older than 30 days`;
	const what = shipments.length > 0 ? countOf(shipments.length, 'shipment') : 'Nothing';
	const texts = isDryRun
		? [`${what} would be handed over${to}`]
		: [length > 0 ? done : nothing, handOver?.doubt];
	return {
		...(isDryRun ? { dryRun: true } : {}),
		carrierCode,
		message: texts.filter(Boolean).join('. '),
		handOverId: handOver?.handOverId ?? null,
		packagesCount: shipments.length,
		shipmentIds: shipments.map(({ id }) => id),
		alreadyHandedOver: before.map(({ id }) => id),
		protocolUrl: handOver?.protocolUrl ?? null,
		labelsUrl: handOver?.labelsUrl ?? null,
		recovered: !isDryRun && (handOver?.recovered ?? false),
		correlationId: handOver?.correlationId ?? null,
	};
}
