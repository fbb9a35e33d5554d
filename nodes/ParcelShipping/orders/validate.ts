import { listTexts, findByCode } from '../lists';
import type { Carrier, CarrierService, ShipmentCreation } from '../transport/contract';
import { type CreationFieldName, creationFieldNames, creationFields, mappedFields } from './fields';
import { type CleanUpSettings, formFields } from './form';
import { bothMeanings, currencyIn, type FieldKind, isEmpty, kinds, planOf, trim } from './kinds';
import { type Cleaned, MISSING, type Problem, showValue } from './order';

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

type Values = Readonly<Record<string, unknown>>;

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
export interface Wanted {
	carrierCode: string;
	serviceType: string;
}

/** What an order gets of what it wants. */
interface Offer {
	/** The codes as the service writes them, so that its records can be compared. */
	wanted: Wanted;
	service?: OfferedService;
	/** All services of the carrier. */
	services: readonly OfferedService[];
	/** Why nothing can be created with this carrier or this service. */
	problem?: Problem;
}

/**
 * Cleans up the values of the form and reads them into a request body. A value that cannot be sent is a
 * problem, which shows it as it was given. With an order of a shop, the user has not mapped the values and
 * cannot write them in another way. The phone of the recipient may be one of another country.
 */
export function readFields(
	given: Values,
	settings: CleanUpSettings,
	isFromShop = false,
	phoneCountry?: string,
): { body: Body; cleaned: Cleaned; problems: Problem[] } {
	const { values, joined: cleaned, problems } = joinNames(given);
	const body: Record<string, unknown> = {};
	const isCleaned = settings.cleanUp || isFromShop;
	// In the order of the form, in which a country comes before its phone and 'cod' before its amount.
	for (const name of creationFieldNames) {
		let value = values[name];
		if (isEmpty(value) && body.cod !== true) continue;
		const { caption, kind } = creationFields[name];
		const { clean = trim, read, expected } = kinds[kind];
		const ownCountry = name === 'recPhone' ? phoneCountry : undefined;
		if (isCleaned && !isEmpty(value)) {
			value = clean(value, settings, ownCountry ?? body[name.replace('Phone', 'Country')]);
			// A mapping gives the total of every order as the amount. A switch that is off is another matter:
			// the user may have forgotten it, and the order is refused.
			if (COD_TERMS.includes(name) && cleaned.cod?.[1] === false) value = undefined;
			if (!Object.is(value, values[name])) cleaned[name] = [given[name], value ?? null];
		}
		if (isFromShop && COD_TERMS.includes(name) && body.cod === false) value = undefined;
		if (isEmpty(value) && body.cod === true) value = withoutCodTerms(name, given, body);
		if (isEmpty(value)) continue;
		const sent = read(value);
		if (sent !== undefined) body[name] = sent;
		else if (
			isCleaned &&
			kind === 'phone' &&
			!ownCountry &&
			waitsForCountry(name, value, problems, settings)
		) {
			// Only the country is wrong.
		} else {
			const found = showValue(given[name]);
			const advice = adviceOn(kind, value, { ...settings, cleanUp: isCleaned });
			problems.push({ field: name, caption, found, expected, ...advice });
		}
	}
	return { body, cleaned, problems: [...problems, ...currencyProblems(given, body)] };
}

/** Each currency with the amounts that it may be of. The first one that is given counts. */
const AMOUNTS = {
	codCurrency: ['codPrice', 'price'],
	insuranceCurrency: ['insurancePrice'],
} as const;

/** A currency that contradicts the one written with its amount, as in "48,50 €". */
function currencyProblems(given: Values, body: Body): Problem[] {
	return (['codCurrency', 'insuranceCurrency'] as const).flatMap((field) => {
		const currency = body[field];
		const amount = AMOUNTS[field].find((name) => !isEmpty(given[name]));
		const written = amount && currencyIn(given[amount]);
		if (!currency || !written || written === currency) return [];
		const { caption } = creationFields[field];
		const found = `${showValue(currency)}, but ${creationFields[amount].caption} is ${showValue(given[amount])}`;
		const expected = `${written}, or '${creationFields[AMOUNTS[field][0]].caption}' in ${currency}`;
		return [{ field, caption, found, expected, message: `${caption} is ${found}` }];
	});
}

