import type { IDataObject } from 'n8n-workflow';

import { describeError, isServiceError, ItemError } from '../transport/errors';

export interface CanceledNumber {
	carrierCode: string;
	number: string;
}

export function notConfirmedError(itemIndex: number): ItemError {
	return new ItemError(
		`Confirm of item ${itemIndex} is off, so nothing was canceled`,
		'A cancellation cannot be undone. An AI model must set Confirm to true, after the user has agreed.',
		{ field: 'confirm', itemIndex },
	);
}

/** The carrier assigns some numbers later. */
export function noNumberError(carrierCode: string, shipmentId: number): ItemError {
	return new ItemError(
		`Shipment ${shipmentId} has no shipment number of carrier ${carrierCode} yet`,
		'A shipment is canceled by the number that the carrier assigns. Run the workflow again later.',
		{ carrierCode, shipmentId },
		true,
	);
}

export function notCanceledError(
	{ carrierCode, number }: CanceledNumber,
	serviceMessage: string | undefined,
	details: IDataObject,
): ItemError {
	return new ItemError(
		serviceMessage
			? `Shipment ${number} was not canceled. The service said: ${serviceMessage}`
			: `The service did not cancel shipment ${number}`,
		'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment, Get, and ask the carrier to stop or return it.',
		{
			...details,
			packageNumberCarrier: number,
			carrierCode,
			...(serviceMessage ? { serviceMessage } : {}),
		},
		true,
	);
}

/** The answer was lost, and the records do not show a cancellation. */
export function unknownCancellationError(
	{ carrierCode, number }: CanceledNumber,
	reason: string,
	details: IDataObject,
): ItemError {
	return new ItemError(
		`Could not confirm whether shipment ${number} was canceled`,
		`${reason}. Check the shipment with Shipment, Get before you cancel it again. This node never repeats a cancellation by itself.`,
		{ ...details, packageNumberCarrier: number, carrierCode },
		true,
	);
}

/** Why there is no usable answer, with the service's own words if there are any. */
export function reasonOf(thrown: unknown): string {
	const { message, details } = describeError(thrown);
	const said = details.serviceMessage ? `The service said: ${String(details.serviceMessage)}` : '';
	return message.includes(said) ? message : `${message}. ${said}`;
}

/** Whether the service may have carried out the request. Any other error may come after it was sent. */
export function mayHaveActed(thrown: unknown): boolean {
	return !isServiceError(thrown) || thrown.facts.mayHaveActed;
}
