import type {
	Carrier,
	CarrierService,
	FindServicesRequest,
	ServiceAddon,
} from '../../contract/types.generated';
import type { Database } from './database';
import type { SeedCarrier, SeedService } from './seed';
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

export function listServices(
	{ carrierCode }: FindServicesRequest,
	database: Database,
): CarrierService[] {
	return requireCarrier(carrierCode, database).services.map((service) => ({
		code: service.code,
		name: service.name,
		coverAddressEnabled: service.coverAddress === true,
		senderAddressEnabled: service.senderAddress === true,
	}));
}

/** Each additional service once, although several services have it. */
export function listServiceAddons(
	carrierCode: string,
	serviceType: string,
	database: Database,
): ServiceAddon[] {
	const addons = selectServices(carrierCode, serviceType, database).map((each) => each.addons);
	return Object.entries(Object.assign({}, ...addons) as Record<string, string>).map(
		([code, description]) => ({ code, shortName: code, description }),
	);
}

function selectServices(
	carrierCode: string,
	serviceType: string,
	database: Database,
): SeedService[] {
	const { services } = requireCarrier(carrierCode, database);
	return services.filter(({ code }) => serviceType === '' || code === serviceType);
}

export function requireCarrier(carrierCode: string, database: Database): SeedCarrier {
	const carrier = database.carrier(carrierCode);
	if (!carrier) throw new ServiceError(404, `There is no carrier ${JSON.stringify(carrierCode)}`);
	return carrier;
}
