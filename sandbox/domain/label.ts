import type { Label } from '../labels';
import type { Books, StoredShipment } from './books';
import { usesAddress } from './refusals';
import { isCod } from './shipments';

/** What stands on the label of a shipment. */
export function labelOf(shipment: StoredShipment, books: Books): Label {
	const { input } = shipment;
	return {
		carrierName: books.carrier(shipment.carrierCode)?.name ?? '',
		serviceName: books.service(shipment.serviceType)?.service.name ?? '',
		packageNumberCarrier: shipment.packageNumberCarrier,
		packageNumberCustom: input.packageNumberCustom,
		pieceIndex: shipment.pieceIndex + 1,
		pieceCount: shipment.pieceCount,
		recipient: address(shipment, 'rec'),
		sender: senderOf(shipment),
		cod: isCod(shipment)
			? { price: input.codPrice ?? 0, currency: input.codCurrency ?? '', vs: input.vs }
			: undefined,
	};
}

// A cover address masks the sender.
function senderOf(shipment: StoredShipment): Label['sender'] {
	if (usesAddress(shipment.input, 'cover')) return address(shipment, 'cover');
	if (usesAddress(shipment.input, 'sender')) return address(shipment, 'sender');
	return undefined;
}

function address({ input }: StoredShipment, kind: 'rec' | 'sender' | 'cover') {
	return {
		name: input[`${kind}Name` as const],
		company: input[`${kind}Company` as const],
		street: input[`${kind}Street` as const],
		city: input[`${kind}City` as const],
		zip: input[`${kind}Zip` as const],
		country: input[`${kind}Country` as const],
		phone: input[`${kind}Phone` as const],
	};
}
