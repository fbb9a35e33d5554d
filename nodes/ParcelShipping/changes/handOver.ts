import { attachProtocol, today } from '../files';
import { countOf, groupBy } from '../lists';
import { endsWithError, type FailedResult, type ItemResult, type NodeRun } from '../run';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import { withLock } from '../writes/lock';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import {
	type Asked,
	asksForAll,
	keyOf,
	MAX_WAIT_MS,
	nameOfShipment,
	orderOf,
	readStates,
	type ShipmentState,
} from './records';

export type HandOverItem = Asked & { item: number };

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

/** *Before* this run. *Open*: only a dry run leaves it open. */
type Done = HandedOver | 'before' | 'open';

type Outcome = { shipment: ItemShipment } & ({ done: Done } | { failure: unknown });

type HandOverNotes = SentNotes<ItemShipment, HandedOver>;

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
	{ date, isDryRun }: { date: string | undefined; isDryRun: boolean },
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { client, context } = run;
	const lock = JSON.stringify(['handOver', client.http.address.origin]);
	const results = await withLock([lock], async () => {
		const notes: HandOverNotes = new SentNotes(context, 'handOver');
		const { outcomes, toSend, failed } = await look(client, items, notes);
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode.toUpperCase());
		const isStopped = endsWithError(run, [...failedBefore, ...failed]);
		await client.mapParallel(isStopped ? [] : [...byCarrier.values()], async (shipments) => {
			const sent = isDryRun
				? shipments.map((shipment): Outcome => ({ shipment, done: 'open' }))
				: await send(client, shipments, date, notes);
			for (const each of sent) outcomes.set(keyOf(each.shipment), each);
		});
		return toResults(items, [...outcomes.values()], failed, isDryRun);
	});
	// A run that ends with an error has no files.
	if (endsWithError(run, [...failedBefore, ...results])) return results;
	return await client.mapParallel(results, async (result) =>
		'json' in result
			? { ...result, ...(await attachProtocol(run, result, today(context))) }
			: result,
	);
}

/** What to send, and the outcomes of the others, by key. What a person sends again is unknown until then. */
async function look(client: Client, items: readonly HandOverItem[], notes: HandOverNotes) {
	const outcomes = new Map<string, Outcome>();
	const toSend: ItemShipment[] = [];
	const unclear: ItemShipment[] = [];
	const failed: FailedResult[] = [];
	const fail = (of: ReadonlyArray<{ item: number }>, failure: unknown) =>
		failed.push(
			...[...new Set(of.map(({ item }) => item))].map((item) => ({ items: [item], failure })),
		);
	const noted = notes.all.flatMap(({ target, done }) => (done ? [] : target));
	const ofAll = items.filter(({ id }) => id === undefined);
	const named = items.filter(({ id }) => id !== undefined);
	const states = await readStates(client, [...items, ...noted]).catch((failure: unknown) => {
		fail(ofAll, failure);
		return new Map([...named, ...noted].map((each) => [keyOf(each), { failure }]));
	});
	const shipments = new Map<string, ShipmentState>();
	for (const state of states.values())
		if (!('failure' in state)) shipments.set(keyOf(state), state);
	/** By the key of their shipment, which may be another one than the item's piece. */
	const naming = groupBy(named, (item) => {
		const state = states.get(keyOf(item));
		return keyOf(!state || 'failure' in state ? item : state);
	});

	for (const [key, state] of states) {
		const note = notes.get(key);
		if (!('failure' in state)) continue;
		if (note) outcomes.set(key, unknown(note.target));
		else fail(naming.get(key) ?? ofAll, state.failure);
	}
	for (const { target: shipment, done } of notes.all)
		if (done) outcomes.set(keyOf(shipment), { shipment, done });
	for (const [key, state] of shipments) {
		const note = notes.get(key);
		if (note?.done) continue;
		const isNamed = naming.has(key);
		const asking = [...(naming.get(key) ?? []), ...ofAll.filter((each) => asksForAll(each, state))];
		// What no item names any more is only reported.
		const isAsked = asking.length > 0;
		const own = isAsked ? asking.map(({ item }) => item) : (note?.target.items ?? []);
		const shipment = { ...state, items: own };
		if (state.canceled) {
			if (isNamed) fail(asking, canceledError(shipment));
		} else if (state.handedOver && note) {
			notes.add(key, { done: NO_RESPONSE });
			outcomes.set(key, { shipment, done: NO_RESPONSE });
		} else if (state.handedOver) {
			if (isNamed) outcomes.set(key, { shipment, done: 'before' });
		} else if (note) {
			outcomes.set(key, unknown(shipment));
			const isAgain = isAsked && notes.isOfEarlierExecution(key);
			if (isAgain && state.handedOver === false) toSend.push(shipment);
		} else if (isNamed || state.handedOver === false) {
			toSend.push(shipment);
		} else {
			unclear.push(shipment);
		}
	}
	// A second hand-over may order a second pickup, so these are left out.
	for (const own of groupBy(unclear, ({ carrierCode }) => carrierCode).values())
		fail(
			ofAll.filter((each) => asksForAll(each, own[0])),
			unknownError(own, UNCLEAR),
		);
	// Lists begin with the newest one.
	return { outcomes, toSend: toSend.sort((a, b) => a.id - b.id), failed };
}

