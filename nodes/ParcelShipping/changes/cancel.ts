import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { chunk, groupBy, isSameCode } from '../lists';
import { carrierNumberOf } from '../records';
import { type ItemResult, type NodeRun, runUntilFirstFailure } from '../run';
import type { Client, UnsafeCalls } from '../transport/client';
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
	/** The ID in the input that stands for this number. */
	wantedId?: number;
	/** The input items that cancel it. */
	items?: number[];
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

/** Also returns what earlier tries have canceled for items that are not among `items` now. */
export async function cancelShipments(
	run: NodeRun,
	items: readonly CancelItem[],
	maxWaitMs: number,
): Promise<ItemResult[]> {
	const { context, client } = run;
	const canceling = openCanceling(context, client, maxWaitMs);
	const outcomes: Outcomes = new Map();
	const note = (settled: ReadonlyArray<Settled<CancelKind>>) => {
		for (const { about, outcome } of settled) {
			for (const each of about) outcomes.set(numberKeyOf(each), outcome);
		}
	};
	const recalled = await canceling.recall();
	note(recalled);
	const earlier = recalled.flatMap(({ about }) => about);

	const finding = client.mapParallel(items, async (item) => findTargets(client, item, earlier));
	const found = (await finding).flat();
	const failed = found.filter((each) => 'failure' in each);
	const targets = found.filter((each) => 'numbers' in each);
	const numbers = targets.flatMap((target) => target.numbers);
	if (failed.length === 0 || context.continueOnFail()) {
		const open = numbers.filter((each) => !outcomes.has(numberKeyOf(each)));
		const distinct = new Map(open.map((each) => [numberKeyOf(each), each]));
		const byCarrier = groupBy([...distinct.values()], ({ carrierCode }) => carrierCode);
		const requests = [...byCarrier.values()].flatMap((group) => chunk(group, NUMBERS_PER_REQUEST));
		const queues = requests.map((request) => [request]);
		await runUntilFirstFailure(run, queues, async (request) => {
			const settled = await canceling.cancel(request);
			note(settled);
			return settled.map(({ outcome }) => (outcome.kind === 'done' ? {} : { failure: outcome }));
		});
	}
	const reported = new Set(numbers.map(numberKeyOf));
	const others = earlier.filter((each) => !reported.has(numberKeyOf(each)));
	const byShipment = groupBy(others, ({ wantedId, number }) => wantedId ?? number).values();
	const all = [...targets, ...[...byShipment].map((group) => toTarget(group))];
	return [...failed, ...all.flatMap((target) => toResults(target, outcomes))];
}

type Outcomes = Map<string, Outcome<Cancellation>>;

/** One output item. */
interface Target {
	items: number[];
	/** What the output says about the shipment. */
	shipment: IDataObject;
	/** Empty if it was canceled before this run. */
	numbers: CanceledNumber[];
}

function toTarget(numbers: CanceledNumber[], items = numbers[0]?.items ?? []): Target {
	const { wantedId: id, number: packageNumberCarrier, carrierCode } = numbers[0] as CanceledNumber;
	const shipment = { ...(id === undefined ? {} : { id }), packageNumberCarrier, carrierCode };
	return { items, shipment, numbers };
}

