import type { IDataObject } from 'n8n-workflow';

import type { Carrier, CarrierService, ShipmentCreation } from '../transport/contract';
import { listTexts } from '../lists';
import { findByCode } from '../records';
import { ItemError } from '../transport/errors';
import {
	coverFieldNames,
	type CreationFieldName,
	creationFieldNames,
	creationFields,
	kinds,
	senderFieldNames,
} from './fields';

/** Why a value cannot be sent. A `type`, so that it fits into the details of an error. */
export type Problem = {
	/** The service's own field name. */
	field: string;
	/** The name of the field in the form. */
	caption: string;
	found: string;
	expected: string;
	/** Replaces "Invalid <caption>: <found>". */
	message?: string;
};

type Body = Partial<ShipmentCreation>;

const MISSING = 'missing';
const MAX_SHOWN_LENGTH = 80;
const MAX_SHOWN_CODES = 20;

/** One error with all problems of an item. */
export function toItemError(problems: Problem[], reference?: string): ItemError {
	return new ItemError(
		problems.map(describeProblem).join('; '),
		problems.map(({ caption, expected }) => `${caption}: expected ${expected}.`).join(' '),
		{
			...(reference ? { packageNumberCustom: reference } : {}),
			problems: problems as IDataObject[],
		},
	);
}

function describeProblem({ caption, found, message }: Problem): string {
	if (message !== undefined) return message;
	return found === MISSING ? `${caption} is missing` : `Invalid ${caption}: ${found}`;
}

