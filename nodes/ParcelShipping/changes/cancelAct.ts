import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client, UnsafeCalls } from '../transport/client';
import {
	describeError,
	type ErrorText,
	isMissingEndpoint,
	ItemError,
	mayHaveActed,
	reasonOf,
} from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/pieces';
import { toSentence } from '../transport/serviceMessage';
import { isRefusal, requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
import { Journal, type Outcome, type TargetOutcome } from '../writes/journal';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { nameOfShipment, orderOf } from './shipmentState';

// Nothing is reported as canceled that is not. A row that says canceled is final; otherwise the records decide.
// A refused number may be one that was canceled before.

/** A shipment with all of its pieces, or a piece that an item names by its ID or number. */
export interface CancelTarget {
	carrierCode: string;
	/** The ID that an item names, or that was found by its order number. Absent for a shipment number. */
	id?: number;
	/** '' if it is not known. */
	reference: string;
	/** For the output. '' if its main piece has none. */
	number: string;
	/** Those of the pieces that are not canceled. Empty: the shipment was canceled before. */
	numbers: string[];
	/** How many pieces the records must show as canceled. Only if a piece has no number. */
	pieceCount?: number;
	/** The input items that cancel it. */
	items: number[];
}

export const keyOfCanceled = ({ carrierCode, id, number }: CancelTarget) =>
	id === undefined ? `${carrierCode} number ${number}` : `${carrierCode} ${id}`;

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** What a response says of a number that was sent. */
interface NumberRow {
	number: string;
	/** Undefined if it does not say it. */
	isCanceled: boolean | undefined;
	said: unknown;
	correlationId: unknown;
}

/** The shipments of one carrier are canceled together. */
export interface CancelAct {
	target: CancelTarget;
	details: object;
	response: {
		rows: NumberRow[];
		/** Why the other numbers have no row. */
		failure?: ErrorText;
	};
	/** What the records show of a target. */
	record: { key: string; pieces: PieceRecord[]; problem?: string };
	value: Cancellation;
}

/** Cancels shipments in one run of the node. `recall` returns what came of those of its earlier tries. */
export function openCanceling(context: IExecuteFunctions, client: Client) {
	const journal = new Journal<CancelAct>(context, 'cancel', keyOfCanceled);
	const write: Write<CancelAct> = {
		client,
		maxWaitMs: Math.min(client.maxRetryWaitMs, 4_000),
		send: async ({ targets }, calls) => sendCancellation(calls, targets),
		judge: judgeCancellation,
		find: async (targets) =>
			client.mapParallel(targets, async (target) => {
				const key = keyOfCanceled(target);
				return await findPieces(client, target).then(
					(pieces) => ({ key, pieces }),
					(thrown: unknown) => ({ key, pieces: [], problem: describeError(thrown).message }),
				);
			}),
	};
	return {
		recall: async () => (await recall(journal, write)).outcomes,
		/** What was requested before, also what a person may request again. */
		doneOrPending: () => journal.doneOrPendingTargets,
		mayCancel: (target: CancelTarget) => journal.mayRequest(target),
		/** Without a request, so that a retry knows as well that it was canceled before. */
		keepCanceled: (target: CancelTarget): TargetOutcome<CancelAct> => {
			const value: Cancellation = { via: 'existing', correlationId: null };
			journal.keepDone(target, value);
			return { targets: [target], outcome: { state: 'done', value } };
		},
		cancel: async (targets: CancelTarget[]) => writeOnce(journal, { targets }, write),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others are sent again. */
async function sendCancellation(
	calls: UnsafeCalls,
	targets: readonly CancelTarget[],
): Promise<CancelAct['response']> {
	const { carrierCode = '' } = targets[0] ?? {};
	const request = async (packages: string[]): Promise<NumberRow[]> => {
		const details = { path: { carrier_code: carrierCode }, body: { packages } };
		const { result, correlationId } = await calls.call('cancelShipments', details);
		const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
		return packages.map((number) => {
			const { successfull: isCanceled, message: said } = rows.get(number) ?? {};
			return { number, isCanceled, said, correlationId };
		});
	};
	const numbers = [...new Set(targets.flatMap((target) => target.numbers))];
	const isAboutNumbers = (failure: unknown) =>
		isRefusal(failure) && !mayHaveActed(failure) && !isMissingEndpoint(failure);
	const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isAboutNumbers);
	const refused = split.refused.map(({ number, failure }): NumberRow => {
		const { message, details } = describeError(failure);
		const { serviceMessage: said = message, correlationId } = details;
		return { number, isCanceled: false, said, correlationId };
	});
	const rows = [...split.rows, ...refused];
	if (split.failure === undefined) return { rows };
	if (rows.length === 0) throw split.failure;
	return { rows, failure: describeError(split.failure) };
}

function judgeCancellation(known: Known<CancelAct>): Verdict<CancelAct> {
	const rows = new Map(known.response?.rows.map((row) => [row.number, row]));
	const toSearch: CancelTarget[] = [];
	const outcomes = known.request.targets.map((target): TargetOutcome<CancelAct> => {
		const { outcome, isFinal } = judgeShipment(target, rows, known);
		if (!isFinal) toSearch.push(target);
		return { targets: [target], outcome };
	});
	return { outcomes, toSearch };
}

function judgeShipment(
	target: CancelTarget,
	rows: ReadonlyMap<string, NumberRow>,
	known: Known<CancelAct>,
): { outcome: Outcome<Cancellation>; isFinal: boolean } {
	const { carrierCode, number, reference, numbers } = target;
	const own = known.records.filter(({ key }) => key === keyOfCanceled(target));
	const record = own.at(-1);
	const shown = own.flatMap(({ pieces }) => pieces).filter(({ isCanceled }) => isCanceled);
	const shownCanceled = new Set(shown.map((piece) => piece.number));
	const isRefused = (each: string) => rows.get(each)?.isCanceled === false;
	const open = numbers.filter((each) => !rows.get(each)?.isCanceled && !shownCanceled.has(each));
	const given = rows.get(numbers[0] ?? '')?.correlationId;
	const correlationId = typeof given === 'string' ? given : null;
	if (open.length === 0 && isWhole(target, record)) {
		const isAnswered = numbers.every((each) => rows.get(each)?.isCanceled !== undefined);
		const answered = numbers.every(isRefused) ? 'existing' : 'response';
		const value: Cancellation = { via: isAnswered ? answered : 'records', correlationId };
		return { outcome: { state: 'done', value }, isFinal: true };
	}
	const refused = open.find(isRefused);
	const said = toSentence(rows.get(refused ?? '')?.said);
	// A refusal is final, so that the first record that can be read decides.
	const isFinal = refused !== undefined && record !== undefined && record.problem === undefined;
	const named = refused ?? open[0];
	const [message, advice] = isFinal
		? refusedText(target, refused, said, record)
		: unclearText(target, named, [doubtAbout(named, rows, known), record?.problem]);
	const canceled = numbers.filter((each) => !open.includes(each));
	// The message of a further error is all that n8n shows of it.
	const withIt = canceled.length > 0 ? `. Canceled with it: ${canceled.join(', ')}` : '';
	const details: IDataObject = {
		...orderOf(reference),
		packageNumberCarrier: named ?? number,
		carrierCode,
		...(correlationId === null ? {} : { correlationId }),
		...(said ? { serviceMessage: said } : {}),
		...(canceled.length > 0 ? { canceledNumbers: canceled } : {}),
	};
	const errors = [new ItemError(message + withIt, advice, details, true)];
	const outcome: Outcome<Cancellation> = open.every(isRefused)
		? { state: 'notDone', errors }
		: { state: 'unknown', errors, personMayRepeat: true };
	return { outcome, isFinal };
}

/** Whether the records show also those pieces as canceled that have no number. */
function isWhole({ pieceCount }: CancelTarget, record?: CancelAct['record']): boolean {
	if (pieceCount === undefined) return true;
	const { pieces } = record ?? { pieces: [] };
	const count = new Set(pieces.map(({ id }) => id)).size;
	return count >= pieceCount && pieces.every(({ isCanceled }) => isCanceled);
}

/** Why nobody knows whether the shipment, or its piece with this number, is canceled. */
function doubtAbout(
	number: string | undefined,
	rows: ReadonlyMap<string, NumberRow>,
	{ response, failure = response?.failure }: Known<CancelAct>,
): string {
	if (number === undefined) return 'A piece has no shipment number yet';
	const row = rows.get(number);
	if (row?.isCanceled === false) return `The service said: ${toSentence(row.said) ?? 'no'}`;
	if (row) return 'The service did not say whether it was canceled';
	return failure ? reasonOf(failure) : 'the node was interrupted before the response arrived';
}

function unclearText(
	{ id, number, reference }: CancelTarget,
	open: string | undefined,
	doubts: Array<string | undefined>,
): [message: string, advice: string] {
	const name = nameOfShipment(open ?? id ?? number, reference);
	return [
		`Could not confirm whether shipment ${name} was canceled`,
		`${doubts.filter(Boolean).join('. ')}. Check the shipment with Shipment: Get before you cancel it again. This node never repeats a cancellation by itself.`,
	];
}

/** If the service does not list it, it may be an order number, or the number of an additional piece. */
function refusedText(
	{ carrierCode, reference }: CancelTarget,
	number: string,
	said: string | undefined,
	{ pieces }: CancelAct['record'],
): [message: string, advice: string] {
	const name = nameOfShipment(number, reference);
	if (pieces.some((piece) => piece.number === number)) {
		return [
			said
				? `Shipment ${name} was not canceled. The service said: ${said}`
				: `The service did not cancel shipment ${name}`,
			'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
		];
	}
	return [
		`Could not cancel ${name}: the service lists no shipment of carrier ${carrierCode} with this number`,
		`${said ? `The service said: ${said}. ` : ''}${reference ? 'Check the shipment with Shipment: Get.' : NO_CARRIER_NUMBER}`,
	];
}

const NO_CARRIER_NUMBER =
	"'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.";

/** The pieces of the shipment now, and those with its other numbers. */
async function findPieces(
	client: Client,
	{ carrierCode, id, numbers }: CancelTarget,
): Promise<PieceRecord[]> {
	const pieces = id === undefined ? [] : await readPieces(client, carrierCode, id);
	for (const number of numbers) {
		// An additional piece may have no detail.
		if (pieces.some((piece) => piece.number === number)) continue;
		const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
		for (const listed of await listPieces(client, { ...filter, carrierCodes: [carrierCode] })) {
			// Some services only have the number in the detail of a shipment.
			const own =
				listed.number === '' ? await readPieces(client, carrierCode, listed.id) : [listed];
			const piece = own.find((each) => each.number === number);
			if (!piece) continue;
			pieces.push(piece);
			break;
		}
	}
	return pieces;
}