const UNCLEAR =
	"The provider does not say whether they were handed over. To hand them over, choose 'By ID'";

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
	const { result, correlationId = null } = 'response' in outcome ? outcome.response : {};
	const count = Number(result?.packagesCount ?? 0);

	let now = shipments;
	const isOpen = ({ handedOver, canceled }: ItemShipment) => !handedOver && !canceled;
	// Some providers count pieces, so that a count proves nothing of several shipments if one may have several pieces.
	const arePieces = shipments.every(({ pieceCount }) => pieceCount === 1);
	if (count > 0 && (shipments.length === 1 || (arePieces && count === shipments.length)))
		now = shipments.map((each) => ({ ...each, handedOver: true }));
	else
		await lookAgain(client, Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS), async () => {
			const states = await readStates(client, now.filter(isOpen)).catch(() => new Map());
			now = now.map((each) => ({ ...each, ...states.get(keyOf(each)) }));
			return !now.some(isOpen);
		});
	const left = now.filter(isOpen);
	const { id: handOverId = null, protocolUrl = null, labelsUrl = null } = result ?? {};
	const known = { handOverId, protocolUrl, labelsUrl, recovered: false, correlationId };
	// If another run has handed one of them over, the hand-over may have one that is not confirmed instead.
	const mayLack = left.length > 0 || count < shipments.length;
	const doubt = mayLack ? 'Check that the protocol lists all of them' : '';
	const done = 'lost' in outcome ? NO_RESPONSE : { ...known, doubt };
	const sent = `${countOf(shipments.length, 'shipment', 'was')} sent. The provider does not say which it handed over`;
	const failure = unknownError(left, 'lost' in outcome ? outcome.lost.message : sent, done);
	return now.map((shipment): Outcome => {
		if (isOpen(shipment)) return { shipment, failure };
		if (shipment.canceled) {
			notes.forget(keyOf(shipment));
			return { shipment, failure: canceledError(shipment) };
		}
		notes.add(keyOf(shipment), { done });
		return { shipment, done };
	});
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

/** What an earlier try has sent. */
const unknown = (shipment: ItemShipment): Outcome => ({
	shipment,
	failure: unknownError([shipment], 'It was sent. For past hand-overs, use Hand-Over: Get Many'),
});

/** The records do not show these shipments of a carrier as handed over. */
function unknownError(
	left: readonly ShipmentState[],
	reason: string,
	{ handOverId, protocolUrl }: Partial<HandedOver> = {},
): ItemError {
	const { carrierCode = '' } = left[0] ?? {};
	const names = left.map(({ id, reference }) => nameOfShipment(id, reference));
	const protocol = protocolUrl && `The protocol is ${protocolUrl}`;
	const advice = 'Check with the carrier what was handed over before you hand anything over again.';
	// The message of a further error is all that n8n shows of it.
	const withId = handOverId ? ` with hand-over ${handOverId}` : '';
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${left.length === 1 ? 'shipment' : 'shipments'} ${names.join(', ')}${withId}`,
		[reason, protocol, advice].filter(Boolean).join('. '),
		{ carrierCode, shipmentIds: left.map(({ id }) => id) },
		true,
	);
}

/**
 * One output item for each hand-over, for what each carrier has got before, and for each carrier of the items that have
 * nothing to hand over. Each error once for each of its items.
 */
function toResults(
	items: readonly HandOverItem[],
	outcomes: readonly Outcome[],
	failed: readonly FailedResult[],
	isDryRun: boolean,
): ItemResult[] {
	const results: ItemResult[] = [...failed];
	const groups = groupBy(outcomes, (each) =>
		'failure' in each ? each.failure : JSON.stringify([each.shipment.carrierCode, each.done]),
	);
	for (const group of groups.values()) {
		const [first] = group;
		const linked = [...new Set(group.flatMap(({ shipment }) => shipment.items))];
		if ('failure' in first) {
			results.push(...linked.map((item) => ({ items: [item], failure: first.failure })));
		} else {
			const ids = group.map(({ shipment }) => shipment.id);
			const json = describe(first.shipment.carrierCode, ids, first.done, isDryRun);
			results.push({ items: linked.sort((a, b) => a - b), json });
		}
	}
	const hasResult = new Set(results.flatMap((result) => result.items));
	const others = items.filter(({ item }) => !hasResult.has(item));
	for (const [carrierCode, group] of groupBy(others, (each) => each.carrierCode)) {
		const json = describe(carrierCode, [], 'open', isDryRun);
		results.push({ items: [...new Set(group.map(({ item }) => item))], json });
	}
	return results;
}

function describe(carrierCode: string | undefined, ids: number[], done: Done, isDryRun: boolean) {
	const to = carrierCode === undefined ? '' : ` to ${carrierCode}`;
	const isBefore = done === 'before';
	const { doubt, ...known } =
		typeof done === 'object' ? done : { ...NO_RESPONSE, recovered: false, doubt: '' };
	const was = `${countOf(ids.length, 'shipment', 'was')} handed over${to}${isBefore ? ' before' : ''}`;
	const handedOver =
		done === 'open' ? `${countOf(ids.length, 'shipment')} would be handed over${to}` : was;
	const nothing = `Nothing to hand over${to}. Skipped: already handed over, canceled, or older than 30 days`;
	return {
		...(isDryRun ? { dryRun: true } : {}),
		carrierCode: carrierCode ?? null,
		message: ids.length > 0 ? [handedOver, doubt].filter(Boolean).join('. ') : nothing,
		packagesCount: isBefore ? 0 : ids.length,
		shipmentIds: isBefore ? [] : ids,
		alreadyHandedOver: isBefore ? ids : [],
		...known,
	};
}
