import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client, UnsafeCalls } from '../transport/client';
import {
	describeError,
	type ErrorText,
	isMissingEndpoint,
	isRefusal,
	ItemError,
	mayHaveActed,
	reasonOf,
} from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/pieces';
import { toSentence } from '../transport/serviceMessage';
import { requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
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
	/** Whether an item names it by its order number. */
	isOfOrder: boolean;
	/** For the output. '' if its main piece has none. */
	number: string;
	/** Those of the pieces that are not canceled. Empty: the shipment was canceled before. */
	numbers: string[];
	/** How many pieces the records must show as canceled. Only if a piece has no number. */
	pieceCount?: number;
	/** The input items that cancel it. */
	items: number[];
}

export const keyOfCanceled = (named: { carrierCode: string; id?: number; number?: string }) =>
	named.id === undefined
		? `${named.carrierCode} number ${named.number}`
		: `${named.carrierCode} ${named.id}`;

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** What is known of a number after the requests. */
interface NumberRow {
	number: string;
	/** Not sent: each request with it certainly had no effect, and this number is not known to be the reason. */
	state: 'canceled' | 'refused' | 'notSent' | 'unclear';
	/** What the service said of it. */
	said: unknown;
	correlationId: unknown;
	/** Why the last request with it failed. */
	error?: ErrorText;
}

/** The shipments of one carrier are canceled together. */
export interface CancelAct {
	target: CancelTarget;
	details: object;
	response: { rows: NumberRow[] };
	/** What the records show of a target. With `problem`, some of them could not be read. */
	record: { key: string; pieces: PieceRecord[]; problem?: string };
	value: Cancellation;
}

/** Cancels shipments in one run of the node. */
export function openCanceling(context: IExecuteFunctions, client: Client) {
	const journal = new Journal<CancelAct>(context, 'cancel', keyOfCanceled);
	const write: Write<CancelAct> = {
		client,
		maxWaitMs: Math.min(client.maxRetryWaitMs, 4_000),
		send: async ({ targets }, calls) => sendCancellation(calls, targets),
		judge: judgeCancellation,
		find: async (targets) =>
			client.mapParallel(targets, async (target) => readRecord(client, target)),
	};
	return {
		/** What came of those of its earlier tries. */
		recall: async () => recall(journal, write),
		/** What was requested before, also what a person may request again. */
		doneOrPending: () => journal.doneOrPendingTargets,
		mayCancel: (target: CancelTarget) => journal.isSendable(target),
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
		return await calls.call('cancelShipments', details).then(
			({ result, correlationId }) => {
				const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
				return packages.map((number): NumberRow => {
					const { successfull, message: said } = rows.get(number) ?? {};
					const state = successfull ? 'canceled' : successfull === false ? 'refused' : 'unclear';
					return { number, state, said, correlationId };
				});
			},
			(thrown: unknown) => {
				if (!mayHaveActed(thrown)) throw thrown;
				// The records say whether these are canceled.
				return packages.map((number) => toFailedRow(number, 'unclear', thrown));
			},
		);
	};
	const numbers = [...new Set(targets.flatMap((target) => target.numbers))];
	const isAboutNumbers = (failure: unknown) => isRefusal(failure) && !isMissingEndpoint(failure);
	const split = await requestWithoutRefused(numbers, request, new SplitBudget(), isAboutNumbers);
	if (split.failed.length === numbers.length) throw split.failure;
	const refused = split.refused.map((each) => toFailedRow(each.number, 'refused', each.failure));
	const notSent = split.failed.map((number) => toFailedRow(number, 'notSent', split.failure));
	return { rows: [...split.rows, ...refused, ...notSent] };
}

function toFailedRow(number: string, state: NumberRow['state'], failure: unknown): NumberRow {
	const error = describeError(failure);
	const { serviceMessage: said, correlationId } = error.details;
	return { number, state, said, correlationId, error };
}

function judgeCancellation(known: Known<CancelAct>): Verdict<CancelAct> {
	const rows = new Map(known.response?.rows.map((row) => [row.number, row]));
	const toSearch: CancelTarget[] = [];
	const outcomes = known.request.targets.map((target): TargetOutcome<CancelAct> => {
		const records = known.records.filter(({ key }) => key === keyOfCanceled(target));
		const { outcome, isFinal } = judgeShipment(target, rows, records);
		if (!isFinal) toSearch.push(target);
		return { targets: [target], outcome };
	});
	return { outcomes, toSearch };
}

type Rows = ReadonlyMap<string, NumberRow>;

