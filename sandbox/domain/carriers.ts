import type { Carrier, CarrierService } from '../contract.generated';
import type { Books } from './books';
import type { SeedCarrier } from './seed';
import { ServiceError } from './service-error';

export function listCarriers(books: Books): Carrier[] {
	return books.carriers.map((carrier, index) => ({
		id: index + 1,
		name: carrier.name,
		code: carrier.code,
		description: carrier.description,
		activated: carrier.activated,
		status: carrier.activated === null ? 'Inactive' : 'Active',
	}));
}

export function listServices(carrierCode: string, books: Books): CarrierService[] {
	return knownCarrier(carrierCode, books).services.map((service) => ({
		code: service.code,
		name: service.name,
		coverAddressEnabled: service.coverAddress === true,
		senderAddressEnabled: service.senderAddress === true,
	}));
}

export function knownCarrier(carrierCode: string, books: Books): SeedCarrier {
	const carrier = books.carrier(carrierCode);
	if (!carrier) throw new ServiceError(404, `There is no carrier ${JSON.stringify(carrierCode)}`);
	return carrier;
}
