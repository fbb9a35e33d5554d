import type { ShipmentCreation } from '../transport/contract';
import { creationFieldNames, creationFields } from './creationFields';
import { kinds } from './kinds';
import { type Problem, problemWith } from './problem';

export interface ReadBody {
	/** What was given and can be sent. */
	body: Partial<ShipmentCreation>;
	problems: Problem[];
}

export const isCreationField = (name: string): boolean => Object.hasOwn(creationFields, name);

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
	return { body, problems };
}

function isGiven(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() !== '';
	return value !== undefined && value !== null;
}
