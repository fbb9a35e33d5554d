import type { TrackingResult } from '../transport/contract';
import { ItemError } from '../transport/errors';

export interface Asked {
	carrierCode: string;
	number: string;
	correlationId: string;
}

export type RowsByNumber = ReadonlyMap<string, TrackingResult>;

/**
 * Rows may come in another order or be missing, so they are found by their number, exactly as it was
 * asked for, never by their place. Of a number that comes twice, the first row counts.
 */
export function byNumber(rows: readonly TrackingResult[]): RowsByNumber {
	return new Map(rows.toReversed().map((row) => [row.packageNumberCarrier, row]));
}

/** What the answer says about one number. */
export function rowOf(rows: RowsByNumber, asked: Asked): TrackingResult | ItemError {
	const row = rows.get(asked.number);
	const { carrierCode, number, correlationId } = asked;
	const details = { packageNumberCarrier: number, carrier: carrierCode, correlationId };
	if (!row) {
		return new ItemError(
			`No tracking result for shipment ${number} of carrier ${carrierCode}`,
			'Check the shipment number and its carrier, or run the workflow again later.',
			details,
			true,
		);
	}
	if (row.statusCode === 200) return row;
	return new ItemError(
		row.message
			? `The service said: ${row.message}`
			: `The service can't track shipment ${number} of carrier ${carrierCode} (${row.statusCode})`,
		'Check the shipment number and that it belongs to this carrier.',
		{ ...details, statusCode: row.statusCode, serviceMessage: row.message },
		true,
	);
}
