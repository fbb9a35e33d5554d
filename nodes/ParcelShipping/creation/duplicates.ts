import { groupBy, isNonEmpty, isSameCode } from '../lists';
import { isExchange, itemsOf, type Order, referenceOf } from '../orders/order';
import { idOf, searchStart } from '../records';
import { describeError } from '../transport/errors';
import { isLiving, type FoundShipment } from '../transport/pieces';
import { asFoundShipment, cancelAll } from './cancelDuplicates';
import {
	comparedWith,
	judgeExisting,
	type LivingShipments,
	toExistingShipment,
	withComparedFields,
} from './lookUp';
import { canceledSinceError, describeUnread } from './messages';
import {
	countUnknownPieces,
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	shipmentOf,
	toDuplicate,
	wantedOf,
	withRecords,
} from './shipments';
import type { CreationRun, Duplicates, OrderOutcome, Piece, Shipment } from './types';

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
 * When a person retries, no shipment is canceled of an order that the earlier execution shipped. Instead, the check
 * looks whether somebody has canceled the shipment since, also one that another process had created. Then the one that
 * exists now takes its place, or the order fails. The person may also have corrected the order: what exists then differs.
 *
 * What another process has created, or what exists in a retry, is judged like what the look-up finds. What was read back
 * may be this run's own, so its output only names the differences.
 */
export async function checkDuplicates(
	outcomes: readonly OrderOutcome[],
	currentOrders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, records, journal, options } = run;
	const orders = outcomes
		.filter((each) => shipmentToCheck(each, journal))
		.flatMap(({ targets }) => targets);
	const judged = ({ targets, outcome }: OrderOutcome): OrderOutcome => {
		const isJudged =
			outcome.state === 'done' &&
			(!isCreated(outcome.value) ||
				(isFromResponse(outcome.value) && journal.isTargetOfEarlierExecution(targets[0])));
		return isJudged ? judgeExisting(targets[0], outcome.value, options) : { targets, outcome };
	};
	if (orders.length === 0 || options.ifExists === 'create') return outcomes.map(judged);
	const hasEarlier = orders.some((order) => journal.isTargetOfEarlierExecution(order));
	// Not further back than the look-up: otherwise, an older shipment would count for the orders that are sent now.
	const since = searchStart(Date.now(), hasEarlier ? options.lookbackDays : 0);
	const ownIds = new Set(outcomes.flatMap((each) => idsOfPieces(shipmentOf(each)?.pieces ?? [])));
	const look = await records.find(wantedOf(orders), since).then(
		(shipments): Look => {
			const unread = [...records.unread.values()].find(({ id }) => !ownIds.has(id));
			return {
				byReference: groupBy(shipments, ({ reference }) => reference),
				...(unread ? { notRead: describeUnread(unread) } : {}),
			};
		},
		(thrown: unknown): Look => ({ notRead: describeError(thrown).message }),
	);
	const byItem = new Map(
		currentOrders.flatMap((order) => itemsOf([order]).map((item) => [item, order] as const)),
	);
	const checked = await client.mapParallel(outcomes, async (each) =>
		checkOutcome(each, look, byItem, run),
	);
	// A row without a reference may be of a shipment that is canceled now.
	const canceledIds = new Set(checked.flatMap((each) => shipmentOf(each)?.canceledPieceIds ?? []));
	const isCanceled = ({ row }: Piece) => canceledIds.has(idOf(row));
	return checked
		.filter(
			({ outcome }) => outcome.state !== 'unmatched' || !outcome.value.pieces.every(isCanceled),
		)
		.map(judged);
}

/** The shipments of all orders by reference, and why they, or some of them, could not be read. */
interface Look {
	byReference?: ReadonlyMap<string, FoundShipment[]>;
	notRead?: string;
}

