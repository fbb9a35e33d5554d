import type { IDataObject } from 'n8n-workflow';

import { isRecord, parseJson } from '../records';
import { type Endpoint, nameOf, type ResultShape } from './endpoints';
import { type ErrorFacts, ServiceError } from './errors';
import { readRetryAfter } from './retry';
import { messageBeside, messageOf, serviceMessageOf, toSentence } from './serviceMessage';

type Json = Record<string, unknown>;

export interface RawResponse {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: string;
}

const CHECK_BASE_URL =
	"Check that the Base URL of the credential ends with the service's API path.";
const CHECK_RECORD =
	"Check that the requested record exists, and that the Base URL of the credential ends with the service's API path.";
const CORRECT_VALUES = 'Correct the values of this item according to the message of the service.';
const CONTACT_SUPPORT = "If this persists, contact the service's support.";

/**
 * The body of a response, if it has the shape that the endpoint documents. Everything else is thrown.
 *
 * A creation that is refused as a whole (400) may still contain rows, and some of them may be
 * created. Only the rows say which, so they count more than the status: believing the status would
 * report existing shipments as refused, and the next run would create them again. An order without a
 * row is then looked for like after any other incomplete response.
 */
export function readResponse(endpoint: Endpoint, response: RawResponse, now: number): IDataObject {
	const body = parseJson(response.body);
	const isSuccess = response.status >= 200 && response.status <= 299;
	if (!isSuccess && !(endpoint.hasRowsOnError && hasResult(body))) {
		throw httpError(nameOf(endpoint), response, now);
	}
	if (body === undefined) throw notJsonError(endpoint, response);
	if (!isRecord(body))
		throw unexpectedError(endpoint, response, `the response is ${describe(body)}`);
	const checked: Json = {
		...withUsualShape(endpoint.result, body),
		...correlationIdOf(body, response),
	};
	const mismatch = mismatchOf(endpoint.result, checked.result);
	if (mismatch !== undefined) throw unexpectedError(endpoint, response, mismatch);
	return checked as IDataObject;
}

/** The error for a response without a usable result. The service may have said why. */
function unexpectedError(
	endpoint: Endpoint,
	response: RawResponse,
	mismatch: string,
): ServiceError {
	const body = parseJson(response.body);
	const result = isRecord(body) ? body.result : undefined;
	const message =
		messageBeside(body) ??
		serviceMessageOf(body) ??
		(typeof result === 'string' ? toSentence(result) : undefined);
	return new ServiceError({
		message: message ? `The service said: ${message}` : `${endpoint.title}: Unexpected response`,
		description: message
			? `The response has no usable result: ${mismatch}. ${CORRECT_VALUES}`
			: `${capitalize(mismatch)}. ${CHECK_BASE_URL}`,
		endpoint: nameOf(endpoint),
		mayHaveActed: true,
		isTransient: false,
		status: response.status,
		...correlationIdOf(body, response),
		...(message ? { details: { serviceMessage: message } } : {}),
	});
}

/** The error for a status other than success. Also used for files, which have no envelope. */
export function httpError(endpointName: string, response: RawResponse, now: number): ServiceError {
	const { status } = response;
	const body = parseJson(response.body);
	const message = messageOf(body ?? response.body);
	const retryAfterMs = readRetryAfter(response.headers['retry-after'], now);
	const facts = {
		endpoint: endpointName,
		status,
		...correlationIdOf(body, response),
		...(isMissing(status, response.body, body, message) ? { isMissingEndpoint: true } : {}),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(message ? { details: { serviceMessage: message } } : {}),
	};
	return new ServiceError({ ...facts, ...judgeStatus(status, response, message, retryAfterMs) });
}

type Judgment = Pick<
	ErrorFacts,
	'message' | 'description' | 'mayHaveActed' | 'isTransient' | 'cause'
>;

