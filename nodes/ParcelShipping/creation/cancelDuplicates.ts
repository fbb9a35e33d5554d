import { openCanceling } from '../changes/cancelNumbers';
import { type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import type { FoundShipment } from '../transport/pieces';
import type { CreationRun, Shipment } from './types';

// Cancels the surplus shipments of an order, if another process has created the order as well.

/** This run's shipment with all of its pieces, also if the service does not list it, or not all of them. */
export function asFoundShipment(
	order: Order,
	{ pieces }: Shipment,
	listed: FoundShipment | undefined,
): FoundShipment {
	const records = new Map(listed?.pieces.map((piece) => [piece.id, piece]));
	const common = { carrierCode: order.carrierCode, reference: referenceOf(order) };
	const own = pieces.map(({ row }) => {
		const id = idOf(row);
		const record = records.get(id);
		records.delete(id);
		return {
			...common,
			id,
			record: {},
			isCanceled: false,
			printed: undefined,
			handedOver: undefined,
			...record,
			// Some services assign the number after the response, and it is in the record then.
			number: row.packageNumberCarrier || record?.number || '',
		};
	});
	const unlisted = listed?.isGuessed ? [] : records.values();
	const all = [...own, ...unlisted].sort((a, b) => a.id - b.id);
	return { ...common, id: listed?.id ?? all[0]?.id ?? 0, pieces: all, isGuessed: false };
}

/** Returns why at least one piece was not canceled; undefined if all of them are canceled. */
export async function cancelAll(
	shipments: readonly FoundShipment[],
	{ context, client, records }: CreationRun,
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
	// Nothing is recalled here, because canceling a number twice does no harm. A later try cancels again what
	// this one could not confirm, if it lives then.
	const { cancel } = openCanceling(context, client);
	const outcomes = await cancel(targets);
	const canceled = outcomes.flatMap((each) =>
		each.outcome.state === 'done' ? each.targets.map(({ number }) => number) : [],
	);
	// Some services cancel piece by piece.
	const part = canceled.length > 0 ? `. Only ${canceled.join(', ')} was canceled` : '';
	for (const { outcome } of outcomes) {
		if (!('errors' in outcome)) continue;
		const [error] = outcome.errors;
		const { message, details } = describeError(error);
		// The other words of an error about a number only repeat that it was not canceled.
		const reason = isServiceError(error) ? message : String(details.serviceMessage ?? message);
		return reason + part;
	}
	return undefined;
}
