import type { FindPickupPointsRequest, PickupPoint } from '../../contract/types.generated';
import { requireCarrier } from './carriers';
import type { Database } from './database';
import type { SeedBranch } from './seed';
import { type Page, pageOf } from './shipments';

/** A page of the pickup points of a carrier. `name` also searches city and street. */
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
