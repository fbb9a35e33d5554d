import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import { mainIdOf } from '../records';
import { endsWithError, type ItemResult, type NodeRun } from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/endpoints';
import {
	describeError,
	type ErrorText,
	isMissingEndpoint,
	isRefusal,
	ItemError,
} from '../transport/errors';
import { requestWithoutRefused, SplitBudget } from '../transport/numbers';
import { toSentence } from '../transport/response';
import { type PieceRecord, readPieces } from '../transport/shipments';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import { MAX_WAIT_MS, nameOfShipment, orderOf } from './records';

/** One thing that an input item names. */
export interface NamedShipment {
	/** What it is noted by. */
	name: string;
	item: number;
	/** Absent for a tracking number, which is one piece, also that of the main piece. */
	id?: number;
	/** The pieces that it stands for, at least one. */
	read(): Promise<PieceRecord[]>;
}

/** What is to be canceled. Plain JSON, because n8n saves it. */
interface CancelTarget {
	name: string;
	items: number[];
	carrierCode: string;
	/** Of the main piece, for the output. Absent for a tracking number. */
	id?: number;
	/** The ID whose detail has its pieces. */
	recordId: number;
	/** Its order number, '' if it is not known. */
	reference: string;
	/** Of the main piece, for the output. */
	number: string;
	/** The active ones. The number is '' as long as the carrier has not assigned one. */
	pieces: Array<{ id: number; number: string }>;
}

/** With the output of what is canceled. */
type CancelNotes = SentNotes<CancelTarget, IDataObject>;

export const cancelNotes = (context: IExecuteFunctions): CancelNotes =>
	new SentNotes(context, 'cancel');

export const nameOfOrder = (orderNumber: string) => `order ${orderNumber}`;

/**
 * Reads what the items name, sends the numbers of its active pieces, reads the records again unless the response says
 * that all of them are canceled, and names what is still active. What an earlier try has sent for the same name is that
 * shipment, also if the order has another one by now. Only a person who retries and still names it sends it again.
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
	const results = new Map<string, ItemResult>();
	const toSend: CancelTarget[] = [];
	await client.mapParallel(notes.all, async ({ target, done }) => {
		const { name } = target;
		const items = byName.get(name)?.map(({ item }) => item) ?? target.items;
		const own = { ...target, items };
		const result = done ? { items, json: done } : await settle(client, own, notes, new Map());
		results.set(name, result);
		if ('failure' in result && byName.has(name) && notes.isOfEarlierExecution(name))
			toSend.push(own);
	});
	const failed: ItemResult[] = [];
	await client.mapParallel([...byName.values()], async (group) => {
		const items = group.map(({ item }) => item);
		if (results.has(group[0].name)) return;
		await readTarget(group[0], items).then(
			(target) => toSend.push(target),
			(failure: unknown) => failed.push({ items, failure }),
		);
	});
	if (!endsWithError(run, [...failedBefore, ...failed])) {
		const byCarrier = groupBy(toSend, ({ carrierCode }) => carrierCode);
		await client.mapParallel([...byCarrier.values()], async (targets) => {
			const sent = await cancelTargets(client, targets, notes);
			for (const [name, result] of sent) results.set(name, result);
		});
	}
	return [...failed, ...results.values()].flatMap((result): ItemResult[] =>
		'failure' in result ? result.items.map((item) => ({ ...result, items: [item] })) : [result],
	);
}

async function readTarget({ name, id, read }: NamedShipment, items: number[]) {
	// A carrier may use a number again: the active piece counts.
	const found = (await read()).toSorted((a, b) => Number(a.isCanceled) - Number(b.isCanceled));
	const [{ carrierCode, reference, record, id: first }] = found as [PieceRecord];
	return {
		...{ name, items, carrierCode, reference },
		...(id === undefined ? {} : { id }),
		recordId: id ?? (mainIdOf(record) || first),
		number: found.find(({ number }) => number !== '')?.number ?? '',
		pieces: found.flatMap((each) =>
			each.isCanceled ? [] : [{ id: each.id, number: each.number }],
		),
	};
}

/** What the responses say of a tracking number. */
interface Answer {
	/** Undefined if they do not say it. */
	isCanceled?: boolean | undefined;
	/** Why it may not be canceled. */
	why: ErrorText;
}

type Answers = ReadonlyMap<string, Answer>;

const AT_CARRIER =
	'A shipment that the carrier has can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.';

const NO_REASON = 'The provider gives no reason';

const NO_NUMBER: Answer = {
	isCanceled: false,
	why: {
		message: 'The carrier has not assigned a tracking number yet',
		description:
			'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
		details: {},
	},
};

/** Cancels these targets of one carrier. The results by their names. */
export async function cancelTargets(
	client: Client,
	targets: readonly CancelTarget[],
	notes: CancelNotes,
): Promise<Map<string, ItemResult>> {
	// Also what is canceled already: a retry must not cancel what its order has by then.
	for (const target of targets) notes.sending(target.name, target);
	const numbers = targets.flatMap(({ pieces }) => pieces.flatMap(({ number }) => number || []));
	const answers = await send(client, targets[0]?.carrierCode ?? '', [...new Set(numbers)]);
	const results = await client.mapParallel(
		targets,
		async (target) => [target.name, await settle(client, target, notes, answers)] as const,
	);
	return new Map(results);
}

