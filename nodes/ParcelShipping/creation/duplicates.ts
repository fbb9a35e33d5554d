import { cancelNotes, cancelTargets } from '../changes/cancel';
import { isSameCode } from '../lists';
import { isExchange, type Order, pieceCountOf, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import { type FoundShipment, isActive, readPieces } from '../transport/shipments';
import { judgeFound, tryToFind } from './lookUp';
import { describeUnread } from './messages';
import {
	countMissing,
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	mainPieceIdOf,
	toDuplicate,
	withMissingPieces,
	withNamed,
	withNotRead,
} from './shipments';
import type { CreationRun } from './creationRun';
import type { OrderResult, Shipment } from './types';

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
	const { client, notes, records } = run;
	const isChecked = ({ order, shipment }: OrderResult) =>
		shipment !== undefined &&
		isCreated(shipment) &&
		!isExchange(order) &&
		!notes.isOfEarlierExecution(order);
	const created = results.filter(isChecked).map(({ order }) => order);
	if (created.length === 0) return [...results];
	const look = await tryToFind(created, 0, run);
	const ownIds = new Set(results.flatMap(({ shipment }) => idsOfPieces(shipment?.pieces ?? [])));
	const unread = [...records.unread.values()].find(({ id }) => !ownIds.has(id));
	return await client.mapParallel(results, async (each) => {
		const { order, shipment } = each;
		if (!shipment || !isChecked(each)) return each;
		const { ofOrder, problem } = look(order);
		const checked =
			problem === undefined
				? await checkShipment(order, shipment, ofOrder.filter(isActive), run)
				: { order, shipment };
		if (!checked.shipment) return checked;
		const notRead = problem ?? (unread && describeUnread(unread));
		const result =
			notRead === undefined
				? { order, shipment: checked.shipment }
				: { order, shipment: withNotRead(checked.shipment, notRead) };
		notes.done(order, result.shipment);
		return result;
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
	const whole = withMissingPieces(order, created, listed);
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const pieces = whole.pieces.map((each) => ({ ...each, printed: printed.get(idOf(each.row)) }));
	const shipment = { ...whole, pieces };
	// Another one may be a piece that the response has left out. Of too many pieces, some may be of another shipment.
	const isUnclear = countMissing(order, shipment) > 0 || pieces.length > pieceCountOf(order);
	if (isUnclear || (!isFromResponse(shipment) && !listed))
		return { order, shipment: withNamed(shipment, others) };
	if (!isFromResponse(shipment) && listed)
		return await keepLowest(order, shipment, [listed, ...others], run);
	const [lowest] = others;
	// Another process cancels its own, so it is not named.
	if (!lowest || lowest.id > (listed?.id ?? mainPieceIdOf(shipment)))
		return { order, shipment: withNamed(shipment, []) };
	const own = toOwn(order, shipment, listed);
	const notCanceled = await cancel(own, run);
	if (notCanceled !== undefined)
		return { order, shipment: withNamed(shipment, others, { notCanceled }) };
	return await judgeFound(order, [lowest], run, 'otherProcess', toDuplicate(own));
}

/** After a lost response. What another carrier has is of another process, and so is not canceled. */
async function keepLowest(
	order: Order,
	shipment: Shipment,
	[listed, ...others]: [FoundShipment, ...FoundShipment[]],
	run: CreationRun,
): Promise<OrderResult> {
	const isAtCarrier = ({ carrierCode }: FoundShipment) =>
		isSameCode(carrierCode, order.carrierCode);
	const [lowest = listed, ...higher] = [listed, ...others].sort(lowestFirst);
	const surplus = higher.filter(isAtCarrier);
	const elsewhere = higher.filter((each) => !isAtCarrier(each));
	const [first] = surplus;
	if (!first) return { order, shipment: withNamed(shipment, elsewhere) };
	const outcomes = await run.client.mapParallel(surplus, async (each) => cancel(each, run));
	const notCanceled = outcomes.find((outcome) => outcome !== undefined);
	if (notCanceled !== undefined)
		return { order, shipment: withNamed(shipment, others, { notCanceled }) };
	const canceled = toDuplicate(first);
	if (lowest === listed) return { order, shipment: withNamed(shipment, elsewhere, { canceled }) };
	const via = isAtCarrier(lowest) ? 'records' : 'otherProcess';
	return await judgeFound(order, [lowest, ...elsewhere], run, via, canceled);
}

type OwnShipment = Pick<FoundShipment, 'id' | 'carrierCode' | 'reference'> & {
	pieces: Array<{ id: number; number: string }>;
};

/** This run's shipment with all of its pieces, also if the provider does not list it, or not all of them. */
function toOwn(order: Order, shipment: Shipment, listed: FoundShipment | undefined): OwnShipment {
	const numbers = new Map(listed?.pieces.map(({ id, number }) => [id, number]));
	const own = shipment.pieces.map(({ row }) => {
		const id = idOf(row);
		// Some providers assign the number after the response, and it is in the record then.
		return { id, number: row.packageNumberCarrier || numbers.get(id) || '' };
	});
	const ids = new Set(own.map(({ id }) => id));
	const unnamed = listed?.pieces.filter(({ id }) => !ids.has(id)) ?? [];
	return {
		id: listed?.id ?? mainPieceIdOf(shipment),
		carrierCode: order.carrierCode,
		reference: referenceOf(order),
		pieces: [...own, ...unnamed].sort(lowestFirst),
	};
}

/** Says why at least one piece is not canceled. Undefined if all are. */
async function cancel(
	{ id, carrierCode, reference, pieces: known }: OwnShipment,
	{ context, client }: CreationRun,
): Promise<string | undefined> {
	const lacksNumber = known.some(({ number }) => number === '');
	// Some lists have no numbers.
	const details = lacksNumber ? await readPieces(client, carrierCode, id).catch(() => []) : [];
	const numbers = new Map(details.map((piece) => [piece.id, piece.number]));
	const pieces = known.map((piece) => ({
		id: piece.id,
		number: piece.number || numbers.get(piece.id) || '',
	}));
	const number = pieces[0]?.number ?? '';
	if (pieces.some((piece) => piece.number === ''))
		return 'The carrier has not assigned its number yet';
	const name = `${carrierCode} ${id}`;
	const target = { name, items: [], carrierCode, id, reference, number, pieces };
	// Canceling a number twice does no harm. A later try cancels again what this one could not confirm, if it is active then.
	const [settled] = await cancelTargets(client, [target], cancelNotes(context));
	if (!settled || !('failure' in settled)) return undefined;
	const { message, details: facts } = describeError(settled.failure);
	const { serviceMessage, canceledNumbers } = facts as {
		serviceMessage?: unknown;
		canceledNumbers?: string[];
	};
	// The other words of an error about a number only repeat that it was not canceled.
	if (isServiceError(settled.failure) || !serviceMessage) return message;
	// Some providers cancel piece by piece.
	const part = canceledNumbers ? `. Only ${canceledNumbers.join(', ')} was canceled` : '';
	return `${String(serviceMessage)}${part}`;
}
