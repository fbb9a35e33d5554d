import type {
	Carrier,
	CarrierService,
	FindPickupPointsRequest,
	FindServicesRequest,
	PickupPoint,
	ServiceAddon,
} from '../../contract/types.generated';
import type { Database } from './database';
import type { SeedBranch, SeedCarrier } from './seed';
import { type Page, pageOf } from './shipments';
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

export function listServiceAddons(
	carrierCode: string,
	serviceType: string,
	database: Database,
): ServiceAddon[] {
	const addons = requireCarrier(carrierCode, database)
		.services.filter(({ code }) => serviceType === '' || code === serviceType)
		.flatMap((service) => Object.entries(service.addons ?? {}));
	return [...new Map(addons)].map(([code, description]) => ({
		code,
		shortName: code,
		description,
	}));
}

export function requireCarrier(carrierCode: string, database: Database): SeedCarrier {
	const carrier = database.carrier(carrierCode);
	if (!carrier) throw new ServiceError(404, `There is no carrier ${JSON.stringify(carrierCode)}`);
	return carrier;
}

export function findPickupPoints(
	request: FindPickupPointsRequest,
	carrierCode: string,
	database: Database,
): Page<PickupPoint> {
	const { branchType, country, name, serviceType, start = 0, length = 50 } = request;
	const word = name?.trim().toLowerCase() ?? '';
	const matching = requireCarrier(carrierCode, database)
		.services.filter(({ code }) => !serviceType || code === serviceType)
		.flatMap(({ branches = [] }) => branches)
		.filter(({ isBox }) => !branchType || branchType === (isBox ? 'Box' : 'Branch'))
		.filter((branch) => !country || branch.country === country.toUpperCase())
		.filter(({ name: branchName, city, street }) =>
			[branchName, city, street].some((text) => text.toLowerCase().includes(word)),
		);
	return pageOf(matching, { start, length }, toPickupPoint);
}

function toPickupPoint({ id: code, isBox, hours, ...address }: SeedBranch): PickupPoint {
	return {
		code,
		systemId: `${address.country}-${code}`,
		branchType: isBox ? 'Box' : 'Branch',
		...address,
		...{ openingMonday: hours, openingTuesday: hours, openingWednesday: hours },
		...{ openingThursday: hours, openingFriday: hours },
		...{ openingSaturday: null, openingSunday: null },
		gpsLatitude: null,
		gpsLongitude: null,
	};
}
