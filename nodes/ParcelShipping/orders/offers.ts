import { findByCode, listTexts } from '../lists';
import type { Carrier, CarrierService } from '../transport/contract';
import { captions, creationFieldNames } from './fields';
import { valueOf } from './form';
import { readText } from './kinds';
import { type Problem, problemOf, showValue } from './order';
import type { Body } from './readFields';

export interface OfferedService extends CarrierService {
	/** The codes of the countries that it delivers to, as far as they are known. */
	countries?: readonly string[];
}

/** The carriers of the account, and the services of those that orders want. */
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

/** The codes in a text such as `ANT/ANT-HOME`. */
export function toCodes(given: unknown): ServiceCodes | undefined {
	const [carrierCode = '', ...service] = (readText(valueOf(given)) ?? '').split('/');
	const codes = { carrierCode: carrierCode.trim(), serviceType: service.join('/').trim() };
	return codes.carrierCode === '' || codes.serviceType === '' ? undefined : codes;
}

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
	const refuse = (expected: string, message?: string) =>
		problemOf('carrierService', showValue(`${carrierCode}/${serviceType}`), expected, message);
	if (carrierCode === '') return { codes: given, services: [] };
	const carrier = findByCode(carriers, carrierCode);
	if (!carrier) {
		const problem = refuse(`a carrier of the account: ${listCodes(carriers)}`);
		return { codes: given, services: [], problem };
	}
	if (isInactive(carrier)) {
		const expected = `an active carrier. Activate ${carrier.name} in the administration of the shipping service. Run the workflow again once it is active`;
		const message = `Carrier ${showValue(carrierCode)} is not active in the account (${carrier.status})`;
		return { codes: given, services: [], problem: refuse(expected, message) };
	}
	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const codes = { carrierCode: carrier.code, serviceType: service?.code ?? serviceType };
	const offer = { codes, services: ofCarrier };
	if (service) return { ...offer, service };
	const expected =
		ofCarrier.length > 0
			? `a service of ${carrier.code}: ${listCodes(ofCarrier)}`
			: `another carrier. ${carrier.name} has no services in this account`;
	return { ...offer, problem: refuse(expected) };
}

export const isInactive = ({ status }: Carrier) =>
	['inactive', 'waitingactivation'].includes(String(status).toLowerCase());

const listCodes = (entries: ReadonlyArray<{ code: string }>) =>
	listTexts(entries.map(({ code }) => code));

const namesOf = (prefix: 'sender' | 'cover') =>
	creationFieldNames.filter((name) => name.startsWith(prefix));

/** The addresses beside the recipient's. Some services ignore one without its flag. */
export const otherAddresses = [
	{ prefix: 'sender', caption: 'Sender Address', names: namesOf('sender') },
	{ prefix: 'cover', caption: 'Cover Address', names: namesOf('cover') },
] as const;

export function addressProblems(body: Body, { service, services }: OfferLookUp): Problem[] {
	return otherAddresses.flatMap(({ prefix, caption, names }) => {
		const accepted = `${prefix}AddressEnabled` as const;
		if (service?.[accepted] !== false) return [];
		const given = names.filter((name) => body[name] !== undefined);
		const [field] = given;
		if (field === undefined) return [];
		const found = `set (${given.map((name) => captions[name]).join(', ')})`;
		const accepting = services.filter((other) => other[accepted]);
		const advice =
			accepting.length > 0 ? `. These services accept it: ${listCodes(accepting)}` : '';
		const expected = `none, because ${service.name} (${service.code}) does not accept it${advice}`;
		const message = `${caption} is ${found}, but ${service.name} does not accept it`;
		return { ...problemOf(field, found, expected, message), caption };
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
	const message = `${service.name} does not deliver to ${country}`;
	return [problemOf('recCountry', showValue(country), expected, message)];
}