async function findTargets(
	client: Client,
	wanted: CancelItem,
	earlier: readonly CanceledNumber[],
): Promise<Array<Target | { items: number[]; failure: unknown }>> {
	const { item, carrierCode } = wanted;
	const items = [item];
	if ('numbers' in wanted) {
		return wanted.numbers.map((number) => toTarget([{ carrierCode, number, items }]));
	}
	const findTarget = async (id: number): Promise<Target> => {
		// What an earlier try has sent needs no record.
		const known = earlier.filter(({ wantedId }) => wantedId === id);
		if (known.length > 0) return toTarget(known, items);
		const { id: shipmentId, pieces: all } = await client.once(
			`shipment ${carrierCode} ${id}`,
			async () => readState(client, carrierCode, id),
		);
		// The ID of an additional piece stands for that piece alone.
		const pieces = all.filter((piece) => shipmentId === id || piece.id === id);
		const numbers = pieces
			.filter(({ number }) => number !== '')
			.map(({ number }) => ({ carrierCode, number, shipmentId, wantedId: id, items }));
		if (pieces.every(({ canceled }) => canceled)) {
			const shipment = { id, packageNumberCarrier: numbers[0]?.number ?? null, carrierCode };
			return { items, shipment, numbers: [] };
		}
		if (numbers.length > 0) return toTarget(numbers);
		throw new ItemError(
			`Shipment ${id} has no shipment number of carrier ${carrierCode} yet`,
			'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
			{ carrierCode, shipmentId: id },
			true,
		);
	};
	return await client.mapParallel(wanted.shipmentIds, async (id) =>
		findTarget(id).catch((failure: unknown) => ({ items, failure })),
	);
}

function toResults({ items, shipment, numbers }: Target, outcomes: Outcomes): ItemResult[] {
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
		send: async ({ about }, calls) => sendCancellation(calls, about),
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
		recall: async () => recall(journal, write),
		cancel: async (about: CanceledNumber[]) => writeOnce(journal, { about }, write),
	};
}

/** A number that makes the service refuse the whole request is left out, and the others sent again. */
async function sendCancellation(
	calls: UnsafeCalls,
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
			calls
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
	const rows = new Map(response?.rows.map((row) => [String(row.packageNumberCarrier), row]));
	const refused = new Map(response?.refused.map(({ number, error }) => [number, error]));
	const records = new Map(found.map((record) => [record.number, record]));
	const unsure: CanceledNumber[] = [];

	const outcomeOf = (about: CanceledNumber): Outcome<Cancellation> => {
		const { carrierCode, number } = about;
		const done = (via: Cancellation['via']): Outcome<Cancellation> => ({
			kind: 'done',
			value: { via, correlationId },
		});
		if (refused.has(number)) return { kind: 'notDone', errors: [refused.get(number)] };
		const row = rows.get(number);
		if (row?.successfull === true) return done('response');
		const isRefused = row?.successfull === false;
		const record = records.get(number);
		if (record?.isCanceled) return done(isRefused ? 'existing' : 'records');
		const said = isRefused ? toSentence(row.message) : undefined;
		const details: IDataObject = {
			...{ packageNumberCarrier: number, carrierCode },
			...(correlationId === null ? {} : { correlationId }),
			...(said ? { serviceMessage: said } : {}),
		};
		// A refusal is final, so that the first record that can be read decides.
		if (isRefused && record && record.problem === undefined) {
			const isListed = record.isCanceled !== undefined;
			const [message, advice] = isListed ? notCanceled(number, said) : notListed(about, said);
			return { kind: 'notDone', errors: [new ItemError(message, advice, details, true)] };
		}
		unsure.push(about);
		const because = isRefused ? `The service said: ${said ?? 'no'}` : reason;
		const error = new ItemError(
			`Could not confirm whether shipment ${number} was canceled`,
			`${[because, record?.problem].filter(Boolean).join('. ')}. Check the shipment with Shipment: Get before you cancel it again. This node never repeats a cancellation by itself.`,
			details,
			true,
		);
		return { kind: isRefused ? 'notDone' : 'unknown', errors: [error] };
	};
	const settled = request.about.map((about) => ({ about: [about], outcome: outcomeOf(about) }));
	return { settled, unsure };
}

const notCanceled = (number: string, said = ''): [string, string] => [
	said
		? `Shipment ${number} was not canceled. The service said: ${said}`
		: `The service did not cancel shipment ${number}`,
	'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
];

/** For example an order number, or the number of an additional piece at a service that does not list it. */
const notListed = ({ carrierCode, number }: CanceledNumber, said = ''): [string, string] => [
	`Could not cancel ${number}: the service lists no shipment of carrier ${carrierCode} with this number`,
	`${said ? `The service said: ${said}. ` : ''}'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.`,
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
