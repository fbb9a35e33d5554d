import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import { endsWithError, type ItemResult, type NodeRun } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/endpoints';
import {
	describeError,
	isMissingEndpoint,
	isRefusal,
	ItemError,
	reasonOf,
	withDetails,
} from '../transport/errors';
import { mainIdOf } from '../records';
import { toSentence } from '../transport/response';
import { type PieceRecord, readPieces } from '../transport/shipments';
import { lookAgain, type Noting, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import { nameOfShipment, orderOf } from './records';

/** One thing that an input item names. */
export interface NamedShipment {
	/** What it is noted by. */
	name: string;
	item: number;
	/** A tracking number is one piece, also that of the main piece. */
	isNumber?: boolean;
	/** Of the shipment, which is not the first one of its pieces if the main piece was canceled alone. */
	id?: number;
	/** The pieces that it stands for. */
	read(): Promise<PieceRecord[]>;
}

/** What is to be canceled. Plain JSON, because n8n saves it. */
export interface CancelTarget {
	name: string;
	items: number[];
	carrierCode: string;
	/** Of the main piece. Absent for a tracking number. */
	id?: number;
	/** For a tracking number, the ID of the shipment that has its record. */
	mainId?: number;
	/** Its order number, '' if it is not known. */
	reference: string;
	/** Of the main piece, for the output. */
	number: string;
	/** The active ones. The number is '' as long as the carrier has not assigned one. */
	pieces: Array<{ id: number; number: string }>;
}

/** With the output of what is canceled. */
export type CancelNotes = SentNotes<CancelTarget, IDataObject>;

/** What the responses have said of a tracking number. */
interface Answer {
	/** Undefined: they did not say it. */
	isCanceled?: boolean | undefined;
	/** Why not, in the words of the provider, or why there is no response. */
	reason?: string | undefined;
	correlationId?: string;
	/** Its request certainly had no effect, whatever its numbers are. */
	refused?: unknown;
}

type Answers = ReadonlyMap<string, Answer>;

/** How long the records are read again. */
const MAX_WAIT_MS = 4_000;

export const cancelNotes = (context: IExecuteFunctions): CancelNotes =>
	new SentNotes(context, 'cancel');

export const nameOfOrder = (orderNumber: string) => `order ${orderNumber}`;

/**
 * Reads what the items name, sends the numbers of its active pieces, reads the records again unless the response says
 * that all of them are canceled, and names what is still active. What an earlier try has sent for the same name is that
 * shipment, also if the order has another one by now. Only a person who retries sends it again.
 *
 * `failedBefore` are items that failed when they were read.
 */
export async function cancel(
	run: NodeRun,
	named: readonly NamedShipment[],
	notes: CancelNotes,
	failedBefore: readonly ItemResult[],
): Promise<ItemResult[]> {
	const { client } = run;
	const byName = groupBy(named, ({ name }) => name);
	const itemsOf = (name: string) => byName.get(name)?.map(({ item }) => item);
	const results = new Map<string, ItemResult>();
	const toSend: CancelTarget[] = [];
	await client.mapParallel(notes.all, async ({ target, done }) => {
		const { name } = target;
		const own = { ...target, items: itemsOf(name) ?? target.items };
		const known: ItemResult | undefined = done && { items: own.items, json: done };
		const result = known ?? (await settle(client, own, notes, new Map()));
		results.set(name, result);
		if ('failure' in result && notes.isOfEarlierExecution(name)) toSend.push(own);
	});
	const failed: ItemResult[] = [];
	const others = [...byName.values()].filter(([{ name }]) => !results.has(name));
	await client.mapParallel(others, async ([first]) => {
		const items = itemsOf(first.name) ?? [];
		await readTarget(first, items).then(
			(target) => toSend.push(target),
			(failure: unknown) => failed.push({ items, failure }),
		);
	});
	if (!endsWithError(run, [...failedBefore, ...failed])) {
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode);
		await client.mapParallel([...byCarrier.values()], async (own) => {
			const sent = await cancelTargets(client, own, notes);
			for (const [index, { name }] of own.entries()) {
				const result = sent[index];
				if (result) results.set(name, result);
			}
		});
	}
	return [...failed, ...results.values()].flatMap((result): ItemResult[] => {
		if (!('failure' in result)) return [result];
		return result.items.map((item) => ({ items: [item], failure: result.failure }));
	});
}

