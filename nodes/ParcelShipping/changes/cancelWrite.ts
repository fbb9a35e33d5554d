import type { Client, UnsafeCalls } from '../transport/client';
import { describeError, isMissingEndpoint, isRefusal, mayHaveActed } from '../transport/errors';
import { listPieces, type PieceRecord, readPieces } from '../transport/pieces';
import { requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
import type { Outcome, TargetOutcome, WriteRequest } from '../writes/journal';
import type { Known, Verdict, Write } from '../writes/writeOnce';
import {
	type CancelAct,
	type Cancellation,
	type CancelTarget,
	isRead,
	keyOfCanceled,
	type NumberRow,
	type Rows,
} from './cancelAct';
import { notCanceledError } from './cancelMessages';

// Nothing is reported as canceled that is not. A row that says canceled is final; otherwise the records decide.
// A refused number may be one that was canceled before.

export function cancelWrite(client: Client): Write<CancelAct> {
	return {
		client,
		maxWaitMs: Math.min(client.maxRetryWaitMs, 4_000),
		send: async (request, calls) => sendCancellation(calls, request),
		judge: judgeCancellation,
		find: async (targets) =>
			client.mapParallel(targets, async (target) => readRecord(client, target)),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others are sent again. */
async function sendCancellation(
	calls: UnsafeCalls,
	{ carrierCode, targets }: WriteRequest<CancelAct>,
): Promise<CancelAct['response']> {
	const request = async (packages: string[]): Promise<NumberRow[]> => {
		const details = { path: { carrier_code: carrierCode }, body: { packages } };
		return await calls.call('cancelShipments', details).then(
			({ result, correlationId }) => {
				const rows = new Map(result.map((row) => [String(row.packageNumberCarrier), row]));
				return packages.map((number): NumberRow => {
					const { successfull, message: said } = rows.get(number) ?? {};
					const state =
						successfull === true ? 'canceled' : successfull === false ? 'refused' : 'unclear';
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

function judgeShipment(
	target: CancelTarget,
	rows: Rows,
	records: ReadonlyArray<CancelAct['record']>,
): { outcome: Outcome<Cancellation>; isFinal: boolean } {
	const { numbers, numbersBefore = [] } = target;
	const record = records.at(-1);
	const shownCanceled = numbersShownCanceled(records);
	const stateOf = (each: string) => rows.get(each)?.state ?? 'unclear';
	const open = numbers.filter((each) => stateOf(each) !== 'canceled' && !shownCanceled.has(each));
	const isRefused = (each: string) => stateOf(each) === 'refused';
	const isNotSent = (each: string) => stateOf(each) === 'notSent';
	const openNumber = open.find(isRefused) ?? open[0];
	const row = rows.get(openNumber ?? numbers[0] ?? '');
	if (open.length === 0 && isWhole(target, record)) {
		const isAnswered = numbers.every((each) => isRefused(each) || stateOf(each) === 'canceled');
		const answered = numbers.every(isRefused) ? 'existing' : 'response';
		const correlationId = typeof row?.correlationId === 'string' ? row.correlationId : null;
		const value: Cancellation = { via: isAnswered ? answered : 'records', correlationId };
		return { outcome: { state: 'done', value }, isFinal: true };
	}
	const canceled = [...numbersBefore, ...numbers.filter((each) => !open.includes(each))];
	const errors = [notCanceledError(target, { openNumber, row, rows, record, canceled })];
	const isCertain = open.length > 0 && open.every((each) => isRefused(each) || isNotSent(each));
	// The first record that can be read decides whether a refused number was canceled before.
	const hasDoneNothing = open.every(isNotSent) && canceled.length === 0;
	const isFinal = isCertain && (hasDoneNothing || isRead(record));
	// A shipment that is canceled in part stays in the journal, so that a retry does not cancel the one that its order
	// has instead by then.
	return isCertain && canceled.length === 0
		? { outcome: { state: 'notDone', errors }, isFinal }
		: { outcome: { state: 'unknown', errors, isRepeatable: true }, isFinal };
}

/** A carrier may use a number again, so that a canceled and a living piece have it. */
function numbersShownCanceled(records: ReadonlyArray<CancelAct['record']>): Set<string> {
	const canceled = records.flatMap(({ pieces }) => pieces).filter(({ isCanceled }) => isCanceled);
	const ids = new Set(canceled.map(({ id }) => id));
	const living = records.at(-1)?.pieces.filter(({ id }) => !ids.has(id)) ?? [];
	const ofLiving = new Set(living.map(({ number }) => number));
	return new Set(canceled.map(({ number }) => number).filter((each) => !ofLiving.has(each)));
}

/** Whether the records show also those pieces as canceled that have no number. */
function isWhole({ pieceCount }: CancelTarget, record?: CancelAct['record']): boolean {
	if (pieceCount === undefined) return true;
	const { pieces } = record ?? { pieces: [] };
	const count = new Set(pieces.map(({ id }) => id)).size;
	return count >= pieceCount && pieces.every(({ isCanceled }) => isCanceled);
}

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
	const listed = await listPieces(client, { ...filter, carrierCodes: [carrierCode] });
	const pieces = await client.mapParallel(listed, async (each) =>
		// Some services only have the number in the detail of a shipment.
		each.number === '' ? readPieces(client, carrierCode, each.id) : [each],
	);
	return pieces.flat().filter((each) => each.number === number);
}
