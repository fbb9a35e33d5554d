import { groupBy } from '../lists';
import type { CreationOptions } from '../orders/creationOptions';
import { type Order, pieceCountOf } from '../orders/order';
import { idOf, searchStart } from '../records';
import { describeError } from '../transport/errors';
import type { FoundShipment } from '../transport/pieces';
import { compareWithOrder } from './differences';
import { alreadyExistsError, differsError } from './messages';
import { isCreated, toDuplicate, toRows, wantedOf } from './shipments';
import type { CreationRun, OrderOutcome, Piece, Shipment } from './types';

// The existing shipments of orders: how they are read, compared and judged.

/** How far back a list of many orders is read. An order number that is searched alone is found however old it is. */
export const LOOKBACK_DAYS = 30;

/** Living shipments of an order, lowest ID first. */
export type LivingShipments = [FoundShipment, ...FoundShipment[]];

/** The shipments of the orders by reference, canceled ones included. */
export async function findByReference(
	orders: readonly Order[],
	lookbackDays: number,
	records: CreationRun['records'],
): Promise<ReadonlyMap<string, FoundShipment[]>> {
	const found = await records.find(wantedOf(orders), searchStart(Date.now(), lookbackDays));
	return groupBy(found, ({ reference }) => reference);
}

/** The shipments of orders, or why they could not be read. */
export interface Look {
	byReference?: ReadonlyMap<string, FoundShipment[]>;
	notRead?: string;
}

export async function tryFindByReference(
	orders: readonly Order[],
	lookbackDays: number,
	records: CreationRun['records'],
): Promise<Look> {
	try {
		return { byReference: await findByReference(orders, lookbackDays, records) };
	} catch (thrown) {
		return { notRead: describeError(thrown).message };
	}
}

/**
 * The shipment with all of its pieces and the fields that are compared, as far as the service has them.
 * If its detail cannot be read, they count as not compared.
 */
export async function withComparedFields(
	order: Order,
	shipment: FoundShipment,
	records: CreationRun['records'],
): Promise<FoundShipment> {
	const isCompared = compareWithOrder(order, shipment.pieces).uncompared.length === 0;
	if (isCompared && !mayHaveMorePieces(order, shipment)) return shipment;
	return await records.withDetail(shipment).catch(() => shipment);
}

/** Whether the shipment may have more pieces than the list shows. */
export function mayHaveMorePieces(order: Order, { pieces }: FoundShipment): boolean {
	return pieces.length < Math.max(pieceCountOf(order), pieces[0]?.record.pieceCount ?? 1);
}

/** The outcome of an order whose shipment exists: reused, or an error. One that was created fails only if it differs. */
export function judgeExisting(
	order: Order,
	value: Shipment,
	{ ifShipped }: Pick<CreationOptions, 'ifShipped'>,
): OrderOutcome {
	const mustNotExist = ifShipped === 'fail' && !isCreated(value);
	if (!mustNotExist && !(value.differences && ifShipped !== 'return'))
		return { targets: [order], outcome: { state: 'done', value } };
	const error = mustNotExist ? alreadyExistsError(order, value) : differsError(order, value);
	return failedOrder(order, error);
}

/** An error of one order, also if its shipment exists. */
export const failedOrder = (order: Order, error: unknown): OrderOutcome => ({
	targets: [order],
	outcome: { state: 'notDone', errors: [error] },
});

/** Some carriers know of a shipment from the start, and it can be canceled anyway. */
const isWithCarrier = ({ pieces }: FoundShipment) =>
	pieces.some(
		({ record: { delivered, inTransit, canCancel, submittedCarrier } }) =>
			delivered || inTransit || canCancel === false || (submittedCarrier && canCancel !== true),
	);

/** The existing shipment of an order, and how it differs. Of several, the first one counts. */
export function toExistingShipment(order: Order, [shipment, ...others]: LivingShipments): Shipment {
	const living = shipment.pieces.filter(({ isCanceled }) => !isCanceled);
	const rows = toRows(order, living, 'The shipment already exists');
	const printed = new Map(living.map((piece) => [piece.id, piece.printed]));
	return {
		pieces: rows.map((row): Piece => {
			return { row, batch: null, via: 'existing', printed: printed.get(idOf(row)) };
		}),
		...comparedWith(order, shipment),
		...(others.length > 0 ? { duplicates: { named: others.map(toDuplicate) } } : {}),
	};
}

/** How the shipment differs from the order. */
export function comparedWith(
	order: Order,
	shipment: FoundShipment,
): Pick<Shipment, 'differences' | 'isWithCarrier' | 'uncompared'> {
	const { differences, uncompared } = compareWithOrder(
		order,
		shipment.pieces.filter(({ isCanceled }) => !isCanceled),
	);
	return {
		differences: differences.length > 0 ? differences : undefined,
		isWithCarrier: isWithCarrier(shipment),
		uncompared: uncompared.length > 0 ? uncompared : undefined,
	};
}
