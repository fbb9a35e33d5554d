import type { IDataObject } from 'n8n-workflow';

import { idOf, isRecord, parseJson } from '../records';
import { type Endpoint, nameOfEndpoint, type ResultShape } from './endpoints';
import { type ErrorFacts, ServiceError } from './errors';
import { readRetryAfter } from './retry';
import { messageBeside, serviceMessageOf, toSentence } from './serviceMessage';
import type { HttpResponse } from './session';

type RawResponse = HttpResponse & { body: string };

const CHECK_BASE_URL = "Check that 'Base URL' of the credential ends with the service's API path.";
const CHECK_RECORD =
	"Check that the requested record exists, and that 'Base URL' of the credential ends with the service's API path.";
const CORRECT_VALUES = 'Correct the values according to the message of the service.';
const CONTACT_SUPPORT = "If this persists, contact the service's support.";

/**
 * The body of a response, if it has the shape that the endpoint documents. Everything else is thrown.
 *
 * A creation that is refused as a whole (400) may still contain rows, and some of them may be
 * created. Only the rows say which, so they count more than the status: believing the status would
 * report existing shipments as refused, and the next run would create them again. An order without a
 * row is then looked for like after any other incomplete response, and all are if the response was cut off.
 */
export function readResponse(endpoint: Endpoint, response: RawResponse, now: number): IDataObject {
	const body = parseJson(response.body);
	const { statusCode: status, body: text } = response;
	const isSuccess = status >= 200 && status <= 299;
	const isRefusal = status >= 400 && status < 500 && CERTAIN_STATUSES[status] === undefined;
	const mayHaveRows = hasResult(body) || (isRefusal && isCutOff(text, body));
	if (!isSuccess && !(endpoint.hasRowsOnError && mayHaveRows)) {
		throw httpError(nameOfEndpoint(endpoint), response, now);
	}
	if (body === undefined) throw notJsonError(endpoint, response);
	const result = isRecord(body) ? withUsualShape(endpoint.result, body.result) : undefined;
	const mismatch = isRecord(body)
		? mismatchOf(endpoint.result, result)
		: `the response is ${describe(body)}`;
	if (mismatch !== undefined) throw unexpectedError(endpoint, response, body, mismatch);
	return { ...(body as IDataObject), result, ...correlationIdOf(body, response) } as IDataObject;
}

function commonFacts(
	endpoint: string,
	response: RawResponse,
	body: unknown,
	serviceMessage?: string,
) {
	return {
		endpoint,
		status: response.statusCode,
		...correlationIdOf(body, response),
		...(serviceMessage ? { details: { serviceMessage } } : {}),
	};
}

/** The error for a response without a usable result. The service may have said why. */
function unexpectedError(
	endpoint: Endpoint,
	response: RawResponse,
	body: unknown,
	mismatch: string,
): ServiceError {
	const result = isRecord(body) && typeof body.result === 'string' ? body.result : undefined;
	const message = messageBeside(body) ?? serviceMessageOf(body) ?? toSentence(result);
	return new ServiceError({
		...commonFacts(nameOfEndpoint(endpoint), response, body, message),
		message: message ? `The service said: ${message}` : `${endpoint.title}: Unexpected response`,
		description: message
			? `The response has no usable result: ${mismatch}. ${CORRECT_VALUES}`
			: `${mismatch.charAt(0).toUpperCase()}${mismatch.slice(1)}. ${CHECK_BASE_URL}`,
		mayHaveActed: true,
	});
}

/** The error for a status other than success. Also used for files, which have no envelope. */
export function httpError(endpointName: string, response: RawResponse, now: number): ServiceError {
	const body = parseJson(response.body);
	const message = serviceMessageOf(body ?? response.body);
	const retryAfterMs = readRetryAfter(response.headers['retry-after'], now);
	return new ServiceError({
		...commonFacts(endpointName, response, body, message),
		...(isMissing(response, body, message) ? { isMissingEndpoint: true } : {}),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...judgeStatus(response, message, retryAfterMs),
	});
}

type Judgment = Omit<ErrorFacts, 'endpoint'>;

