import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { idOf, isRecord, parseJson } from '../records';
import { type Endpoint } from './endpoints';
import { type ItemError, LATER, requestError, type RequestFacts, UNAVAILABLE } from './errors';

// What a response says: its body within limits, its result, or why there is none.

/** A stream as n8n gives it. */
export type BodyStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export interface HttpResponse<Body = unknown> {
	body: Body;
	headers: Record<string, unknown>;
	statusCode: number;
}

/** Bodies, statuses and redirects are judged here, not by n8n. */
export const WHOLE_RESPONSE = {
	encoding: 'stream',
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const satisfies Partial<IHttpRequestOptions>;

/**
 * The result, or an error at the deadline. n8n's own time limit measures silence, which a provider that sends a byte now
 * and then never reaches.
 */
export async function untilDeadline<Result>(
	deadline: AbortSignal,
	work: Promise<Result>,
): Promise<Result> {
	let end = () => {};
	const ended = new Promise<never>((_, reject) => {
		end = () => reject(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' }));
		if (deadline.aborted) end();
		deadline.addEventListener('abort', end);
	});
	// A listener that stays would keep the result in memory until the deadline.
	const over = () => deadline.removeEventListener('abort', end);
	return await Promise.race([ended, work]).finally(over);
}

const MAX_MEGABYTES = 50;

/** Reads a whole body, unless it is too large. */
export async function readBody(
	response: HttpResponse<BodyStream>,
	endpoint: string,
	mostMegabytes = MAX_MEGABYTES,
): Promise<HttpResponse<Buffer>> {
	const chunks: Buffer[] = [];
	let leftBytes = mostMegabytes * 1024 * 1024;
	for await (const chunk of response.body) {
		chunks.push(Buffer.from(chunk as Buffer));
		leftBytes -= (chunk as Buffer).length;
		// Leaving the loop ends the stream.
		if (leftBytes < 0) throw tooLarge(endpoint, `The response is larger than ${mostMegabytes} MB`);
	}
	return { ...response, body: Buffer.concat(chunks) };
}

export const tooLarge = (endpoint: string, message: string) =>
	requestError(
		endpoint,
		message,
		'Read less at a time, for example with a filter or a limit.',
		MAY_HAVE_ACTED,
	);

const MAY_HAVE_ACTED = { mayHaveActed: true } as const;
const CHECK_BASE_URL = "Check that 'Base URL' of the credential ends with the provider's API path.";
const CORRECT_VALUES = 'Correct the values according to the message of the provider.';

/**
 * The body of a response with its result in the shape of the endpoint. Everything else is thrown.
 *
 * A creation that is refused as a whole (400) may still contain rows, and some of them may be
 * created. Only the rows say which, so they count more than the status: believing the status would
 * report existing shipments as refused, and the next run would create them again. An order without a
 * row is then looked for like after any other incomplete response, and all are if the response was cut off.
 */
export function readResponse(
	endpoint: Endpoint,
	name: string,
	response: HttpResponse,
	now: number,
): IDataObject {
	const { title } = endpoint;
	const { statusCode: status } = response;
	const { text, body, ids } = readJson(response);
	const isRefusal = status >= 400 && status < 500 && CERTAIN[status] === undefined;
	const isCutOff = body === undefined && /^\s*[[{]/.test(text);
	const given = isRecord(body) ? body.result : undefined;
	const hasResult = typeof given === 'object' && Object.keys(given ?? {}).length > 0;
	const mayHaveRows = Array.isArray(body) || hasResult || (isRefusal && isCutOff);
	if ((status < 200 || status > 299) && !(endpoint.hasRowsOnError && mayHaveRows))
		throw statusError(name, response, now, endpoint);
	const fail = (message: string, advice: string, facts: RequestFacts = MAY_HAVE_ACTED, said = {}) =>
		requestError(name, message, advice, { status, ...facts }, { ...said, ...ids });
	if (/^\s{0,100}<(!doctype|html|\?xml)/i.test(text)) {
		const heading = /<title[^<>]{0,100}>([^<]{1,120})<\/title>/i.exec(text.slice(0, 4_096))?.[1];
		throw fail(
			`${title}: The provider returned a web page instead of data`,
			`It may be a login or maintenance page${heading ? ` ("${heading.trim()}")` : ''}. ${CHECK_BASE_URL}`,
			{ ...MAY_HAVE_ACTED, cause: 'configuration-invalid' },
		);
	}
	if (body === undefined)
		throw fail(`${title}: The response is incomplete or unreadable`, LATER, UNAVAILABLE);
	const { result, problem, isEmpty = false } = inShape(endpoint, given);
	// An empty list beside an error is no list.
	if (problem === undefined && !(isEmpty && messageBeside(body)))
		return { ...(body as IDataObject), result, ...ids } as IDataObject;
	const serviceMessage = messageBeside(body) ?? serviceMessageOf(body) ?? serviceMessageOf(given);
	if (!serviceMessage) throw fail(`${title}: Unexpected response`, `${problem}. ${CHECK_BASE_URL}`);
	const advice = `The response has no usable result: ${problem ?? '"result" is empty'}. ${CORRECT_VALUES}`;
	throw fail(`The provider said: ${serviceMessage}`, advice, MAY_HAVE_ACTED, { serviceMessage });
}

/** The text, what is in it, and the correlation ID: in the body, or in the header if the body is empty. */
function readJson({ body: bytes, headers }: HttpResponse) {
	const text = String(bytes).replace(/^\ufeff/, '');
	const body = parseJson(text);
	const given = (isRecord(body) && body.correlationId) || headers['x-correlation-id'];
	const ids = typeof given === 'string' && given !== '' ? { correlationId: given } : {};
	return { text, body, ids };
}

const MAX_RECORDS = 1_000_000;

/**
 * The result in the shape of its endpoint, or what is wrong with it, such as `"result"[0] has no "id"`. Providers send a
 * list, a page or a single record where another one documents another of them. A row that is null says nothing, and does
 * not hide the others.
 */
function inShape(
	{ result: shape, has = [], hasRowsOnError }: Endpoint,
	result: unknown,
): { result: unknown; problem?: string; isEmpty?: boolean } {
	const wrong = (what: string) => ({ result, problem: `"result"${what}` });
	const page = isRecord(result) && 'data' in result ? result : undefined;
	const unexpected = wrong(` is not a ${shape}`);
	if (shape === 'boolean') return typeof result === shape ? { result } : unexpected;
	// A single record of a creation may be about the whole request, such as the error of a gateway.
	const isRow = isRecord(result) && !page && shape !== 'page' && !hasRowsOnError;
	const given = shape === 'record' || isRow ? [result] : (page?.data ?? result);
	// A list where there are pages may be only one of them. A search that ends too early could lead to a second parcel.
	const isWhole = Array.isArray(given) && (shape !== 'page' || page || !has.includes('id'));
	if (!isWhole) return unexpected;
	const data = shape === 'record' ? given : given.filter((row) => row !== null);
	const total = shape === 'page' && page ? page.total : data.length;
	if (!Number.isInteger(total) || Number(total) < 0 || Number(total) > MAX_RECORDS)
		return wrong('.total is not a number of records');
	for (const [index, row] of data.entries()) {
		const at = shape === 'record' ? '' : `[${index}]`;
		if (!isRecord(row)) return wrong(`${at} is not a record`);
		const missing = has.find((key) => (row[key] ?? null) === null);
		if (missing !== undefined) return wrong(`${at} has no "${missing}"`);
		// Rounded, it would be the ID of another record.
		if (has.includes('id') && idOf(row) === 0) return wrong(`${at} has an invalid "id"`);
	}
	if (shape === 'record') return { result };
	const isEmpty = data.length === 0;
	return { result: shape === 'list' ? data : { ...page, data, total }, isEmpty };
}

type Meaning = [message: string, advice: string, facts: Partial<RequestFacts>];

/** Statuses after which nothing was done. */
const CERTAIN: Readonly<Record<number, Meaning>> = {
	401: [
		'The provider refused the credential (401)',
		"Most likely, the secret in the credential is wrong, incomplete or expired. If it is right, check 'Authentication' and the name of the header or query parameter.",
		{ cause: 'credential-invalid' },
	],
	403: [
		'The provider does not allow this request (403)',
		"The secret is accepted, but the account has no permission for this. Ask the provider's support to allow it.",
		{ cause: 'configuration-invalid' },
	],
	429: [
		'The provider is rate-limiting requests (429)',
		"Run the workflow later, or lower 'Max Parallel Requests' or raise 'Max Retry Wait' of the credential.",
		{ cause: 'rate-limited', isTransient: true },
	],
	503: [
		'The provider is temporarily unavailable (503)',
		LATER,
		{ ...UNAVAILABLE, mayHaveActed: false },
	],
};

/** The words of servers and gateways for a path that leads nowhere, and not for a record. */
const NO_SUCH_PATH =
	/^\W*(40[45]\W*)?(the )?(requested )?(page|resource)? ?(was )?not found\W*$|\b(route|endpoint|url|uri|http resource)\b|\bcannot (get|post) ?\//i;

/** The error of a status other than success. Also used for files. */
export function statusError(
	name: string,
	response: HttpResponse,
	now: number,
	endpoint?: Endpoint,
): ItemError {
	const { statusCode: status, headers } = response;
	const { text, body, ids } = readJson(response);
	const retryAfterMs = readRetryAfter(headers['retry-after'], now);
	const serviceMessage = serviceMessageOf(body ?? text);
	const said = serviceMessage && `The provider said: ${serviceMessage}`;
	const details = { ...(serviceMessage && { serviceMessage }), ...ids };
	const fail = (message: string, advice: string, facts: Partial<RequestFacts> = {}) => {
		const all = { mayHaveActed: false, status, retryAfterMs, ...facts };
		const reason = said && said !== message ? ` ${said}.` : '';
		return requestError(name, message, advice + reason, all, details);
	};
	if (status >= 300 && status < 400) {
		const location = String(headers.location ?? '');
		return fail(
			`The provider redirects to ${URL.canParse(location) ? new URL(location).origin : 'another page'}`,
			"Redirects are not followed, so that the credential is sent nowhere else. Check 'Base URL' of the credential.",
			{ mayHaveActed: true, cause: 'configuration-invalid' },
		);
	}
	// A 503 that does not say when to come back is an error like 500. So is one that is no JSON: it may come from
	// a gateway that has stopped waiting for the provider.
	const isBusy = retryAfterMs !== undefined && body !== undefined;
	const certain = status === 503 && !isBusy ? undefined : CERTAIN[status];
	if (certain) return fail(...certain);
	// 408: the provider, or a gateway in front of it, timed out; the request may have been carried out.
	if (status >= 500 || status === 408)
		return fail(`The provider could not complete the request (${status})`, LATER, UNAVAILABLE);
	const mayLackPath = status === 404 || status === 405;
	const isMissingEndpoint =
		mayLackPath && (status === 405 || NO_SUCH_PATH.test(serviceMessage ?? 'not found'));
	if (isMissingEndpoint && endpoint?.isOptional) {
		return fail(
			`This provider does not offer: ${endpoint.title} (${status})`,
			`Not every provider has ${endpoint.method} ${endpoint.path}, and nothing was done. ${CHECK_BASE_URL}`,
			{ isMissingEndpoint, cause: 'configuration-invalid' },
		);
	}
	const advice = mayLackPath
		? `Check that the requested record exists. ${CHECK_BASE_URL}`
		: said
			? CORRECT_VALUES
			: 'It gave no reason. Check the values.';
	return fail(said ?? `The provider refused the request (${status})`, advice, {
		isMissingEndpoint,
	});
}

/** Reads `Retry-After`, in seconds or as a date. An unreadable value counts as absent. */
export function readRetryAfter(header: unknown, now: number): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * 1000);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Longer messages are cut, and of each text and list, more is not even read. */
const MAX_LENGTH = 500;
const MAX_READ_LENGTH = 2_000;
const MAX_PARTS = 50;

/** A longer text is a page, not a message. */
const MAX_PLAIN_LENGTH = 300;

/**
 * The provider's own message in an error response: just a text such as `Token missing`, or in an object. Its place is
 * not documented, so the usual ones are tried. `errors` may name the fields.
 */
export function serviceMessageOf(body: unknown): string | undefined {
	if (isRecord(body)) return toSentence([messageIn(body), body.errors]);
	const isText = typeof body === 'string' && body.length <= MAX_PLAIN_LENGTH;
	return isText && !/^\s*[<[{"]/.test(body) ? toSentence(body) : undefined;
}

const MESSAGE_KEYS = ['message', 'error', 'errorMessage', 'errors', 'detail', 'title'];

const messageIn = (value: Record<string, unknown>) =>
	MESSAGE_KEYS.map((key) => toText(value[key])).find(Boolean) ?? '';

/** What the provider says in `errors` beside a result, which may be a usable one. */
const messageBeside = (response: unknown) =>
	isRecord(response) && response.errors ? toSentence(response.errors) : undefined;

/**
 * Writes what a provider sends as an error as one sentence without a full stop: a text, an error with a
 * code, message and reference, texts by field, or a list of any of them. Undefined if it says nothing.
 */
export function toSentence(value: unknown): string | undefined {
	const sentence = withoutStop(toText(value));
	const beginning = shortened(sentence, MAX_LENGTH - 1);
	return (beginning === sentence ? sentence : beginning && `${beginning}…`) || undefined;
}

const withoutStop = (text: string) => text.replace(/(?<!\.)\.$/, '');

/** The beginning of a text, cut between two words: a secret that is cut in two would not be recognized. */
const shortened = (text: string, maxLength: number) =>
	text.length <= maxLength ? text : text.slice(0, Math.max(0, text.lastIndexOf(' ', maxLength)));

function toText(value: unknown): string {
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') {
		const text = value.trim();
		// Some carriers send their JSON as a text.
		const parsed = /^[[{]/.test(text) ? parseJson(text) : undefined;
		return parsed === undefined ? shortened(text, MAX_READ_LENGTH) : toText(parsed);
	}
	if (Array.isArray(value)) return join(value.slice(0, MAX_PARTS).map(toText));
	if (!isRecord(value)) return '';
	const message = messageIn(value);
	if (message === '') return join(Object.entries(value).slice(0, MAX_PARTS).map(ofField));
	const reference = toText(value.reference);
	if (reference === '' || reference === message) return message;
	// A path into the request goes before the message, and anything else, such as a tracking number, after it.
	return reference.includes('->')
		? ofField([reference, message])
		: `${withoutStop(message)} (${reference})`;
}

/** `0 -> receiver -> postalCode` and `$[0].receiver.postalCode` as "receiver postal code", and what is wrong with it. */
function ofField([path, problem]: [string, unknown]): string {
	const field = shortened(path, MAX_LENGTH)
		.split(/->|[.[\]]/)
		.map((name) => name.trim())
		.filter((name) => !/^(\$|\d*)$/.test(name))
		// Anything but letters may be a tracking number.
		.map((name) => (/^[A-Za-z]+$/.test(name) ? toWords(name) : name))
		.join(' ');
	const text = toText(problem);
	return text === '' || field === '' ? text : `${field}: ${text}`;
}

const toWords = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

/** Distinct texts, because a provider may repeat the same error in several places. */
function join(all: string[]): string {
	const texts = [...new Set(all.map(withoutStop).filter((text) => text !== ''))];
	return shortened(texts.join('; '), MAX_READ_LENGTH);
}