function judgeStatus(
	status: number,
	response: RawResponse,
	serviceMessage: string | undefined,
	retryAfterMs: number | undefined,
): Judgment {
	const reason = serviceMessage ? ` The service said: ${serviceMessage}.` : '';
	if (status >= 300 && status < 400) {
		return {
			message: `The service redirects to ${redirectTarget(response)}`,
			description:
				'Redirects are not followed, so that the credential is sent nowhere else. Check the Base URL of the credential.',
			mayHaveActed: true,
			isTransient: false,
			cause: 'configuration-invalid',
		};
	}
	if (status === 401) {
		return {
			message: 'The service refused the credential (401)',
			description: `Open the credential and check its authentication.${reason}`,
			mayHaveActed: false,
			isTransient: false,
			cause: 'credential-invalid',
		};
	}
	if (status === 403) {
		return {
			message: 'The service does not allow this request (403)',
			description: `The secret is accepted, but the account has no permission for this. Ask the service's support to allow it.${reason}`,
			mayHaveActed: false,
			isTransient: false,
			cause: 'configuration-invalid',
		};
	}
	if (status === 429) {
		return {
			message: 'The service is rate-limiting requests (429)',
			description: `Run the workflow later, or lower Max Concurrency in the options.${reason}`,
			mayHaveActed: false,
			isTransient: true,
			cause: 'rate-limited',
		};
	}
	if (status === 503 && retryAfterMs !== undefined) {
		return {
			message: 'The service is temporarily unavailable (503)',
			description: `Run the workflow again later.${reason}`,
			mayHaveActed: false,
			isTransient: true,
			cause: 'temporarily-unavailable',
		};
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
	const advice = serviceMessage
		? CORRECT_VALUES
		: 'The service gave no reason. Check the values of this item.';
	return {
		message: serviceMessage
			? `The service said: ${serviceMessage}`
			: `The service refused the request (${status})`,
		description: status === 404 || status === 405 ? CHECK_RECORD : advice,
		mayHaveActed: false,
		isTransient: false,
	};
}

function notJsonError(endpoint: Endpoint, response: RawResponse): ServiceError {
	const isPage = /^\s*(<!doctype|<html|<\?xml)/i.test(response.body);
	return new ServiceError({
		message: isPage
			? `${endpoint.title}: The service returned a web page instead of data`
			: `${endpoint.title}: The response is incomplete or unreadable`,
		description: isPage
			? `It may be a login or maintenance page${pageTitle(response.body)}. ${CHECK_BASE_URL}`
			: `Run the workflow again. ${CONTACT_SUPPORT}`,
		endpoint: nameOf(endpoint),
		mayHaveActed: true,
		isTransient: !isPage,
		status: response.status,
		...correlationIdOf(undefined, response),
		cause: isPage ? 'configuration-invalid' : 'temporarily-unavailable',
	});
}

function mismatchOf(shape: ResultShape, result: unknown): string | undefined {
	switch (shape.kind) {
		case 'boolean':
			return typeof result === 'boolean' ? undefined : `"result" is ${describe(result)}`;
		case 'record':
			return recordMismatch('"result"', result, shape.has);
		case 'list':
			return listMismatch('"result"', result, shape.elementsHave);
		case 'page':
			if (!isRecord(result)) return `"result" is ${describe(result)}`;
			if (!isCount(result.total)) return `"result.total" is ${describe(result.total)}`;
			return listMismatch('"result.data"', result.data, shape.elementsHave);
	}
}

function listMismatch(name: string, value: unknown, elementsHave: string[]): string | undefined {
	if (!Array.isArray(value)) return `${name} is ${describe(value)}`;
	for (const [index, element] of value.entries()) {
		const mismatch = recordMismatch(`${name}[${index}]`, element, elementsHave);
		if (mismatch !== undefined) return mismatch;
	}
	return undefined;
}

function recordMismatch(name: string, value: unknown, has: string[]): string | undefined {
	if (!isRecord(value)) return `${name} is ${describe(value)}`;
	const missing = has.find((key) => value[key] === undefined || value[key] === null);
	return missing === undefined ? undefined : `${name} has no "${missing}"`;
}

function isCount(value: unknown): boolean {
	return Number.isInteger(value) && (value as number) >= 0;
}

function describe(value: unknown): string {
	if (value === undefined) return 'missing';
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** In the body, otherwise in the header, which is there even if the body is empty. */
function correlationIdOf(body: unknown, { headers }: RawResponse): { correlationId?: string } {
	const header = Object.entries(headers).find(
		([name]) => name.toLowerCase() === 'x-correlation-id',
	)?.[1];
	const given = isRecord(body) && body.correlationId ? body.correlationId : header;
	return typeof given === 'string' && given !== '' ? { correlationId: given } : {};
}

/** Some services send a record where a list is documented, or null for an empty list. */
function withUsualShape(shape: ResultShape, body: Json): Json {
	if (shape.kind !== 'list') return body;
	const { result } = body;
	if (shape.orRecord && isRecord(result)) return { ...body, result: [result] };
	if (shape.orPage && isRecord(result) && Array.isArray(result.data)) {
		return { ...body, result: result.data };
	}
	const { nullableList } = shape;
	if (nullableList === undefined || !Array.isArray(result)) return body;
	const withList = (element: unknown) =>
		isRecord(element) && element[nullableList] === null
			? { ...element, [nullableList]: [] }
			: element;
	return { ...body, result: result.map(withList) };
}

/** The words of servers and gateways for a path that leads nowhere. */
const GENERIC = /^\W*(404|405)?\W*(the )?(requested )?(page|resource)?\s*(was )?not found\W*$/i;
const NAMES_ADDRESS = /\b(route|endpoint|url|uri|http resource)\b/i;
const NAMES_METHOD = /\b(GET|POST) ?[:/]/;

/**
 * Whether nothing is at the path for certain, so that nothing was done. A 404 alone does not say that:
 * the service also responds with 404 if the request names a record that does not exist.
 */
function isMissing(
	status: number,
	text: string,
	body: unknown,
	serviceMessage: string | undefined,
): boolean {
	if (status !== 404 && status !== 405) return false;
	// It may be a response that was cut off.
	if (body === undefined && /^\s*[[{]/.test(text)) return false;
	if (Array.isArray(body) || hasResult(body)) return false;
	if (status === 405 || serviceMessage === undefined) return true;
	return (
		GENERIC.test(serviceMessage) ||
		NAMES_ADDRESS.test(serviceMessage) ||
		NAMES_METHOD.test(serviceMessage)
	);
}

/** Whether a response contains a result, whatever its status is. */
function hasResult(body: unknown): boolean {
	const { result } = (body ?? {}) as { result?: unknown };
	return typeof result === 'object' && result !== null && Object.keys(result).length > 0;
}

function redirectTarget({ headers }: RawResponse): string {
	const location = String(headers.location ?? '');
	return URL.canParse(location) ? new URL(location).origin : 'another page';
}

function pageTitle(html: string): string {
	const title = /<title[^>]*>([^<]{1,120})<\/title>/i.exec(html)?.[1]?.trim();
	return title ? ` ("${title}")` : '';
}

function capitalize(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