/** Statuses after which nothing was done. */
const CERTAIN_STATUSES: Readonly<Record<number, Omit<Judgment, 'mayHaveActed'>>> = {
	401: {
		message: 'The service refused the credential (401)',
		description:
			"Most likely, the secret in the credential is wrong, incomplete or expired. If it is right, check 'Authentication' and the name of the header or query parameter.",
		cause: 'credential-invalid',
	},
	403: {
		message: 'The service does not allow this request (403)',
		description:
			"The secret is accepted, but the account has no permission for this. Ask the service's support to allow it.",
		cause: 'configuration-invalid',
	},
	429: {
		message: 'The service is rate-limiting requests (429)',
		description: "Run the workflow later, or lower 'Max Parallel Requests' of the credential.",
		isTransient: true,
		cause: 'rate-limited',
	},
	// A proxy between n8n and the service.
	407: {
		message: 'A proxy refused the request (407)',
		description: 'Check the user and password of the proxy that n8n uses.',
		cause: 'configuration-invalid',
	},
	503: {
		message: 'The service is temporarily unavailable (503)',
		description: 'Run the workflow again later.',
		isTransient: true,
		cause: 'temporarily-unavailable',
	},
};

function judgeStatus(
	{ statusCode: status, headers, body }: RawResponse,
	serviceMessage: string | undefined,
	retryAfterMs: number | undefined,
): Judgment {
	const reason = serviceMessage ? ` The service said: ${serviceMessage}.` : '';
	if (status >= 300 && status < 400) {
		const location = String(headers.location ?? '');
		return {
			message: `The service redirects to ${URL.canParse(location) ? new URL(location).origin : 'another page'}`,
			description:
				"Redirects are not followed, so that the credential is sent nowhere else. Check 'Base URL' of the credential.",
			mayHaveActed: true,
			cause: 'configuration-invalid',
		};
	}
	// A 503 that does not say when to come back is an error like 500. So is one that is no JSON: it may come from
	// a gateway that has stopped waiting for the service.
	const isBusy = retryAfterMs !== undefined && parseJson(body) !== undefined;
	const refusal = status === 503 && !isBusy ? undefined : CERTAIN_STATUSES[status];
	if (refusal) {
		return { ...refusal, description: `${refusal.description}${reason}`, mayHaveActed: false };
	}
	// 408: the service, or a gateway in front of it, timed out; the request may have been carried out.
	if (status >= 500 || status === 408) {
		return {
			message: `The service could not complete the request (${status})`,
			description: `Run the workflow again later. ${CONTACT_SUPPORT}${reason}`,
			mayHaveActed: true,
			isTransient: true,
			cause: 'temporarily-unavailable',
		};
	}
	const advice = serviceMessage ? CORRECT_VALUES : 'The service gave no reason. Check the values.';
	return {
		message: serviceMessage
			? `The service said: ${serviceMessage}`
			: `The service refused the request (${status})`,
		description: status === 404 || status === 405 ? CHECK_RECORD : advice,
		mayHaveActed: false,
	};
}

/** The title of a web page is in this part of it. */
const MAX_PAGE_START = 4_096;

function notJsonError(endpoint: Endpoint, response: RawResponse): ServiceError {
	const start = response.body.slice(0, MAX_PAGE_START).trimStart();
	const isPage = /^(<!doctype|<html|<\?xml)/i.test(start);
	const title = /<title[^<>]{0,100}>([^<]{1,120})<\/title>/i.exec(start)?.[1]?.trim();
	return new ServiceError({
		...commonFacts(nameOfEndpoint(endpoint), response, undefined),
		message: isPage
			? `${endpoint.title}: The service returned a web page instead of data`
			: `${endpoint.title}: The response is incomplete or unreadable`,
		description: isPage
			? `It may be a login or maintenance page${title ? ` ("${title}")` : ''}. ${CHECK_BASE_URL}`
			: `Run the workflow again. ${CONTACT_SUPPORT}`,
		mayHaveActed: true,
		isTransient: !isPage,
		cause: isPage ? 'configuration-invalid' : 'temporarily-unavailable',
	});
}

