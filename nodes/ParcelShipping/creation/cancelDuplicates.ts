import type { IDataObject } from 'n8n-workflow';

import { cancelJournal, type CancelTarget } from '../changes/cancelAct';
import { cancelWrite } from '../changes/cancelWrite';
import { type Order, referenceOf } from '../orders/order';
import { idOf } from '../records';
import { describeError, isServiceError } from '../transport/errors';
import type { FoundShipment } from '../transport/pieces';
import { writeOnce } from '../writes/writeOnce';
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
		const numbers = pieces.map(({ number }) => number);
		const number = numbers[0] ?? '';
		return { carrierCode, id, reference, isOfOrder: false, number, numbers, items: [] };
	});
	if (targets.some(({ numbers }) => numbers.includes('')))
		return 'The carrier has not assigned its number yet';
	// Nothing is recalled here, because canceling a number twice does no harm. A later try cancels again what
	// this one could not confirm, if it lives then.
	const [{ carrierCode }] = shipments;
	const request = { carrierCode, targets };
	const outcomes = await writeOnce(cancelJournal(context), request, cancelWrite(client));
	const [error] = outcomes.flatMap(({ outcome }) => ('errors' in outcome ? outcome.errors : []));
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
