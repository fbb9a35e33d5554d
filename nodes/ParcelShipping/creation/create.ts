import { chunk, groupBy } from '../lists';
import { type Order, referenceOf } from '../orders/order';
import { carrierNumberOf, idOf } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import { lookAgain, sendOnce } from '../writes/sendOnce';
import type { PieceName } from '../writes/sent';
import { checkDuplicates } from './duplicates';
import { type CreationRun, lookUp } from './lookUp';
import { isUnknown, refusedError, saysDuplicate, unknownError } from './messages';
import { fromRows, isRefused, matchRows, namesOf } from './rows';
import { idsOfPieces, withMissingPieces } from './shipments';
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
		results.push(...before.map((order) => ({ order, error: unknownError({ order }) })));
	} else {
		const byCarrier = groupBy(valid, ({ carrierCode }) => carrierCode);
		const batches = [...byCarrier.values()].flatMap((own) => chunk(own, BATCH_SIZE));
		const send = async (batch: Order[]) => sendBatch(batch, run, open);
		results.push(...(await client.mapParallel(batches, send)).flat());
	}
	const settled = open.length > 0 ? await settle(open, run) : [];
	return await checkDuplicates([...results, ...settled], run);
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
	// Again, because a request may take as long as the memory of the process keeps what was sent.
	noting.sending();
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
			if (mayBe) notes.mayBe(order, mayBe);
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
	const { found } = await lookUp(orders, run, 'refused');
	const rest = refused.filter(({ order }) => found.every((each) => each.order !== order));
	// A refused row is an `ItemError`, so that a `ServiceError` is one of the whole request.
	const isWholeRequest = found.length > 0 && rest.every(({ error }) => isServiceError(error));
	if (!isWholeRequest) return [...found, ...rest];
	const again = rest.map(({ order }) => order);
	return [...found, ...(await sendBatch(again, run, open))];
}

/** The records decide. What they do not show is unknown, unless a row names the order and has an ID. */
async function settle(open: readonly OpenOrder[], run: CreationRun): Promise<OrderResult[]> {
	const { client, notes } = run;
	const found = new Map<Order, Shipment>();
	const problems = new Map<Order, unknown>();
	await lookAgain(client, client.http.maxRetryWaitMs, async () => {
		const left = open.filter(({ order }) => !found.has(order));
		const orders = left.map(({ order }) => order);
		const look = await lookUp(orders, run, 'after');
		for (const { order, shipment } of look.found) if (shipment) found.set(order, shipment);
		for (const { order, problem } of look.open) problems.set(order, problem);
		return found.size === open.length;
	});
	const shownIds = new Set(
		[...found.values()].flatMap(({ pieces, duplicates }) => [
			...idsOfPieces(pieces),
			...(duplicates?.named.map(({ id }) => id) ?? []),
		]),
	);
	const results = open.map((each): OrderResult => {
		const { order, rows = [], batch = null } = each;
		const shown = found.get(order);
		const ids = idsOfPieces(shown?.pieces ?? []);
		const isOwn = (row: Row) => {
			const id = idOf(row);
			const isNamed = row.packageNumberCustom === referenceOf(order);
			if (isRefused(row)) return isNamed;
			// A record says better than a row of which order a piece is.
			return id > 0 && (shown ? ids.includes(id) : isNamed && !shownIds.has(id));
		};
		const certain = rows.filter(isOwn);
		const fromResponse = fromRows(order, certain, batch);
		if (fromResponse.pieces.length > 0)
			return { order, shipment: withMissingPieces(order, fromResponse, shown?.pieces) };
		if (!shown) return { order, error: unknownError({ ...each, problem: problems.get(order) }) };
		return { order, shipment: { ...shown, ...fromResponse, pieces: shown.pieces } };
	});
	const all = results.flatMap(({ shipment }) => shipment?.pieces ?? []);
	const ids = new Set(idsOfPieces(all));
	const numbers = new Set(all.map(({ row }) => carrierNumberOf(row)));
	const isOutput = ({ id, number }: PieceName) => (id > 0 ? ids.has(id) : numbers.has(number));
	return results.map(({ order, shipment, error }, at): OrderResult => {
		if (!shipment) return { order, error };
		// An unknown order names its own.
		const left = open[at]?.mayBe?.filter((named) => !isOutput(named)) ?? [];
		const named = left.length > 0 ? { ...shipment, mayBe: left } : shipment;
		notes.done(order, named);
		return { order, shipment: named };
	});
}
