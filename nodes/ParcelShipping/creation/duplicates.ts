import { isNonEmpty, isSameCode } from '../lists';
import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { isLiving, type FoundShipment } from '../transport/pieces';
import { asFoundShipment, cancelAll } from './cancelDuplicates';
import {
	comparedWith,
	judgeExisting,
	type LivingShipments,
	tryFindByReference,
	toExistingShipment,
	withComparedFields,
} from './existing';
import { describeUnread } from './messages';
import {
	countMissing,
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	shipmentOf,
	toDuplicate,
	withMissingPieces,
	withNamed,
	withNotRead,
} from './shipments';
import type { CreationRun, OrderOutcome, Piece, Shipment } from './types';

/**
 * Two n8n processes that look up the same order at the same moment find nothing and both create it.
 * So each looks again after creating. The living shipment with the lowest ID stays, and each process
 * cancels its own shipment if that is not the lowest. Example: A creates 10, B creates 11. A sees 11 and
 * does nothing. B sees 10, cancels 11, and returns 10. After a lost response, a process cannot tell which of them it
 * has created, so it cancels all that it may have created, at this carrier, except the lowest.
 *
 * Why one shipment stays: a process cancels only what has a lower living ID beside it, so nobody
 * cancels the lowest. Why no other one stays: the process that created later looks after both exist,
 * and its ID is the higher one. This needs ascending IDs and a list that is up to date. If it is behind or
 * cannot be read, or canceling fails, the next look-up names both.
 *
 * Nothing is canceled, and the output only names the others, if they may be wanted (see `mayBeWanted`), or if this run's
 * shipment was read back and is not listed any more.
 *
 * What another process has created is judged like what the look-up finds. What was read back may be this run's own, so
 * its output only names the differences.
 */
export async function checkDuplicates(
	outcomes: readonly OrderOutcome[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, records, journal, options } = run;
	// Also what an earlier try has kept: the journal keeps the shipment, and not how it was judged.
	const judged = ({ targets, outcome }: OrderOutcome): OrderOutcome =>
		outcome.state === 'done' && !isCreated(outcome.value)
			? judgeExisting(targets[0], outcome.value, options)
			: { targets, outcome };
	const orders = outcomes.flatMap(({ targets, outcome }) =>
		outcome.state === 'done' && isCreated(outcome.value) ? targets : [],
	);
	if (orders.length === 0) return outcomes.map(judged);
	const look = await tryFindByReference(orders, 0, records);
	const { byReference } = look;
	const ownIds = new Set(outcomes.flatMap((each) => idsOfPieces(shipmentOf(each)?.pieces ?? [])));
	const unread = [...records.unread.values()].find(({ id }) => !ownIds.has(id));
	const notRead = look.notRead ?? (unread && describeUnread(unread));
	const checked = await client.mapParallel(outcomes, async (each): Promise<OrderOutcome> => {
		const { outcome } = each;
		if (outcome.state !== 'done' || !isCreated(outcome.value)) return each;
		const [order] = each.targets;
		const ofOrder = byReference?.get(referenceOf(order)) ?? [];
		const shipment = byReference
			? await checkShipment(order, outcome.value, ofOrder, run)
			: outcome.value;
		const value = withNotRead(shipment, notRead);
		journal.keepDone(order, value);
		return { targets: [order], outcome: { state: 'done', value } };
	});
	return checked.map(judged);
}

interface Decision {
	/** Other shipments that the output names, unless this run cancels the surplus. */
	named: FoundShipment[];
	/** This run's shipment is one of several. The one with the lowest ID stays. */
	cancel?: {
		/** This run's shipment, as the service has it. */
		own: FoundShipment;
		lowest: FoundShipment;
		surplus: LivingShipments;
	};
}

/** `listed` is the shipment in the list. `ofOrder` are all with the reference of the order, canceled ones included. */
export function decide(
	order: Order,
	shipment: Shipment,
	listed: FoundShipment | undefined,
	ofOrder: readonly FoundShipment[],
): Decision {
	const ids = new Set(idsOfPieces(shipment.pieces));
	const others = ofOrder
		.filter(isLiving)
		.filter((each) => each !== listed && !each.pieces.every(({ id }) => ids.has(id)))
		.sort(lowestFirst);
	// Another shipment may be the second one of an exchange, or the piece that the response has left out. Of more pieces
	// than ordered, some may be of another shipment.
	const hasMore = shipment.pieces.length > pieceCountOf(order);
	const mayBeWanted = isExchange(order) || countMissing(order, shipment) > 0 || hasMore;
	if (mayBeWanted || !(isFromResponse(shipment) || listed)) return { named: others };
	const own = asFoundShipment(order, shipment, listed);
	const [lowest = own, ...higher] = [...others, own].sort(lowestFirst);
	const surplus = isFromResponse(shipment)
		? higher.filter((each) => each === own)
		: higher.filter(({ carrierCode }) => isSameCode(carrierCode, order.carrierCode));
	// Another run cancels its own, so they are not named.
	return isNonEmpty(surplus) ? { named: others, cancel: { own, lowest, surplus } } : { named: [] };
}

/** The shipment that stays, and what came of the others. */
async function checkShipment(
	order: Order,
	created: Shipment,
	ofOrder: readonly FoundShipment[],
	run: CreationRun,
): Promise<Shipment> {
	const ids = new Set(idsOfPieces(created.pieces));
	const listed = ofOrder
		.filter(isLiving)
		.find(({ pieces }) => pieces.some(({ id }) => ids.has(id)));
	const shipment = withMissingPieces(order, created, listed);
	const { named, cancel } = decide(order, shipment, listed, ofOrder);
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const confirmed: Shipment = {
		...shipment,
		pieces: shipment.pieces.map((each) => ({ ...each, printed: printed.get(idOf(each.row)) })),
		// What was read back may be of another process.
		...(listed && !isFromResponse(shipment)
			? comparedWith(order, await withComparedFields(order, listed, run.records))
			: {}),
	};
	if (!cancel) return withNamed(confirmed, named);
	const { own, lowest, surplus } = cancel;
	const notCanceled = await cancelAll(surplus, run);
	if (notCanceled !== undefined) return withNamed(confirmed, named, { notCanceled });
	if (lowest === own) return withNamed(confirmed, [], { canceled: toDuplicate(surplus[0]) });
	const stays = toExistingShipment(order, [await withComparedFields(order, lowest, run.records)]);
	// Who created the lowest one prints it. That may be this run, if its response was lost.
	const mayBeOwn = !isFromResponse(shipment) && isSameCode(lowest.carrierCode, order.carrierCode);
	const via: Piece['via'] = mayBeOwn ? 'records' : 'otherProcess';
	return {
		...stays,
		pieces: stays.pieces.map((piece) => ({ ...piece, via })),
		duplicates: { named: [], canceled: toDuplicate(own) },
	};
}
