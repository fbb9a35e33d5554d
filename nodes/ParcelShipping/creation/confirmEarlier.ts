import { itemsOf, type Order, referenceOf } from '../orders/order';
import { isLiving, type FoundShipment } from '../transport/pieces';
import {
	comparedWith,
	failedOrder,
	judgeExisting,
	type Look,
	LOOKBACK_DAYS,
	tryFindByReference,
	withComparedFields,
} from './existing';
import { canceledSinceError } from './messages';
import {
	idsOfPieces,
	isCreated,
	isFromResponse,
	lowestFirst,
	shipmentOf,
	withMissingPieces,
	withNamed,
	withNotRead,
} from './shipments';
import type { CreationRun, OrderOutcome, Shipment } from './types';

/**
 * What was created before a person retried, perhaps days ago. If somebody has canceled the shipment since, the order fails,
 * and stays done in the journal, so that no retry creates it again. If the person has corrected the order, its shipment is
 * judged like one that the look-up finds. Nothing is canceled, because somebody may have wanted another shipment.
 */
export async function confirmEarlier(
	earlier: readonly OrderOutcome[],
	currentOrders: readonly Order[],
	run: CreationRun,
): Promise<OrderOutcome[]> {
	const { client, records } = run;
	if (earlier.length === 0) return [...earlier];
	const byItem = new Map(
		currentOrders.flatMap((order) => itemsOf([order]).map((item) => [item, order] as const)),
	);
	const orders = earlier.flatMap(({ targets }) => targets);
	// Not further back than the look-up: otherwise, an older shipment would count for the orders that are sent now.
	const look = await tryFindByReference(orders, LOOKBACK_DAYS, records);
	return await client.mapParallel(earlier, async (each) => {
		const [order] = each.targets;
		const shipment = shipmentOf(each);
		const current = byItem.get(order.itemIndex) ?? order;
		return shipment ? await confirmShipment(order, shipment, current, look, run) : each;
	});
}

async function confirmShipment(
	order: Order,
	shipment: Shipment,
	current: Order,
	{ byReference, notRead }: Look,
	{ records, options }: CreationRun,
): Promise<OrderOutcome> {
	const ids = new Set(idsOfPieces(shipment.pieces));
	const ofOrder = byReference?.get(referenceOf(order)) ?? [];
	const isOwn = ({ pieces }: FoundShipment) => pieces.some(({ id }) => ids.has(id));
	const own = ofOrder.filter(isOwn);
	const listed = own.find(isLiving);
	const others = ofOrder.filter((each) => isLiving(each) && !isOwn(each)).sort(lowestFirst);
	if (own.length > 0 && !listed) {
		return failedOrder(order, canceledSinceError(order, withNamed(shipment, others)));
	}
	const confirmed = byReference
		? withNamed(withMissingPieces(order, shipment, listed), others)
		: withNotRead(shipment, notRead);
	// An order number may be made of the time.
	const valuesOf = ({ carrierCode, body }: Order) =>
		JSON.stringify({ carrierCode, ...body, packageNumberCustom: undefined });
	const isCorrected = valuesOf(current) !== valuesOf(order);
	// What was read back may be of another process, so that its output names the differences.
	const mustCompare = isCorrected || !isFromResponse(shipment);
	const value =
		listed && mustCompare
			? {
					...confirmed,
					...comparedWith(current, await withComparedFields(current, listed, records)),
				}
			: // What it differed in before says nothing about the corrected order.
				{ ...confirmed, ...(isCorrected ? { differences: undefined } : {}) };
	return isCreated(value) && !isCorrected
		? { targets: [order], outcome: { state: 'done', value } }
		: judgeExisting(order, value, options);
}
