import type { IDataObject } from 'n8n-workflow';

import { ItemError } from '../transport/errors';
import { creationFields } from './creationFields';
import type { CreationFieldName } from './field';

/** Why a value can't be sent. A `type`, so that it fits into the details of an error. */
export type Problem = {
	/** The service's own name of the field. */
	field: string;
	/** As the form calls it. */
	label: string;
	found: string;
	expected: string;
};

const MISSING = 'missing';
const LONGEST_FOUND = 80;

export function problemWith(field: CreationFieldName, value: unknown, expected: string): Problem {
	return { field, label: creationFields[field].label, found: showFound(value), expected };
}

export function missing(field: CreationFieldName, expected: string): Problem {
	return { field, label: creationFields[field].label, found: MISSING, expected };
}

/** A value as a message shows it: text in quotes, and never more than a line of it. */
export function showFound(value: unknown): string {
	if (value === undefined || value === null || value === '') return MISSING;
	if (typeof value === 'string') return JSON.stringify(cut(value));
	return cut(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function cut(text: string): string {
	return text.length <= LONGEST_FOUND ? text : `${text.slice(0, LONGEST_FOUND - 1)}…`;
}

/** All that keeps one item from being sent. */
export function refusalOf(problems: Problem[]): ItemError {
	return new ItemError(
		problems.map(({ label, found }) => `${label} is ${found}`).join('; '),
		problems.map(({ label, expected }) => `${label}: expected ${expected}.`).join(' '),
		{ problems: problems as IDataObject[] },
	);
}
