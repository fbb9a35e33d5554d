import type { IDataObject } from 'n8n-workflow';

import { cancelNotes, cancelTargets } from '../changes/cancel';
import type { CancelTarget } from '../changes/types';
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

/** Shipments of one carrier. Returns why at least one piece was not canceled; undefined if all of them are canceled. */
export async function cancelAll(
	shipments: readonly [FoundShipment, ...FoundShipment[]],
	{ context, client, records }: CreationRun,
): Promise<string | undefined> {
	if (shipments.some(({ isGuessed }) => isGuessed)) return 'Its pieces cannot be told apart';
	const numbered = await client.mapParallel(shipments, async (each) =>
		// Some lists have no numbers.
		each.pieces.every(({ number }) => number !== '')
			? each
			: records.withDetail(each).catch(() => each),
	);
	const targets = numbered.map(({ id, carrierCode, reference, pieces }): CancelTarget => {
		const number = pieces[0]?.number ?? '';
		const own = pieces.map((piece) => ({ id: piece.id, number: piece.number }));
		return {
			name: `${carrierCode} ${id}`,
			items: [],
			carrierCode,
			id,
			reference,
			number,
			pieces: own,
		};
	});
	if (targets.some(({ pieces }) => pieces.some(({ number }) => number === '')))
		return 'The carrier has not assigned its number yet';
	// Canceling a number twice does no harm. A later try cancels again what this one could not confirm, if it is active then.
	const settled = await cancelTargets(client, targets, cancelNotes(context));
	const [error] = settled.flatMap((each) => ('failure' in each ? [each.failure] : []));
	if (error === undefined) return undefined;
	const { message, details } = describeError(error);
	const { serviceMessage, canceledNumbers } = details as {
		canceledNumbers?: string[];
	} & IDataObject;
	// The other words of an error about a number only repeat that it was not canceled.
	if (isServiceError(error) || !serviceMessage) return message;
	// Some services cancel piece by piece.
	const part = canceledNumbers ? `. Only ${canceledNumbers.join(', ')} was canceled` : '';
	return `${String(serviceMessage)}${part}`;
}
