import { findByCode, isSameCode } from '../lists';
import { findCountryCode } from './countries';
import {
	findOffer,
	isInactive,
	type OfferedService,
	type Offers,
	type ServiceCodes,
} from './offers';
import type { Client, ResponseAge } from '../transport/client';

/**
 * Reads what the carriers offer. A response that other executions got may be some minutes old, so no
 * order is refused because its carrier or service is not in it.
 */
export async function readOffers(client: Client, all: readonly ServiceCodes[]): Promise<Offers> {
	const codes = all.filter(({ carrierCode }) => carrierCode !== '');
	if (codes.length === 0) return { carriers: [], services: new Map() };
	const shared = await readOffersOf(client, codes, 'shared');
	const isOffered = codes.every((each) => !findOffer(each, shared).problem);
	return isOffered ? shared : await readOffersOf(client, codes, 'new');
}

async function readOffersOf(
	client: Client,
	codes: readonly ServiceCodes[],
	age: ResponseAge,
): Promise<Offers> {
	const carriers = await client.carriers(age);
	const services = new Map<string, OfferedService[]>();
	const named = new Set(codes.map(({ carrierCode }) => findByCode(carriers, carrierCode)));
	const usable = carriers.filter((carrier) => named.has(carrier) && !isInactive(carrier));
	await client.mapParallel(usable, async ({ code }) => {
		const [offered, delivered] = await Promise.all([
			client.services(code, age),
			client.serviceCountries(code, age),
		]);
		const withCountries = offered.map((service) => {
			const rows = delivered.filter((each) => isSameCode(String(each.code), service.code));
			if (rows.length === 0 || !rows.every((row) => Array.isArray(row.countries))) return service;
			const listed = rows.flatMap((row) => row.countries);
			const countries = listed.map((each) => findCountryCode(String(each)));
			// Of a list that cannot be read as a whole, nobody knows whether it contains a country.
			return countries.every((code) => code !== undefined) ? { ...service, countries } : service;
		});
		services.set(code, withCountries);
	});
	return { carriers, services };
}
