import { chunk, groupBy, isSameCode } from '../lists';
import { isExchange, type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { concernsAllRequests, describeError, isServiceError } from '../transport/errors';
import { type FoundShipment, isActive } from '../transport/shipments';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { checkDuplicates } from './duplicates';
import { comparedWith, lookUp, mayHaveMorePieces, toUnknown, tryToFind } from './lookUp';
import { refusedError, saysDuplicate, surplusError, unknownError } from './messages';
import { isRefused, matchRows, namesOf } from './rows';
import {
	idsOfPieces,
	lowestFirst,
	toBatchInfo,
	toDuplicate,
	toPieces,
	withMissingPieces,
	withPiecesOf,
} from './shipments';
import type { CreationRun } from './creationRun';
import type { BatchInfo, OpenOrder, OrderResult, Row, Shipment } from './types';

/** Shipments in a request. */
const BATCH_SIZE = 100;

/** A carrier may take minutes for a large batch. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Creates each order once, under the lock of the order numbers:
 * 1. Look up: what exists at the provider is not sent, and neither is what was sent before and is not seen yet.
 * 2. Send: each order once, in batches. It is noted before.
 * 3. Settle: what the responses do not say for certain, the records say. What these do not show is unknown.
 * 4. Check: of what two processes have created at the same moment, the lowest ID stays.
 */
export async function createShipments(
	orders: readonly Order[],
	run: CreationRun,
	/** Items that cannot be sent, and why. An earlier try may have sent them. */
	invalid: ReadonlyMap<number, unknown>,
): Promise<OrderResult[]> {
	const { found, before, open, toSend } = await lookUp(orders, run);
	const errorOf = ({ itemIndex }: Order) => invalid.get(itemIndex);
	const valid = toSend.filter((order) => errorOf(order) === undefined);
	const refused = toSend
		.filter((order) => errorOf(order) !== undefined)
		.map((order): OrderResult => ({ order, error: errorOf(order) }));
	const hasError = invalid.size > 0 || found.some(({ error }) => error !== undefined);
	const mustStop = hasError && !run.context.continueOnFail();
	const sent = mustStop ? nameSentBefore(valid, run) : await sendInBatches(valid, run);
	const left = [...open, ...sent.open];
	const settled = left.length > 0 ? await settle(left, run) : [];
	const all = [...found, ...before, ...refused, ...sent.answered, ...settled];
	return [...(await checkDuplicates(all, run)), ...nameSurplus(sent.unassigned, all)];
}

/** What the responses to the requests say. */
interface Responses {
	answered: OrderResult[];
	open: OpenOrder[];
	/** Created rows that belong to no order of their request for certain. */
	unassigned: Array<{ order: Order; rows: Row[] }>;
}

const NOTHING: Responses = { answered: [], open: [], unassigned: [] };

/** What an earlier execution has sent, and no record shows, stays unknown as long as it is not sent again. */
function nameSentBefore(orders: readonly Order[], { notes }: CreationRun): Responses {
	const before = orders.filter((order) => notes.of(order));
	return { ...NOTHING, answered: before.map((order) => toUnknown(order)) };
}

const join = (all: readonly Responses[]): Responses => ({
	answered: all.flatMap(({ answered }) => answered),
	open: all.flatMap(({ open }) => open),
	unassigned: all.flatMap(({ unassigned }) => unassigned),
});

const allFailed = (orders: readonly Order[], error: unknown): Responses => ({
	...NOTHING,
	answered: orders.map((order) => ({ order, error })),
});

/** After an error that every further request would get, no further one of this carrier begins. */
async function sendInBatches(orders: readonly Order[], run: CreationRun): Promise<Responses> {
	const byCarrier = groupBy(orders, ({ carrierCode }) => carrierCode);
	const sent = await run.client.mapParallel([...byCarrier.values()], async (own) => {
		let stop: unknown;
		return await run.client.mapParallel(chunk(own, BATCH_SIZE), async (batch) => {
			if (stop !== undefined) return allFailed(batch, stop);
			const responses = await sendBatch(batch, run);
			for (const { error } of responses.answered)
				if (isServiceError(error) && concernsAllRequests(error.facts)) stop = error;
			return responses;
		});
	});
	return join(sent.flat());
}

async function sendBatch(batch: readonly Order[], run: CreationRun): Promise<Responses> {
	const { client, notes } = run;
	const carrierCode = batch[0]?.carrierCode ?? '';
	const request = { path: { carrier_code: carrierCode }, body: batch.map(({ body }) => body) };
	const noting = { sending: () => notes.sending(batch), forget: () => notes.forget(batch) };
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('createShipments', request, { timeoutMs: TIMEOUT_MS }),
	);
	if ('refused' in outcome) return await lookUpDuplicates(allFailed(batch, outcome.refused), run);
	if ('lost' in outcome) {
		const reason = outcome.lost;
		return { ...NOTHING, open: batch.map((order) => ({ order, rows: [], batch: null, reason })) };
	}
	const info = toBatchInfo(outcome.response);
	const { created, refused, open, unassigned } = matchRows(batch, outcome.response.result);
	if (refused.size > 0) notes.forget([...refused.keys()]);
	const answered = [
		...[...created].map(([order, rows]): OrderResult => {
			const shipment = fromRows(order, rows, info);
			notes.done(order, shipment);
			return { order, shipment };
		}),
		...[...refused].map(([order, rows]): OrderResult => {
			return { order, error: refusedError(order, rows[0] ?? {}, info) };
		}),
	];
	const opened = [...open].map(([order, own]): OpenOrder => {
		const rows = [...own, ...unassigned];
		const mayBe = namesOf(rows);
		if (mayBe.length === 0) return { order, rows, batch: info };
		notes.mayBe(order, mayBe);
		return { order, rows, batch: info, mayBe };
	});
	const [first] = batch;
	const surplus = first && unassigned.length > 0 ? [{ order: first, rows: unassigned }] : [];
	const responses = { answered, open: opened, unassigned: surplus };
	return refused.size > 0 ? await lookUpDuplicates(responses, run) : responses;
}

