import { compareWithOrder } from './differences';
import { alreadyExistsError, differsError } from './messages';
import { emptyResult, toRows } from './reconcile';
import {
	type Double,
	type FoundRecord,
	type LookUpSettings,
	type OrderResult,
	type Piece,
} from './types';
import { type Order, pieceCountOf } from '../orders/order';

/** The result of an order whose shipment exists already: reused, or an error. */
export function judgeExisting(
	order: Order,
	living: readonly FoundRecord[],
	{ ifExists, ifDiffers }: Pick<LookUpSettings, 'ifExists' | 'ifDiffers'>,
): OrderResult {
	const result = reuse(order, living);
	const { pieces, differences } = result;
	if (ifExists === 'fail') {
		return { ...emptyResult([order]), notCreated: alreadyExistsError(order, pieces) };
	}
	if (differences && ifDiffers === 'fail') {
		return { ...emptyResult([order]), notCreated: differsError(order, pieces, differences) };
	}
	return result;
}

/** The existing shipment as the result of the order. */
export function reuse(order: Order, living: readonly FoundRecord[]): OrderResult {
	const { shipment, doubles } = separateDoubles(living, pieceCountOf(order));
	const printedById = new Map(shipment.map(({ id, record }) => [id, record.printed]));
	const pieces = toRows(order, shipment, 'The shipment already exists').map((row): Piece => {
		const printed = printedById.get(Number(row.id));
		return {
			row,
			batch: null,
			alreadyExisted: true,
			recovered: false,
			...(typeof printed === 'boolean' ? { printed } : {}),
		};
	});
	const differences = compareWithOrder(order, shipment);
	return {
		...emptyResult([order]),
		pieces,
		...(differences.length > 0 ? { differences } : {}),
		...(doubles.length > 0 ? { doubles: doubles.map(toDouble) } : {}),
	};
}

/**
 * Living records with the same reference are the pieces of one shipment or, if two n8n processes
 * created the order at the same moment, several shipments. Of each piece, the lowest ID counts.
 */
export function separateDoubles(
	living: readonly FoundRecord[],
	pieceCount: number,
): { shipment: FoundRecord[]; doubles: FoundRecord[] } {
	if (living.length <= pieceCount) return { shipment: [...living], doubles: [] };
	const positions = new Set<number>();
	const shipment: FoundRecord[] = [];
	const doubles: FoundRecord[] = [];
	for (const each of [...living].sort((a, b) => a.id - b.id)) {
		const position = each.record.packageNumberOrder;
		// Without positions, a shipment with more pieces than ordered looks like two shipments.
		const isDouble = typeof position === 'number' && positions.has(position);
		if (typeof position === 'number') positions.add(position);
		(isDouble ? doubles : shipment).push(each);
	}
	return { shipment, doubles };
}

export function toDouble({ id, carrierCode, record }: FoundRecord): Double {
	return { id, carrierCode, packageNumberCarrier: record.packageNumberCarrier ?? null };
}
