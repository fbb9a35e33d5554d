import { isRecord, parseJson } from '../records';

/** Longer texts are cut, because a service may return a whole page of details. */
const MAX_LENGTH = 500;

/** Of each text and list, more is not even read. */
const MAX_READ_LENGTH = 2_000;
const MAX_PARTS = 50;

/** A longer text is a page, not a message. */
const MAX_PLAIN_LENGTH = 300;

/** A path into the request, such as `0 -> receiver -> address -> postalCode`. */
const PATH = '->';

/**
 * The service's own message in an error response: just a text such as `Token missing`, or in an object. Its
 * place is not documented, so the usual ones are tried: a text, the service's list of errors, and the `errors`
 * of ASP.NET's ProblemDetails, which are more specific than its `title`.
 */
export function serviceMessageOf(body: unknown): string | undefined {
	if (isRecord(body)) return toSentence([messageIn(body), body.errors]);
	if (typeof body !== 'string') return undefined;
	if (body.length > MAX_PLAIN_LENGTH) return undefined;
	const isPageOrCutOff = /^[<[{"]/.test(body.trimStart());
	return isPageOrCutOff ? undefined : toSentence(body);
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
	const beginning = shortened(sentence, MAX_LENGTH - 1);
	if (beginning === '') return undefined;
	return beginning === sentence ? sentence : `${beginning}…`;
}

/** The beginning of a text, cut between two words: a secret that is cut in two would not be recognized. */
function shortened(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	const end = text.lastIndexOf(' ', maxLength);
	return text.slice(0, Math.max(0, end));
}

function toText(value: unknown): string {
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (typeof value === 'string') {
		const text = value.trim();
		// Some carriers send their JSON as a text.
		const parsed = /^[[{]/.test(text) ? parseJson(text) : undefined;
		return parsed === undefined ? shortened(text, MAX_READ_LENGTH) : toText(parsed);
	}
	if (Array.isArray(value)) return join(value.slice(0, MAX_PARTS).map(toText));
	if (!isRecord(value)) return '';
	const message = messageIn(value);
	if (message !== '') return withReference(message, toText(value.reference));
	// Texts by field, such as `{ "recPhone": ["is missing"] }`.
	return join(
		Object.entries(value)
			.slice(0, MAX_PARTS)
			.map(([field, of]) => {
				const text = toText(of);
				const name = describePath(field);
				return text === '' || name === '' ? text : `${name}: ${text}`;
			}),
	);
}

/** A path goes before the message, and anything else, such as a shipment number, after it. */
function withReference(message: string, reference: string): string {
	if (reference === '' || reference === message) return message;
	return reference.includes(PATH)
		? `${describePath(reference)}: ${message}`
		: `${message.replace(/\.$/, '')} (${reference})`;
}

/** `0 -> receiver -> address -> postalCode` as "receiver address postal code". */
function describePath(path: string): string {
	const parts = shortened(path, MAX_LENGTH).split(path.includes(PATH) ? PATH : /[.[\]]/);
	return parts
		.map((part) => part.trim())
		.filter((part) => part !== '' && part !== '$' && !/^\d+$/.test(part))
		.map((part) =>
			/^[A-Za-z]+$/.test(part) ? part.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() : part,
		)
		.join(' ');
}

/** Distinct texts, because a service may repeat the same error in several places. */
function join(all: string[]): string {
	const distinct = [...new Set(all.filter((text) => text !== ''))];
	const texts = distinct.map((text, index) =>
		index < distinct.length - 1 ? text.replace(/\.$/, '') : text,
	);
	return shortened(texts.join('; '), MAX_READ_LENGTH);
}