/** Whether a phone number only lacks the prefix that its country would add, if that could be read. */
function waitsForCountry(
	name: CreationFieldName,
	phone: unknown,
	problems: readonly Problem[],
	{ phonePrefix }: CleanUpSettings,
): boolean {
	const country = name.replace('Phone', 'Country');
	const isRefused = problems.some(({ field }) => field === country);
	return isRefused && phonePrefix === 'fromCountry' && /^\d+$/.test(String(phone));
}

/** The customer pays the price, in the currency that is written with it, unless something else is set. */
function withoutCodTerms(name: CreationFieldName, given: Values, body: Values): unknown {
	if (name === 'codPrice') return body.price;
	const amount = isEmpty(given.codPrice) ? given.price : given.codPrice;
	return name === 'codCurrency' ? currencyIn(amount) : undefined;
}

/** What helps with a value that could not be cleaned up, beyond what its field expects. */
function adviceOn(kind: FieldKind, value: unknown, settings: CleanUpSettings): Partial<Problem> {
	const { cleanUp, phonePrefix } = settings;
	if (cleanUp && kind === 'yesNo' && typeof value === 'string') {
		return {
			message: `Is ${showValue(value)} cash on delivery?`,
			expected: `true or false. If ${showValue(value)} means cash on delivery, add it to the option 'Cash on Delivery Methods'. Once that has a method, every other one means no`,
		};
	}
	const { expected } = kinds[kind];
	const meanings = kind === 'money' && bothMeanings(value);
	if (meanings) {
		return { expected: `${meanings.join(' or ')}, because ${showValue(value)} may be either` };
	}
	if (kind === 'country') {
		const advice = cleanUp
			? ', or the name of the country in English or its own language'
			: ". Turn on the option 'Clean Up Values' to accept names of countries as well";
		return { expected: `${expected}${advice}` };
	}
	if (kind !== 'phone') return {};
	const plan = /^\+\d+$/.test(String(value)) ? planOf(String(value)) : undefined;
	if (plan) {
		const { code, digits } = plan;
		const length = [...new Set(digits)].join(' to ');
		const given = String(value).length - 1 - code.length;
		return {
			expected: `a number with ${length} digits after the prefix +${code}, not ${given}. Check it in the order, or ask the customer`,
		};
	}
	if (!cleanUp) {
		const advice = "Turn on the option 'Clean Up Values' to accept spaces and other formats";
		return { expected: `${expected}, without spaces. ${advice}` };
	}
	if (!/^\d+$/.test(String(value))) return {};
	const advice =
		phonePrefix === 'none'
			? "'From Country' in the option 'Phone Prefix' adds the prefix of the country of the address"
			: "The prefix is not certain from the country of the address. Add it to the number, or enter it in the option 'Phone Prefix' as an expression, e.g. +420";
	return { expected: `${expected}. ${advice}` };
}

/**
 * Joins first and last names, which shops have in separate fields and the service does not know. If the
 * full name is given, too, it is used, and the parts must be in it.
 */
