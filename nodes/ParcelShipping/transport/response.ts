import type { IDataObject } from 'n8n-workflow';

import type { Endpoint, ResultShape } from './endpoints';
import { type FailureFacts, ServiceFailure } from './errors';
import { readRetryAfter } from './retry';

export interface Reply {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: string;
}

/** What came back, if it is what the endpoint promises; every other reply is thrown as a failure. */
export function readAnswer(endpoint: Endpoint, reply: Reply, now: number): IDataObject {
	const body = parseJson(reply.body);
	if (reply.status < 200 || reply.status > 299) throw refusal(endpointLabel(endpoint), reply, now);

	if (body === undefined) throw notJson(endpoint, reply);
	const mismatch = isRecord(body)
		? mismatchOf(endpoint.result, body)
		: `the answer is ${describe(body)}`;
	if (mismatch !== undefined) {
		const said = serviceWords(body);
		throw new ServiceFailure({
			message: `${endpoint.title}: the service answered with something else than expected`,
			description: `${capitalise(mismatch)}.${said ? ` The service said: ${said}` : ''} Check that the Base URL of the credential ends with the api path of the service.`,
			endpoint: endpointLabel(endpoint),
			mayHaveActed: true,
			passing: false,
			status: reply.status,
			...correlation(body),
		});
	}
	return body as IDataObject;
}

/** A status that is no success, in words. Also used for files, which have no envelope. */
export function refusal(endpoint: string, reply: Reply, now: number): ServiceFailure {
	const { status } = reply;
	const body = parseJson(reply.body);
	const said = serviceWords(body);
	const retryAfterMs = readRetryAfter(reply.headers['retry-after'], now);
	const facts = {
		endpoint,
		status,
		...correlation(body),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(said ? { details: { serviceMessage: said } } : {}),
	};
	const because = said ? ` The service said: ${said}` : '';
	return new ServiceFailure({ ...facts, ...verdictOn(status, reply, because, retryAfterMs) });
}

type Verdict = Pick<FailureFacts, 'message' | 'description' | 'mayHaveActed' | 'passing' | 'cause'>;

function verdictOn(
	status: number,
	reply: Reply,
	because: string,
	retryAfterMs: number | undefined,
): Verdict {
	if (status >= 300 && status < 400) {
		return {
			message: `The service redirects to ${redirectTarget(reply)}`,
			description:
				'Redirects are not followed, so that the credential goes nowhere else. Check the Base URL of the credential.',
			mayHaveActed: true,
			passing: false,
			cause: 'configuration-invalid',
		};
	}
	if (status === 401 || status === 403) {
		return {
			message: `The service refused the credential (${status})`,
			description: `Open the credential and check its authentication.${because}`,
			mayHaveActed: false,
			passing: false,
			cause: 'credential-invalid',
		};
	}
	if (status === 429) {
		return {
			message: 'The service asks for fewer requests (429)',
			description: `Run the workflow later, or lower Max Concurrency in the options.${because}`,
			mayHaveActed: false,
			passing: true,
			cause: 'rate-limited',
		};
	}
	if (status === 503 && retryAfterMs !== undefined) {
		return {
			message: 'The service is taking a break (503)',
			description: `Run the workflow again later.${because}`,
			mayHaveActed: false,
			passing: true,
			cause: 'temporarily-unavailable',
		};
	}
	// 408: the service, or a gateway before it, gave up waiting; what it did by then is unknown.
	if (status >= 500 || status === 408) {
		return {
			message: `The service could not answer (${status})`,
			description: `Run the workflow again later. If it stays so, the operator of the service can help.${because}`,
			mayHaveActed: true,
			passing: true,
			cause: 'temporarily-unavailable',
		};
	}
	return {
		message: because ? because.trim() : `The service refused the request (${status})`,
		description:
			status === 404
				? 'Check that what you ask for exists, and that the Base URL of the credential ends with the api path of the service.'
				: 'Check the values of this item against what the service says.',
		mayHaveActed: false,
		passing: false,
	};
}

function notJson(endpoint: Endpoint, reply: Reply): ServiceFailure {
	const isPage = /^\s*(<!doctype|<html|<\?xml)/i.test(reply.body);
	return new ServiceFailure({
		message: isPage
			? `${endpoint.title}: a web page came back instead of data`
			: `${endpoint.title}: the answer of the service is incomplete or unreadable`,
		description: isPage
			? `It may be a sign-in or maintenance page${pageTitle(reply.body)}. Check that the Base URL of the credential ends with the api path of the service.`
			: 'Run the workflow again. If it stays so, the operator of the service can help.',
		endpoint: endpointLabel(endpoint),
		mayHaveActed: true,
		passing: !isPage,
		status: reply.status,
		cause: isPage ? 'configuration-invalid' : 'temporarily-unavailable',
	});
}

function mismatchOf(shape: ResultShape, body: IDataObject): string | undefined {
	const { result } = body;
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
		case 'creation':
			return listMismatch('"result"', result, ['statusCode']);
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

function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
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

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** The service's own words: how it words a refusal is not documented, so the usual places are tried. */
export function serviceWords(body: unknown): string | undefined {
	if (!isRecord(body)) return undefined;
	for (const key of ['message', 'error', 'errorMessage', 'detail', 'title', 'errors']) {
		const said = body[key];
		const text = typeof said === 'string' ? said : said ? JSON.stringify(said) : '';
		if (text.trim() !== '') return text.trim().slice(0, 500);
	}
	return undefined;
}

function correlation(body: unknown): { correlationId?: string } {
	return isRecord(body) && typeof body.correlationId === 'string'
		? { correlationId: body.correlationId }
		: {};
}

function redirectTarget(reply: Reply): string {
	const location = String(reply.headers.location ?? '');
	return URL.canParse(location) ? new URL(location).origin : 'another page';
}

function pageTitle(html: string): string {
	const title = /<title[^>]*>([^<]{1,120})<\/title>/i.exec(html)?.[1]?.trim();
	return title ? ` ("${title}")` : '';
}

function capitalise(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}

export function endpointLabel(endpoint: Endpoint): string {
	return `${endpoint.title} (${endpoint.method} ${endpoint.path})`;
}
