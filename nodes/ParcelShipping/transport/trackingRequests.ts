import { chunk, groupBy } from '../lists';
import type { TrackingResult } from './contract';
import { ItemError } from './errors';
import { toSentence } from './serviceMessage';

/** Not a documented limit. As many as a page holds keeps requests and responses small. */
export const NUMBERS_PER_REQUEST = 100;

export interface TrackingRequest {
	carrierCode: string;
	numbers: string[];
}

/** The numbers that one input item asks for. */
export interface Question extends TrackingRequest {
	item: number;
}

/** As few requests as possible: each carrier's numbers together, and each number once. */
export function planRequests(questions: readonly Question[]): TrackingRequest[] {
	const byCarrier = groupBy(questions, ({ carrierCode }) => carrierCode);
	return [...byCarrier].flatMap(([carrierCode, group]) => {
		const distinct = [...new Set(group.flatMap(({ numbers }) => numbers))];
		return chunk(distinct, NUMBERS_PER_REQUEST).map((numbers) => ({ carrierCode, numbers }));
	});
}

/** Shipments of one carrier that fit into one request. */
export interface TrackingBatch<Shipment> {
	carrier: string;
	shipments: Shipment[];
}

/**
 * As few requests as possible, ordered by the first shipment of each. `isAlone` says which shipments
 * need a request of their own.
 */
export function planBatches<Shipment extends { carrier: string }>(
	shipments: readonly Shipment[],
	isAlone: (shipment: Shipment) => boolean = () => false,
): Array<TrackingBatch<Shipment>> {
	const batches: Array<TrackingBatch<Shipment>> = [];
	const latest = new Map<string, Shipment[]>();
	for (const shipment of shipments) {
		const { carrier } = shipment;
		const alone = isAlone(shipment);
		const room = alone ? undefined : latest.get(carrier);
		if (room && room.length < NUMBERS_PER_REQUEST) {
			room.push(shipment);
			continue;
		}
		const batch = { carrier, shipments: [shipment] };
		batches.push(batch);
		if (!alone) latest.set(carrier, batch.shipments);
	}
	return batches;
}

export type RowsByNumber = ReadonlyMap<string, TrackingResult>;

/**
 * Rows may be in another order or missing, so they are found by exactly the requested number, never
 * by position. If a number appears twice, the first row counts.
 */
export function byNumber(rows: readonly TrackingResult[]): RowsByNumber {
	return new Map(rows.toReversed().map((row) => [row.packageNumberCarrier, row]));
}

interface RequestedNumber {
	carrierCode: string;
	number: string;
	correlationId: string;
}

/** The row of one number, or the error if it is missing or the service refused it. */
export function rowOf(rows: RowsByNumber, requested: RequestedNumber): TrackingResult | ItemError {
	const { carrierCode, number: packageNumberCarrier, correlationId } = requested;
	const row = rows.get(packageNumberCarrier);
	if (!row) {
		return new ItemError(
			`No tracking result for shipment ${packageNumberCarrier} of carrier ${carrierCode}`,
			'Check the shipment number and its carrier, or run the workflow again later.',
			{ packageNumberCarrier, carrierCode, correlationId },
			true,
		);
	}
	if (row.statusCode === 200) return row;
	const { message, errors } = row as TrackingResult & { errors?: unknown };
	return refusalOf(requested, row.statusCode, toSentence([message, errors]));
}

/** The error for a number that the service refuses to track, with the service's own words. */
export function refusalOf(
	{ carrierCode, number: packageNumberCarrier, correlationId }: RequestedNumber,
	statusCode: number,
	serviceMessage: string | undefined,
): ItemError {
	const details = { packageNumberCarrier, carrierCode, correlationId, statusCode };
	return new ItemError(
		serviceMessage
			? `The service said: ${serviceMessage}`
			: `The service can't track shipment ${packageNumberCarrier} of carrier ${carrierCode} (${statusCode})`,
		'Check the shipment number and that it belongs to this carrier.',
		serviceMessage ? { ...details, serviceMessage } : details,
		true,
	);
}