function judgeShipment(
	target: CancelTarget,
	rows: Rows,
	records: ReadonlyArray<CancelAct['record']>,
): { outcome: Outcome<Cancellation>; isFinal: boolean } {
	const { numbers } = target;
	const record = records.at(-1);
	const shown = records.flatMap(({ pieces }) => pieces).filter(({ isCanceled }) => isCanceled);
	const shownCanceled = new Set(shown.map((piece) => piece.number));
	const stateOf = (each: string) => rows.get(each)?.state ?? 'unclear';
	const open = numbers.filter((each) => stateOf(each) !== 'canceled' && !shownCanceled.has(each));
	const isRefused = (each: string) => stateOf(each) === 'refused';
	const isNotSent = (each: string) => stateOf(each) === 'notSent';
	const named = open.find(isRefused) ?? open[0];
	const row = rows.get(named ?? numbers[0] ?? '');
	if (open.length === 0 && isWhole(target, record)) {
		const isAnswered = numbers.every((each) => isRefused(each) || stateOf(each) === 'canceled');
		const answered = numbers.every(isRefused) ? 'existing' : 'response';
		const correlationId = typeof row?.correlationId === 'string' ? row.correlationId : null;
		const value: Cancellation = { via: isAnswered ? answered : 'records', correlationId };
		return { outcome: { state: 'done', value }, isFinal: true };
	}
	const canceled = numbers.filter((each) => !open.includes(each));
	const errors = [notCanceledError(target, { named, row, rows, record, canceled })];
	const isCertain = open.length > 0 && open.every((each) => isRefused(each) || isNotSent(each));
	// The first record that can be read decides whether a refused number was canceled before.
	const isFinal = isCertain && (open.every(isNotSent) || isRead(record));
	// A shipment that is canceled in part stays in the journal, so that a retry does not cancel the one that its order
	// has instead by then.
	return isCertain && canceled.length === 0
		? { outcome: { state: 'notDone', errors }, isFinal }
		: { outcome: { state: 'unknown', errors, isRepeatable: true }, isFinal };
}

const isRead = (record?: CancelAct['record']): record is CancelAct['record'] =>
	record !== undefined && record.problem === undefined;

/** Whether the records show also those pieces as canceled that have no number. */
function isWhole({ pieceCount }: CancelTarget, record?: CancelAct['record']): boolean {
	if (pieceCount === undefined) return true;
	const { pieces } = record ?? { pieces: [] };
	const count = new Set(pieces.map(({ id }) => id)).size;
	return count >= pieceCount && pieces.every(({ isCanceled }) => isCanceled);
}

/** Why a shipment, or a piece of it, is not known to be canceled. */
interface Reason {
	/** The number that is not. Undefined: a piece without a number. */
	named: string | undefined;
	row: NumberRow | undefined;
	rows: Rows;
	record: CancelAct['record'] | undefined;
	/** The numbers that are canceled. */
	canceled: string[];
}

function notCanceledError(target: CancelTarget, reason: Reason): ItemError {
	const { named, row, rows, record, canceled } = reason;
	const { correlationId } = row ?? {};
	const isRefused = row?.state === 'refused';
	const said = isRefused ? toSentence(row.said) : undefined;
	// If no number has a response, the carrier may be the reason.
	const isOfAll =
		rows.size > 1 && [...rows.values()].every(({ state, error }) => error && state !== 'unclear');
	const [message, advice] =
		row?.error && (row.state === 'notSent' || isOfAll)
			? [row.error.message, row.error.description]
			: named !== undefined && isRefused && isRead(record)
				? refusedText(target, named, said, record)
				: unclearText(target, reason, said);
	const details: IDataObject = {
		...row?.error?.details,
		...orderOf(target.reference),
		packageNumberCarrier: named ?? target.number,
		carrierCode: target.carrierCode,
		...(typeof correlationId === 'string' ? { correlationId } : {}),
		...(said ? { serviceMessage: said } : {}),
		...(canceled.length > 0 ? { canceledNumbers: canceled } : {}),
	};
	// The message of a further error is all that n8n shows of it.
	const withIt = canceled.length > 0 ? `. Canceled with it: ${canceled.join(', ')}` : '';
	return new ItemError(message + withIt, advice, details, true);
}

function unclearText(
	{ id, number, reference }: CancelTarget,
	{ named, row, record }: Reason,
	said: string | undefined,
): [message: string, advice: string] {
	const name = nameOfShipment(named ?? id ?? number, reference);
	const isRefused = named !== undefined && row?.state === 'refused';
	const doubts = [doubtAbout(named, row, said), record?.problem].filter(Boolean).join('. ');
	const never = isRefused ? '' : ' This node never repeats a cancellation by itself.';
	return [
		`Could not confirm whether shipment ${name} was canceled`,
		`${doubts}. Check the shipment with Shipment: Get before you cancel it again.${never}`,
	];
}

function doubtAbout(named: string | undefined, row?: NumberRow, said = 'no'): string {
	if (named === undefined) return 'A piece has no shipment number yet';
	if (!row) return 'the node was interrupted before the response arrived';
	if (row.state === 'refused') return `The service said: ${said}`;
	return row.error ? reasonOf(row.error) : 'The service did not say whether it was canceled';
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
async function readRecord(client: Client, target: CancelTarget): Promise<CancelAct['record']> {
	const { carrierCode, id, numbers } = target;
	const key = keyOfCanceled(target);
	const pieces: PieceRecord[] = [];
	try {
		if (id !== undefined) pieces.push(...(await readPieces(client, carrierCode, id)));
		for (const number of numbers) {
			// An additional piece may have no detail.
			if (pieces.some((piece) => piece.number === number)) continue;
			pieces.push(...(await findByNumber(client, carrierCode, number)));
		}
		return { key, pieces };
	} catch (thrown) {
		return { key, pieces, problem: describeError(thrown).message };
	}
}

async function findByNumber(
	client: Client,
	carrierCode: string,
	number: string,
): Promise<PieceRecord[]> {
	const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
	for (const listed of await listPieces(client, { ...filter, carrierCodes: [carrierCode] })) {
		// Some services only have the number in the detail of a shipment.
		const own = listed.number === '' ? await readPieces(client, carrierCode, listed.id) : [listed];
		const piece = own.find((each) => each.number === number);
		if (piece) return [piece];
	}
	return [];
}
