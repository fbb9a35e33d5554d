import type { IDataObject } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import type { CanceledNumber } from './shipmentState';

export function notConfirmedError(itemIndex: number): ItemError {
	return new ItemError(
		`Confirm of item ${itemIndex} is off, so nothing was canceled`,
		"A cancellation cannot be undone. An AI model must set 'Confirm' to true, after the user has agreed.",
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
		'A shipment that was handed over to the carrier or delivered can no longer be canceled. Check it with Shipment: Get, and ask the carrier to stop or return it.',
		{
			...details,
			packageNumberCarrier: number,
			carrierCode,
			...(serviceMessage ? { serviceMessage } : {}),
		},
		true,
	);
}

/** The response was lost, and the records do not show a cancellation. */
export function unknownCancellationError(
	{ carrierCode, number }: CanceledNumber,
	reason: string,
	details: IDataObject,
): ItemError {
	return new ItemError(
		`Could not confirm whether shipment ${number} was canceled`,
		`${reason}. Check the shipment with Shipment: Get before you cancel it again. This node never repeats a cancellation by itself.`,
		{ ...details, packageNumberCarrier: number, carrierCode },
		true,
	);
}

export function canceledShipmentError(carrierCode: string, shipmentId: number): ItemError {
	return new ItemError(
		`Shipment ${shipmentId} is canceled and cannot be handed over`,
		"Remove it from the items, or choose 'All Not Handed Over'.",
		{ carrierCode, shipmentId },
		true,
	);
}

/** The response was lost or says too little, and the records do not show the hand over. */
export function unknownHandOverError(
	carrierCode: string,
	shipmentIds: readonly number[],
	reason: string,
): ItemError {
	const names = shipmentIds.join(', ');
	return new ItemError(
		`Could not confirm that ${carrierCode} received ${shipmentIds.length === 1 ? 'shipment' : 'shipments'} ${names}`,
		`${reason}. Run the workflow again later: shipments that were handed over by then are left out.`,
		{ carrierCode, shipmentIds: [...shipmentIds] },
		true,
	);
}
