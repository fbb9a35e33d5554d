import type { CreationOptions } from '../orders/form';
import { type Order } from '../orders/order';
import type { ShipmentRecord } from '../transport/shipmentRecords';
import { compareWithOrder } from './differences';
import { toDuplicate, toRows } from './match';
import { alreadyExistsError, differsError } from './messages';
import type { OrderOutcome, Piece, Progress, Shipment } from './types';

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
			: differences &&
				ifDiffers === 'fail' &&
				differsError(order, pieces, { differences, duplicates, progress: progressOf(living[0]) });
	const targets = [order];
	if (error) return { targets, outcome: { state: 'notDone', errors: [error] } };
	return { targets, outcome: { state: 'done', value: shipment } };
}

/** How far the shipment is, as far as its records say. */
function progressOf({ pieces }: ShipmentRecord): Progress | undefined {
	const records = pieces.map(({ record }) => record);
	const says = (
		field: 'delivered' | 'canCancel' | 'submittedCarrier' | 'inTransit',
		value: boolean,
	) => records.some((record) => record[field] === value);
	if (says('delivered', true)) return 'delivered';
	// Some carriers know of a shipment from the start, and it can be canceled anyway.
	if (says('canCancel', false) || says('inTransit', true)) return 'handedOver';
	if (says('canCancel', true)) return 'open';
	if (says('submittedCarrier', true)) return 'handedOver';
	return says('submittedCarrier', false) ? 'open' : undefined;
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
