import { isRecord, parseJson } from '../records';

/** Longer texts are cut, because a service may return a whole page of details. */
const MAX_LENGTH = 500;

/** A longer text is a page, not a message. */
const MAX_PLAIN_LENGTH = 300;

/** A path into the request, such as `0 -> receiver -> address -> postalCode`. */
const PATH = /\s*->\s*/;

/**
 * The service's own message in an error response: just a text such as `Token missing`, or in an object. Its
 * place is not documented, so the usual ones are tried: a text, the service's list of errors, and the `errors`
 * of ASP.NET's ProblemDetails, which are more specific than its `title`.
 */
export function serviceMessageOf(body: unknown): string | undefined {
	if (isRecord(body)) return toSentence([messageIn(body), body.errors]);
	if (typeof body !== 'string') return undefined;
	const isPage = body.length > MAX_PLAIN_LENGTH || /^\s*</.test(body);
	const isCutOff = /^\s*[[{"]/.test(body);
	return isPage || isCutOff ? undefined : toSentence(body);
}

function messageIn(value: Record<string, unknown>): string {
	const keys = ['message', 'error', 'errorMessage', 'errors', 'detail', 'title'];
	return keys.map((key) => toText(value[key])).find(Boolean) ?? '';
}

/** What the service says in `errors` beside a result, which may be a usable one. */
export function messageBeside(response: unknown): string | undefined {
	return isRecord(response) && response.errors ? toSentence(response.errors) : undefined;
}

/**
 * Writes what a service sends as an error as one sentence without a full stop: a text, an error with a
 * code, message and reference, texts by field, or a list of any of them. Undefined if it says nothing.
 */
export function toSentence(value: unknown): string | undefined {
	const sentence = toText(value).replace(/(?<!\.)\.$/, '');
	if (sentence === '') return undefined;
	return sentence.length <= MAX_LENGTH ? sentence : `${sentence.slice(0, MAX_LENGTH - 1)}…`;
}

function toText(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'string') {
		// Some carriers send their JSON as a text.
		const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
		return parsed === undefined ? value.trim() : toText(parsed);
	}
	if (Array.isArray(value)) return join(value.map(toText));
	if (!isRecord(value)) return '';
	const message = messageIn(value);
	if (message !== '') return withReference(message, toText(value.reference));
	// Texts by field, such as `{ "recPhone": ["is missing"] }`.
	return join(
		Object.entries(value).map(([field, of]) => {
			const text = toText(of);
			return text === '' ? '' : `${describePath(field)}: ${text}`;
		}),
	);
}

/** A path goes before the message, and anything else, such as a shipment number, after it. */
function withReference(message: string, reference: string): string {
	if (reference === '' || reference === message) return message;
	return PATH.test(reference)
		? `${describePath(reference)}: ${message}`
		: `${message.replace(/\.$/, '')} (${reference})`;
}

/** `0 -> receiver -> address -> postalCode` as "receiver address postal code". */
function describePath(path: string): string {
	return path
		.split(PATH.test(path) ? PATH : /[.[\]]+/)
		.filter((part) => part !== '' && part !== '$' && !/^\d+$/.test(part))
		.map((part) =>
			/^[A-Za-z]+$/.test(part) ? part.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() : part,
		)
		.join(' ');
}

/** Distinct texts, because a service may repeat the same error in several places. */
function join(texts: string[]): string {
	const distinct = [...new Set(texts.filter((text) => text !== ''))];
	return distinct
		.map((text, index) => (index < distinct.length - 1 ? text.replace(/\.$/, '') : text))
		.join('; ');
}
