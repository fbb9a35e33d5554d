import type { IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy } from '../lists';
import {
	endsWithError,
	type FailedResult,
	type ItemResult,
	type NodeRun,
	runUntilFirstFailure,
} from '../run';
import type { Client } from '../transport/client';
import { NUMBERS_PER_REQUEST } from '../transport/endpoints';
import { describeError, isMissingEndpoint, isRefusal, withDetails } from '../transport/errors';
import {
	type FoundShipment,
	listPieces,
	type PieceRecord,
	readPieces,
} from '../transport/shipments';
import { toSentence } from '../transport/response';
import { requestWithoutRefused, SplitBudget } from '../transport/numbers';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { SentNotes } from '../writes/sent';
import { noNumberError, notCanceledError } from './messages';
import { noShipmentError, orderOf } from './state';
import type { Answers, Cancellation, CancelTarget, NumberAnswer } from './types';

export type CancelNotes = SentNotes<CancelTarget, Cancellation>;

/** One thing that an input item names. */
export interface NamedShipment {
	/** What it is noted by. */
	name: string;
	item: number;
	carrierCode: string;
	id?: number;
	/** A tracking number, if there is no ID. */
	number?: string;
	/** Found by its order number, with all of its pieces. */
	shipment?: FoundShipment;
}

/** The outcome for a target. */
export type Settled = { target: CancelTarget } & ({ done: Cancellation } | { failure: unknown });

/** How long the records are read again. */
const MAX_WAIT_MS = 4_000;

export const cancelNotes = (context: IExecuteFunctions): CancelNotes =>
	new SentNotes(context, 'cancel');

export const nameOfOrder = (orderNumber: string) => `order ${orderNumber}`;

/**
 * Cancels each shipment once. Without a lock, because canceling twice does no harm.
 * 1. What an earlier try has sent for the same name is that shipment, also if the order has another one by now. If it is
 *    not known to be canceled, only a person who retries sends it again.
 * 2. The active pieces of the others are read and sent, the shipments of a carrier together.
 * 3. What the responses do not say for certain, the records say.
 *
 * `failedBefore` are items that failed when they were read.
 */
export async function cancelShipments(
	run: NodeRun,
	named: readonly NamedShipment[],
	notes: CancelNotes,
	failedBefore: readonly ItemResult[] = [],
): Promise<ItemResult[]> {
	const { client } = run;
	const settled = new Map<string, Settled>();
	const byName = groupBy(named, ({ name }) => name);

	const noted = await client.mapParallel(notes.all, async ({ target, done }) => {
		const items = byName.get(target.name)?.map(({ item }) => item) ?? target.items;
		const own = { ...target, items };
		return done ? { target: own, done } : await settle(client, own, notes);
	});
	for (const each of noted) settled.set(each.target.name, each);

	const failed: FailedResult[] = [];
	const unknown = [...byName.values()].filter(([{ name }]) => !settled.has(name));
	const found = await client.mapParallel(unknown, async (group): Promise<CancelTarget[]> => {
		const items = [...new Set(group.map(({ item }) => item))];
		try {
			return [await toTarget(client, group[0], items)];
		} catch (thrown) {
			const failure = withDetails(thrown, orderOf(group[0].shipment?.reference));
			failed.push(...items.map((item) => ({ items: [item], failure })));
			return [];
		}
	});
	const active = found.flat().filter(({ pieces }) => pieces.length > 0);
	for (const target of found.flat().filter((each) => !active.includes(each))) {
		const done: Cancellation = { via: 'existing', correlationId: null };
		// A retry must not cancel what the order has by then.
		notes.sending(target.name, target);
		notes.add(target.name, { done });
		settled.set(target.name, { target, done });
	}

	if (!endsWithError(run, [...failedBefore, ...failed])) {
		const again = noted.flatMap((each) =>
			'failure' in each && notes.isOfEarlierExecution(each.target.name) ? each.target : [],
		);
		const byCarrier = groupBy([...again, ...active], ({ carrierCode }) => carrierCode);
		const parts = [...byCarrier.values()].flatMap((own) => chunk(own, NUMBERS_PER_REQUEST));
		const sent = await runUntilFirstFailure(
			run,
			parts.map((part) => [part]),
			async (part) => cancelTargets(client, part, notes),
			(each) => 'failure' in each,
		);
		for (const each of sent) settled.set(each.target.name, each);
	}
	return [...failed, ...[...settled.values()].flatMap(toResults)];
}

