import { attachProtocol, today } from '../files';
import { countOf, groupBy } from '../lists';
import { endsWithError, failEach, type FailedResult, type ItemResult, type NodeRun } from '../run';
import type { Client } from '../transport/client';
import { ItemError } from '../transport/errors';
import { withLock } from '../writes/lock';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import {
	type Asked,
	type AskedShipment,
	keyOf,
	nameOfShipment,
	orderOf,
	patienceOf,
	readShipments,
} from './records';

/** One hand-over: what the response said of it, the same for all of its shipments. Plain JSON, because n8n saves it. */
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

/** *Unknown* says why the records do not show it as handed over. */
type Outcome = { shipment: AskedShipment } & (
	| { done: Done }
	| { unknown: string; hasHandOver?: HandedOver }
	| { failure: unknown }
);

type HandOverNotes = SentNotes<AskedShipment, HandedOver>;

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
	asked: readonly Asked[],
	{ date, isDryRun }: { date: string | undefined; isDryRun: boolean },
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { client, context } = run;
	const lock = JSON.stringify(['handOver', client.http.address.origin]);
	const results = await withLock([lock], async () => {
		const notes: HandOverNotes = new SentNotes(context, 'handOver');
		const { outcomes, toSend, failed } = await look(client, asked, notes);
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode.toUpperCase());
		const isStopped = endsWithError(run, [...failedBefore, ...failed]);
		await client.mapParallel(isStopped ? [] : [...byCarrier.values()], async (shipments) => {
			const sent = isDryRun
				? shipments.map((shipment): Outcome => ({ shipment, done: 'open' }))
				: await send(client, shipments, date, notes);
			for (const each of sent) outcomes.set(keyOf(each.shipment), each);
		});
		return toResults(asked, [...outcomes.values()], failed, isDryRun);
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
async function look(client: Client, asked: readonly Asked[], notes: HandOverNotes) {
	const outcomes = new Map<string, Outcome>();
	for (const { target: shipment, done } of notes.all)
		outcomes.set(keyOf(shipment), done ? { shipment, done } : { shipment, unknown: SENT });
	const toSend: AskedShipment[] = [];
	const read = await readShipments(client, asked).catch((failure: unknown) => ({
		shipments: [],
		failed: asked.map((each) => ({ ...each, failure })),
	}));
	const failed = read.failed
		.filter((each) => !notes.get(keyOf(each)))
		.flatMap(({ items, failure }) => failEach(items, failure));
	for (const shipment of read.shipments) {
		const { isCanceled, handedOver, isNamed, items } = shipment;
		const key = keyOf(shipment);
		const note = notes.get(key);
		if (note?.done) continue;
		if (isCanceled) {
			outcomes.delete(key);
			if (isNamed) failed.push(...failEach(items, canceledError(shipment)));
		} else if (handedOver && note) {
			notes.add(key, { done: NO_RESPONSE });
			outcomes.set(key, { shipment, done: NO_RESPONSE });
		} else if (handedOver) {
			if (isNamed) outcomes.set(key, { shipment, done: 'before' });
		} else if (note) {
			outcomes.set(key, { shipment, unknown: SENT });
			if (notes.isOfEarlierExecution(key) && handedOver === false) toSend.push(shipment);
		} else if (isNamed || handedOver === false) {
			toSend.push(shipment);
		} else {
			// A second hand-over may order a second pickup.
			outcomes.set(key, { shipment, unknown: UNCLEAR });
		}
	}
	// Lists begin with the newest one.
	return { outcomes, toSend: toSend.sort((a, b) => a.id - b.id), failed };
}

const SENT = 'It was sent. For past hand-overs, use Hand-Over: Get Many';
const UNCLEAR =
	"The provider does not say whether they were handed over. To hand them over, choose 'By ID'";

/** Hands over shipments of one carrier together. The request always names them: providers take an empty list as all. */
async function send(
	client: Client,
	shipments: readonly AskedShipment[],
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
	const isOpen = ({ handedOver, isCanceled }: AskedShipment) => !handedOver && !isCanceled;
	// Some providers count pieces, so that a count proves nothing of several shipments if one may have several pieces.
	const arePieces = shipments.every(({ hasOnePiece }) => hasOnePiece);
	if (count > 0 && (shipments.length === 1 || (arePieces && count === shipments.length)))
		now = shipments.map((each) => ({ ...each, handedOver: true }));
	else
		await lookAgain(client, patienceOf(client), async () => {
			const read = await readShipments(client, now.filter(isOpen)).catch(() => undefined);
			const byKey = new Map(read?.shipments.map((each) => [keyOf(each), each]));
			now = now.map((each) => byKey.get(keyOf(each)) ?? each);
			return !now.some(isOpen);
		});
	const { id: handOverId = null, protocolUrl = null, labelsUrl = null } = result ?? {};
	// If another run has handed one of them over, the hand-over may have one that is not confirmed instead.
	const mayLack = now.some(isOpen) || count < shipments.length;
	const doubt = mayLack ? 'Check that the protocol lists all of them' : '';
	const known = { handOverId, protocolUrl, labelsUrl, recovered: false, correlationId, doubt };
	const done = 'lost' in outcome ? NO_RESPONSE : known;
	const sent = `${countOf(shipments.length, 'shipment', 'was')} sent. The provider does not say which it handed over`;
	const reason = 'lost' in outcome ? outcome.lost.message : sent;
	return now.map((shipment): Outcome => {
		if (isOpen(shipment)) return { shipment, unknown: reason, hasHandOver: done };
		if (shipment.isCanceled) {
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

const canceledError = ({ carrierCode, id, reference }: AskedShipment) =>
	new ItemError(
		`Shipment ${nameOfShipment(id, reference)} is canceled and cannot be handed over`,
		"Remove it from the items, or choose 'All Not Handed Over'.",
		{ ...orderOf(reference), carrierCode, shipmentId: id },
		true,
	);

/** The records do not show these shipments of a carrier as handed over. */
function unknownError(
	left: readonly AskedShipment[],
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
 * One output item for each hand-over, for what each carrier has got before, and for each item that has nothing to hand
 * over. Each error once for each of its items.
 */
function toResults(
	asked: readonly Asked[],
	outcomes: readonly Outcome[],
	failed: readonly FailedResult[],
	isDryRun: boolean,
): ItemResult[] {
	const groups = groupBy(outcomes, ({ shipment: { carrierCode }, ...of }) =>
		'failure' in of ? of.failure : JSON.stringify([carrierCode, of]),
	);
	const results = [...groups.values()].flatMap((group): ItemResult[] => {
		const [first] = group;
		const shipments = group.map(({ shipment }) => shipment);
		const items = [...new Set(shipments.flatMap((each) => each.items))];
		if ('failure' in first) return failEach(items, first.failure);
		if ('unknown' in first)
			return failEach(items, unknownError(shipments, first.unknown, first.hasHandOver));
		const ids = shipments.map(({ id }) => id);
		const json = describe(first.shipment.carrierCode, ids, first.done, isDryRun);
		return [{ items: items.sort((a, b) => a - b), json }];
	});
	const hasResult = new Set([...failed, ...results].flatMap(({ items }) => items));
	const nothing = asked
		.filter(({ items }) => items.every((item) => !hasResult.has(item)))
		.map(({ items, carrierCode }) => ({
			items,
			json: describe(carrierCode, [], 'open', isDryRun),
		}));
	return [...failed, ...results, ...nothing];
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
