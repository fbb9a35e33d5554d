import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy, isSameCode } from '../lists';
import { carrierNumberOf } from '../records';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client } from '../transport/client';
import { type CancellationRow, NUMBERS_PER_REQUEST, PAGE_LENGTH } from '../transport/contract';
import {
	describeError,
	isMissingEndpoint,
	ifNotFound,
	ItemError,
	mayHaveActed,
	reasonOf,
} from '../transport/errors';
import { toSentence } from '../transport/serviceMessage';
import { requestWithoutRefused, Splitting } from '../transport/trackingRequests';
import { Journal, type Outcome, type Settled } from '../writes/journal';
import { recall, type Seen, type Verdict, type Write, writeOnce } from '../writes/writeOnce';
import { readState } from './shipmentState';

// Nothing is canceled twice, and nothing is reported as canceled that is not. A row that says canceled
// is final; otherwise the records decide. A refused number may be one that was canceled before.

/** The shipments that one input item cancels. */
export type CancelItem = { item: number; carrierCode: string } & (
	| { numbers: string[] }
	| { shipmentIds: number[] }
);

interface CanceledNumber {
	carrierCode: string;
	number: string;
	/** The ID of its main shipment, if that is known. */
	shipmentId?: number;
}

interface Cancellation {
	/** Existing: it was canceled before. */
	via: 'response' | 'records' | 'existing';
	correlationId: string | null;
}

/** The numbers of one carrier are canceled together. */
interface CancelKind {
	about: CanceledNumber;
	more: object;
	response: {
		rows: CancellationRow[];
		/** The numbers that have no row because the service refused their request. */
		refused: Array<{ number: string; error: unknown }>;
		correlationId: string | null;
		/** Why another number may have no row. */
		reason: string;
	};
	/** What the records say; without `isCanceled`, there is no such shipment, or it could not be read. */
	found: { number: string; isCanceled?: boolean | undefined; problem?: string };
	value: Cancellation;
}

const numberKeyOf = ({ carrierCode, number }: CanceledNumber) => `${carrierCode} ${number}`;

export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	maxWaitMs: number,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const canceling = openCanceling(context, client, maxWaitMs);
	const outcomes = new Map<string, Outcome<Cancellation>>();
	const note = (settled: ReadonlyArray<Settled<CancelKind>>) => {
		for (const { about, outcome } of settled) {
			for (const each of about) outcomes.set(numberKeyOf(each), outcome);
		}
	};
	note(await canceling.recall());

	const found = (
		await client.mapParallel(items, async (item) => findTargets(run, item, canceling.journal))
	).flat();
	const failed = found.filter((each) => 'failure' in each);
	if (failed.length > 0 && !context.continueOnFail()) return failed;

	const targets = found.filter((each) => 'numbers' in each);
	const wanted = targets
		.flatMap(({ numbers }) => numbers)
		.filter((each) => !outcomes.has(numberKeyOf(each)));
	const distinct = new Map(wanted.map((each) => [numberKeyOf(each), each]));
	const byCarrier = groupBy([...distinct.values()], ({ carrierCode }) => carrierCode);
	const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
	await runUntilFirstFailure(
		run,
		requests.map((request) => [request]),
		async (request) => {
			const settled = await canceling.cancel(request);
			note(settled);
			return settled.map(({ outcome }) => (outcome.kind === 'done' ? {} : { failure: outcome }));
		},
	);
	return [...failed, ...targets.flatMap((target) => toResults(target, outcomes))];
}

/** One output item. */
interface Target {
	item: number;
	/** What the output says about the shipment. */
	shipment: IDataObject;
	/** Empty if it was canceled before this run. */
	numbers: CanceledNumber[];
}

