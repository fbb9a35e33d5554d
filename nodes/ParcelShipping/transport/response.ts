import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { idOf, isRecord, parseJson } from '../records';
import type { Endpoint } from './endpoints';
import {
	type ItemError,
	LATER,
	NOT_REACHED,
	requestError,
	type RequestFacts,
	UNAVAILABLE,
	MISCONFIGURED,
} from './errors';

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
	work: () => Promise<Result>,
): Promise<Result> {
	let end = () => {};
	const ended = new Promise<never>((_, reject) => {
		end = () => reject(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' }));
		if (deadline.aborted) end();
		deadline.addEventListener('abort', end);
	});
	// A listener that stays would keep the result in memory until the deadline.
	const over = () => deadline.removeEventListener('abort', end);
	return await Promise.race([ended, work()]).finally(over);
}

/** Reads a whole body, unless it is too large. */
export async function readBody(
	response: HttpResponse<BodyStream>,
	endpoint: string,
	mostMegabytes = 50,
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
		LOST,
	);

/** Somebody else, such as a gateway, has responded. */
const NOT_THE_PROVIDER = { mayHaveActed: true, cause: 'configuration-invalid' } as const;
const LOST = { mayHaveActed: true } as const;
const CHECK_BASE_URL = "Check that 'Base URL' of the credential ends with the provider's API path.";
const CORRECT_VALUES = 'Correct the values and run the workflow again.';

/** What a response contains, and an error for it. */
function inspect(name: string, response: HttpResponse) {
	const { statusCode: status, headers } = response;
	const text = String(response.body).replace(/^\ufeff/, '');
	const body = parseJson(text);
	const said = () => serviceMessageOf(body === undefined ? text : body);
	const retryAfterMs = () => readRetryAfter(headers['retry-after']);
	// The header also has it if the body is empty.
	const id = (isRecord(body) && body.correlationId) || headers['x-correlation-id'];
	const ids = typeof id === 'string' && id !== '' ? { correlationId: id } : {};
	const fail = (message: string, advice: string, facts: RequestFacts) =>
		requestError(
			name,
			message,
			advice,
			{ status, retryAfterMs: retryAfterMs(), ...facts },
			{ serviceMessage: said(), ...ids },
		);
	return { status, text, body, ids, said, retryAfterMs, fail };
}

/**
 * The body of a response with its result in the shape of the endpoint. Everything else is thrown.
 *
 * A creation that is refused as a whole (400) may still contain rows, and some of them may be created. So rows count more
 * than the status. An order without a row is then looked for, and all are if the response was cut off.
 */
export function readResponse(
	endpoint: Endpoint,
	name: string,
	response: HttpResponse,
): IDataObject {
	const { status, text, body, ids, said, fail } = inspect(name, response);
	const given = isRecord(body) ? body.result : undefined;
	const isCutOff = body === undefined && /^\s*[[{]/.test(text);
	const mayHaveRows =
		Array.isArray(body) ||
		Object.keys(Object(given)).length > 0 ||
		(isCutOff && status >= 400 && status < 500 && !(status in CERTAIN));
	if ((status < 200 || status > 299) && !(endpoint.hasRowsOnError && mayHaveRows))
		throw statusError(name, response, endpoint);
	if (/^\s{0,100}<(!doctype|html|\?xml)/i.test(text)) {
		const advice = `It may be a login or maintenance page. ${CHECK_BASE_URL}`;
		throw fail('The provider returned a web page instead of data', advice, NOT_THE_PROVIDER);
	}
	if (body === undefined)
		throw fail('The response is incomplete or unreadable', LATER, UNAVAILABLE);
	const { result, rows, problem } = inShape(endpoint, given);
	// An empty list beside an error is no list. Otherwise, a search would find nothing, and a shipment number that the
	// provider does not know would keep those that were tracked together with it from their events.
	const isRefused = rows?.length === 0 && isRecord(body) && toSentence(body.errors);
	if (!problem && !isRefused) return { ...(body as IDataObject), result, ...ids } as IDataObject;
	const serviceMessage = said();
	if (!serviceMessage) throw fail('Unexpected response', `${problem}. ${CHECK_BASE_URL}`, LOST);
	const advice = `The response has no usable result. ${CORRECT_VALUES}`;
	throw fail(`The provider said: ${serviceMessage}`, advice, LOST);
}

const MAX_RECORDS = 1_000_000;

/**
 * The result in the shape of its endpoint, or what is wrong with it, such as `"result"[0] has no "id"`. Providers send a
 * list, a page or a single record where another one documents another of them. A row that is null says nothing, and does
 * not hide the others.
 */
function inShape({ result: shape, has = [], hasRowsOnError }: Endpoint, given: unknown) {
	const problem = `"result" is not a ${shape}`;
	if (shape === 'boolean') return typeof given === shape ? { result: given } : { problem };
	const isOne = shape === 'record';
	const page = isRecord(given) && 'data' in given ? given : undefined;
	// A single record of a creation may be about the whole request, such as the error of a gateway.
	const isRow = shape === 'list' && isRecord(given) && !page && !hasRowsOnError;
	const list = isOne || isRow ? [given] : (page?.data ?? given);
	// A list where there are pages may be only one of them. A search that ends too early could lead to a second parcel.
	if (!Array.isArray(list) || (shape === 'page' && !page)) return { problem };
	const rows = list.filter((row) => row !== null);
	const problems = rows.flatMap((row: unknown, index) => {
		const at = isOne ? '"result"' : `"result"[${index}]`;
		if (!isRecord(row)) return `${at} is not a record`;
		const missing = has.find((key) => (row[key] ?? null) === null);
		if (missing !== undefined) return `${at} has no "${missing}"`;
		// Rounded, it would be the ID of another record.
		return has.includes('id') && idOf(row) === 0 ? `${at} has an invalid "id"` : [];
	});
	const total = Number.isInteger(page?.total) ? Number(page?.total) : -1;
	if (shape === 'page' && (total < 0 || total > MAX_RECORDS))
		problems.unshift('"result".total is not a number of records');
	if (isOne) return { result: rows[0], problem: rows.length === 0 ? problem : problems[0] };
	return { result: shape === 'page' ? { ...page, data: rows } : rows, rows, problem: problems[0] };
}

/** Statuses after which nothing was done. */
const CERTAIN: Record<number, [message: string, advice: string, facts: RequestFacts]> = {
	401: [
		'The provider refused the credential (401)',
		"Most likely, the secret in the credential is wrong, incomplete or expired. If it is right, check 'Authentication' and the name of the header or query parameter.",
		{ mayHaveActed: false, cause: 'credential-invalid' },
	],
	403: [
		'The provider does not allow this request (403)',
		"The secret is accepted, but the account has no permission for this. Ask the provider's support to allow it.",
		MISCONFIGURED,
	],
	429: [
		'The provider is rate-limiting requests (429)',
		"Run the workflow later, or lower 'Max Parallel Requests' or raise 'Max Retry Wait' of the credential.",
		{ mayHaveActed: false, cause: 'rate-limited' },
	],
	503: ['The provider is temporarily unavailable (503)', LATER, NOT_REACHED],
};

/** The words of servers and gateways for a path that leads nowhere, and not for a record. */
const NO_SUCH_PATH =
	/^\W*(40[45]\W*)?(the )?(requested )?(page|resource)? ?(was )?not found\W*$|\b(route|endpoint|url|uri|http resource)\b|\bcannot (get|post) ?\//i;

/** The error of a status other than success. Also used for files. */
export function statusError(name: string, response: HttpResponse, endpoint?: Endpoint): ItemError {
	const { status, body, said, retryAfterMs, fail } = inspect(name, response);
	const serviceMessage = said();
	const words = serviceMessage ? `The provider said: ${serviceMessage}` : '';
	const failSaying = (message: string, ...more: [string, RequestFacts]) =>
		fail(words ? `${message}. ${words}` : message, ...more);
	if (status >= 300 && status < 400) {
		const location = String(response.headers.location ?? '');
		const target = URL.canParse(location) ? new URL(location).origin : 'another page';
		const advice = `Redirects are not followed, so that the credential is sent nowhere else. ${CHECK_BASE_URL}`;
		return fail(`The provider redirects to ${target}`, advice, NOT_THE_PROVIDER);
	}
	// A 503 that does not say when to come back is an error like 500. So is one that is no JSON: it may come from
	// a gateway that has stopped waiting for the provider.
	const isBusy = retryAfterMs() !== undefined && body !== undefined;
	const certain = status === 503 && !isBusy ? undefined : CERTAIN[status];
	if (certain) return failSaying(...certain);
	// 408: the provider, or a gateway in front of it, timed out; the request may have been carried out.
	if (status >= 500 || status === 408)
		return failSaying(
			`The provider could not complete the request (${status})`,
			LATER,
			UNAVAILABLE,
		);
	const isMissingEndpoint =
		status === 405 || (status === 404 && NO_SUCH_PATH.test(serviceMessage ?? 'not found'));
	if (isMissingEndpoint && endpoint?.isOptional) {
		const message = `This provider does not offer: ${endpoint.title} (${status})`;
		const advice = `Not every provider has ${endpoint.method} ${endpoint.path}, and nothing was done. ${CHECK_BASE_URL}`;
		return fail(message, advice, { ...MISCONFIGURED, isMissingEndpoint });
	}
	const advice = status === 404 ? `Check that it exists. ${CHECK_BASE_URL}` : CORRECT_VALUES;
	const message = words || `The provider refused the request (${status})`;
	return fail(message, advice, { mayHaveActed: false, isMissingEndpoint });
}

/** Reads `Retry-After`, in seconds or as a date. An unreadable value counts as absent. */
export function readRetryAfter(header: unknown, now = Date.now()): number | undefined {
	if (typeof header !== 'string') return undefined;
	if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Math.round(Number(header) * 1000);
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const MAX_LENGTH = 500;
const MAX_PARTS = 50;

/** The usual places of a provider's message, which are not documented. `errors` may name the fields. */
const MESSAGE_KEYS = ['message', 'error', 'errorMessage', 'errors', 'detail', 'title'];

/** The provider's own message in a response: a short text such as `Token missing`, or in an object. */
export function serviceMessageOf(body: unknown): string | undefined {
	if (typeof body === 'string')
		return /^\s*[^<[{"\s].{0,299}$/.test(body) ? toSentence(body) : undefined;
	if (!isRecord(body)) return undefined;
	const { result } = body;
	return toSentence([
		...MESSAGE_KEYS.map((key) => body[key]),
		typeof result === 'string' && result,
	]);
}

/** What a provider sends as an error as one sentence without a full stop. Undefined if it says nothing. */
export function toSentence(value: unknown): string | undefined {
	// A provider may send the same error in several places.
	const sentence = [...new Set(textsIn(value))].join('; ');
	if (sentence.length < MAX_LENGTH) return sentence || undefined;
	// Between two words: a secret that is cut in two would not be recognized.
	const beginning = sentence.slice(0, Math.max(0, sentence.lastIndexOf(' ', MAX_LENGTH)));
	return beginning ? `${beginning}…` : undefined;
}

/** A text, an error with a code, message and reference, texts by field, or a list of any of them. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'number') return [String(value)];
	if (typeof value === 'string') {
		// Some carriers send their JSON as a text.
		const parsed = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
		const texts = [value.trim().replace(/(?<!\.)\.$/, '')].filter((text) => text !== '');
		return parsed === undefined ? texts : textsIn(parsed);
	}
	if (Array.isArray(value)) return value.slice(0, MAX_PARTS).flatMap(textsIn);
	if (!isRecord(value)) return [];
	const message = MESSAGE_KEYS.flatMap((key) => textsIn(value[key])).join('; ');
	if (message) {
		// A path into the request, such as `0 -> receiver -> postalCode`, names a field.
		const [reference] = textsIn(value.reference);
		return [reference ? `${message} (${reference.replace(/(^\d+ )?-> /g, '')})` : message];
	}
	// Read twice, errors in errors would take twice as long with each level.
	const others = Object.entries(value).filter(([field]) => !MESSAGE_KEYS.includes(field));
	return others
		.slice(0, MAX_PARTS)
		.flatMap(([field, problem]) => textsIn(problem).map((text) => `${field}: ${text}`));
}