/** What is wrong with a result, such as `"result"[0] has no "id"`. */
function mismatchOf({ type, has = [] }: ResultShape, result: unknown): string | undefined {
	if (type === 'boolean' && typeof result === 'boolean') return undefined;
	if (type === 'boolean' || (type === 'page' && !isRecord(result))) {
		return `"result" is ${describe(result)}`;
	}
	const { data, total } = (type === 'page' ? result : {}) as Record<string, unknown>;
	if (type === 'page' && typeof total !== 'number') return `"result.total" is ${describe(total)}`;
	if (type === 'page' && !isRecordCount(total as number)) {
		return `"result.total" is not a number of records (${String(total)})`;
	}
	const name = type === 'page' ? '"result.data"' : '"result"';
	const records = type === 'page' ? data : type === 'list' ? result : [result];
	if (!Array.isArray(records)) return `${name} is ${describe(records)}`;
	for (const [index, record] of records.entries()) {
		const recordName = type === 'record' ? name : `${name}[${index}]`;
		if (!isRecord(record)) return `${recordName} is ${describe(record)}`;
		const missing = has.find((key) => record[key] === undefined || record[key] === null);
		if (missing !== undefined) return `${recordName} has no "${missing}"`;
		// Rounded, it would be the ID of another record.
		if (has.includes('id') && idOf(record) === 0) return `${recordName} has an invalid "id"`;
	}
	return undefined;
}

const MAX_RECORDS = 1_000_000;

const isRecordCount = (total: number) =>
	Number.isInteger(total) && total >= 0 && total <= MAX_RECORDS;

function describe(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** In the body, otherwise in the header, which is there even if the body is empty. */
function correlationIdOf(body: unknown, { headers }: RawResponse): { correlationId?: string } {
	const given = (isRecord(body) && body.correlationId) || headers['x-correlation-id'];
	return typeof given === 'string' && given !== '' ? { correlationId: given } : {};
}

/** Some services send a list, a page or a record where another of them is documented. */
function withUsualShape(shape: ResultShape, result: unknown): unknown {
	const { orRecord, orPage, orList, skipsNull } = shape;
	if (skipsNull && isRecord(result) && Array.isArray(result.data))
		return { ...result, data: result.data.filter((row) => row !== null) };
	if (orRecord && isRecord(result)) return [result];
	if (orPage && isRecord(result) && Array.isArray(result.data)) return result.data;
	if (skipsNull && Array.isArray(result) && result.some(isRecord))
		return result.filter((row) => row !== null);
	if (orList && Array.isArray(result)) return { data: result, total: result.length };
	return result;
}

/** The words of servers and gateways for a path that leads nowhere. */
const NO_SUCH_PATH =
	/^\W*(40[45]\W*)?(the )?(requested )?(page|resource)? ?(was )?not found\W*$|\b(route|endpoint|url|uri|http resource)\b/i;
/** Upper case, because "Post" is also in the names of carriers. */
const NAMES_METHOD = /\b(GET|POST) ?[:/]/;

/**
 * Whether nothing is at the path for certain, so that nothing was done. A 404 alone does not say that:
 * the service also responds with 404 if the request names a record that does not exist.
 */
function isMissing(
	{ statusCode, body: text }: RawResponse,
	body: unknown,
	serviceMessage: string | undefined,
): boolean {
	if (statusCode !== 404 && statusCode !== 405) return false;
	if (isCutOff(text, body) || Array.isArray(body) || hasResult(body)) return false;
	if (statusCode === 405 || serviceMessage === undefined) return true;
	return NO_SUCH_PATH.test(serviceMessage) || NAMES_METHOD.test(serviceMessage);
}

/** Whether the text begins like JSON and is none. */
const isCutOff = (text: string, body: unknown) =>
	body === undefined && /^[[{]/.test(text.trimStart());

function hasResult(body: unknown): boolean {
	const { result } = (body ?? {}) as { result?: unknown };
	return typeof result === 'object' && result !== null && Object.keys(result).length > 0;
}