function joinNames(given: Values): { values: Values; joined: Cleaned; problems: Problem[] } {
	const values: Record<string, unknown> = { ...given };
	const joined: Cleaned = {};
	const problems: Problem[] = [];
	const wordsOf = (text: unknown) => String(text).toLowerCase().split(/\s+/);
	for (const prefix of ['rec', 'sender'] as const) {
		const field = `${prefix}Name` as const;
		const full = given[field];
		const parts = ([`${prefix}FirstName`, `${prefix}LastName`] as const).filter(
			(part) => !isEmpty(given[part]),
		);
		if (parts.length === 0) continue;
		const name = parts.map((part) => String(given[part]).trim()).join(' ');
		const unreadable = parts.find((part) => kinds.text.read(given[part]) === undefined);
		const { caption } = mappedFields[unreadable ?? field];
		if (unreadable) {
			const { expected } = kinds.text;
			const found = showValue(given[unreadable]);
			// Recipient Name is not missing: it could not be joined.
			problems.push({ field, caption, found, expected, message: `Invalid ${caption}: ${found}` });
			values[field] = undefined;
		} else if (isEmpty(full)) {
			values[field] = name;
			joined[field] = [parts.map((part) => given[part]), name];
		} else if (!wordsOf(name).every((word) => wordsOf(full).includes(word))) {
			const captions = parts.map((part) => `'${mappedFields[part].caption}'`).join(' and ');
			const found = `${showValue(full)}, but ${captions} ${parts.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
			const expected = `the same name as in ${captions}, or only one of them`;
			problems.push({ field, caption, found, expected, message: `${caption} is ${found}` });
			values[field] = undefined;
		}
	}
	return { values, joined, problems };
}

const REQUIRED = creationFieldNames.filter((name) => creationFields[name].required);
const COD_TERMS: readonly CreationFieldName[] = ['codPrice', 'codCurrency'];

/** Without a pickup point, no shipment can be delivered without these. */
const DELIVERY_ADDRESS = ['recStreet', 'recCity', 'recZip', 'recCountry'] as const;

/**
 * The problems of an order regardless of the service. A field whose value was refused already, in
 * `refused`, is not missing. The service requires a recipient address and leaves the details to the
 * carriers. So only what no delivery can do without is required here, and the carrier refuses the rest.
 */
export function validateOrder(body: Body, refused: ReadonlySet<string>): Problem[] {
	const lacks = (name: CreationFieldName) => body[name] === undefined && !refused.has(name);
	const needed: CreationFieldName[] = [
		...REQUIRED,
		...(lacks('recCompany') ? ['recName' as const] : []),
		...(lacks('branchId') ? DELIVERY_ADDRESS : []),
		...(body.cod ? COD_TERMS : []),
	];
	const missing = needed.filter(lacks).map((name): Problem => {
		const { caption, kind, description, example } = creationFields[name];
		const meaning = `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
		// Only the field itself can say which text is expected.
		let expected = kind === 'text' ? `the ${meaning}, e.g. ${example}` : kinds[kind].expected;
		if (name === 'recName')
			expected = `the ${meaning}, or 'Recipient First Name' and 'Recipient Last Name', or 'Recipient Company'`;
		return { field: name, caption, found: MISSING, expected };
	});
	const terms = COD_TERMS.filter((name) => body[name] !== undefined);
	if (body.cod) return [...missing, ...nothingToCollect(body)];
	if (terms.length === 0 || refused.has('cod')) return missing;
	const { caption } = creationFields.cod;
	const captions = terms.map((name) => `'${creationFields[name].caption}'`).join(' and ');
	const found = `off, although ${captions} ${terms.length > 1 ? 'are' : 'is'} set`;
	const expected = `true, or ${captions} left empty`;
	return [
		...missing,
		{ field: 'cod', caption, found, expected, message: `${caption} is ${found}` },
	];
}

/** An amount of 0 may be a wrong mapping, with which the order would ship for free. */
function nothingToCollect({ codPrice }: Body): Problem[] {
	if (codPrice !== 0) return [];
	const [{ caption }, { caption: cod }] = [creationFields.codPrice, creationFields.cod];
	const expected = `more than 0, or '${cod}' set to false if the order is paid`;
	return [{ field: 'codPrice', caption, found: '0', expected, message: `${caption} is 0` }];
}

/** Finds the service that an order wants. Codes are compared without case. */
export function findOffer(wanted: Wanted, { carriers, services }: Offers): Offer {
	const { carrierCode, serviceType } = wanted;
	const refuse = (expected: string, message?: string) => {
		const found = showValue(`${carrierCode}/${serviceType}`);
		const problem = { ...formFields.carrierService, found, expected };
		return { wanted, services: [], problem: message ? { ...problem, message } : problem };
	};
	if (carrierCode === '') return { wanted, services: [] };
	const carrier = findByCode(carriers, carrierCode);
	if (!carrier) {
		return refuse(`a carrier of the account: ${listCodes(carriers)}`);
	}
	const inactive = INACTIVE[String(carrier.status).toLowerCase()];
	if (inactive) {
		return refuse(
			`an active carrier. ${inactive.advice(carrier.name)}`,
			`Carrier ${showValue(carrierCode)} ${inactive.state}`,
		);
	}
	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const codes = { carrierCode: carrier.code, serviceType: service?.code ?? serviceType };
	const offer = { wanted: codes, services: ofCarrier };
	if (service) return { ...offer, service };
	if (serviceType === '') return offer;
	return { ...refuse(`a service of ${carrier.code}: ${listCodes(ofCarrier)}`), ...offer };
}

