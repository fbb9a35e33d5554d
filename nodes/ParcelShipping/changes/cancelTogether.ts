import type { IDataObject } from 'n8n-workflow';

import { requestWithoutRefused, type SplitAnswer, Splitting } from '../transport/refusals';
import type { TrackingRequest } from '../transport/trackingRequests';
import type { CancellationRow } from '../transport/contract';
import { describeError, isMissingEndpoint } from '../transport/errors';
import { toSentence } from '../transport/serviceMessage';
import {
	type CanceledNumber,
	mayHaveActed,
	notCanceledError,
	reasonOf,
	unknownCancellationError,
} from './cancelMessages';
import type { OpenRequests } from './openRequests';
import { isNumberCanceled, readBack } from './shipmentState';
import type { NodeRun } from '../run';

type Canceled = CanceledNumber & {
	alreadyCanceled: boolean;
	recovered: boolean;
	correlationId: string | null;
};

/** The result for one shipment number. */
export type Outcome = Canceled | (CanceledNumber & { failure: unknown; isUnknown?: true });

/** What came back for the numbers of a request, whether or not there was a usable answer. */
interface Answer extends SplitAnswer<CancellationRow> {
	details: IDataObject;
	/** Why a number may have no row. */
	reason: string;
	isCarrierAnswering: boolean;
}

export const keyOf = ({ carrierCode, number }: CanceledNumber) => `${carrierCode} ${number}`;

/** Cancels the numbers of a carrier with one request, and returns the result of each of them. */
export async function cancelTogether(
	run: NodeRun,
	{ carrierCode, numbers }: TrackingRequest,
	open: OpenRequests,
	maxWaitMs: number,
): Promise<Outcome[]> {
	const earlier = doneBefore(open);
	const isDone = (about: CanceledNumber) => earlier.has(keyOf(about));
	const isOpen = (about: CanceledNumber) => open.has(keyOf(about));
	const all = numbers.map((number): CanceledNumber => ({ carrierCode, number }));
	const toSend = all.filter((about) => !isDone(about) && !isOpen(about));
	const fromEarlierTry = all.filter(isOpen);

	open.add(toSend.map(keyOf));
	const answer = await send(run, carrierCode, toSend);
	const rows = new Map(answer.rows.map((row) => [String(row.packageNumberCarrier), row]));
	const answered = answer.answered.map((number): CanceledNumber => ({ carrierCode, number }));
	const outcomes = [
		...(await run.client.mapParallel([...answered, ...fromEarlierTry], async (about) =>
			judge(run, about, rows.get(about.number), answer, maxWaitMs),
		)),
		...answer.refused.map(({ number, failure }) =>
			refusalOf({ carrierCode, number }, failure, answer.isCarrierAnswering),
		),
		...answer.failed.map((number) => ({ carrierCode, number, failure: answer.failures[0] })),
	];
	open.settle(outcomes.filter((outcome) => !('isUnknown' in outcome)).map(keyOf));
	for (const outcome of outcomes) if (!('failure' in outcome)) open.keepOutput({ ...outcome });
	return [...all.flatMap((about) => earlier.get(keyOf(about)) ?? []), ...outcomes];
}

/** The numbers that an earlier try of this execution has canceled. */
function doneBefore({ earlierOutputs }: OpenRequests): ReadonlyMap<string, Canceled> {
	const outcomes = earlierOutputs as unknown as Canceled[];
	return new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
}

/** Whether an earlier try of this execution has requested to cancel the number. */
export function isFromEarlierTry(open: OpenRequests, about: CanceledNumber): boolean {
	return open.has(keyOf(about)) || doneBefore(open).has(keyOf(about));
}

/** If the service may have acted, the numbers count as answered without a row. */
async function send(
	{ client }: NodeRun,
	carrierCode: string,
	toSend: readonly CanceledNumber[],
): Promise<Answer> {
	let details: IDataObject = {};
	let reason = 'The service did not say whether it was canceled';
	let isOffered = true;
	const splitting = new Splitting(() => isOffered);
	const request = async (packages: string[]): Promise<CancellationRow[]> =>
		client
			.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } })
			.then(
				({ result, correlationId }) => {
					details = { correlationId };
					return result;
				},
				async (thrown: unknown) => {
					isOffered &&= !isMissingEndpoint(thrown);
					if (!mayHaveActed(thrown)) return await Promise.reject(thrown);
					({ details } = describeError(thrown));
					reason = reasonOf(thrown);
					return [];
				},
			);
	const answer =
		toSend.length > 0
			? await requestWithoutRefused(
					toSend.map(({ number }) => number),
					request,
					splitting,
				)
			: { rows: [], answered: [], refused: [], failed: [], failures: [] };
	return { ...answer, details, reason, isCarrierAnswering: splitting.hasAnswer };
}

/** A row that says "canceled" is believed. In every other case, the records of the service decide. */
async function judge(
	{ client }: NodeRun,
	about: CanceledNumber,
	row: CancellationRow | undefined,
	{ details, reason }: Answer,
	maxWaitMs: number,
): Promise<Outcome> {
	const correlationId = String(details.correlationId ?? '') || null;
	if (row?.successfull === true) {
		return { ...about, alreadyCanceled: false, recovered: false, correlationId };
	}
	const isRefused = row?.successfull === false;
	const found = await readBack(
		client,
		maxWaitMs,
		async () => isNumberCanceled(client, about.carrierCode, about.number),
		// A refusal is final, so that the first record that can be read decides.
		(isCanceled) => isCanceled === true || isRefused,
	);
	if ('state' in found && found.state === true) {
		return { ...about, alreadyCanceled: isRefused, recovered: !isRefused, correlationId };
	}
	if (!('problem' in found)) {
		if (isRefused) {
			return { ...about, failure: notCanceledError(about, toSentence(row.message), details) };
		}
		return { ...about, failure: unknownCancellationError(about, reason, details), isUnknown: true };
	}
	// A refusal may also mean that the shipment was canceled before.
	const said = isRefused ? `The service said: ${toSentence(row.message) ?? 'no'}` : reason;
	const failure = unknownCancellationError(about, `${said}. ${found.problem}`, details);
	return isRefused ? { ...about, failure } : { ...about, failure, isUnknown: true };
}

/** A number that made the service refuse a whole request, or one of those it refused altogether. */
function refusalOf(about: CanceledNumber, failure: unknown, isCarrierAnswering: boolean): Outcome {
	if (!isCarrierAnswering) return { ...about, failure };
	const { details } = describeError(failure);
	return {
		...about,
		failure: notCanceledError(about, toSentence(details.serviceMessage), details),
	};
}