async function readTarget(
	{ name, isNumber = false, id: ofShipment, read }: NamedShipment,
	items: number[],
): Promise<CancelTarget> {
	const found = await read();
	// A carrier may use a number again: the active shipment counts.
	const pieces = isNumber
		? found.toSorted((a, b) => Number(a.isCanceled) - Number(b.isCanceled))
		: found;
	const [{ carrierCode = '', id: first = 0, reference = '', record = {} } = {}] = pieces as Array<
		Partial<PieceRecord>
	>;
	const id = ofShipment ?? first;
	return {
		...{ name, items, carrierCode, reference },
		...(isNumber ? { mainId: mainIdOf(record) || id } : { id }),
		number: pieces.find(({ number }) => number !== '')?.number ?? '',
		pieces: pieces.flatMap((each) =>
			each.isCanceled ? [] : [{ id: each.id, number: each.number }],
		),
	};
}

/** Cancels these targets of one carrier. One result for each. */
export async function cancelTargets(
	client: Client,
	targets: readonly CancelTarget[],
	notes: CancelNotes,
): Promise<ItemResult[]> {
	const noting = {
		sending: () => targets.forEach((target) => notes.sending(target.name, target)),
		// Only `settle` knows whether nothing of a target was canceled.
		forget: () => {},
	};
	// Also what is canceled already: a retry must not cancel what its order has by then.
	noting.sending();
	const numbers = targets.flatMap(({ pieces }) => pieces.flatMap(({ number }) => number || []));
	const carrierCode = targets[0]?.carrierCode ?? '';
	const answers = new Map([
		...(await send(client, carrierCode, [...new Set(numbers)], noting)),
		['', { isCanceled: false, reason: NO_NUMBER }],
	]);
	return await client.mapParallel(targets, async (target) =>
		settle(client, target, notes, answers),
	);
}

const NO_NUMBER = 'The carrier has not assigned a tracking number yet';

/** Numbers that the provider refuses together are sent in two halves. */
async function send(
	client: Client,
	carrierCode: string,
	packages: string[],
	noting: Noting,
): Promise<Answers> {
	const each = (toAnswer: (number: string) => Answer) =>
		new Map(packages.map((number) => [number, toAnswer(number)]));
	const inHalves = async () => {
		const halves = chunk(packages, Math.ceil(packages.length / 2));
		const answers = await client.mapParallel(halves, async (half) =>
			send(client, carrierCode, half, noting),
		);
		return new Map(answers.flatMap((half) => [...half]));
	};
	// A provider may take an empty list as everything.
	if (packages.length === 0) return new Map();
	if (packages.length > NUMBERS_PER_REQUEST) return await inHalves();
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } }),
	);
	if ('lost' in outcome) return each(() => ({ reason: reasonOf(outcome.lost) }));
	if ('refused' in outcome) {
		const { refused } = outcome;
		const isOfNumbers = isRefusal(refused) && !isMissingEndpoint(refused);
		if (isOfNumbers && packages.length > 1) return await inHalves();
		const { serviceMessage: reason, correlationId } = describeError(refused).details as {
			serviceMessage?: string;
			correlationId?: string;
		};
		const facts = { isCanceled: false, ...(correlationId ? { correlationId } : {}) };
		return each(() => (isOfNumbers ? { ...facts, reason } : { ...facts, refused }));
	}
	const { result, correlationId } = outcome.response;
	const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
	return each((number) => {
		const { successfull, message } = rows.get(number) ?? {};
		// Text instead of yes or no does not say it.
		const isCanceled = typeof successfull === 'boolean' ? successfull : undefined;
		return { isCanceled, reason: toSentence(message), correlationId };
	});
}

