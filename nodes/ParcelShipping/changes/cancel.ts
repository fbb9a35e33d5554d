import type { IExecuteFunctions } from 'n8n-workflow';

import type { Client } from '../transport/client';
import type { CancellationRow } from '../transport/contract';
import { describeError, isMissingEndpoint, mayHaveActed, reasonOf } from '../transport/errors';
import { requestWithoutRefused, type SplitResponse, Splitting } from '../transport/trackingRequests';
import { toSentence } from '../transport/serviceMessage';
import { Journal, type Outcome, type Settled } from '../writes/journal';
import { recall, type Seen, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { notCanceledError, unknownCancellationError } from './messages';
import { type CanceledNumber, isNumberCanceled } from './shipmentState';

// Nothing is canceled twice, and nothing is reported as canceled that is not. A row that says canceled
// is final; otherwise the records decide. A refused number may be one that was canceled before.

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

export const numberKeyOf = ({ carrierCode, number }: CanceledNumber) => `${carrierCode} ${number}`;

/** What came back for the numbers of a request, which may have been split. */
interface CancelResponse extends SplitResponse<CancellationRow> {
	correlationId: string | null;
	/** Why a number may have no row. */
	reason: string;
	isCarrierResponding: boolean;
}

interface CancelRecord {
	number: string;
	isCanceled?: boolean | undefined;
	/** Why the records could not be read. */
	problem?: string;
}

/** The numbers of one carrier are canceled together. */
interface CancelKind {
	about: CanceledNumber;
	more: object;
	response: CancelResponse;
	found: CancelRecord;
	value: Cancellation;
}

export type CancelJournal = Journal<CancelKind>;

/** Cancels shipment numbers of one run of the node. */
export interface Canceling {
	journal: CancelJournal;
	/** What earlier tries of the run have canceled, or may have canceled. */
	recall(): Promise<Array<Settled<CancelKind>>>;
	cancel(about: CanceledNumber[]): Promise<Array<Settled<CancelKind>>>;
}

type CancelClient = Pick<
	Client,
	'call' | 'findShipments' | 'getShipment' | 'isStopped' | 'mapParallel' | 'pause'
>;

export function openCanceling(
	context: IExecuteFunctions,
	client: CancelClient,
	maxWaitMs: number,
): Canceling {
	const journal: CancelJournal = new Journal(context, 'cancel', numberKeyOf);
	const write: Write<CancelKind> = {
		client,
		maxWaitMs: Math.min(maxWaitMs, 4_000),
		send: async ({ about }) => sendCancellation(client, about),
		judge: judgeCancellation,
		find: async (about) =>
			client.mapParallel(about, async (each) =>
				isNumberCanceled(client, each).then(
					(isCanceled) => ({ number: each.number, isCanceled }),
					(thrown: unknown) => ({ number: each.number, problem: describeError(thrown).message }),
				),
			),
	};
	return {
		journal,
		recall: async () => recall(journal, write),
		cancel: async (about) => writeOnce(journal, { about }, write),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others sent again. */
async function sendCancellation(
	client: CancelClient,
	about: readonly CanceledNumber[],
): Promise<CancelResponse> {
	const { carrierCode = '' } = about[0] ?? {};
	let correlationId: unknown;
	let reason = 'The service did not say whether it was canceled';
	let isOffered = true;
	const splitting = new Splitting(() => isOffered);
	const response = await requestWithoutRefused(
		about.map(({ number }) => number),
		async (packages) =>
			client
				.call('cancelShipments', { path: { carrier_code: carrierCode }, body: { packages } })
				.then(
					(sent) => {
						({ correlationId } = sent);
						return sent.result;
					},
					(thrown: unknown): CancellationRow[] => {
						isOffered &&= !isMissingEndpoint(thrown);
						if (!mayHaveActed(thrown)) throw thrown;
						// Their records say whether the numbers are canceled.
						const text = describeError(thrown);
						({ correlationId } = text.details);
						reason = reasonOf(text);
						return [];
					},
				),
		splitting,
	);
	return {
		...response,
		correlationId: typeof correlationId === 'string' ? correlationId : null,
		reason,
		isCarrierResponding: splitting.hasResponse,
	};
}

function judgeCancellation({ request, response, found }: Seen<CancelKind>): Verdict<CancelKind> {
	const { correlationId = null, reason = 'n8n ended before the response arrived' } = response ?? {};
	const details = correlationId === null ? {} : { correlationId };
	const rows = new Map(response?.rows.map((row) => [String(row.packageNumberCarrier), row]));
	const refused = new Map(response?.refused.map(({ number, failure }) => [number, failure]));
	const failed = new Set(response?.failed);
	const records = new Map(found.map((record) => [record.number, record]));
	const unsure: CanceledNumber[] = [];

	const outcomeOf = (about: CanceledNumber): Outcome<Cancellation> => {
		const { number } = about;
		const done = (via: Cancellation['via']): Outcome<Cancellation> => ({
			kind: 'done',
			value: { via, correlationId },
		});
		const notDone = (error: unknown): Outcome<Cancellation> => ({
			kind: 'notDone',
			errors: [error],
		});
		if (refused.has(number)) {
			return notDone(
				response?.isCarrierResponding
					? refusedError(about, refused.get(number))
					: refused.get(number),
			);
		}
		if (failed.has(number)) return notDone(response?.failures[0]);
		const row = rows.get(number);
		if (row?.successfull === true) return done('response');
		const isRefused = row?.successfull === false;
		const record = records.get(number);
		if (record?.isCanceled) return done(isRefused ? 'existing' : 'records');
		const isRead = record !== undefined && record.problem === undefined;
		// A refusal is final, so that the first record that can be read decides.
		if (!isRead || !isRefused) unsure.push(about);
		const said = toSentence(row?.message);
		if (isRead && isRefused) return notDone(notCanceledError(about, said, details));
		const because = isRefused ? `The service said: ${said ?? 'no'}` : reason;
		const error = unknownCancellationError(
			about,
			[because, record?.problem].filter(Boolean).join('. '),
			details,
		);
		return isRefused ? notDone(error) : { kind: 'unknown', errors: [error] };
	};
	const settled = request.about.map((about) => ({ about: [about], outcome: outcomeOf(about) }));
	return { settled, unsure };
}

/** A number that made the service refuse a request, while it responded to others. */
function refusedError(about: CanceledNumber, failure: unknown) {
	const { details } = describeError(failure);
	return notCanceledError(about, toSentence(details.serviceMessage), details);
}
