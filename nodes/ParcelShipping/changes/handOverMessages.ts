import { ItemError } from '../transport/errors';

export function canceledShipmentError(carrierCode: string, shipmentId: number): ItemError {
	return new ItemError(
		`Shipment ${shipmentId} is canceled and cannot be handed over`,
		'Remove it from the items, or choose All Not Handed Over.',
		{ carrierCode, shipmentId },
		true,
	);
}

/** The answer was lost or says too little, and the records do not show the hand over. */
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