/**
 * A provider may refuse an order because a shipment has its order number: an old one, or one that another process has
 * created since. What a look-up finds then is an existing shipment. If the whole request was refused, the other orders in
 * it are sent again.
 */
async function lookUpDuplicates(responses: Responses, run: CreationRun): Promise<Responses> {
	const refused = responses.answered.filter(
		({ error }) => error !== undefined && saysDuplicate(describeError(error).message),
	);
	if (refused.length === 0) return responses;
	const orders = refused.map(({ order }) => order);
	const { found } = await lookUp(orders, run, true);
	const rest = responses.answered.filter(({ order }) =>
		found.every((each) => each.order !== order),
	);
	// A refused row is an `ItemError`, so that a `ServiceError` is one of the whole request.
	const isWholeRequest = rest.length > 0 && rest.every(({ error }) => isServiceError(error));
	if (found.length === 0 || !isWholeRequest) return { ...responses, answered: [...found, ...rest] };
	const again = rest.map(({ order }) => order);
	return join([{ ...responses, answered: found }, await sendBatch(again, run)]);
}

function fromRows(order: Order, rows: readonly Row[], batch: BatchInfo | null): Shipment {
	const named = rows
		.map((row) => ({ ...row, packageNumberCustom: referenceOf(order) }))
		.sort((a, b) => (a.pieceIndex ?? 0) - (b.pieceIndex ?? 0));
	const refused = named.filter(isRefused);
	const created = named.filter((row) => !isRefused(row));
	return {
		pieces: created.map((row) => ({ row, batch, via: 'response' as const })),
		...(refused.length > 0 ? { refused } : {}),
	};
}

const withRecords = (order: Order, shipment: Shipment, own: FoundShipment | undefined) =>
	isExchange(order) ? withPiecesOf(order, shipment, own) : withMissingPieces(order, shipment, own);