async function findTargets(
	{ client }: NodeRun,
	wanted: CancelItem,
	journal: Journal<CancelKind>,
): Promise<Array<Target | { items: number[]; failure: unknown }>> {
	const { item, carrierCode } = wanted;
	if ('numbers' in wanted) {
		return wanted.numbers.map((number) => ({
			item,
			shipment: { packageNumberCarrier: number, carrierCode },
			numbers: [{ carrierCode, number }],
		}));
	}
	const findTarget = async (id: number): Promise<Target> => {
		const { id: shipmentId, pieces: all } = await client.once(
			`shipment ${carrierCode} ${id}`,
			async () => readState(client, carrierCode, id),
		);
		// The ID of an additional piece stands for that piece alone.
		const pieces = all.filter((piece) => shipmentId === id || piece.id === id);
		const numbers = pieces
			.filter(({ number }) => number !== '')
			.map(({ number }) => ({ carrierCode, number, shipmentId }));
		const shipment = { id, packageNumberCarrier: numbers[0]?.number ?? null, carrierCode };
		const isOfThisRun = numbers.some((each) => journal.has(numberKeyOf(each)));
		const isCanceled = pieces.every(({ canceled }) => canceled);
		if (isCanceled && !isOfThisRun) return { item, shipment, numbers: [] };
		if (numbers.length > 0) return { item, shipment, numbers };
		throw new ItemError(
			`Shipment ${id} has no shipment number of carrier ${carrierCode} yet`,
			'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
			{ carrierCode, shipmentId: id },
			true,
		);
	};
	return await client.mapParallel(wanted.shipmentIds, async (id) =>
		findTarget(id).catch((failure: unknown) => ({ items: [item], failure })),
	);
}

function toResults(
	{ item, shipment, numbers }: Target,
	outcomes: ReadonlyMap<string, Outcome<Cancellation>>,
): ItemResult[] {
	const items = [item];
	const canceled: Cancellation[] = [];
	for (const number of numbers) {
		const outcome = outcomes.get(numberKeyOf(number));
		// Without Continue, the run ended before this request.
		if (!outcome) return [];
		if (outcome.kind !== 'done') return [{ items, failure: outcome.errors[0] }];
		canceled.push(outcome.value);
	}
	const json = {
		...shipment,
		canceled: true,
		alreadyCanceled: canceled.every(({ via }) => via === 'existing'),
		recovered: canceled.some(({ via }) => via === 'records'),
		correlationId: canceled[0]?.correlationId ?? null,
	};
	return [{ items, json }];
}

