import type { Label } from '../labels/label';
import type { Database, StoredShipment } from './database';
import { usesAddress } from './validation';
import { isCod } from './shipments';

/** The printed content of a shipment's label. */
export function labelOf(shipment: StoredShipment, database: Database): Label {
	const { input } = shipment;
	return {
		carrierName: database.carrier(shipment.carrierCode)?.name ?? '',
		serviceName: database.service(shipment.serviceType)?.service.name ?? '',
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

// A cover address replaces the sender on the label.
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
