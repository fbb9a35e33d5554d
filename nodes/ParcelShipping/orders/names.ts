import type { Cleaned } from './cleanUp';
import { creationFields, kinds, mappedFields, type NamePart } from './fields';
import { type Problem, showValue } from './validate';

type Values = Readonly<Record<string, unknown>>;

export interface JoinedNames {
	/** Without the parts, which the service does not know. */
	values: Values;
	joined: Cleaned;
	problems: Problem[];
}

/**
 * Joins first and last names, which shops have in separate fields. If the full name is given, too, it
 * is used, and the parts must be in it.
 */
export function joinNames(given: Values): JoinedNames {
	const values: Record<string, unknown> = { ...given };
	const joined: Cleaned = {};
	const problems: Problem[] = [];
	for (const prefix of ['rec', 'sender'] as const) {
		const fields: NamePart[] = [`${prefix}FirstName`, `${prefix}LastName`];
		const present = fields.filter((field) => !isEmpty(given[field]));
		for (const field of fields) delete values[field];
		if (present.length === 0) continue;

		const { problem, name } = joinParts(`${prefix}Name`, present, given);
		if (problem) {
			problems.push(problem);
			delete values[`${prefix}Name`];
		} else if (name !== undefined) {
			values[`${prefix}Name`] = name;
			joined[`${prefix}Name`] = [present.map((field) => given[field]), name];
		}
	}
	return { values, joined, problems };
}

function joinParts(
	nameField: 'recName' | 'senderName',
	present: readonly NamePart[],
	given: Values,
): { problem?: Problem; name?: string } {
	const parts = present.map((field) => kinds.text.read(given[field]));
	const unreadable = present.find((_, index) => parts[index] === undefined);
	if (unreadable) {
		const { caption } = mappedFields[unreadable];
		const found = showValue(given[unreadable]);
		// Recipient Name is not missing: it could not be joined.
		const message = `Invalid ${caption}: ${found}`;
		return {
			problem: { field: nameField, caption, found, expected: kinds.text.expected, message },
		};
	}
	const name = parts.map((part) => String(part).trim()).join(' ');
	const full = given[nameField];
	if (isEmpty(full)) return { name };
	const words = wordsOf(String(full));
	if (wordsOf(name).every((word) => words.includes(word))) return {};

	const { caption } = creationFields[nameField];
	const captions = present.map((field) => mappedFields[field].caption).join(' and ');
	const found = `${showValue(full)}, but ${captions} ${present.length > 1 ? 'are' : 'is'} ${showValue(name)}`;
	return {
		problem: {
			field: nameField,
			caption,
			found,
			expected: `the same name as in ${captions}, or only one of them`,
			message: `${caption} is ${found}`,
		},
	};
}

const isEmpty = (value: unknown) =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean);
