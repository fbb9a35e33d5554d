import { chunk, groupBy, isSameCode } from '../lists';
import { isExchange, type Order, referenceOf } from '../orders/order';
import { carrierNumberOf, idOf } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import { type FoundShipment, isActive } from '../transport/shipments';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import { checkDuplicates } from './duplicates';
import { type CreationRun, comparedWith, lookUp, toUnknown, tryToFind, withWhole } from './lookUp';
import { isUnknown, refusedError, saysDuplicate } from './messages';
import { fromRows, isRefused, matchRows, namesOf } from './rows';
import {
	countMissing,
	idsOfPieces,
	lowestFirst,
	toDuplicate,
	withMissingPieces,
	withPiecesOf,
} from './shipments';
import type { OpenOrder, OrderResult, Row, Shipment } from './types';

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
	const { context, client, notes } = run;
	const { found, open, toSend } = await lookUp(orders, run);
	const results = [...found];
	const valid = toSend.filter((order) => {
		const error = invalid.get(order.itemIndex);
		if (error !== undefined) results.push({ order, error });
		return error === undefined;
	});
	// What was sent before keeps no other order from being sent.
	const hasError = found.some(
		({ order, error }) => error !== undefined && !notes.of(order) && !isUnknown(error),
	);
	const mustStop = (invalid.size > 0 || hasError) && !context.continueOnFail();
	if (mustStop) {
		// What an earlier execution has sent, and no record shows, stays unknown as long as it is not sent again.
		const before = valid.filter((order) => notes.of(order));
		results.push(...before.map((order) => toUnknown({ order })));
	} else {
		const byCarrier = groupBy(valid, ({ carrierCode }) => carrierCode);
		const batches = [...byCarrier.values()].flatMap((own) => chunk(own, BATCH_SIZE));
		const send = async (batch: Order[]) => sendBatch(batch, run, open);
		results.push(...(await client.mapParallel(batches, send)).flat());
	}
	if (open.length === 0) return await checkDuplicates(results, run);
	const settled = await settle(open, run);
	return await checkDuplicates(nameLeftRows(open, [...results, ...settled], run), run);
}

async function sendBatch(
	batch: readonly Order[],
	run: CreationRun,
	/** Gets the orders whose outcome the response does not say. */
	open: OpenOrder[],
): Promise<OrderResult[]> {
	const { client, notes } = run;
	const [first] = batch;
	if (!first) return [];
	const request = {
		path: { carrier_code: first.carrierCode },
		body: batch.map(({ body }) => body),
	};
	const noting = { sending: () => notes.sending(batch), forget: () => notes.forget(batch) };
	const outcome = await sendOnce(client, noting, async (calls) =>
		calls.call('createShipments', request, { timeoutMs: TIMEOUT_MS }),
	);
	if ('refused' in outcome) {
		const refused = batch.map((order) => ({ order, error: outcome.refused }));
		return await lookUpDuplicates(refused, run, open);
	}
	if ('lost' in outcome) {
		const reason = outcome.lost;
		open.push(...batch.map((order) => ({ order, reason })));
		return [];
	}
	const { result, batchId, labelsUrl, labelsHash, packagesCount, correlationId } = outcome.response;
	const info = { batchId, labelsUrl, labelsHash, packagesCount, correlationId };
	const { matched, unassigned } = matchRows(batch, result);
	const results: OrderResult[] = [];
	const refused: OrderResult[] = [];
	for (const { order, state, rows: own } of matched) {
		if (state === 'created') {
			const shipment = fromRows(order, own, info);
			notes.done(order, shipment);
			results.push({ order, shipment });
		} else if (state === 'refused') {
			notes.forget([order]);
			refused.push({ order, error: refusedError(order, own[0] ?? {}, info) });
		} else {
			const rows = [...own, ...unassigned];
			const mayBe = namesOf(rows);
			open.push({ order, rows, batch: info, mayBe });
			if (mayBe.length > 0) notes.mayBe(order, mayBe);
		}
	}
	if (refused.length > 0) results.push(...(await lookUpDuplicates(refused, run, open)));
	return results;
}

/**
 * A provider may refuse an order because a shipment has its order number: an old one, or one that another process has
 * created since. What a look-up finds then is an existing shipment. If the whole request was refused, the other orders in
 * it are sent again.
 */
