import { isRecord } from '../records';
import type { TrackingResult } from './contract';
import { ItemError } from './errors';
import { toSentence } from './serviceMessage';

// The rows of a response with tracking events, and what is wrong with one.

interface RequestedNumber {
	carrierCode: string;
	number: string;
	correlationId: string;
	/** What the response says beside its rows. */
	errors?: unknown;
}

/** Some services write numbers where others write text. */
export const numberOfRow = ({ packageNumberCarrier }: TrackingResult) =>
	String(packageNumberCarrier).trim();

/** What a row says instead of events. */
const messageOfRow = ({ message, errors }: TrackingResult & { errors?: unknown }) =>
	toSentence([message, errors]);

/** Some services leave out the status of a row that has events, or that has none and says nothing else. */
const isFine = (row: TrackingResult) =>
	Number(row.statusCode) === 200 ||
	((row.statusCode ?? null) === null &&
		(Array.isArray(row.events) || (row.events === null && messageOfRow(row) === undefined)));

/** Several rows of one number as one, with each event once. */
function joinRows(rows: readonly TrackingResult[]): TrackingResult | undefined {
	const [row = rows[0], ...others] = rows.filter(({ events }) => Array.isArray(events));
	if (!row || others.length === 0) return row;
	const events = [row, ...others].flatMap((each) => each.events ?? []);
	return {
		...row,
		events: [...new Map(events.map((each) => [JSON.stringify(each), each])).values()],
	};
}

/**
 * The row of one number, or the error if it is missing or the service refused it. Rows may be in another
 * order, so they are found by exactly the requested number. If it appears twice, the rows without an error count.
 */
export function rowOf(
	rows: readonly TrackingResult[],
	requested: RequestedNumber,
): TrackingResult | ItemError {
	const { carrierCode, number: packageNumberCarrier, correlationId } = requested;
	const isOwn = (each: TrackingResult) => numberOfRow(each) === packageNumberCarrier;
	const row = joinRows(rows.filter((each) => isOwn(each) && isFine(each))) ?? rows.find(isOwn);
	if (!row) {
		const errors = [requested.errors].flat(2).filter(isRecord);
		const ofNumber = errors.filter(({ reference = '' }) =>
			['', packageNumberCarrier].includes(String(reference)),
		);
		const serviceMessage = toSentence(ofNumber);
		const details = { packageNumberCarrier, carrierCode, correlationId };
		return new ItemError(
			`No tracking result for shipment ${packageNumberCarrier} of carrier ${carrierCode}${serviceMessage ? `. The service said: ${serviceMessage}` : ''}`,
			'Check the shipment number and its carrier, or run the workflow again later.',
			serviceMessage ? { ...details, serviceMessage } : details,
			true,
		);
	}
	if (isFine(row)) return { ...row, packageNumberCarrier };
	return refusalOf(requested, row.statusCode, messageOfRow(row));
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
			: `The service can't track shipment ${packageNumberCarrier} of carrier ${carrierCode} (${statusCode ?? 'no status'})`,
		'Check the shipment number and that it belongs to this carrier.',
		serviceMessage ? { ...details, serviceMessage } : details,
		true,
	);
}