const INACTIVE: Readonly<Record<string, { state: string; advice: (name: string) => string }>> = {
	inactive: {
		state: 'is not activated in the account',
		advice: (name) =>
			`Activate ${name} in the administration of the shipping service, then run the workflow again`,
	},
	waitingactivation: {
		state: 'is still waiting for its activation',
		advice: (name) =>
			`${name} was ordered, but is not ready yet. Run the workflow again once the shipping service shows it as active`,
	},
};

function listCodes(entries: ReadonlyArray<{ code: string }>): string {
	const codes = entries.map(({ code }) => code);
	return listTexts(codes, 20);
}

const namesOf = (prefix: 'sender' | 'cover') =>
	creationFieldNames.filter((name) => name.startsWith(prefix));

/** The addresses beside the recipient's. Some services ignore one without its flag. */
export const addresses = [
	{ prefix: 'sender', caption: 'Sender Address', names: namesOf('sender') },
	{ prefix: 'cover', caption: 'Cover Address', names: namesOf('cover') },
] as const;

/** The addresses of an order that its service does not accept. */
export function addressProblems(body: Body, { service, services }: Offer): Problem[] {
	return addresses.flatMap(({ prefix, caption, names }) => {
		const accepted = `${prefix}AddressEnabled` as const;
		if (service?.[accepted] !== false) return [];
		const given = names.filter((name) => body[name] !== undefined);
		const [field] = given;
		if (field === undefined) return [];
		const found = `set (${given.map((name) => creationFields[name].caption).join(', ')})`;
		const accepting = services.filter((other) => other[accepted]);
		const advice =
			accepting.length > 0 ? `. These services accept it: ${listCodes(accepting)}` : '';
		return {
			field,
			caption,
			found,
			expected: `none, because ${service.name} (${service.code}) does not accept it${advice}`,
			message: `${caption} is ${found}, but ${service.name} does not accept it`,
		};
	});
}

/** With a pickup point, the country of the recipient does not matter. */
export function countryProblems(body: Body, { wanted, service, services }: Offer): Problem[] {
	const { recCountry: country, branchId } = body;
	const serves = ({ countries = [] }: OfferedService) => countries.includes(country ?? '');
	if (!country || branchId || !service?.countries?.length || serves(service)) return [];
	const { caption } = creationFields.recCountry;
	const others = services.filter(serves).map(({ name, code }) => `${name} (${code})`);
	const advice =
		others.length > 0
			? `Services of ${wanted.carrierCode} that deliver to ${country}: ${listTexts(others, 20)}`
			: `No service of ${wanted.carrierCode} delivers to ${country}. Choose another carrier`;
	return [
		{
			field: 'recCountry',
			caption,
			found: showValue(country),
			expected: `a country that ${service.name} (${service.code}) delivers to: ${listTexts(service.countries, 40)}. ${advice}`,
			message: `${service.name} does not deliver to ${country}`,
		},
	];
}

/** Fields that a service probably needs, although services do not report what they need. */
const LIKELY_NEEDS = [
	['branchId', /pick-?\s?up|parcel ?(shop|box)|locker|\bpoint\b|v[ýy]dej|balíkov|z-?box/i],
	['cod', /cash on delivery|\bcod\b|dobírk|nachnahme|contre remboursement|pobrani/i],
] as const;

/**
 * What the name of the service suggests. Only the carrier knows for certain, so that this is named
 * together with certain problems and in a hint, but does not keep an order from being sent.
 */
export function likelyProblems(body: Body, service: CarrierService | undefined): Problem[] {
	if (!service) return [];
	const text = `${service.name ?? ''} ${service.code}`;
	return LIKELY_NEEDS.filter(([field, names]) => !body[field] && names.test(text)).map(
		([field]) => {
			const { caption, example } = creationFields[field];
			return {
				field,
				caption,
				found: MISSING,
				expected: `a value, because ${service.name} probably needs it, e.g. ${example}`,
				message: `${caption} is missing, which ${service.name} probably needs`,
			};
		},
	);
}