async function lookUpDuplicates(
	refused: readonly OrderResult[],
	run: CreationRun,
	open: OpenOrder[],
): Promise<OrderResult[]> {
	const duplicates = refused.filter(({ error }) => saysDuplicate(describeError(error).message));
	if (duplicates.length === 0) return [...refused];
	const orders = duplicates.map(({ order }) => order);
	const { found } = await lookUp(orders, run, true);
	const rest = refused.filter(({ order }) => found.every((each) => each.order !== order));
	// A refused row is an `ItemError`, so that a `ServiceError` is one of the whole request.
	const isWholeRequest = found.length > 0 && rest.every(({ error }) => isServiceError(error));
	if (!isWholeRequest) return [...found, ...rest];
	const again = rest.map(({ order }) => order);
	return [...found, ...(await sendBatch(again, run, open))];
}

/** The records decide. What they do not show is unknown, unless the response has a part of it. */
async function settle(open: readonly OpenOrder[], run: CreationRun): Promise<OrderResult[]> {
	const { client, notes } = run;
	const found = new Map<OpenOrder, FoundShipment[]>();
	const problems = new Map<OpenOrder, unknown>();
	await lookAgain(client, client.http.maxRetryWaitMs, async () => {
		const left = open.filter((each) => !found.has(each));
		const orders = left.map(({ order }) => order);
		const look = await tryToFind(orders, 0, run);
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
		const { order, rows = [], batch = null } = each;
		const [own, ...more] = found.get(each) ?? [];
		const certain = rows.filter((row) => isOf(row, order) && (isRefused(row) || idOf(row) > 0));
		const fromResponse = fromRows(order, certain, batch);
		const ids = new Set(idsOfPieces(fromResponse.pieces));
		if (!own && ids.size === 0) return toUnknown(each, problems.get(each));
		// Without a row, it may be the shipment of another process. An exchange may have more pieces than it has rows.
		const isWhole = ids.size > 0 && !isExchange(order);
		const shipment: Shipment = {
			...(isWhole ? withMissingPieces : withPiecesOf)(order, fromResponse, own),
			...(own && ids.size === 0 ? comparedWith(order, own) : {}),
		};
		// The second shipment of an exchange may be in the response as well.
		const others = more.filter(({ pieces }) => !pieces.every(({ id }) => ids.has(id)));
		if (others.length > 0) shipment.duplicates = { named: others.map(toDuplicate) };
		notes.done(order, shipment);
		return { order, shipment };
	});
}

/** Adds the created rows of open orders that no output has. An unknown order names its own. */
function nameLeftRows(
	open: readonly OpenOrder[],
	results: readonly OrderResult[],
	{ notes }: CreationRun,
): OrderResult[] {
	const ids = new Set(results.flatMap(({ shipment }) => idsOfPieces(shipment?.pieces ?? [])));
	const missing = ({ order, shipment }: OrderResult) =>
		shipment ? countMissing(order, shipment) : 0;
	const byNeed = results.toSorted((a, b) => missing(b) - missing(a));
	return byNeed.map((result) => {
		const { rows = [] } = open.find(({ order }) => order === result.order) ?? {};
		if (!result.shipment) return result;
		const left = rows.filter((row) => !isRefused(row) && idOf(row) > 0 && !ids.has(idOf(row)));
		for (const row of left) ids.add(idOf(row));
		if (left.length === 0) return result;
		const shipment = { ...result.shipment, mayBe: namesOf(left) };
		notes.done(result.order, shipment);
		return { ...result, shipment };
	});
}

/** The active shipments that the order may have at its carrier, its own first; none as long as its own is not there. */
async function ofOpenOrder(
	{ order, rows = [] }: OpenOrder,
	all: readonly FoundShipment[],
	run: CreationRun,
): Promise<FoundShipment[]> {
	const active = all.filter(
		(each) => isActive(each) && isSameCode(each.carrierCode, order.carrierCode),
	);
	const created = rows.filter((row) => !isRefused(row));
	const named = created.flatMap((row) => [idOf(row), carrierNumberOf(row)]);
	const names = new Set(named.filter(Boolean));
	const hasRow = ({ pieces }: FoundShipment) =>
		pieces.some(({ id, number }) => names.has(id) || names.has(number));
	// With rows that may be its own, another shipment is that of another process. A list may have no numbers.
	const isComparable = ({ pieces: [main] }: FoundShipment) =>
		main?.number !== '' || created.some((row) => idOf(row) > 0);
	if (names.size > 0 && active.every((each) => isComparable(each) && !hasRow(each))) return [];
	active.sort((a, b) => Number(hasRow(b)) - Number(hasRow(a)) || lowestFirst(a, b));
	return await run.client.mapParallel(active, async (each) => withWhole(order, each, run));
}