/** What the check makes of an outcome. `keep` writes it into the journal. An order that fails stays done there. */
async function checkOutcome(
	each: OrderOutcome,
	{ byReference, ...notRead }: Look,
	currentOrders: ReadonlyMap<number, Order>,
	run: CreationRun,
): Promise<OrderOutcome> {
	const { journal, records } = run;
	const shipment = shipmentToCheck(each, journal);
	const [order] = each.targets;
	if (!shipment) return each;
	const keep = (checked: Shipment): OrderOutcome => {
		const value = { ...checked, duplicates: { named: [], ...checked.duplicates, ...notRead } };
		journal.keepDone(order, value);
		return { targets: [order], outcome: { state: 'done', value } };
	};
	if (!byReference) return keep(shipment);
	const ofOrder = byReference.get(referenceOf(order)) ?? [];
	const isOfEarlierExecution = journal.isTargetOfEarlierExecution(order);
	const ids = idsOfPieces(shipment.pieces);
	const decision = decide(order, shipment, ofOrder, {
		isOfEarlierExecution,
		isRepeated: journal.isRepeated(order),
	});
	// What was read back may be of another process. A person who retries may have corrected the order.
	const current = currentOrders.get(order.itemIndex) ?? order;
	const needsNoComparison =
		isFromResponse(shipment) && (!isOfEarlierExecution || isSameOrder(current, order));
	const toCompare = needsNoComparison ? undefined : current;
	// If the order fails, it stays done in the journal, so that no retry creates it again.
	if (decision.act === 'fail') {
		const errors = [canceledSinceError(order, shipment)];
		return { targets: [order], outcome: { state: 'notDone', errors } };
	}
	if (decision.act === 'useOthers') {
		const [lowest, ...more] = decision.others;
		const compared = await withComparedFields(current, lowest, records);
		const existing = toExistingShipment(order, [compared, ...more]);
		return keep(compareAgain(withCanceledIds(existing, shipment, ids), current, compared));
	}
	const { listed } = decision;
	// An earlier retry, with values that were corrected back since, may have stored differences.
	const own = needsNoComparison ? { ...shipment, differences: undefined } : shipment;
	const confirmed = withListedPieces(order, own, listed);
	const compared =
		toCompare && listed ? await withComparedFields(toCompare, listed, records) : undefined;
	return keep(
		await cancelOrName(decision, order, compareAgain(confirmed, toCompare, compared), run),
	);
}

const isSameOrder = (one: Order, other: Order) =>
	one.carrierCode === other.carrierCode && JSON.stringify(one.body) === JSON.stringify(other.body);

/** With the differences that the order has now, instead of those that it had before. */
const compareAgain = (shipment: Shipment, order?: Order, found?: FoundShipment): Shipment =>
	order && found ? { ...shipment, ...comparedWith(order, found) } : shipment;

/**
 * The shipment that this run, or an earlier try, has created. If a person retries, also that of another process that
 * the earlier try has output, because somebody may have canceled it since, and what this look-up has found for an order
 * whose outcome was unknown. What may be one of several orders is not checked.
 */
function shipmentToCheck(
	{ targets: [order], outcome }: OrderOutcome,
	journal: CreationRun['journal'],
): Shipment | undefined {
	if (outcome.state !== 'done') return undefined;
	const mustCheck = isCreated(outcome.value) || journal.isTargetOfEarlierExecution(order);
	return mustCheck ? outcome.value : undefined;
}

interface TryKind {
	/** A person has retried the execution that has created the shipment. */
	isOfEarlierExecution: boolean;
	/** A request before that of this try may have created another one. */
	isRepeated: boolean;
}

/** What is to be done about the shipment that a run has created, and the others of its order. */
type Decision =
	/** Nothing is canceled. The output names those that no other run cancels. */
	| { act: 'keepAll'; listed: FoundShipment | undefined; named: FoundShipment[] }
	/** Somebody has canceled it, and created others instead. */
	| { act: 'useOthers'; others: LivingShipments }
	/** Somebody has canceled it, and nothing is there instead. */
	| { act: 'fail' }
	/** This run's shipment is one of several. The one with the lowest ID stays. */
	| {
			act: 'cancel';
			listed: FoundShipment | undefined;
			others: FoundShipment[];
			/** This run's shipment, as the service has it. */
			own: FoundShipment;
			lowest: FoundShipment;
			toCancel: LivingShipments;
	  };

