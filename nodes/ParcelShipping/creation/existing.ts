import { mapParallel } from '../transport/concurrency';
import { searchFrom } from './days';
import { asRows, type Found } from './found';
import type { LookUp } from './lookUp';
import { labelOf, type Order } from './order';
import type { Piece } from './piece';
import { groupByCarrier } from './plan';
import { existsAlready, type IfExists } from './words';

export type Decision =
	| { order: Order; existing: Piece[] }
	| { order: Order; failure: unknown }
	/** To be sent; shipments with its label that don't count, because they were canceled. */
	| { order: Order; canceled: Found[] };

export interface LookingSettings {
	ifExists: IfExists;
	lookbackDays: number;
	maxConcurrency: number;
}

/** Looks for shipments that exist already, carrier by carrier, and decides for each order. */
export async function lookForExisting(
	orders: readonly Order[],
	lookUpOf: (carrierCode: string) => LookUp,
	{ ifExists, lookbackDays, maxConcurrency }: LookingSettings,
	nowMs: number,
): Promise<Decision[]> {
	if (ifExists === 'create') return orders.map((order) => ({ order, canceled: [] }));
	const createdFrom = searchFrom(nowMs, lookbackDays);
	const groups = [...groupByCarrier(orders)];
	const decisions = await mapParallel(
		groups,
		maxConcurrency,
		async ([carrierCode, ofCarrier]): Promise<Decision[]> => {
			try {
				const found = await lookUpOf(carrierCode).find(ofCarrier.map(labelOf), createdFrom);
				return ofCarrier.map((order) => decide(order, found, ifExists));
			} catch (failure) {
				// Without knowing what exists, nothing of this carrier may be sent.
				return ofCarrier.map((order) => ({ order, failure }));
			}
		},
	);
	return decisions.flat();
}

/** What to do with an order, given the shipments of its carrier. */
export function decide(
	order: Order,
	found: readonly Found[],
	ifExists: Exclude<IfExists, 'create'>,
): Decision {
	const label = labelOf(order);
	const sameLabel = found.filter((shipment) => shipment.label === label);
	const alive = sameLabel.filter(({ isCanceled }) => !isCanceled);
	if (alive.length === 0) return { order, canceled: sameLabel };
	const existing = asRows(order, alive, 'The shipment existed already').map((row) => ({
		row,
		batch: null,
		alreadyExisted: true,
		recovered: false,
	}));
	return ifExists === 'fail'
		? { order, failure: existsAlready(order, existing) }
		: { order, existing };
}
