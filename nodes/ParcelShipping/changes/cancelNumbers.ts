import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Client, UnsafeCalls } from '../transport/client';
import {
	describeError,
	isMissingEndpoint,
	ItemError,
	mayHaveActed,
	reasonOf,
} from '../transport/errors';
import { toSentence } from '../transport/serviceMessage';
import { listPieces, readPieces } from '../transport/pieces';
import { isRefusal, requestWithoutRefused, SplitBudget } from '../transport/splitRequests';
import { Journal, type Outcome, type TargetOutcome } from '../writes/journal';
import { recall, type Known, type Verdict, type Write, writeOnce } from '../writes/writeOnce';

// Nothing is reported as canceled that is not. A row that says canceled is final; otherwise the records decide.
// A refused number may be one that was canceled before.

export interface NumberToCancel {
	carrierCode: string;
	number: string;
	/** The order number, if it is known. */
	reference?: string;
	/** The ID of its main shipment, if the detail says it. */
	shipmentId?: number;
	/** The ID that the item names, or that was found by its order number. */
	wantedId?: number;
	/** How many pieces of its shipment are to be canceled, so that a retry knows whether these are all. */
	pieceCount?: number;
	/** The input items that cancel it. */
	items?: number[];
}

export interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** Why the service refused a number alone. */
interface Refusal {
	error: unknown;
	/** Without any response, the carrier may be the reason, and not the number. */
	mayBeOfCarrier: boolean;
}

/** The numbers of one carrier are canceled together. */
export interface CancelAct {
	target: NumberToCancel;
	details: object;
	response: {
		/** What the service said of a number, or the error if it refused its whole request. */
		rows: Array<
			{ number: string } & (
				| { isCanceled: boolean | undefined; said: unknown; refusal?: Refusal }
				| { error: unknown }
			)
		>;
		/** By number: that of the last request with it. */
		correlationIds: Record<string, unknown>;
		/** Why another number may have no row. */
		reason: string;
	};
	/** What the records say; without `isCanceled`, there is no such shipment, or it could not be read. */
	record: { number: string; isCanceled?: boolean | undefined; problem?: string };
	value: Cancellation;
}

export const numberKeyOf = ({ carrierCode, number }: NumberToCancel) => `${carrierCode} ${number}`;

export const orderOf = (reference = ''): IDataObject =>
	reference === '' ? {} : { packageNumberCustom: reference };

/** A shipment in a message, by its ID or number, with the order that it belongs to. */
export const nameOfShipment = (idOrNumber: string | number, reference = '') =>
	reference === '' ? `${idOrNumber}` : `${idOrNumber} of order ${reference}`;

