import { cancelNotes, cancelTargets } from '../changes/cancel';
import { orderOf } from '../changes/records';
import { isSameCode } from '../lists';
import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { carrierNumberOf, idOf } from '../records';
import { describeError } from '../transport/errors';
import { type FoundShipment, isActive, readPieces } from '../transport/shipments';
import { type CreationRun, judgeFound, tryToFind } from './lookUp';
import {
	countMissing,
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	mainPieceIdOf,
	toDuplicate,
	toPieces,
	withMissingPieces,
	withNamed,
	withNotRead,
} from './shipments';
import type { Duplicate, OrderResult, Shipment } from './types';

/**
 * Two n8n processes that look up the same order at the same moment find nothing and both create it. So each looks again
 * after creating. The active shipment with the lowest ID stays, and each process cancels its own if that is another one.
 * Example: A creates 10, B creates 11. A sees 11 and does nothing. B sees 10, cancels 11, and returns 10. After a lost
 * response, no process knows which of them is its own: then it cancels all but the lowest at the carrier of the order.
 *
 * No process cancels the lowest. This needs ascending IDs and a list that is up to date. Otherwise, the next look-up names
 * both. What an earlier execution has created, which a person has retried, is not canceled, and neither is an exchange.
 */
export async function checkDuplicates(
	results: readonly OrderResult[],
	run: CreationRun,
): Promise<OrderResult[]> {
	const { client, notes } = run;
	const idsOf = ({ shipment }: OrderResult) => idsOfPieces(shipment?.pieces ?? []);
	const isChecked = ({ order, shipment }: OrderResult) =>
		shipment !== undefined &&
		isCreated(shipment) &&
		!isExchange(order) &&
		!notes.isOfEarlierExecution(order);
	const created = results.filter(isChecked);
	if (created.length === 0) return [...results];
	const orders = created.map(({ order }) => order);
	const look = await tryToFind(orders, 0, run, created.flatMap(idsOf));
	return await client.mapParallel(results, async (each) => {
		const { order, shipment } = each;
		if (!shipment || !isChecked(each)) return each;
		const { ofOrder, problem } = look(order);
		const checked =
			problem === undefined
				? await checkShipment(order, shipment, ofOrder.filter(isActive), run)
				: { order, shipment };
		if (!checked.shipment) return checked;
		const result =
			problem === undefined ? checked.shipment : withNotRead(checked.shipment, problem);
		notes.done(order, result);
		return { order, shipment: result };
	});
}

/** `active` are all shipments with the order number. */
async function checkShipment(
	order: Order,
	created: Shipment,
	active: readonly FoundShipment[],
	run: CreationRun,
): Promise<OrderResult> {
	const ids = new Set(idsOfPieces(created.pieces));
	const listed = active.find(({ pieces }) => pieces.some(({ id }) => ids.has(id)));
	const others = active
		.filter((each) => each !== listed && !each.pieces.every(({ id }) => ids.has(id)))
		.sort(lowestFirst);
	const lacksPieces = listed && countMissing(order, created) > 0;
	const whole = lacksPieces ? withMissingPieces(order, created, toPieces(order, listed)) : created;
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const pieces = whole.pieces.map((each) => ({ ...each, printed: printed.get(idOf(each.row)) }));
	const shipment = { ...whole, pieces };
	// Another one may be a piece that the response has left out. Of too many pieces, some may be of another shipment.
	const isUnclear = countMissing(order, shipment) > 0 || pieces.length > pieceCountOf(order);
	const isLost = !isFromResponse(shipment);
	if (isUnclear || (isLost && !listed)) return { order, shipment: withNamed(shipment, others) };
	const ownId = listed?.id ?? mainPieceIdOf(shipment);
	const [first] = others.filter(({ id }) => id < ownId);
	// With a response, a process cancels its own alone. The others have processes that cancel them, and are not named.
	const isAtCarrier = ({ carrierCode }: FoundShipment) =>
		isSameCode(carrierCode, order.carrierCode);
	const later = isLost ? others.filter((each) => each !== first) : [];
	const surplus: Surplus[] = later.filter(isAtCarrier).reverse();
	// Its own is the last one, so that it stays if another one does.
	if (first) {
		const own = pieces.map(({ row }) => ({ id: idOf(row), number: carrierNumberOf(row) }));
		const { carrierCode } = order;
		surplus.push({ id: ownId, carrierCode, reference: referenceOf(order), pieces: own });
	}
	let notCanceled: string | undefined;
	const done: Duplicate[] = [];
	for (const each of surplus) {
		notCanceled = await cancel(each, run);
		if (notCanceled !== undefined) break;
		done.unshift(toDuplicate(each));
	}
	const [main, ...more] = done;
	const canceled = main && (more.length > 0 ? { ...main, others: more } : main);
	const isActiveYet = ({ id }: FoundShipment) => done.every((each) => each.id !== id);
	if (notCanceled !== undefined) {
		const named = withNamed(shipment, others.filter(isActiveYet), canceled, notCanceled);
		return { order, shipment: named };
	}
	const named = later.filter(isActiveYet);
	if (!first) return { order, shipment: withNamed(shipment, named, canceled) };
	const via = isLost && isAtCarrier(first) ? 'records' : 'otherProcess';
	return await judgeFound(order, [first, ...named], run, via, canceled);
}

/** A shipment to cancel, with all of its pieces. This run's own may be one that the provider does not list. */
type Surplus = Pick<FoundShipment, 'id' | 'carrierCode' | 'reference'> & {
	pieces: Array<{ id: number; number: string }>;
};

/** Says why at least one piece is not canceled. Undefined if all are. */
async function cancel(
	{ id, carrierCode, reference, pieces: known }: Surplus,
	{ context, client }: CreationRun,
): Promise<string | undefined> {
	// Some lists have no numbers, and some numbers come after the response.
	const isComplete = known.every(({ number }) => number !== '');
	const details = isComplete ? [] : await readPieces(client, carrierCode, id).catch(() => []);
	const numbers = new Map(details.map((piece) => [piece.id, piece.number]));
	const pieces = known.map((piece) => ({
		id: piece.id,
		number: piece.number || (numbers.get(piece.id) ?? ''),
	}));
	const name = `${carrierCode} ${id}`;
	const target = { name, items: [], carrierCode, id, json: orderOf(reference), pieces };
	// Canceling a number twice does no harm. A later try cancels again what this one could not confirm, if it is active then.
	const [[, result] = []] = await cancelTargets(client, [target], cancelNotes(context));
	return result && 'failure' in result ? describeError(result.failure).message : undefined;
}
