import type { CreationOptions } from '../orders/form';
import { type Order, pieceCountOf } from '../orders/order';
import { compareWithOrder } from './differences';
import { toRows } from './match';
import { alreadyExistsError, differsError } from './messages';
import type { Duplicate, FoundRecord, OrderOutcome, Piece, Shipment } from './types';

/** The outcome of an order whose shipment exists already: reused, or an error. */
export function judgeExisting(
	order: Order,
	living: readonly FoundRecord[],
	{ ifExists, ifDiffers }: CreationOptions,
): OrderOutcome {
	const shipment = reuse(order, living);
	const { pieces, differences } = shipment;
	const error =
		ifExists === 'fail'
			? alreadyExistsError(order, pieces)
			: differences && ifDiffers === 'fail' && differsError(order, pieces, differences);
	const about = [order];
	if (error) return { about, outcome: { kind: 'notDone', errors: [error] } };
	return { about, outcome: { kind: 'done', value: shipment } };
}

/** The existing shipment of an order, and how it differs. */
export function reuse(order: Order, living: readonly FoundRecord[]): Shipment {
	const { shipment, duplicates } = separateDuplicates(living, pieceCountOf(order));
	const pieces = toRows(order, shipment, 'The shipment already exists').map((row): Piece => {
		const printed = shipment.find(({ id }) => id === row.id)?.record.printed;
		const known = typeof printed === 'boolean' ? { printed } : {};
		return { row, batch: null, via: 'existing', ...known };
	});
	const { differences, uncompared } = compareWithOrder(order, shipment);
	return {
		pieces,
		...(differences.length > 0 ? { differences } : {}),
		...(uncompared.length > 0 ? { uncompared } : {}),
		...(duplicates.length > 0 ? { duplicates: duplicates.map(toDuplicate) } : {}),
	};
}

/**
 * Living records with the same reference are the pieces of one shipment or, if two n8n processes
 * created the order at the same moment, several shipments. Of each piece, the lowest ID counts.
 */
export function separateDuplicates(
	living: readonly FoundRecord[],
	pieceCount: number,
): { shipment: FoundRecord[]; duplicates: FoundRecord[] } {
	if (living.length <= pieceCount) return { shipment: [...living], duplicates: [] };
	const positions = new Set<number>();
	const shipment: FoundRecord[] = [];
	const duplicates: FoundRecord[] = [];
	for (const each of [...living].sort((a, b) => a.id - b.id)) {
		const position = each.record.packageNumberOrder;
		// Without positions, a shipment with more pieces than ordered looks like two shipments.
		const isDuplicate = typeof position === 'number' && positions.has(position);
		if (typeof position === 'number') positions.add(position);
		(isDuplicate ? duplicates : shipment).push(each);
	}
	return { shipment, duplicates };
}

export function toDuplicate({ id, carrierCode, record }: FoundRecord): Duplicate {
	return { id, carrierCode, packageNumberCarrier: record.packageNumberCarrier ?? null };
}
