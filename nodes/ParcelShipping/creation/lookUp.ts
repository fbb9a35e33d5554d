import { type Order, referenceOf } from '../orders/order';
import type { Client } from '../transport/client';
import { isLiving, type FoundShipment, readPieces } from '../transport/pieces';
import { notDone } from '../writes/journal';
import {
	failedOrder,
	findByReference,
	judgeExisting,
	LOOKBACK_DAYS,
	toExistingShipment,
	withComparedFields,
} from './existing';
import { unreadShipmentError } from './messages';
import { lowestFirst } from './shipments';
import type { CreateAct, CreationRun, OrderOutcome } from './types';

interface LookUpResult {
	/** Orders without a living shipment. */
	toSend: Order[];
	/** Orders that exist already, or that could not be looked up. These must not be sent. */
	outcomes: OrderOutcome[];
}

/** Looks for the shipments of all orders and decides which orders are sent. */
export async function findExisting(
	orders: readonly Order[],
	{ client, records, options }: Pick<CreationRun, 'client' | 'records' | 'options'>,
	lookbackDays = orders.length === 1 ? Infinity : LOOKBACK_DAYS,
): Promise<LookUpResult> {
	try {
		const byReference = await findByReference(orders, lookbackDays, records);
		const [unread] = records.unread.values();
		const outcomes = await client.mapParallel(orders, async (order) => {
			const listed = byReference.get(referenceOf(order)) ?? [];
			let failure: unknown;
			const unlisted = await readUnlisted(order, listed, client).catch((thrown: unknown) => {
				failure = thrown;
				return [];
			});
			const living = [...listed, ...unlisted].filter(isLiving);
			const [lowest, ...others] = living.sort(lowestFirst);
			if (!lowest && failure !== undefined) return failedOrder(order, failure);
			// An unread shipment may be that of the order.
			if (!lowest) return unread && failedOrder(order, unreadShipmentError(order, unread));
			const compared =
				options.ifShipped !== 'fail' ? await withComparedFields(order, lowest, records) : lowest;
			return judgeExisting(order, toExistingShipment(order, [compared, ...others]), options);
		});
		return {
			toSend: orders.filter((_, index) => !outcomes[index]),
			outcomes: outcomes.filter((each) => each !== undefined),
		};
	} catch (thrown) {
		// Nothing may be sent without knowing what exists.
		return { toSend: [], outcomes: notDone<CreateAct>(orders, thrown) };
	}
}

/** What this process created a moment ago, and the list does not show yet. */
async function readUnlisted(
	order: Order,
	listed: readonly FoundShipment[],
	client: Client,
): Promise<FoundShipment[]> {
	const created = client.createdLately(referenceOf(order));
	const listedIds = listed.flatMap(({ pieces }) => pieces.map(({ id }) => id));
	if (!created || listedIds.includes(created.id)) return [];
	const pieces = await readPieces(client, created.carrierCode, created.id);
	const isListed = pieces.some(({ id }) => listedIds.includes(id));
	// A sandbox that is reset uses the same IDs again.
	const isOfOrder = [referenceOf(order), ''].includes(pieces[0]?.reference ?? '');
	return pieces[0] && isOfOrder && !isListed ? [{ ...pieces[0], pieces, isGuessed: false }] : [];
}