/** Sends the numbers of these targets of one carrier, and reads the records of those that the response leaves open. */
export async function cancelTargets(
	client: Client,
	targets: readonly CancelTarget[],
	notes: CancelNotes,
): Promise<Settled[]> {
	const answers = await sendNumbers(client, targets, notes);
	return await client.mapParallel(targets, async (target) =>
		settle(client, target, notes, answers),
	);
}

/** A number that makes the provider refuse the whole request is left out, and the others are sent again. */
async function sendNumbers(
	client: Client,
	targets: readonly CancelTarget[],
	notes: CancelNotes,
): Promise<Answers> {
	const carrierCode = targets[0]?.carrierCode ?? '';
	const answers = new Map<string, NumberAnswer>();
	const request = async (packages: string[]): Promise<never[]> => {
		const isSent = ({ number }: { number: string }) => packages.includes(number);
		const sent = targets.filter(({ pieces }) => pieces.some(isSent));
		const noting = {
			sending: () => sent.forEach((target) => notes.sending(target.name, target)),
			// Another number of the same shipment may have been sent before.
			forget: () => sent.forEach(({ name, pieces }) => pieces.every(isSent) && notes.forget(name)),
		};
		const outcome = await sendOnce(client, noting, async (calls) =>
			calls.call('cancelShipments', {
				path: { carrier_code: carrierCode },
				body: { packages },
			}),
		);
		if ('refused' in outcome) throw outcome.refused;
		const { result, correlationId = null } =
			'response' in outcome ? outcome.response : { result: [] };
		const error = 'lost' in outcome ? outcome.lost : undefined;
		const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
		for (const number of packages) {
			const { successfull, message } = rows.get(number) ?? {};
			const state =
				successfull === true ? 'canceled' : successfull === false ? 'refused' : 'unclear';
			answers.set(number, { state, said: toSentence(message), correlationId, error });
		}
		return [];
	};
	const numbers = targets.flatMap(({ pieces }) => pieces.flatMap(({ number }) => number || []));
	// A provider may take an empty list as everything.
	if (numbers.length === 0) return answers;
	const isAboutNumbers = (failure: unknown) => isRefusal(failure) && !isMissingEndpoint(failure);
	const split = await requestWithoutRefused(
		[...new Set(numbers)],
		request,
		new SplitBudget(),
		isAboutNumbers,
	);
	const notSent = split.failed.map((number) => ({ number, failure: split.failure }));
	for (const { number, failure } of [...split.refused, ...notSent]) {
		const state = split.failed.includes(number) ? 'notSent' : 'refused';
		const { serviceMessage, correlationId } = describeError(failure).details as Details;
		answers.set(number, {
			...{ state, said: serviceMessage, correlationId: correlationId ?? null, error: failure },
		});
	}
	return answers;
}

/** What an error says of its request. */
type Details = { serviceMessage?: string; correlationId?: string };

/** What an earlier try has sent has no answers here. Then a person's retry looks once, because time has passed. */
async function settle(
	client: Client,
	target: CancelTarget,
	notes: CancelNotes,
	answers: Answers = new Map(),
): Promise<Settled> {
	const { name, pieces } = target;
	const stateOf = ({ number }: { number: string }) => answers.get(number)?.state;
	let left = pieces.filter((piece) => stateOf(piece) !== 'canceled');
	let records: PieceRecord[] | undefined;
	let problem: string | undefined;
	const isNotSent = left.length > 0 && left.every((piece) => stateOf(piece) === 'notSent');
	const isPatient = !notes.isOfEarlierExecution(name);
	const maxWaitMs = isPatient ? Math.min(client.http.maxRetryWaitMs, MAX_WAIT_MS) : 0;
	if (left.length > 0 && !isNotSent)
		await lookAgain(client, maxWaitMs, async () => {
			try {
				records = await readRecords(client, target);
				left = leftIn(left, records);
				problem = undefined;
				// A refused number may be one that was canceled before.
				return left.every((piece) => stateOf(piece) === 'refused');
			} catch (thrown) {
				problem = describeError(thrown).message;
				return false;
			}
		});
	const states = pieces.flatMap((piece) => (piece.number === '' ? [] : stateOf(piece)));
	if (left.length === 0) {
		const isAnswered = states.every((state) => state === 'canceled' || state === 'refused');
		const isRefused = states.every((state) => state === 'refused');
		const [first] = pieces;
		const correlationId = answers.get(first?.number ?? '')?.correlationId ?? null;
		const via = isAnswered ? (isRefused ? 'existing' : 'response') : 'records';
		const done: Cancellation = { via, correlationId };
		notes.add(name, { done });
		return { target, done };
	}
	const isCertain = states.every((state) => state === 'refused' || state === 'notSent');
	// If something of it is canceled, a retry must not cancel the shipment that its order has instead by then.
	if (isCertain && left.length === pieces.length) notes.forget(name);
	const failure = notCanceledError(target, { left, answers, records, problem });
	return { target: { ...target, pieces: left }, failure };
}

