import type { FindPickupPointsRequest, PickupPoint } from '../contract.generated';
import { requireCarrier } from './carriers';
import type { Database } from './database';
import type { SeedBranch } from './seed';

/** The pickup points of a carrier. `name` also searches city and street. */
export function listPickupPoints(
	{ country, name, serviceType }: FindPickupPointsRequest,
	carrierCode: string,
	database: Database,
): PickupPoint[] {
	const word = name?.trim().toLowerCase() ?? '';
	return requireCarrier(carrierCode, database)
		.services.filter(({ code }) => !serviceType || code === serviceType)
		.flatMap(({ branches = [] }) => branches)
		.filter((branch) => !country || branch.country === country.toUpperCase())
		.filter(({ name: branchName, city, street }) =>
			[branchName, city, street].some((text) => text.toLowerCase().includes(word)),
		)
		.map(toPickupPoint);
}

function toPickupPoint({ id, name, street, city, zip, country, hours }: SeedBranch): PickupPoint {
	return {
		code: id,
		systemId: `${country}-${id}`,
		name,
		street,
		city,
		zip,
		country,
		openingMonday: hours,
		openingTuesday: hours,
		openingWednesday: hours,
		openingThursday: hours,
		openingFriday: hours,
		openingSaturday: null,
		openingSunday: null,
		gpsLatitude: null,
		gpsLongitude: null,
	};
}