/** `ofOrder` are the shipments with the reference of the order, canceled ones included. */
export function decide(
	order: Order,
	shipment: Shipment,
	ofOrder: readonly FoundShipment[],
	{ isOfEarlierExecution, isRepeated }: TryKind,
): Decision {
	const ids = new Set(idsOfPieces(shipment.pieces));
	const hasOwnPiece = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const living = ofOrder.filter(isLiving);
	const listed = living.find(hasOwnPiece);
	const isSame = (each: FoundShipment) =>
		each === listed || each.pieces.every(({ id }) => ids.has(id));
	const others = living.filter((each) => !isSame(each)).sort(lowestFirst);
	if (isOfEarlierExecution) {
		// Somebody may have created the others on purpose before a person retries.
		if (listed || !ofOrder.some(hasOwnPiece)) return { act: 'keepAll', listed, named: others };
		const [lowest, ...more] = others;
		return !lowest || isExchange(order)
			? { act: 'fail' }
			: { act: 'useOthers', others: [lowest, ...more] };
	}
	// Another shipment may be the second one of an exchange, or the piece that the response has left out.
	const mayBeWanted =
		isExchange(order) || withPiecesListedSince(order, shipment, listed).isIncomplete;
	if (mayBeWanted || !(isFromResponse(shipment) || listed)) {
		return { act: 'keepAll', listed, named: others };
	}
	const own = asFoundShipment(order, shipment, listed);
	const [lowest = own, ...higher] = [...others, own].sort(lowestFirst);
	const toCancel = isFromResponse(shipment)
		? higher.filter((each) => each === own)
		: higher.filter(({ carrierCode }) => isSameCode(carrierCode, order.carrierCode));
	// Another run cancels its own, so they are not named. If this execution may have created them, they are.
	if (!isNonEmpty(toCancel)) return { act: 'keepAll', listed, named: isRepeated ? others : [] };
	return { act: 'cancel', listed, others, own, lowest, toCancel };
}

/** The shipment that stays, and what came of the others. */
async function cancelOrName(
	decision: Extract<Decision, { act: 'keepAll' | 'cancel' }>,
	order: Order,
	confirmed: Shipment,
	run: CreationRun,
): Promise<Shipment> {
	if (decision.act === 'keepAll') return withNamed(confirmed, decision.named);
	const { own, lowest, toCancel, others } = decision;
	const notCanceled = await cancelAll(toCancel, run);
	if (notCanceled !== undefined) return withNamed(confirmed, others, { notCanceled });
	const ids = toCancel.flatMap((each) => each.pieces.map(({ id }) => id));
	if (lowest === own) {
		const canceled = toDuplicate(toCancel[0]);
		return withCanceledIds(withNamed(confirmed, [], { canceled }), confirmed, ids);
	}
	const canceled = toDuplicate(own);
	const compared = await withComparedFields(order, lowest, run.records);
	const stays = toExistingShipment(order, [compared]);
	// Who created the lowest one prints it. That may be this execution, if its response, or that of an earlier request, was
	// lost. Both were for the carrier of the order, unless a person has changed it.
	const hasLostResponse = !isFromResponse(confirmed) || run.journal.isRepeated(order);
	const mayBeOwn = hasLostResponse && isSameCode(lowest.carrierCode, order.carrierCode);
	const via: Piece['via'] = mayBeOwn ? 'records' : 'otherProcess';
	const pieces = stays.pieces.map((piece) => ({ ...piece, via }));
	return withCanceledIds({ ...stays, pieces, duplicates: { named: [], canceled } }, confirmed, ids);
}

/** The shipment with what its records say, if the list shows it. */
function withListedPieces(
	order: Order,
	shipment: Shipment,
	listed: FoundShipment | undefined,
): Shipment {
	const printed = new Map(listed?.pieces.map((piece) => [piece.id, piece.printed]));
	const { pieces, ...completed } = withPiecesListedSince(order, shipment, listed);
	return {
		...completed,
		pieces: pieces.map((piece) => ({ ...piece, printed: printed.get(idOf(piece.row)) })),
	};
}

/** What an earlier try has canceled stays known. What else it has found may have changed. */
function withNamed(
	shipment: Shipment,
	others: readonly FoundShipment[],
	more: Partial<Duplicates> = {},
): Shipment {
	const { canceled } = shipment.duplicates ?? {};
	const named = others.map(toDuplicate);
	return { ...shipment, duplicates: { named, ...(canceled ? { canceled } : {}), ...more } };
}

const withCanceledIds = (stays: Shipment, before: Shipment, ids: readonly number[]): Shipment => ({
	...stays,
	canceledPieceIds: [...(before.canceledPieceIds ?? []), ...ids],
});

/** The shipment with the pieces that could not be confirmed before, if the list shows them now. */
function withPiecesListedSince(
	order: Order,
	shipment: Shipment,
	listed: FoundShipment | undefined,
): Shipment {
	if (!shipment.isIncomplete || !listed || listed.isGuessed) return shipment;
	const { isIncomplete, pieces: known, ...more } = shipment;
	const pieces = withRecords(order, known, listed, known[0]?.batch ?? null);
	const isStill = countUnknownPieces(order, { ...more, pieces }) > 0;
	return { ...more, pieces, ...(isStill ? { isIncomplete } : {}) };
}
