import type { Carrier, CarrierService } from '../contract.generated';
import type { Database } from './database';
import type { SeedCarrier } from './seed';
import { ServiceError } from './validation';

export function listCarriers(database: Database): Carrier[] {
	return database.carriers.map((carrier, index) => ({
		id: index + 1,
		name: carrier.name,
		code: carrier.code,
		description: carrier.description,
		activated: carrier.activated,
		status: carrier.activated === null ? 'Inactive' : 'Active',
	}));
}

export function listServices(carrierCode: string, database: Database): CarrierService[] {
	return requireCarrier(carrierCode, database).services.map((service) => ({
		code: service.code,
		name: service.name,
		coverAddressEnabled: service.coverAddress === true,
		senderAddressEnabled: service.senderAddress === true,
	}));
}

export function requireCarrier(carrierCode: string, database: Database): SeedCarrier {
	const carrier = database.carrier(carrierCode);
	if (!carrier) throw new ServiceError(404, `There is no carrier ${JSON.stringify(carrierCode)}`);
	return carrier;
}
