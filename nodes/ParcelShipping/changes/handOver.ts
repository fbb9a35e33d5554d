import type { IDataObject } from 'n8n-workflow';

import { attachProtocol, today } from '../files';
import { countOf, groupBy } from '../lists';
import { endsWithError, failEach, type ItemResult, type NodeRun } from '../run';
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

/** What is output of a shipment, and of all that are handed over with it. Plain JSON, because n8n saves it. */
interface Done {
	what: 'to hand over' | 'already handed over' | 'handed over';
	/** Ends the message if the protocol is missing, or may not list all of them. */
	doubt: string;
	json: IDataObject;
}

const NOTHING = { handOverId: null, protocolUrl: null, labelsUrl: null, correlationId: null };
const OPEN: Done = { what: 'to hand over', doubt: '', json: { ...NOTHING, recovered: false } };
const BEFORE: Done = { ...OPEN, what: 'already handed over' };
const NO_RESPONSE: Done = {
	what: 'handed over',
	doubt: '. To get the protocol, use Hand-Over: Get Many',
	json: { ...NOTHING, recovered: true },
};

type Outcome = { shipment: AskedShipment } & ({ done: Done } | { failure: unknown });

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
	const results = await withLock([`handOver ${client.http.base}`], async () => {
		const notes = new SentNotes<AskedShipment, Done>(context, 'handOver');
		const { outcomes, toSend, failed } = await look(client, asked, notes);
		const isStopped = endsWithError(run, [...failedBefore, ...failed]);
		const byCarrier = groupBy(isStopped ? [] : toSend, (each) => each.carrierCode.toUpperCase());
		await client.mapParallel([...byCarrier.values()], async (shipments) => {
			const sent = isDryRun
				? shipments.map((shipment) => ({ shipment, done: OPEN }))
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
async function look(
	client: Client,
	asked: readonly Asked[],
	notes: SentNotes<AskedShipment, Done>,
) {
	const outcomes = new Map<string, Outcome>();
	for (const { target: shipment, done } of notes.all) {
		const outcome = done ? { done } : { failure: unknownError(shipment, SENT) };
		outcomes.set(keyOf(shipment), { shipment, ...outcome });
	}
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
		const isOpen = handedOver === false;
		// An item that could not be read before asks for it as well.
		if (note) note.target.items = [...new Set([...note.target.items, ...items])];
		if (note?.done) continue;
		if (isCanceled) {
			outcomes.delete(key);
			const advice = "Remove it from the items, or choose 'All Not Handed Over'.";
			const failure = errorOf(shipment, 'is canceled and cannot be handed over', advice);
			if (isNamed) failed.push(...failEach(items, failure));
		} else if (handedOver) {
			if (note || isNamed) outcomes.set(key, { shipment, done: note ? NO_RESPONSE : BEFORE });
		} else if (note ? isOpen && notes.isOfEarlierExecution(key) : isOpen || isNamed) {
			toSend.push(shipment);
		} else if (!note) {
			// A second hand-over may order a second pickup.
			outcomes.set(key, { shipment, failure: unknownError(shipment, UNCLEAR) });
		}
	}
	// Lists begin with the newest one.
	return { outcomes, toSend: toSend.sort((a, b) => a.id - b.id), failed };
}

/** Hands over shipments of one carrier together. The request always names them: providers take an empty list as all. */
async function send(
	client: Client,
	shipments: readonly AskedShipment[],
	date: string | undefined,
	notes: SentNotes<AskedShipment, Done>,
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
	const isOpen = ({ handedOver, isCanceled }: AskedShipment) => !handedOver || isCanceled;
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
	const known: Done = {
		what: 'handed over',
		doubt: mayLack ? '. Check that the protocol lists all of them' : '',
		json: { handOverId, protocolUrl, labelsUrl, recovered: false, correlationId },
	};
	const done = 'lost' in outcome ? NO_RESPONSE : known;
	const reason = 'lost' in outcome ? outcome.lost.message : SENT;
	const withId = handOverId === null ? '' : ` with hand-over ${handOverId}`;
	return now.map((shipment): Outcome => {
		if (isOpen(shipment)) return { shipment, failure: unknownError(shipment, reason, withId) };
		notes.add(keyOf(shipment), { done });
		return { shipment, done };
	});
}

const errorOf = ({ carrierCode, id, reference }: AskedShipment, what: string, advice: string) =>
	new ItemError(`Shipment ${nameOfShipment(id, reference)} ${what}`, advice, {
		...orderOf(reference),
		carrierCode,
		shipmentId: id,
	});

const SENT = 'The records do not show it. For past hand-overs, use Hand-Over: Get Many';
const UNCLEAR = "The records do not show it. To hand it over, choose 'By ID'";

/** The message of a further error is all that n8n shows of it, so it has the ID of the hand-over. */
const unknownError = (shipment: AskedShipment, reason: string, withId = '') =>
	errorOf(
		shipment,
		`may or may not have been handed over${withId}`,
		`${reason}. Check with the carrier before you hand anything over again.`,
	);

/** One output item for each hand-over, for what each carrier has got before, and for each item that has nothing to hand over. */
function toResults(
	asked: readonly Asked[],
	outcomes: readonly Outcome[],
	failed: readonly ItemResult[],
	isDryRun: boolean,
): ItemResult[] {
	const describe = (own: AskedShipment[], { what, doubt, json }: Done, carrierCode?: string) => {
		const ids = own.map(({ id }) => id);
		const counted = ids.length > 0 ? countOf(ids.length, 'shipment') : 'Nothing';
		const skipped = '. Skipped: already handed over, canceled, or older than 30 days';
		const to = carrierCode === undefined ? '' : ` to ${carrierCode}`;
		const isBefore = what === BEFORE.what;
		return {
			...(isDryRun ? { dryRun: true } : {}),
			carrierCode: carrierCode ?? null,
			message: `${counted} ${what}${to}${ids.length > 0 ? doubt : skipped}`,
			packagesCount: isBefore ? 0 : ids.length,
			orderNumbers: own.map(({ reference }) => reference),
			shipmentIds: isBefore ? [] : ids,
			alreadyHandedOver: isBefore ? ids : [],
			...json,
		};
	};
	const groups = groupBy(outcomes, ({ shipment: { carrierCode }, ...of }) =>
		'failure' in of ? of.failure : JSON.stringify([carrierCode, of]),
	);
	const results = [...groups.values()].flatMap((group): ItemResult[] => {
		const [first] = group;
		const items = [...new Set(group.flatMap(({ shipment }) => shipment.items))];
		if ('failure' in first) return failEach(items, first.failure);
		const own = group.map(({ shipment }) => shipment);
		const json = describe(own, first.done, first.shipment.carrierCode);
		return [{ items: items.sort((a, b) => a - b), json }];
	});
	const hasResult = new Set([...failed, ...results].flatMap(({ items }) => items));
	for (const { items, carrierCode } of asked)
		if (!items.some((item) => hasResult.has(item)))
			results.push({ items, json: describe([], OPEN, carrierCode) });
	return [...failed, ...results];
}
