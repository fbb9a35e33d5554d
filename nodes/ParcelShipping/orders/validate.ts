import type { IDataObject } from 'n8n-workflow';

import type { ShipmentCreation } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { type CreationFieldName, creationFieldNames, creationFields } from './fields';
import { kinds } from './kinds';

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

/** What is sent for an order, as far as it could be read. */
export type Body = Partial<ShipmentCreation>;

export const MISSING = 'missing';
const MAX_SHOWN_LENGTH = 80;

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
 * `refused`, is not missing. The service requires a recipient address and leaves the details to the
 * carriers. So only what no delivery can do without is required here, and the carrier refuses the rest.
 */
export function validateOrder(body: Body, refused: ReadonlySet<string>): Problem[] {
	const lacks: Lacks = (name) => body[name] === undefined && !refused.has(name);
	const nameless = lacks('recName') && lacks('recCompany') ? [missingField('recName')] : [];
	const expected =
		"the name of the recipient, or 'Recipient First Name' and 'Recipient Last Name', or 'Recipient Company'";
	const address = body.branchId === undefined ? DELIVERY_ADDRESS : [];
	return [
		...REQUIRED.filter(lacks).map(missingField),
		...nameless.map((problem) => ({ ...problem, expected })),
		...address.filter(lacks).map(missingField),
		...cashOnDeliveryProblems(body, lacks),
	];
}

function cashOnDeliveryProblems(body: Body, lacks: Lacks): Problem[] {
	const terms = ['codPrice', 'codCurrency'] as const;
	if (body.cod) return terms.filter(lacks).map(missingField);
	const given = terms
		.filter((name) => body[name] !== undefined)
		.map((name) => `'${creationFields[name].caption}'`);
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