/** A value as messages show it: text in quotes, and at most one line. */
export function showValue(value: unknown): string {
	if (value === undefined || value === null || value === '') return MISSING;
	if (typeof value === 'string') return JSON.stringify(truncate(value));
	return truncate(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function truncate(text: string): string {
	return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…`;
}

/**
 * Reads the values of the form into a request body. A value that cannot be sent is a problem, which
 * shows it as it was `given`, before it was cleaned up.
 */
export function readBody(
	values: Readonly<Record<string, unknown>>,
	given: Readonly<Record<string, unknown>> = values,
): {
	body: Body;
	problems: Problem[];
} {
	const body: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const name of creationFieldNames) {
		const value = values[name];
		if (value === undefined || value === null) continue;
		if (typeof value === 'string' && value.trim() === '') continue;
		const { caption, kind } = creationFields[name];
		const { read, expected } = kinds[kind];
		const sent = read(value);
		if (sent === undefined) {
			problems.push({ field: name, caption, found: showValue(given[name]), expected });
		} else body[name] = sent;
	}
	return { body, problems };
}

const REQUIRED = creationFieldNames.filter((name) => creationFields[name].required);

/** Without a pickup point, no shipment can be delivered without these. */
const DELIVERY_ADDRESS = ['recStreet', 'recCity', 'recZip', 'recCountry'] as const;

type Lacks = (name: CreationFieldName) => boolean;

/**
 * The problems of an order regardless of the service. A field whose value was refused already, in
 * `refused`, is not missing.
 */
export function validateOrder(body: Body, refused: ReadonlySet<string>): Problem[] {
	const lacks: Lacks = (name) => body[name] === undefined && !refused.has(name);
	return [
		...REQUIRED.filter(lacks).map(missingField),
		...recipientProblems(body, lacks),
		...cashOnDeliveryProblems(body, lacks),
	];
}

/**
 * The service requires a recipient address and leaves the details to the carriers. So only what no
 * delivery can do without is required here, and the carrier refuses the rest.
 */
function recipientProblems(body: Body, lacks: Lacks): Problem[] {
	const isNameless = lacks('recName') && lacks('recCompany');
	return [
		...(isNameless
			? [
					{
						...missingField('recName'),
						expected:
							'the name of the recipient, or Recipient First Name and Recipient Last Name, or Recipient Company',
					},
				]
			: []),
		...(body.branchId === undefined ? DELIVERY_ADDRESS.filter(lacks).map(missingField) : []),
	];
}

function cashOnDeliveryProblems(body: Body, lacks: Lacks): Problem[] {
	const terms = ['codPrice', 'codCurrency'] as const;
	if (body.cod) return terms.filter(lacks).map(missingField);
	const given = terms
		.filter((name) => body[name] !== undefined)
		.map((name) => creationFields[name].caption);
	if (given.length === 0 || (body.cod === undefined && !lacks('cod'))) return [];
	const { caption } = creationFields.cod;
	const isSet = `${given.join(' and ')} ${given.length > 1 ? 'are' : 'is'} set`;
	return [
		{
			field: 'cod',
			caption,
			found: `off, although ${isSet}`,
			expected: `true, or ${given.join(' and ')} left empty`,
			message: `${caption} is off, although ${isSet}`,
		},
	];
}

function missingField(name: CreationFieldName): Problem {
	const { caption, kind, description, example } = creationFields[name];
	// Only the field itself can say which text is expected.
	const text = `${description.charAt(0).toLowerCase()}${description.slice(1)}, e.g. ${example}`;
	return {
		field: name,
		caption,
		found: MISSING,
		expected: kind === 'text' ? text : kinds[kind].expected,
	};
}

/** What a carrier offers, or the problem why it is not usable. `carrierCode` is the service's own. */
export type Offer = { problem: Problem } | { carrierCode: string; services: CarrierService[] };

/** Why nothing can be created with this carrier. */
export function findCarrierProblem(carrierCode: string, carriers: Carrier[]): Problem | undefined {
	const carrier = findByCode(carriers, carrierCode);
	const problem = { field: 'carrierCode', caption: 'Carrier', found: showValue(carrierCode) };
	if (!carrier) {
		return { ...problem, expected: `a carrier of the account: ${listCodes(carriers)}` };
	}
	const inactive = INACTIVE[String(carrier.status).toLowerCase()];
	if (!inactive) return undefined;
	return {
		...problem,
		found: `${showValue(carrierCode)}, which ${inactive.state}`,
		expected: `an active carrier. ${inactive.advice(carrier.name)}`,
		message: `Carrier ${showValue(carrierCode)} ${inactive.state}`,
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

/** What the carrier or the service does not accept. */
export function validateForService(serviceType: string, body: Body, offer: Offer): Problem[] {
	if ('problem' in offer) return [offer.problem];
	const { carrierCode, services } = offer;
	if (serviceType === '') return [];
	const service = findByCode(services, serviceType);
	if (!service) {
		return [
			{
				field: 'serviceType',
				caption: 'Service',
				found: showValue(serviceType),
				expected: `a service of ${carrierCode}: ${listCodes(services)}`,
			},
		];
	}
	return ADDRESSES.flatMap((address) => addressProblems(address, body, service, services));
}

const ADDRESSES = [
	{ caption: 'Sender Address', flag: 'senderAddressEnabled', names: senderFieldNames },
	{ caption: 'Cover Address', flag: 'coverAddressEnabled', names: coverFieldNames },
] as const;

function addressProblems(
	{ caption, flag, names }: (typeof ADDRESSES)[number],
	body: Body,
	service: CarrierService,
	services: CarrierService[],
): Problem[] {
	if (service[flag] !== false) return [];
	const given = names.filter((name) => body[name] !== undefined);
	const [first] = given;
	if (first === undefined) return [];
	const accepting = services.filter((other) => other[flag]);
	const found = `set (${given.map((name) => creationFields[name].caption).join(', ')})`;
	return [
		{
			field: first,
			caption,
			found,
			expected:
				`none, because ${service.name} (${service.code}) does not accept it` +
				(accepting.length > 0 ? `. These services accept it: ${listCodes(accepting)}` : ''),
			message: `${caption} is ${found}, but ${service.name} does not accept it`,
		},
	];
}

function listCodes(entries: Array<{ code: string }>): string {
	return listTexts(
		entries.map(({ code }) => code),
		MAX_SHOWN_CODES,
	);
}