async function send(client: Client, carrierCode: string, numbers: string[]): Promise<Answers> {
	// `cancelTargets` has noted it, and only `settle` knows whether nothing of a target was canceled.
	const noting = { sending: () => {}, forget: () => {} };
	const request = async (packages: string[]): Promise<Array<[string, Answer]>> => {
		const outcome = await sendOnce(client, noting, async (calls) =>
			calls.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } }),
		);
		if ('refused' in outcome) throw outcome.refused;
		if ('lost' in outcome) return packages.map((number) => [number, { why: outcome.lost }]);
		const { result, correlationId } = outcome.response;
		const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
		return packages.map((number) => {
			const { successfull, message } = rows.get(number) ?? {};
			// Text instead of yes or no does not say it.
			const isCanceled = typeof successfull === 'boolean' ? successfull : undefined;
			const serviceMessage = toSentence(message);
			const details = { correlationId, ...(serviceMessage ? { serviceMessage } : {}) };
			return [
				number,
				{ isCanceled, why: { message: NO_REASON, description: AT_CARRIER, details } },
			];
		});
	};
	const isOfNumbers = (failure: unknown) => isRefusal(failure) && !isMissingEndpoint(failure);
	// Without numbers, there is no part: a provider may take an empty list as everything.
	const parts = chunk(numbers, NUMBERS_PER_REQUEST);
	const answers = await client.mapParallel(parts, async (part) => {
		const split = await requestWithoutRefused(part, request, new SplitBudget(), isOfNumbers);
		const refused = split.refused.map(({ number, failure }): [string, Answer] => {
			const why = { ...describeError(failure), description: AT_CARRIER };
			return [number, { isCanceled: false, why }];
		});
		// Nobody knows which of these the carrier would cancel alone.
		const others = split.failed.map((number): [string, Answer] => {
			return [number, { isCanceled: false, why: describeError(split.failure) }];
		});
		return [...split.rows, ...refused, ...others];
	});
	return new Map([...answers.flat(), ['', NO_NUMBER]]);
}

/** Without answers, only the records say what is canceled. */
async function settle(
	client: Client,
	target: CancelTarget,
	notes: CancelNotes,
	answers: Answers,
): Promise<ItemResult> {
	const { name, items, carrierCode, id, recordId, reference, number, pieces } = target;
	const isSaid = (isCanceled: boolean) => (piece: { number: string }) =>
		answers.get(piece.number)?.isCanceled === isCanceled;
	const whyOf = (piece?: { number: string }) => answers.get(piece?.number ?? '')?.why;
	let left = pieces.filter((piece) => !isSaid(true)(piece));
	let isActive = false;
	const look = async () => {
		const records = await readPieces(client, carrierCode, recordId).catch(() => []);
		const isShown = (isCanceled: boolean) => (piece: { id: number }) =>
			records.some((each) => each.id === piece.id && each.isCanceled === isCanceled);
		left = left.filter((piece) => !isShown(true)(piece));
		// A refused number may be one that was canceled before.
		isActive = left.every((piece) => isSaid(false)(piece) && isShown(false)(piece));
		return isActive;
	};
	const maxWaitMs = Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS);
	if (left.length > 0) await lookAgain(client, maxWaitMs, look);
	const open = left.find(isSaid(false)) ?? left[0];
	const { message = '', description = '', details = {} } = whyOf(open ?? pieces[0]) ?? {};
	const ofOrder = orderOf(reference);
	if (!open) {
		const json = {
			...ofOrder,
			...(id === undefined ? {} : { id }),
			packageNumberCarrier: number || null,
			carrierCode,
			canceled: true,
			alreadyCanceled: pieces.length === 0,
			recovered: !pieces.every(isSaid(true)),
			correlationId: details.correlationId ?? null,
		};
		notes.add(name, { done: json });
		return { items, json };
	}
	// If something of it is canceled, a retry must not cancel the shipment that its order has instead by then.
	if (pieces.every(isSaid(false)) && left.length === pieces.length) notes.forget(name);
	const nameOf = (piece: CancelTarget['pieces'][number]) => piece.number || `ID ${piece.id}`;
	const names = nameOfShipment(left.map(nameOf).join(', '), reference);
	const reason = String(details.serviceMessage ?? message);
	const outcome = isActive
		? `Shipment ${names} was not canceled: ${reason}`
		: `Could not confirm whether shipment ${names} was canceled`;
	const canceled = pieces.filter((piece) => !left.includes(piece)).map(nameOf);
	const check = 'Check it with Shipment: Get before you cancel it again.';
	const failure = new ItemError(
		// The message of a further error is all that n8n shows of it.
		canceled.length > 0 ? `${outcome}. Canceled with it: ${canceled.join(', ')}` : outcome,
		isActive ? description : [reason, check].filter(Boolean).join('. '),
		{
			...ofOrder,
			...(id === undefined ? {} : { shipmentId: id }),
			packageNumberCarrier: left.find((piece) => piece.number !== '')?.number ?? number,
			carrierCode,
			...details,
			...(canceled.length > 0 ? { canceledNumbers: canceled } : {}),
		},
		true,
	);
	return { items, failure };
}
