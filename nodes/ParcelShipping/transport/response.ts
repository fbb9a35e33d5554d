import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { idOf, isRecord, parseJson } from '../records';
import { type Endpoint, PAGE_LENGTH } from './endpoints';
import { CONTACT_SUPPORT, type ItemError, requestError, type RequestFacts } from './errors';

// What a response says: its body within limits, its result, or why there is none.

/** A stream as n8n gives and takes it. */
export type BodyStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export interface HttpResponse<Body = unknown> {
	body: Body;
	headers: Record<string, unknown>;
	statusCode: number;
}

/** A JSON body, after decompression. */
const MAX_BYTES = 50 * 1024 * 1024;

/**
 * The result, or an error at the deadline. n8n's own time limit measures silence, which a provider that sends a byte now
 * and then never reaches. What comes after the deadline is discarded.
 */
export async function untilDeadline<Result>(
	deadline: AbortSignal,
	work: Promise<Result>,
	discard: (late: Result) => void = () => {},
): Promise<Result> {
	let end = () => {};
	const ended = new Promise<never>((_, reject) => {
		end = () => {
			work.then(discard, () => {});
			reject(Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' }));
		};
		if (deadline.aborted) end();
		deadline.addEventListener('abort', end, { once: true });
	});
	return await Promise.race([work, ended]).finally(() =>
		deadline.removeEventListener('abort', end),
	);
}

/** Reads a whole body as text, unless it is too large or the deadline comes first. */
export async function readText(
	stream: BodyStream,
	deadline: AbortSignal,
	mostBytes: number,
	endpoint: string,
): Promise<string> {
	const chunks: Buffer[] = [];
	let leftBytes = Math.min(mostBytes, MAX_BYTES);
	const read = async () => {
		for await (const chunk of stream) {
			chunks.push(Buffer.from(chunk as Buffer));
			leftBytes -= (chunk as Buffer).length;
			if (leftBytes >= 0) continue;
			const isLarge = mostBytes >= MAX_BYTES;
			const message = isLarge
				? 'The response is larger than 50 MB'
				: 'The responses are too large together';
			const description = 'Read fewer records at a time, for example with a filter or a limit.';
			throw requestError(endpoint, { message, description }, { mayHaveActed: true });
		}
	};
	await untilDeadline(deadline, read()).finally(() => stream.destroy());
	return Buffer.concat(chunks)
		.toString('utf8')
		.replace(/^\ufeff/, '');
}

const CHECK_BASE_URL = "Check that 'Base URL' of the credential ends with the service's API path.";
const CORRECT_VALUES = 'Correct the values according to the message of the service.';

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
	response: HttpResponse<string>,
	now: number,
): IDataObject {
	const { statusCode: status, body: text } = response;
	const body = parseJson(text);
	const isRefusal = status >= 400 && status < 500 && CERTAIN[status] === undefined;
	const isCutOff = body === undefined && /^\s*[[{]/.test(text);
	const mayHaveRows = Array.isArray(body) || hasResult(body) || (isRefusal && isCutOff);
	if ((status < 200 || status > 299) && !(endpoint.hasRowsOnError && mayHaveRows))
		throw statusError(name, response, now);
	const correlationId = correlationIdOf(body, response);
	const fail = (
		message: string,
		description: string,
		{ serviceMessage, ...facts }: Partial<RequestFacts> & { serviceMessage?: string } = {},
	) => {
		const details = { ...(serviceMessage ? { serviceMessage } : {}), ...correlationId };
		const allFacts = { status, mayHaveActed: true, ...facts };
		return requestError(name, { message, description, details }, allFacts);
	};
	if (body === undefined && /^\s{0,100}<(!doctype|html|\?xml)/i.test(text)) {
		const title = /<title[^<>]{0,100}>([^<]{1,120})<\/title>/i
			.exec(text.slice(0, 4_096))?.[1]
			?.trim();
		throw fail(
			`${endpoint.title}: The service returned a web page instead of data`,
			`It may be a login or maintenance page${title ? ` ("${title}")` : ''}. ${CHECK_BASE_URL}`,
			{ cause: 'configuration-invalid' },
		);
	}
	if (body === undefined) {
		throw fail(
			`${endpoint.title}: The response is incomplete or unreadable`,
			`Run the workflow again. ${CONTACT_SUPPORT}`,
			{ isTransient: true, cause: 'temporarily-unavailable' },
		);
	}
	const given = isRecord(body) ? body.result : undefined;
	const result = inShape(endpoint, given);
	const problem = isRecord(body)
		? problemOf(endpoint, result)
		: `The response is ${describe(body)}`;
	if (problem === undefined)
		return { ...(body as IDataObject), result, ...correlationId } as IDataObject;
	const said = typeof given === 'string' ? toSentence(given) : undefined;
	const serviceMessage = messageBeside(body) ?? serviceMessageOf(body) ?? said;
	throw serviceMessage
		? fail(
				`The service said: ${serviceMessage}`,
				`The response has no usable result: ${problem}. ${CORRECT_VALUES}`,
				{ serviceMessage },
			)
		: fail(`${endpoint.title}: Unexpected response`, `${problem}. ${CHECK_BASE_URL}`);
}

/** In the body, or in the header if the body is empty. */
function correlationIdOf(body: unknown, { headers }: HttpResponse): { correlationId?: string } {
	const given = (isRecord(body) && body.correlationId) || headers['x-correlation-id'];
	return typeof given === 'string' && given !== '' ? { correlationId: given } : {};
}

function hasResult(body: unknown): boolean {
	const { result } = (body ?? {}) as { result?: unknown };
	return typeof result === 'object' && result !== null && Object.keys(result).length > 0;
}

/**
 * Providers send a list, a page or a single record where another one documents another of them. A row that is null says
 * nothing, and does not hide the others.
 */
function inShape({ result: shape, has = [], hasRowsOnError }: Endpoint, result: unknown): unknown {
	if (shape === 'boolean' || shape === 'record') return result;
	const isPage = isRecord(result) && 'data' in result;
	// A single record of a creation may be about the whole request, such as the error of a gateway.
	const isRow = shape === 'list' && isRecord(result) && !hasRowsOnError;
	const given = isPage ? result.data : isRow ? [result] : result;
	if (!Array.isArray(given)) return result;
	const data = given.filter((row) => row !== null);
	if (shape === 'list') return data;
	// It may be a part of the list.
	if (!isPage && (has.includes('id') || data.length === PAGE_LENGTH)) return result;
	return isPage ? { ...result, data } : { data, total: data.length };
}

const MAX_RECORDS = 1_000_000;

/** What is wrong with a result, such as `"result"[0] has no "id"`. */
function problemOf({ result: shape, has = [] }: Endpoint, result: unknown): string | undefined {
	const is = (name: string, value: unknown) => `"${name}" is ${describe(value)}`;
	if (shape === 'boolean') return typeof result === 'boolean' ? undefined : is('result', result);
	if (shape === 'list' ? !Array.isArray(result) : !isRecord(result)) return is('result', result);
	const { data, total } = (shape === 'page' ? result : { data: [result].flat(), total: 0 }) as {
		data?: unknown;
		total?: unknown;
	};
	if (typeof total !== 'number') return is('result.total', total);
	if (!Number.isInteger(total) || total < 0 || total > MAX_RECORDS)
		return `"result.total" is not a number of records (${total})`;
	if (!Array.isArray(data)) return is('result.data', data);
	for (const [index, row] of data.entries()) {
		const name = `"result${shape === 'page' ? '.data' : ''}"${shape === 'record' ? '' : `[${index}]`}`;
		if (!isRecord(row)) return `${name} is ${describe(row)}`;
		const missing = has.find((key) => (row[key] ?? null) === null);
		if (missing !== undefined) return `${name} has no "${missing}"`;
		// Rounded, it would be the ID of another record.
		if (has.includes('id') && idOf(row) === 0) return `${name} has an invalid "id"`;
	}
	return undefined;
}

function describe(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Statuses after which nothing was done. */
const CERTAIN: Readonly<Record<number, [message: string, advice: string, Partial<RequestFacts>]>> =
	{
		401: [
			'The service refused the credential (401)',
			"Most likely, the secret in the credential is wrong, incomplete or expired. If it is right, check 'Authentication' and the name of the header or query parameter.",
			{ cause: 'credential-invalid' },
		],
		403: [
			'The service does not allow this request (403)',
			"The secret is accepted, but the account has no permission for this. Ask the service's support to allow it.",
			{ cause: 'configuration-invalid' },
		],
		429: [
			'The service is rate-limiting requests (429)',
			"Run the workflow later, or lower 'Max Parallel Requests' of the credential.",
			{ cause: 'rate-limited', isTransient: true },
		],
		503: [
			'The service is temporarily unavailable (503)',
			'Run the workflow again later.',
			{ cause: 'temporarily-unavailable', isTransient: true },
		],
	};

/** The words of servers and gateways for a path that leads nowhere, and not for a record. */
const NO_SUCH_PATH =
	/^\W*(40[45]\W*)?(the )?(requested )?(page|resource)? ?(was )?not found\W*$|\b(route|endpoint|url|uri|http resource)\b|\bcannot (get|post) ?\//i;

/** The error of a status other than success. Also used for files. */
export function statusError(name: string, response: HttpResponse<string>, now: number): ItemError {
	const { statusCode: status, headers, body: text } = response;
	const body = parseJson(text);
	const retryAfterMs = readRetryAfter(headers['retry-after'], now);
	const serviceMessage = serviceMessageOf(body ?? text);
	const reason = serviceMessage ? ` The service said: ${serviceMessage}.` : '';
	const said = serviceMessage ? { serviceMessage } : {};
	const details = { ...said, ...correlationIdOf(body, response) };
	const fail = (message: string, description: string, facts: Partial<RequestFacts> = {}) => {
		const allFacts = { mayHaveActed: false, status, retryAfterMs, ...facts };
		return requestError(name, { message, description, details }, allFacts);
	};
	if (status >= 300 && status < 400) {
		const location = String(headers.location ?? '');
		const target = URL.canParse(location) ? new URL(location).origin : 'another page';
		const advice =
			"Redirects are not followed, so that the credential is sent nowhere else. Check 'Base URL' of the credential.";
		const facts = { mayHaveActed: true, cause: 'configuration-invalid' } as const;
		return fail(`The service redirects to ${target}`, advice, facts);
	}
	// A 503 that does not say when to come back is an error like 500. So is one that is no JSON: it may come from
	// a gateway that has stopped waiting for the provider.
	const isBusy = retryAfterMs !== undefined && body !== undefined;
	const certain = status === 503 && !isBusy ? undefined : CERTAIN[status];
	if (certain) return fail(certain[0], certain[1] + reason, certain[2]);
	// 408: the provider, or a gateway in front of it, timed out; the request may have been carried out.
	if (status >= 500 || status === 408) {
		return fail(
			`The service could not complete the request (${status})`,
			`Run the workflow again later. ${CONTACT_SUPPORT}${reason}`,
			{ mayHaveActed: true, isTransient: true, cause: 'temporarily-unavailable' },
		);
	}
	const message = serviceMessage
		? `The service said: ${serviceMessage}`
		: `The service refused the request (${status})`;
	if (status !== 404 && status !== 405)
		return fail(message, serviceMessage ? CORRECT_VALUES : 'It gave no reason. Check the values.');
	const isMissingEndpoint = status === 405 || NO_SUCH_PATH.test(serviceMessage ?? 'not found');
	const advice = `Check that the requested record exists. ${CHECK_BASE_URL}`;
	return fail(message, advice, { isMissingEndpoint });
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

function messageIn(value: Record<string, unknown>): string {
	const keys = ['message', 'error', 'errorMessage', 'errors', 'detail', 'title'];
	return keys.map((key) => toText(value[key])).find(Boolean) ?? '';
}

/** What the provider says in `errors` beside a result, which may be a usable one. */
export function messageBeside(response: unknown): string | undefined {
	return isRecord(response) && response.errors ? toSentence(response.errors) : undefined;
}

/**
 * Writes what a provider sends as an error as one sentence without a full stop: a text, an error with a
 * code, message and reference, texts by field, or a list of any of them. Undefined if it says nothing.
 */
export function toSentence(value: unknown): string | undefined {
	const sentence = toText(value).replace(/(?<!\.)\.$/, '');
	const beginning = shortened(sentence, MAX_LENGTH - 1);
	return (beginning === sentence ? sentence : beginning && `${beginning}…`) || undefined;
}

/** The beginning of a text, cut between two words: a secret that is cut in two would not be recognized. */
function shortened(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	return text.slice(0, Math.max(0, text.lastIndexOf(' ', maxLength)));
}

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
		: `${message.replace(/\.$/, '')} (${reference})`;
}

/** `0 -> receiver -> postalCode` and `$[0].receiver.postalCode` as "receiver postal code", and what is wrong with it. */
function ofField([path, problem]: [string, unknown]): string {
	const names = shortened(path, MAX_LENGTH).split(/->|[.[\]]/);
	const field = names
		.map((name) => name.trim())
		.filter((name) => !/^(\$|\d*)$/.test(name))
		// Anything but letters may be a tracking number.
		.map((name) =>
			/^[A-Za-z]+$/.test(name) ? name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() : name,
		)
		.join(' ');
	const text = toText(problem);
	return text === '' || field === '' ? text : `${field}: ${text}`;
}

/** Distinct texts, because a provider may repeat the same error in several places. */
function join(all: string[]): string {
	const texts = [...new Set(all.filter((text) => text !== ''))];
	const sentences = texts.map((text, at) =>
		at < texts.length - 1 ? text.replace(/\.$/, '') : text,
	);
	return shortened(sentences.join('; '), MAX_READ_LENGTH);
}
