import { findByCode, listTexts } from '../lists';
import type { Carrier, CarrierService } from '../transport/contract';
import { captions, sentFieldNames } from './fields';
import { valueOf } from './itemReader';
import { invalid, type Order, type Problem, problemOf } from './order';
import type { Body } from './readFields';
import { readText } from './values';

export interface OfferedService extends CarrierService {
	/** The codes of the countries that it delivers to, as far as they are known. */
	countries?: readonly string[];
}

export interface Offers {
	carriers: readonly Carrier[];
	/** By the carrier's code as the service writes it. */
	services: ReadonlyMap<string, readonly OfferedService[]>;
}

/** The codes of a carrier and its service as an item has them, '' if the item has none. */
export interface ServiceCodes {
	carrierCode: string;
	serviceType: string;
}

export const BOTH_CODES = 'one from the list, or both codes as in ANT/ANT-HOME';

/** From a text such as `ANT/ANT-HOME`. */
export function toCodes(given: unknown): ServiceCodes | undefined {
	const [carrierCode = '', ...service] = (readText(valueOf(given)) ?? '').split('/');
	const codes = { carrierCode: carrierCode.trim(), serviceType: service.join('/').trim() };
	return codes.carrierCode === '' || codes.serviceType === '' ? undefined : codes;
}

export const codesOf = ({ carrierCode, body: { serviceType } }: Order): ServiceCodes => ({
	carrierCode,
	serviceType,
});

interface OfferLookUp {
	/** The codes as the service writes them, so that its records can be compared. */
	codes: ServiceCodes;
	service?: OfferedService;
	/** All services of the carrier. */
	services: readonly OfferedService[];
	/** Why nothing can be created with this carrier or this service. */
	problem?: Problem;
}

/** Finds the service of an order. Codes are compared without case. */
export function findOffer(given: ServiceCodes, { carriers, services }: Offers): OfferLookUp {
	const { carrierCode, serviceType } = given;
	const refuse = (expected: string) =>
		invalid('carrierService', `${carrierCode}/${serviceType}`, expected);
	if (carrierCode === '') return { codes: given, services: [] };
	const active = carriers.filter((carrier) => !isInactive(carrier));
	const carrier = findByCode(active, carrierCode);
	if (!carrier) {
		const problem = refuse(`an active carrier of the account: ${listCodes(active)}`);
		return { codes: given, services: [], problem };
	}
	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const codes = { carrierCode: carrier.code, serviceType: service?.code ?? serviceType };
	const offer = { codes, services: ofCarrier };
	if (service) return { ...offer, service };
	return { ...offer, problem: refuse(`a service of ${carrier.code}: ${listCodes(ofCarrier)}`) };
}

export const isInactive = ({ status }: Carrier) =>
	['inactive', 'waitingactivation'].includes(String(status).toLowerCase());

const listCodes = (entries: ReadonlyArray<{ code: string }>) =>
	listTexts(entries.map(({ code }) => code)) || 'there is none';

const namesOf = (prefix: 'sender' | 'cover') =>
	sentFieldNames.filter((name) => name.startsWith(prefix));

/** The addresses beside the recipient's. Some services ignore one without its flag. */
export const otherAddresses = [
	{ prefix: 'sender', caption: 'Sender Address', names: namesOf('sender') },
	{ prefix: 'cover', caption: 'Cover Address', names: namesOf('cover') },
] as const;

export function addressProblems(body: Body, { service }: OfferLookUp): Problem[] {
	return otherAddresses.flatMap(({ prefix, caption, names }) => {
		if (service?.[`${prefix}AddressEnabled`] !== false) return [];
		const given = names.filter((name) => body[name] !== undefined);
		const [field] = given;
		if (field === undefined) return [];
		const message = `${caption} is set (${given.map((name) => captions[name]).join(', ')}), but ${service.name} does not accept it`;
		const expected = `none, because ${service.name} (${service.code}) does not accept it`;
		return { ...problemOf(field, message, expected), caption };
	});
}

/** With a pickup point, the country of the recipient does not matter. */
export function countryProblems(body: Body, { codes, service, services }: OfferLookUp): Problem[] {
	const { recCountry: country, branchId } = body;
	const serves = ({ countries = [] }: OfferedService) => countries.includes(country ?? '');
	if (!country || branchId || !service?.countries?.length || serves(service)) return [];
	const others = services.filter(serves).map(({ name, code }) => `${name} (${code})`);
	const advice =
		others.length > 0
			? `Services of ${codes.carrierCode} that deliver to ${country}: ${listTexts(others)}`
			: `No service of ${codes.carrierCode} delivers to ${country}. Choose another carrier`;
	const expected = `a country that ${service.name} (${service.code}) delivers to: ${listTexts(service.countries, 40)}. ${advice}`;
	return [problemOf('recCountry', `${service.name} does not deliver to ${country}`, expected)];
}
