import { openCanceling } from '../changes/cancelNumbers';
import { groupBy, isSameCode } from '../lists';
import { isExchange, type Order, referenceOf } from '../orders/order';
import { searchStart } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import { isLiving, type FoundShipment } from '../transport/shipmentRecords';
import { notDone } from '../writes/journal';
import { complete, reuse, wantedOf } from './lookUp';
import { canceledSinceError } from './messages';
import { isCreated, toDuplicate } from './rows';
import type { Creation, CreationRun, Duplicates, OrderOutcome, Piece, Shipment } from './types';

/**
 * Two n8n processes that look up the same order at the same moment find nothing and both create it.
 * So each looks again after creating. The living shipment with the lowest ID stays, and each process
 * cancels its own if that is another one. After a lost response, a process cannot tell its own from that
 * of another process, so it cancels all that it may have created, at this carrier, except the lowest.
 *
 * Why one shipment stays: a process cancels only what has a lower living ID beside it, so nobody
 * cancels the lowest. Why no other one stays: the process that created later looks after both exist,
 * and its ID is the higher one. This needs ascending IDs and a list that is up to date. If it is behind or
 * cannot be read, or canceling fails, the next look-up names both. Others are only named beside an exchange, and in
 * the retry of an execution by a person: somebody may have wanted them since.
 */