/** Cancels shipment numbers of one run of the node. `recall` returns those of its earlier tries. */
export function openCanceling(context: IExecuteFunctions, client: Client, maxWaitMs: number) {
	const journal = new Journal<CancelKind>(context, 'cancel', numberKeyOf);
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
		cancel: async (about: CanceledNumber[]) => writeOnce(journal, { about }, write),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others sent again. */
async function sendCancellation(
	client: Client,
	about: readonly CanceledNumber[],
): Promise<CancelKind['response']> {
	const { carrierCode = '' } = about[0] ?? {};
	let correlationId: unknown;
	let reason = 'The service did not say whether it was canceled';
	let isOffered = true;
	const splitting = new Splitting(() => isOffered);
	const { rows, refused, failed, failures } = await requestWithoutRefused(
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
	// A number that was refused alone is judged like a row that says so. If everything was refused, the
	// carrier may be the problem, and not the number.
	const rowOf = ({ number, failure }: (typeof refused)[number]): CancellationRow => ({
		packageNumberCarrier: number,
		successfull: false,
		message: String(describeError(failure).details.serviceMessage ?? ''),
	});
	const isAlone = splitting.hasResponse;
	return {
		rows: isAlone ? [...rows, ...refused.map(rowOf)] : rows,
		refused: [
			...(isAlone ? [] : refused.map(({ number, failure }) => ({ number, error: failure }))),
			...failed.map((number) => ({ number, error: failures[0] })),
		],
		correlationId: typeof correlationId === 'string' ? correlationId : null,
		reason,
	};
}

function judgeCancellation({ request, response, found }: Seen<CancelKind>): Verdict<CancelKind> {
	const { correlationId = null, reason = 'n8n ended before the response arrived' } = response ?? {};
	const details: IDataObject = correlationId === null ? {} : { correlationId };
	const rows = new Map(response?.rows.map((row) => [String(row.packageNumberCarrier), row]));
	const refused = new Map(response?.refused.map(({ number, error }) => [number, error]));
	const records = new Map(found.map((record) => [record.number, record]));
	const unsure: CanceledNumber[] = [];

	const outcomeOf = (about: CanceledNumber): Outcome<Cancellation> => {
		const { number } = about;
		const done = (via: Cancellation['via']) => ({
			kind: 'done' as const,
			value: { via, correlationId },
		});
		if (refused.has(number)) return { kind: 'notDone', errors: [refused.get(number)] };
		const row = rows.get(number);
		if (row?.successfull === true) return done('response');
		const isRefused = row?.successfull === false;
		const said = toSentence(row?.message);
		const record = records.get(number);
		if (record?.isCanceled) return done(isRefused ? 'existing' : 'records');
		// A refusal is final, so that the first record that can be read decides.
		if (isRefused && record && record.problem === undefined) {
			const [message, advice] =
				record.isCanceled === undefined ? noSuchNumber(about, said) : notCanceled(number, said);
			const more = said ? { serviceMessage: said } : {};
			const error = new ItemError(
				message,
				advice,
				{ ...details, ...namesOf(about), ...more },
				true,
			);
			return { kind: 'notDone', errors: [error] };
		}
		unsure.push(about);
		const because = isRefused ? `The service said: ${said ?? 'no'}` : reason;
		const error = new ItemError(
			`Could not confirm whether shipment ${number} was canceled`,
			`${[because, record?.problem].filter(Boolean).join('. ')}. Check the shipment with Shipment: Get before you cancel it again. This node never repeats a cancellation by itself.`,
			{ ...details, ...namesOf(about) },
			true,
		);
		return { kind: isRefused ? 'notDone' : 'unknown', errors: [error] };
	};
	const settled = request.about.map((about) => ({ about: [about], outcome: outcomeOf(about) }));
	return { settled, unsure };
}

const namesOf = ({ carrierCode, number }: CanceledNumber) => ({
	packageNumberCarrier: number,
	carrierCode,
});

/** For example an order number in the place of the carrier's number. */
const noSuchNumber = ({ carrierCode, number }: CanceledNumber, said = ''): [string, string] => [
	`Carrier ${carrierCode} has no shipment with the number ${number}, so nothing was canceled`,
	`${said ? `The service said: ${said}. ` : ''}'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.`,
];

const notCanceled = (number: string, said = ''): [string, string] => [
	said
		? `Shipment ${number} was not canceled. The service said: ${said}`
		: `The service did not cancel shipment ${number}`,
	'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
];

/** Whether the shipment with this number is canceled; undefined if there is no such shipment. */
async function isNumberCanceled(
	client: Client,
	{ carrierCode, number, shipmentId }: CanceledNumber,
): Promise<boolean | undefined> {
	// An additional piece may have no detail of its own.
	const find = async (id: number) => {
		const { pieces } = await readState(client, carrierCode, id).catch(ifNotFound({ pieces: [] }));
		return pieces.find((piece) => piece.number === number);
	};
	const known = shipmentId === undefined ? undefined : await find(shipmentId);
	if (known) return known.canceled;

	const search = { search: number, packageNumberCarrier: number, onlyMaster: false };
	const filter = { ...search, carrierCodes: [carrierCode] };
	const { rows } = await client.findShipments(filter, 0, PAGE_LENGTH);
	for (const row of rows) {
		if (!isSameCode(row.carrierCode, carrierCode)) continue;
		if (carrierNumberOf(row) === number) return row.canceled === true;
		// Some services only have the number in the detail of a shipment.
		const piece = row.packageNumberCarrier === undefined ? await find(row.id) : undefined;
		if (piece) return piece.canceled;
	}
	return undefined;
}
