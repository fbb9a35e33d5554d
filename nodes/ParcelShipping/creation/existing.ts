import type { CreationOptions } from '../orders/form';
import { type Order } from '../orders/order';
import type { ShipmentRecord } from '../transport/shipmentRecords';
import { compareWithOrder } from './differences';
import { toDuplicate, toRows } from './match';
import { alreadyExistsError, differsError } from './messages';
import type { OrderOutcome, Piece, Shipment } from './types';

/** The outcome of an order whose shipment exists already: reused, or an error. */
export function judgeExisting(
	order: Order,
	living: readonly [ShipmentRecord, ...ShipmentRecord[]],
	{ ifExists, ifDiffers }: CreationOptions,
): OrderOutcome {
	const shipment = reuse(order, living);
	const { pieces, differences, duplicates = [] } = shipment;
	const error =
		ifExists === 'fail'
			? alreadyExistsError(order, pieces, duplicates)
			: differences && ifDiffers === 'fail' && differsError(order, pieces, differences, duplicates);
	const about = [order];
	if (error) return { about, outcome: { kind: 'notDone', errors: [error] } };
	return { about, outcome: { kind: 'done', value: shipment } };
}

/** The existing shipment of an order, and how it differs. Of several, the first one counts. */
export function reuse(
	order: Order,
	[shipment, ...others]: readonly [ShipmentRecord, ...ShipmentRecord[]],
): Shipment {
	const living = shipment.pieces.filter(({ isCanceled }) => !isCanceled);
	const rows = toRows(order, living, 'The shipment already exists');
	const { differences, uncompared } = compareWithOrder(order, living);
	return {
		pieces: rows.map((row): Piece => {
			const printed = living.find(({ id }) => id === row.id)?.printed;
			return { row, batch: null, via: 'existing', printed };
		}),
		...(differences.length > 0 ? { differences } : {}),
		...(uncompared.length > 0 ? { uncompared } : {}),
		...(others.length > 0 ? { duplicates: others.map(toDuplicate) } : {}),
	};
}