/** Cancels shipment numbers of one run of the node. `recall` returns what came of those of its earlier tries. */
export function openCanceling(context: IExecuteFunctions, client: Client) {
	const journal = new Journal<CancelAct>(context, 'cancel', numberKeyOf);
	const write: Write<CancelAct> = {
		client,
		maxWaitMs: Math.min(client.maxRetryWaitMs, 4_000),
		send: async ({ targets }, calls) => sendCancellation(calls, targets),
		judge: judgeCancellation,
		find: async (targets) =>
			client.mapParallel(targets, async (each) =>
				isNumberCanceled(client, each).then(
					(isCanceled) => ({ number: each.number, isCanceled }),
					(thrown: unknown) => ({ number: each.number, problem: describeError(thrown).message }),
				),
			),
	};
	return {
		recall: async () => (await recall(journal, write)).outcomes,
		/** What was requested before, also what a person may request again. */
		doneOrPendingNumbers: () => journal.doneOrPendingTargets,
		/** Without a request, so that a retry knows as well that these were canceled before. */
		keepCanceled: (targets: readonly NumberToCancel[]) =>
			targets.map((target): TargetOutcome<CancelAct> => {
				const value: Cancellation = { via: 'existing', correlationId: null };
				journal.keepDone(target, value);
				return { targets: [target], outcome: { state: 'done', value } };
			}),
		cancel: async (targets: NumberToCancel[]) => writeOnce(journal, { targets }, write),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others sent again. */
async function sendCancellation(
	calls: UnsafeCalls,
	targets: readonly NumberToCancel[],
): Promise<CancelAct['response']> {
	const { carrierCode = '' } = targets[0] ?? {};
	const correlationIds: Record<string, unknown> = {};
	let reason = 'The service did not say whether it was canceled';
	const splitBudget = new SplitBudget();
	const request = async (packages: string[]) => {
		const note = (correlationId: unknown) => {
			for (const number of packages) correlationIds[number] = correlationId;
		};
		const details = { path: { carrier_code: carrierCode }, body: { packages } };
		return await calls.call('cancelShipments', details).then(
			({ result, correlationId }) => {
				note(correlationId);
				return result;
			},
			(thrown: unknown) => {
				const text = describeError(thrown);
				note(text.details.correlationId);
				if (!mayHaveActed(thrown)) throw thrown;
				// Their records say whether the numbers are canceled.
				reason = reasonOf(text);
				return [];
			},
		);
	};
	const numbers = targets.map(({ number }) => number);
	const isAboutNumbers = (failure: unknown) => isRefusal(failure) && !isMissingEndpoint(failure);
	const split = await requestWithoutRefused(numbers, request, splitBudget, isAboutNumbers);
	const mayBeOfCarrier = !splitBudget.hasResponse && targets.length > 1;
	return {
		rows: [
			...split.rows.map(({ packageNumberCarrier, successfull: isCanceled, message: said }) => {
				return { number: String(packageNumberCarrier), isCanceled, said };
			}),
			...split.refused.map(({ number, failure: error }) => {
				const said = describeError(error).details.serviceMessage;
				return { number, isCanceled: false, said, refusal: { error, mayBeOfCarrier } };
			}),
			...split.failed.map((number) => ({ number, error: split.failure })),
		],
		correlationIds,
		reason,
	};
}

function judgeCancellation({ request, response, records }: Known<CancelAct>): Verdict<CancelAct> {
	const { correlationIds = {}, reason = 'the node was interrupted before the response arrived' } =
		response ?? {};
	const rows = new Map(response?.rows.map((each) => [each.number, each]));
	const recordOf = new Map(records.map((record) => [record.number, record]));
	const toSearch: NumberToCancel[] = [];

	const outcomeOf = (target: NumberToCancel): Outcome<Cancellation> => {
		const { carrierCode, number, reference } = target;
		const row = rows.get(number);
		const given = correlationIds[number];
		const correlationId = typeof given === 'string' ? given : null;
		const done = (via: Cancellation['via']): Outcome<Cancellation> => ({
			state: 'done',
			value: { via, correlationId },
		});
		if (row && 'error' in row) return { state: 'notDone', errors: [row.error] };
		if (row?.isCanceled === true) return done('response');
		const isRefused = row?.isCanceled === false;
		const record = recordOf.get(number);
		if (record?.isCanceled) return done(isRefused ? 'existing' : 'records');
		const said = isRefused ? toSentence(row.said) : undefined;
		const details: IDataObject = {
			...orderOf(reference),
			packageNumberCarrier: number,
			carrierCode,
			...(correlationId === null ? {} : { correlationId }),
			...(said ? { serviceMessage: said } : {}),
		};
		const isRead = record !== undefined && record.problem === undefined;
		const refusal = isRefused ? row.refusal : undefined;
		// The record of a number that was refused alone is read once, and may say that the number was canceled before.
		if (refusal && (refusal.mayBeOfCarrier || !isRead)) {
			if (!record) toSearch.push(target);
			return { state: 'notDone', errors: [refusal.error] };
		}
		// A refusal is final, so that the first record that can be read decides.
		if (isRefused && isRead) {
			const isListed = record.isCanceled !== undefined;
			const [message, advice] = isListed ? notCanceled(target, said) : notListed(target, said);
			return { state: 'notDone', errors: [new ItemError(message, advice, details, true)] };
		}
		toSearch.push(target);
		const because = isRefused ? `The service said: ${said ?? 'no'}` : reason;
		const error = new ItemError(
			`Could not confirm whether shipment ${nameOfShipment(number, reference)} was canceled`,
			`${[because, record?.problem].filter(Boolean).join('. ')}. Check the shipment with Shipment: Get before you cancel it again.${isRefused ? '' : ' This node never repeats a cancellation by itself.'}`,
			details,
			true,
		);
		const errors = [error];
		return isRefused
			? { state: 'notDone', errors }
			: { state: 'unknown', errors, personMayRepeat: true };
	};
	const outcomes = request.targets.map((target): TargetOutcome<CancelAct> => {
		return { targets: [target], outcome: outcomeOf(target) };
	});
	return { outcomes, toSearch };
}

const notCanceled = ({ number, reference }: NumberToCancel, said = ''): [string, string] => [
	said
		? `Shipment ${nameOfShipment(number, reference)} was not canceled. The service said: ${said}`
		: `The service did not cancel shipment ${nameOfShipment(number, reference)}`,
	'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
];

/** For example an order number, or the number of an additional piece at a service that does not list it. */
const notListed = (
	{ carrierCode, number, reference }: NumberToCancel,
	said = '',
): [string, string] => [
	`Could not cancel ${nameOfShipment(number, reference)}: the service lists no shipment of carrier ${carrierCode} with this number`,
	`${said ? `The service said: ${said}. ` : ''}${reference ? 'Check the shipment with Shipment: Get.' : NO_CARRIER_NUMBER}`,
];

const NO_CARRIER_NUMBER =
	"'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.";

/** Whether the shipment with this number is canceled; undefined if there is no such shipment. */
async function isNumberCanceled(
	client: Client,
	{ carrierCode, number, shipmentId }: NumberToCancel,
): Promise<boolean | undefined> {
	// An additional piece may have no detail of its own.
	const find = async (id: number) => {
		const pieces = await readPieces(client, carrierCode, id);
		return pieces.find((piece) => piece.number === number);
	};
	const known = shipmentId === undefined ? undefined : await find(shipmentId);
	if (known) return known.isCanceled;

	const filter = { search: number, packageNumberCarrier: number, onlyMaster: false };
	for (const listed of await listPieces(client, { ...filter, carrierCodes: [carrierCode] })) {
		if (listed.number === number) return listed.isCanceled;
		// Some services only have the number in the detail of a shipment.
		const piece = listed.number === '' ? await find(listed.id) : undefined;
		if (piece) return piece.isCanceled;
	}
	return undefined;
}
