import { listTexts } from '../lists';
import { findByCode } from '../records';
import type { Carrier, CarrierService } from '../transport/contract';
import {
	coverFieldNames,
	type CreationFieldName,
	creationFields,
	senderFieldNames,
} from './fields';
import { formFields } from './form';
import { type Body, MISSING, type Problem, showValue } from './validate';

/** The carriers of the account, and the services of those that orders want. */
export interface Offers {
	carriers: readonly Carrier[];
	/** By the carrier's code as the service writes it. */
	services: ReadonlyMap<string, readonly CarrierService[]>;
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
	service?: CarrierService;
	/** All services of the carrier. */
	services: readonly CarrierService[];
	/** Why nothing can be created with this carrier or this service. */
	problem?: Problem | undefined;
}

const MAX_SHOWN_CODES = 20;

/** Finds the service that an order wants. Codes are compared without case. */
export function findOffer(wanted: Wanted, { carriers, services }: Offers): Offer {
	const { carrierCode, serviceType } = wanted;
	const carrier = findByCode(carriers, carrierCode);
	const problem = carrierCode === '' ? undefined : carrierProblem(carrierCode, carrier, carriers);
	if (!carrier || problem) return { wanted, services: [], problem };

	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const offer = { services: ofCarrier, wanted: { carrierCode: carrier.code, serviceType } };
	if (service) return { ...offer, service, wanted: { ...offer.wanted, serviceType: service.code } };
	if (serviceType === '') return offer;
	const expected = `a service of ${carrier.code}: ${listCodes(ofCarrier)}`;
	return {
		...offer,
		problem: { ...formFields.serviceType, found: showValue(serviceType), expected },
	};
}

function carrierProblem(
	code: string,
	carrier: Carrier | undefined,
	carriers: readonly Carrier[],
): Problem | undefined {
	const found = showValue(code);
	if (!carrier) {
		const expected = `a carrier of the account: ${listCodes(carriers)}`;
		return { ...formFields.carrierCode, found, expected };
	}
	const inactive = INACTIVE[String(carrier.status).toLowerCase()];
	if (!inactive) return undefined;
	return {
		...formFields.carrierCode,
		found: `${found}, which ${inactive.state}`,
		expected: `an active carrier. ${inactive.advice(carrier.name)}`,
		message: `Carrier ${found} ${inactive.state}`,
	};
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

const ADDRESSES = [
	{ caption: 'Sender Address', flag: 'senderAddressEnabled', names: senderFieldNames },
	{ caption: 'Cover Address', flag: 'coverAddressEnabled', names: coverFieldNames },
] as const;

/** The addresses of an order that its service does not accept. */
export function addressProblems(body: Body, { service, services }: Offer): Problem[] {
	return ADDRESSES.flatMap(({ caption, flag, names }) => {
		const given = names.filter((name) => body[name] !== undefined);
		const [field] = given;
		if (field === undefined || service?.[flag] !== false) return [];
		const found = `set (${given.map((name) => creationFields[name].caption).join(', ')})`;
		const accepting = services.filter((other) => other[flag]);
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

function listCodes(entries: ReadonlyArray<{ code: string }>): string {
	const codes = entries.map(({ code }) => code);
	return listTexts(codes, MAX_SHOWN_CODES);
}

/** Fields that a service probably needs, although services do not report what they need. */
const LIKELY_NEEDS: ReadonlyArray<{
	service: RegExp;
	field: CreationFieldName;
	isMissing: (body: Body) => boolean;
}> = [
	{
		service: /pick-?\s?up|parcel ?(shop|box)|locker|\bpoint\b|v[ýy]dej|balíkov|z-?box/i,
		field: 'branchId',
		isMissing: ({ branchId }) => !branchId,
	},
	{
		service: /cash on delivery|\bcod\b|dobírk|nachnahme|contre remboursement|pobrani/i,
		field: 'cod',
		isMissing: ({ cod }) => cod !== true,
	},
];

/**
 * What the name of the service suggests. Only the carrier knows for certain, so that this is named
 * together with certain problems and in a hint, but does not keep an order from being sent.
 */
export function likelyProblems(body: Body, service: CarrierService | undefined): Problem[] {
	if (!service) return [];
	const text = `${service.name ?? ''} ${service.code}`;
	return LIKELY_NEEDS.filter((need) => need.isMissing(body) && need.service.test(text)).map(
		({ field }) => {
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
