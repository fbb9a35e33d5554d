import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { groupBy } from '../lists';
import { mainIdOf } from '../records';
import { endsWithError, failEach, type ItemResult, type NodeRun } from '../run';
import type { Client } from '../transport/client';
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
import { nameOfShipment, orderOf, patienceOf } from './records';

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
	/** The ID whose detail has its pieces. */
	id: number;
	/** What its output and its error say of it. */
	json: IDataObject;
	/** The active ones. The number is '' as long as the carrier has not assigned one. */
	pieces: Array<{ id: number; number: string }>;
}

/** With the output of what is canceled. */
export const cancelNotes = (context: IExecuteFunctions) =>
	new SentNotes<CancelTarget, IDataObject>(context, 'cancel');

type CancelNotes = ReturnType<typeof cancelNotes>;

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
			for (const [name, result] of await cancelTargets(client, targets, notes))
				results.set(name, result);
		});
	}
	return [...failed, ...results.values()].flatMap((result): ItemResult[] =>
		'failure' in result ? failEach(result.items, result.failure) : [result],
	);
}

async function readTarget({ name, id, read }: NamedShipment, items: number[]) {
	// A carrier may use a number again: the active piece counts.
	const found = (await read()).toSorted((a, b) => Number(a.isCanceled) - Number(b.isCanceled));
	const [{ carrierCode, reference, record, id: first }] = found as [PieceRecord];
	const number = found.find((piece) => piece.number !== '')?.number ?? null;
	const named = id === undefined ? {} : { id };
	return {
		...{ name, items, carrierCode },
		id: id ?? (mainIdOf(record) || first),
		json: { ...orderOf(reference), ...named, packageNumberCarrier: number, carrierCode },
		pieces: found.flatMap((piece) =>
			piece.isCanceled ? [] : { id: piece.id, number: piece.number },
		),
	};
}

/** What the response says of a tracking number: whether it is canceled, if it says that, and why it may not be. */
type Answer = Pick<ErrorText, 'message' | 'details'> & { isCanceled?: boolean | undefined };

const NO_NUMBER: Answer = {
	isCanceled: false,
	message: 'The carrier has not assigned a tracking number yet',
	details: {},
};

/** Cancels these targets of one carrier. The results have their names. */
export async function cancelTargets(
	client: Client,
	targets: readonly CancelTarget[],
	notes: CancelNotes,
): Promise<Array<[name: string, result: ItemResult]>> {
	// Also what is canceled already: a retry must not cancel what its order has by then.
	for (const target of targets) notes.sending(target.name, target);
	const numbers = targets.flatMap(({ pieces }) => pieces.flatMap(({ number }) => number || []));
	const answers = await send(client, targets[0]?.carrierCode ?? '', [...new Set(numbers)]);
	return await client.mapParallel(targets, async (target) => [
		target.name,
		await settle(client, target, notes, answers),
	]);
}

async function send(client: Client, carrierCode: string, numbers: string[]) {
	// A provider may take an empty list as everything.
	if (numbers.length === 0) return new Map([['', NO_NUMBER]]);
	// `cancelTargets` has noted it, and only `settle` knows whether nothing of a target was canceled.
	const noting = { sending: () => {}, forget: () => {} };
	const request = async (packages: string[]): Promise<Array<[string, Answer]>> => {
		const outcome = await sendOnce(client, noting, async (calls) =>
			calls.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } }),
		);
		if ('refused' in outcome) throw outcome.refused;
		if ('lost' in outcome) return packages.map((number) => [number, outcome.lost]);
		const { result, correlationId } = outcome.response;
		return result.map(({ packageNumberCarrier, successfull, message }) => [
			String(packageNumberCarrier),
			{
				// Text instead of yes or no does not say it.
				isCanceled: typeof successfull === 'boolean' ? successfull : undefined,
				message: toSentence(message) ?? 'The provider gives no reason',
				details: { correlationId },
			},
		]);
	};
	const isOfNumbers = (failure: unknown) => isRefusal(failure) && !isMissingEndpoint(failure);
	const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isOfNumbers);
	const answers = new Map([['', NO_NUMBER], ...split.rows]);
	const unsent = split.left?.numbers.map((number) => ({ ...split.left, number })) ?? [];
	for (const { number, failure } of [...split.refused, ...unsent])
		answers.set(number, { ...describeError(failure), isCanceled: false });
	return answers;
}

/** Without answers, only the records say what is canceled. */
async function settle(
	client: Client,
	target: CancelTarget,
	notes: CancelNotes,
	answers: ReadonlyMap<string, Answer>,
): Promise<ItemResult> {
	const { name, items, carrierCode, id, json, pieces } = target;
	type Piece = (typeof pieces)[number];
	const said = ({ number }: Piece) => answers.get(number)?.isCanceled;
	const shown = new Map<number, boolean>();
	const isLeft = (piece: Piece) => !said(piece) && !shown.get(piece.id);
	// A refused number may be one that was canceled before.
	const isActive = (piece: Piece) => said(piece) === false && shown.get(piece.id) === false;
	const look = async () => {
		const records = await readPieces(client, carrierCode, id).catch(() => []);
		for (const each of records) shown.set(each.id, each.isCanceled);
		return pieces.filter(isLeft).every(isActive);
	};
	if (pieces.some(isLeft)) await lookAgain(client, patienceOf(client), look);
	const left = pieces.filter(isLeft);
	const open = left.find((piece) => said(piece) === false) ?? left[0];
	const { message = 'It was sent before', details = {} } =
		answers.get((open ?? pieces[0])?.number ?? '') ?? {};
	if (!open) {
		const done = {
			...json,
			canceled: true,
			alreadyCanceled: pieces.length === 0,
			recovered: !pieces.every(said),
			correlationId: details.correlationId ?? null,
		};
		notes.add(name, { done });
		return { items, json: done };
	}
	// If something of it is canceled, a retry must not cancel the shipment that its order has instead by then.
	if (pieces.every((piece) => isLeft(piece) && said(piece) === false)) notes.forget(name);
	const namesOf = (of: Piece[]) => of.map((each) => each.number || `ID ${each.id}`).join(', ');
	const names = nameOfShipment(namesOf(left), String(json.packageNumberCustom ?? ''));
	const canceled = namesOf(pieces.filter((piece) => !isLeft(piece)));
	const reason = String(details.serviceMessage ?? message);
	const isSure = left.every(isActive);
	const outcome = isSure
		? `Shipment ${names} was not canceled: ${reason}`
		: `Could not confirm whether shipment ${names} was canceled`;
	const failure = new ItemError(
		// The message of a further error is all that n8n shows of it.
		canceled === '' ? outcome : `${outcome}. Canceled with it: ${canceled}`,
		isSure ? NOT_CANCELED : `${reason}. Check it with Shipment: Get before you cancel it again.`,
		{ ...json, ...details, ...(open.number === '' ? {} : { packageNumberCarrier: open.number }) },
	);
	return { items, failure };
}

const NOT_CANCELED =
	'Ask the carrier to stop or return it if it has the shipment already. Otherwise, run the workflow again later.';
