import type { ShipmentCreation } from '../../service/contract';
import { creationFieldNames, creationFields } from './creationFields';
import { kinds } from './kinds';
import { type Problem, problemWith } from './problem';

export interface ReadBody {
	/** What was given and can be sent. */
	body: Partial<ShipmentCreation>;
	problems: Problem[];
	/** What was given under names that are no fields. */
	unknown: Record<string, unknown>;
}

const KNOWN = new Set<string>([...creationFieldNames, 'services']);

/** The request body behind the values of the form; each is sent as it is or named as a problem. */
export function readBody(values: Readonly<Record<string, unknown>>): ReadBody {
	const body: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const name of creationFieldNames) {
		const value = values[name];
		if (!isGiven(value)) continue;
		const kind = kinds[creationFields[name].kind];
		const sent = kind.read(value);
		if (sent === undefined) problems.push(problemWith(name, value, kind.expected));
		else body[name] = sent;
	}
	if (isGiven(values.services)) body.services = values.services;
	return { body, problems, unknown: withoutKnown(values) };
}

function isGiven(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() !== '';
	return value !== undefined && value !== null;
}

function withoutKnown(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(values).filter(([name]) => !KNOWN.has(name)));
}