/** The pieces that these records do not show as canceled. One may have got its number since. */
function leftIn(pieces: CancelTarget['pieces'], records: readonly PieceRecord[]) {
	return pieces.flatMap(({ id, number }): CancelTarget['pieces'] => {
		const own = records.filter((each) =>
			id === undefined ? each.number === number : each.id === id,
		);
		const isCanceled = own.length > 0 && own.every((each) => each.isCanceled);
		if (isCanceled) return [];
		return id === undefined ? [{ number }] : [{ id, number: number || (own[0]?.number ?? '') }];
	});
}

/** The pieces of the shipment now, or all with the number: a carrier may use a number again. */
async function readRecords(client: Client, target: CancelTarget): Promise<PieceRecord[]> {
	const { carrierCode, id, number } = target;
	if (id !== undefined) return await readPieces(client, carrierCode, id);
	const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
	const listed = await listPieces(client, { ...filter, carrierCodes: [carrierCode] });
	const pieces = await client.mapParallel(listed, async (each) =>
		// Some services only have the number in the detail of a shipment.
		each.number === '' ? readPieces(client, carrierCode, each.id) : [each],
	);
	return pieces.flat();
}

async function toTarget(
	client: Client,
	{ name, carrierCode, id, number = '', shipment }: NamedShipment,
	items: number[],
): Promise<CancelTarget> {
	const common = { name, items, carrierCode };
	if (id === undefined) return { ...common, reference: '', number, pieces: [{ number }] };
	const pieces = shipment?.pieces ?? (await readOwn(client, carrierCode, id));
	const reference = shipment?.reference ?? pieces[0]?.reference ?? '';
	const active = pieces.filter(({ isCanceled }) => !isCanceled);
	if (active.length > 0 && active.every((each) => each.number === ''))
		throw noNumberError(carrierCode, id, reference);
	const [first = ''] = pieces.flatMap((each) => each.number || []);
	const own = active.map((each) => ({ id: each.id, number: each.number }));
	return { ...common, id, reference, number: first, pieces: own };
}

/** The pieces of the shipment with this ID. The ID of an additional piece stands for that piece alone. */
async function readOwn(client: Client, carrierCode: string, id: number): Promise<PieceRecord[]> {
	const pieces = await readPieces(client, carrierCode, id);
	const own = pieces[0]?.id === id ? pieces : pieces.filter((piece) => piece.id === id);
	if (own.length === 0) throw noShipmentError(carrierCode, id);
	return own;
}

/** One for each item that names the shipment. */
function toResults(settled: Settled): ItemResult[] {
	const { items, id, number, carrierCode, reference } = settled.target;
	if ('failure' in settled) {
		const failure = withDetails(settled.failure, orderOf(reference));
		return items.map((item) => ({ items: [item], failure }));
	}
	const { via, correlationId } = settled.done;
	const json = {
		...orderOf(reference),
		...(id === undefined ? {} : { id }),
		packageNumberCarrier: number || null,
		carrierCode,
		canceled: true,
		alreadyCanceled: via === 'existing',
		recovered: via === 'records',
		correlationId,
	};
	return items.map((item) => ({ items: [item], json }));
}
