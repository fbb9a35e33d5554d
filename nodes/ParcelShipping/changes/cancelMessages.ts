import type { IDataObject } from 'n8n-workflow';

import { ItemError, reasonOf } from '../transport/errors';
import { toSentence } from '../transport/serviceMessage';
import { type CancelAct, type CancelTarget, isRead, type NumberRow, type Rows } from './cancelAct';
import { nameOfShipment, orderOf } from './shipmentState';

export const noNumberError = (carrierCode: string, shipmentId: number, reference: string) =>
	new ItemError(
		`Shipment ${nameOfShipment(shipmentId, reference)} has no shipment number of carrier ${carrierCode} yet`,
		'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
		{ ...orderOf(reference), carrierCode, shipmentId },
		true,
	);

export const noPieceError = (carrierCode: string, pieceId: number, shipmentId: number) =>
	new ItemError(
		`The service does not show piece ${pieceId} of shipment ${shipmentId}`,
		`To cancel the whole shipment, enter the ID ${shipmentId}. To cancel only this piece, set 'Shipments' to 'By Shipment Number'.`,
		{ shipmentId, carrierCode },
		true,
	);

/** Why a shipment, or a piece of it, is not known to be canceled. */
interface Reason {
	/** The number that is not. Undefined: a piece without a number. */
	openNumber: string | undefined;
	row: NumberRow | undefined;
	rows: Rows;
	record: CancelAct['record'] | undefined;
	/** The numbers that are canceled. */
	canceled: string[];
}

export function notCanceledError(target: CancelTarget, reason: Reason): ItemError {
	const { openNumber, row, rows, record, canceled } = reason;
	const { correlationId } = row ?? {};
	const isRefused = row?.state === 'refused';
	const said = isRefused ? toSentence(row.said) : undefined;
	// If no number has a response, the carrier may be the reason.
	const isOfAll =
		rows.size > 1 && [...rows.values()].every(({ state, error }) => error && state !== 'unclear');
	const [message, advice] =
		row?.error && (row.state === 'notSent' || isOfAll)
			? [row.error.message, row.error.description]
			: openNumber !== undefined && isRefused && isRead(record)
				? refusedText(target, openNumber, said, record)
				: unclearText(target, reason, said);
	const details: IDataObject = {
		...row?.error?.details,
		...orderOf(target.reference),
		packageNumberCarrier: openNumber ?? target.number,
		carrierCode: target.carrierCode,
		...(typeof correlationId === 'string' ? { correlationId } : {}),
		...(said ? { serviceMessage: said } : {}),
		...(canceled.length > 0 ? { canceledNumbers: canceled } : {}),
	};
	// The message of a further error is all that n8n shows of it.
	const withIt = canceled.length > 0 ? `. Canceled with it: ${canceled.join(', ')}` : '';
	return new ItemError(message + withIt, advice, details, true);
}

function unclearText(
	{ id, number, reference }: CancelTarget,
	{ openNumber, row, record }: Reason,
	said: string | undefined,
): [message: string, advice: string] {
	const name = nameOfShipment(openNumber ?? id ?? number, reference);
	const isRefused = openNumber !== undefined && row?.state === 'refused';
	const doubts = [doubtAbout(openNumber, row, said), record?.problem].filter(Boolean).join('. ');
	const never = isRefused ? '' : ' This node never repeats a cancellation by itself.';
	return [
		`Could not confirm whether shipment ${name} was canceled`,
		`${doubts}. Check the shipment with Shipment: Get before you cancel it again.${never}`,
	];
}

function doubtAbout(openNumber: string | undefined, row?: NumberRow, said = 'no'): string {
	if (openNumber === undefined) return 'A piece has no shipment number yet';
	if (!row) return 'the node was interrupted before the response arrived';
	if (row.state === 'refused') return `The service said: ${said}`;
	return row.error ? reasonOf(row.error) : 'The service did not say whether it was canceled';
}

/** If the service does not list it, it may be an order number, or the number of an additional piece. */
function refusedText(
	{ carrierCode, reference }: CancelTarget,
	number: string,
	said: string | undefined,
	{ pieces }: CancelAct['record'],
): [message: string, advice: string] {
	const name = nameOfShipment(number, reference);
	if (pieces.some((piece) => piece.number === number)) {
		return [
			said
				? `Shipment ${name} was not canceled. The service said: ${said}`
				: `The service did not cancel shipment ${name}`,
			'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
		];
	}
	return [
		`Could not cancel ${name}: the service lists no shipment of carrier ${carrierCode} with this number`,
		`${said ? `The service said: ${said}. ` : ''}${reference ? 'Check the shipment with Shipment: Get.' : NO_CARRIER_NUMBER}`,
	];
}

const NO_CARRIER_NUMBER =
	"'Shipment Number' is the number that the carrier assigned (packageNumberCarrier), not your order number. To cancel the shipment of an order, set 'Shipments' to 'By Order Number'.";