export async function cancelDuplicates(
	outcomes: readonly OrderOutcome[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { records, journal, options } = run;
	const orders = outcomes.filter(createdIn).flatMap(({ targets }) => targets);
	if (orders.length === 0 || options.ifExists === 'create') return [...outcomes];
	const isRetried = orders.some((order) => journal.isOfRetried(order));
	const since = searchStart(Date.now(), isRetried ? options.lookbackDays : 0);
	const found = await records.find(undefined, wantedOf(orders), since).then(
		(shipments) => ({ byReference: groupBy(shipments, ({ reference }) => reference) }),
		(thrown: unknown) => ({ problem: describeError(thrown).message }),
	);
	const checked: OrderOutcome[] = [];
	const canceledIds = new Set<number>();
	for (const each of outcomes) {
		const shipment = createdIn(each);
		const [order] = each.targets;
		if (!shipment || !order) {
			checked.push(each);
			continue;
		}
		const value =
			'problem' in found
				? {
						...shipment,
						duplicates: { living: [], ...shipment.duplicates, notRead: found.problem },
					}
				: await cancelDuplicatesOf(
						order,
						shipment,
						found.byReference.get(referenceOf(order)) ?? [],
						run,
						canceledIds,
					);
		if (!value) {
			checked.push(...notDone<Creation>([order], canceledSinceError(order, shipment)));
			continue;
		}
		const after: OrderOutcome = { targets: [order], outcome: { state: 'done', value } };
		journal.keepDone(after);
		checked.push(after);
	}
	// A row without a reference may be of a shipment that is canceled now.
	const isCanceled = ({ row }: Piece) => canceledIds.has(Number(row.id));
	return checked.filter(
		({ outcome }) => outcome.state !== 'unknown' || !outcome.candidates?.pieces.every(isCanceled),
	);
}

/** The shipment that was created, or may have been. */
function createdIn({ outcome }: OrderOutcome): Shipment | undefined {
	return outcome.state === 'done' && isCreated(outcome.value) ? outcome.value : undefined;
}

const lowestFirst = (a: FoundShipment, b: FoundShipment) => a.id - b.id;

/**
 * The shipment that stays, and what came of the others. Undefined if somebody has canceled it. Adds the pieces
 * that this cancels to `canceledIds`.
 */
async function cancelDuplicatesOf(
	order: Order,
	shipment: Shipment,
	found: readonly FoundShipment[],
	run: CreationRun,
	canceledIds: Set<number>,
): Promise<Shipment | undefined> {
	const ids = new Set(shipment.pieces.map(({ row }) => Number(row.id)));
	const living = found.filter(isLiving);
	const hasOwnPiece = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const listed = living.find(hasOwnPiece);
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const pieces = shipment.pieces.map((piece) => {
		return { ...piece, printed: printed.get(Number(piece.row.id)) };
	});
	// What an earlier try has canceled stays known. What else it has found may have changed.
	const { canceled: canceledBefore } = shipment.duplicates ?? {};
	const withOthers = (others: readonly FoundShipment[], more: Partial<Duplicates> = {}) => {
		const canceled = canceledBefore && { canceled: canceledBefore };
		const duplicates = { living: others.map(toDuplicate), ...canceled, ...more };
		return { ...shipment, pieces, duplicates };
	};
	const isOwn = (each: FoundShipment) =>
		each === listed || each.pieces.every(({ id }) => ids.has(id));
	const others = living.filter((each) => !isOwn(each)).sort(lowestFirst);
	const [firstOther, ...moreOthers] = others;
	const isOfRetried = run.journal.isOfRetried(order);
	if (isOfRetried && !listed && found.some(hasOwnPiece)) {
		// Somebody has canceled it since. What was created instead takes its place.
		if (!firstOther || isExchange(order)) return undefined;
		return reuse(order, [await complete(order, firstOther, run.records), ...moreOthers]);
	}
	if (!firstOther) return withOthers([]);
	// The response proves which shipment is its own. The records do not.
	const isOwnKnown = shipment.pieces.some(({ via }) => via === 'response');
	// Another shipment may be the second one of an exchange, the piece that the response has left out, or one
	// that somebody has wanted since.
	if (isExchange(order) || shipment.isIncomplete || isOfRetried || !(isOwnKnown || listed))
		return withOthers(others);

	const own = withRows(order, shipment, listed);
	const [lowest = own, ...higher] = [...others, own].sort(lowestFirst);
	const toCancel = isOwnKnown
		? higher.filter((each) => each === own)
		: higher.filter(({ carrierCode }) => isSameCode(carrierCode, order.carrierCode));
	if (toCancel.length === 0) return withOthers([]);
	const notCanceled = await cancelAll(toCancel, run);
	if (notCanceled !== undefined) return withOthers(others, { notCanceled });
	for (const { pieces: ofCanceled } of toCancel)
		for (const { id } of ofCanceled) canceledIds.add(id);
	const [first = own] = toCancel.includes(own) ? [own] : toCancel;
	const canceled = toDuplicate(first);
	if (lowest === own) return withOthers([], { canceled });
	const left = higher.filter((each) => !toCancel.includes(each));
	const stays = reuse(order, [await complete(order, lowest, run.records), ...left]);
	// Who created it prints it. After a lost response, that may be this run.
	const via = isOwnKnown ? 'other' : 'records';
	return {
		...stays,
		pieces: stays.pieces.map((piece) => ({ ...piece, via })),
		duplicates: { living: left.map(toDuplicate), canceled },
	};
}

/** The own shipment with all of its pieces, also if the service does not list it, or not all of them. */
function withRows(
	order: Order,
	{ pieces }: Shipment,
	listed: FoundShipment | undefined,
): FoundShipment {
	const records = new Map(listed?.pieces.map((piece) => [piece.id, piece]));
	const common = { carrierCode: order.carrierCode, reference: referenceOf(order) };
	const own = pieces.map(({ row }) => {
		const id = Number(row.id);
		const record = records.get(id);
		records.delete(id);
		return {
			...{ ...common, id, record: {}, isCanceled: false },
			...{ printed: undefined, handedOver: undefined, ...record },
			// Some services assign the number after the response, and it is in the record then.
			number: row.packageNumberCarrier || record?.number || '',
		};
	});
	const unlisted = listed?.isGuessed ? [] : records.values();
	const all = [...own, ...unlisted].sort((a, b) => a.id - b.id);
	return { ...common, id: listed?.id ?? all[0]?.id ?? 0, pieces: all, isGuessed: false };
}

/** Returns why the shipments were not canceled; undefined if all of them are canceled. */
async function cancelAll(
	shipments: readonly FoundShipment[],
	{ context, client, records, options }: CreationRun,
): Promise<string | undefined> {
	if (shipments.some(({ isGuessed }) => isGuessed)) return 'Its pieces cannot be told apart';
	const numbered = await client.mapParallel(shipments, async (each) =>
		// Some lists have no numbers.
		each.pieces.every(({ number }) => number !== '')
			? each
			: records.withDetail(each).catch(() => each),
	);
	const targets = numbered.flatMap(({ id: shipmentId, carrierCode, pieces }) =>
		pieces.map(({ number }) => ({ carrierCode, number, shipmentId })),
	);
	if (targets.some(({ number }) => number === ''))
		return 'The carrier has not assigned its number yet';
	// A later try cancels again what this one could not confirm, if it lives then.
	const { cancel } = openCanceling(context, client, options.maxRetryWait);
	for (const { outcome } of await cancel(targets)) {
		if (outcome.state === 'done') continue;
		const [error] = outcome.errors;
		const { message, details } = describeError(error);
		// The other words of an error about a number only repeat that it was not canceled.
		return isServiceError(error) ? message : String(details.serviceMessage ?? message);
	}
	return undefined;
}