/** The records decide. What they do not show is unknown, unless the response has a part of it. */
async function settle(open: readonly OpenOrder[], run: CreationRun): Promise<OrderResult[]> {
	const { client, notes } = run;
	const found = new Map<OpenOrder, FoundShipment[]>();
	const problems = new Map<OpenOrder, unknown>();
	await lookAgain(client, client.http.maxRetryWaitMs, async () => {
		const left = open.filter((each) => !found.has(each));
		const look = await tryToFind(
			left.map(({ order }) => order),
			0,
			run,
		);
		await client.mapParallel(left, async (each) => {
			const { ofOrder, problem } = look(each.order);
			problems.set(each, problem);
			const own = problem === undefined ? await ofOpenOrder(each, ofOrder, run) : [];
			if (own.length > 0) found.set(each, own);
		});
		return found.size === open.length;
	});
	// A record says better than a row of which order a piece is.
	const orderNumbers = new Map(
		[...found.values()].flat().flatMap(({ reference, pieces }) => {
			return pieces.map(({ id }) => [id, reference] as const);
		}),
	);
	const isOf = (row: Row, order: Order) =>
		(orderNumbers.get(idOf(row)) ?? row.packageNumberCustom) === referenceOf(order);
	return open.map((each): OrderResult => {
		const { order, batch } = each;
		const [own, ...more] = found.get(each) ?? [];
		const certain = each.rows.filter((row) => isRefused(row) || idOf(row) > 0);
		const fromResponse = fromRows(
			order,
			certain.filter((row) => isOf(row, order)),
			batch,
		);
		const isRecovered = fromResponse.pieces.length === 0;
		const ids = new Set(idsOfPieces(fromResponse.pieces));
		// The second shipment of an exchange may be in the response as well.
		const others = more.filter(({ pieces }) => !pieces.every(({ id }) => ids.has(id)));
		if (!own && isRecovered) {
			const problem = problems.get(each);
			const why = problem === undefined ? undefined : describeError(problem).message;
			return { order, error: unknownError(each, why) };
		}
		const shipment: Shipment = {
			...(own && isRecovered
				? { ...fromResponse, pieces: toPieces(order, own, 'records'), ...comparedWith(order, own) }
				: withRecords(order, fromResponse, own)),
			...(others.length > 0 ? { duplicates: { named: others.map(toDuplicate) } } : {}),
		};
		notes.done(order, shipment);
		return { order, shipment };
	});
}

/** The active shipments that the order may have at its carrier, its own first; none as long as its own is not there. */
async function ofOpenOrder(
	{ order, rows }: OpenOrder,
	all: readonly FoundShipment[],
	{ records, client }: CreationRun,
): Promise<FoundShipment[]> {
	const created = rows.filter((row) => !isRefused(row) && idOf(row) > 0);
	const ids = new Set(created.map(idOf));
	const hasRow = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const active = all
		.filter((each) => isActive(each) && isSameCode(each.carrierCode, order.carrierCode))
		.sort((a, b) => Number(hasRow(b)) - Number(hasRow(a)) || lowestFirst(a, b));
	// With a row of its own, another shipment is that of another process.
	const hasOwnRow = created.some((row) => row.packageNumberCustom === referenceOf(order));
	if (hasOwnRow && !active.some(hasRow)) return [];
	return await client.mapParallel(active, async (each) => {
		// Some lists have no numbers, and the output has them.
		const lacksNumber = each.pieces.some(({ number }) => number === '');
		if (!lacksNumber && !mayHaveMorePieces(order, each)) return each;
		return await records.withDetail(each).catch(() => each);
	});
}

/** Created rows that are of no order for certain, and that no shipment of the output has. */
function nameSurplus(
	unassigned: Responses['unassigned'],
	results: readonly OrderResult[],
): OrderResult[] {
	const ids = new Set(results.flatMap(({ shipment }) => idsOfPieces(shipment?.pieces ?? [])));
	return unassigned.flatMap(({ order, rows }): OrderResult[] => {
		const left = rows.filter((row) => !isRefused(row) && !ids.has(idOf(row)));
		const isOutput = results.some((each) => each.order === order && each.shipment);
		return left.length > 0 && isOutput ? [{ order, error: surplusError(order, left) }] : [];
	});
}