/** Without answers, only the records say what is canceled. */
async function settle(
	client: Client,
	target: CancelTarget,
	notes: CancelNotes,
	answers: Answers,
): Promise<ItemResult> {
	const { name, items, carrierCode, id, reference, number, pieces } = target;
	const answerOf = (piece: { number: string }) => answers.get(piece.number);
	const isRefused = (piece: { number: string }) => answerOf(piece)?.isCanceled === false;
	let left = pieces.filter((piece) => !answerOf(piece)?.isCanceled);
	let records = new Map<number, PieceRecord>();
	let problem: string | undefined;
	if (left.some((piece) => !answerOf(piece)?.refused))
		await lookAgain(client, Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS), async () => {
			try {
				const found = await readPieces(client, carrierCode, target.mainId ?? id ?? 0);
				records = new Map(found.map((piece) => [piece.id, piece]));
				left = left.filter((piece) => !records.get(piece.id)?.isCanceled);
				problem = undefined;
				// A refused number may be one that was canceled before.
				return left.every(isRefused);
			} catch (thrown) {
				problem = describeError(thrown).message;
				return false;
			}
		});
	if (left.length === 0) {
		const json = {
			...orderOf(reference),
			...(id === undefined ? {} : { id }),
			packageNumberCarrier: number || null,
			carrierCode,
			canceled: true,
			alreadyCanceled: pieces.every(isRefused),
			recovered: pieces.some((piece) => answerOf(piece)?.isCanceled === undefined),
			correlationId: answers.get(pieces[0]?.number ?? '')?.correlationId ?? null,
		};
		notes.add(name, { done: json });
		return { items, json };
	}
	// If something of it is canceled, a retry must not cancel the shipment that its order has instead by then.
	if (pieces.every(isRefused) && left.length === pieces.length) notes.forget(name);
	const open = left.find(isRefused) ?? left[0];
	const isActive = open !== undefined && isRefused(open) && records.has(open.id);
	const known = { ...answers.get(open?.number ?? ''), isActive, problem };
	return { items, failure: notCanceledError(target, left, known) };
}

function notCanceledError(
	{ id, reference, carrierCode, number, pieces }: CancelTarget,
	left: CancelTarget['pieces'],
	known: Answer & { isActive: boolean; problem: string | undefined },
): unknown {
	const { refused, reason, correlationId, isActive, problem } = known;
	const canceled = pieces.filter((piece) => !left.includes(piece));
	if (refused !== undefined && canceled.length === 0)
		return withDetails(refused, orderOf(reference));
	const nameOf = (piece: CancelTarget['pieces'][number]) => piece.number || `ID ${piece.id}`;
	const canceledNumbers = canceled.map(nameOf);
	const name = nameOfShipment(left.map(nameOf).join(', '), reference);
	const message = isActive
		? `Shipment ${name} was not canceled: ${reason ?? 'the provider refused without giving a reason'}`
		: `Could not confirm whether shipment ${name} was canceled`;
	const reasons = [reason ?? 'The records do not show it as canceled', problem];
	return new ItemError(
		// The message of a further error is all that n8n shows of it.
		canceled.length > 0 ? `${message}. Canceled with it: ${canceledNumbers.join(', ')}` : message,
		isActive
			? reason === NO_NUMBER
				? 'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.'
				: 'A shipment that the carrier has can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.'
			: `${reasons.filter(Boolean).join('. ')}. Check it with Shipment: Get before you cancel it again.`,
		{
			...orderOf(reference),
			...(id === undefined ? {} : { shipmentId: id }),
			packageNumberCarrier: left.find((piece) => piece.number !== '')?.number ?? number,
			carrierCode,
			...(correlationId ? { correlationId } : {}),
			...(isActive && reason ? { serviceMessage: reason } : {}),
			...(canceled.length > 0 ? { canceledNumbers } : {}),
		},
		true,
	);
}
