import {
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { Endpoint } from './endpoints';

/** The causes that n8n's scheduler acts on. */
type ErrorCause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

export interface ErrorFacts {
	message: string;
	description: string;
	/** The endpoint or file that was requested, in readable form. */
	endpoint: string;
	/** The service may have carried out the request although no usable response came back. */
	mayHaveActed: boolean;
	/** The same request may succeed a little later. */
	isTransient?: boolean;
	/** The service has nothing at this address, so nothing was done. */
	isMissingEndpoint?: boolean;
	cause?: ErrorCause;
	status?: number;
	retryAfterMs?: number;
	correlationId?: string;
	/** Anything else worth showing, such as the service's own message. */
	details?: IDataObject;
}

/** A request to the service that did not give a usable response. */
export class ServiceError extends Error {
	constructor(readonly facts: ErrorFacts) {
		super(facts.message);
		this.name = 'ServiceError';
	}
}

export function isServiceError(error: unknown): error is ServiceError {
	return error instanceof ServiceError;
}

/** Whether the service may have carried out the request. An error that is no `ServiceError` does not say, so it may have. */
export function mayHaveActed(thrown: unknown): boolean {
	return !isServiceError(thrown) || thrown.facts.mayHaveActed;
}

export function isNotFound(error: unknown): boolean {
	return isServiceError(error) && error.facts.status === 404;
}

/** Refusals that are about the whole request or about the moment, not about what is in it. */
const OTHER_STATUSES = new Set([401, 403, 407, 408, 429]);

/** Whether the service certainly refused the request because of what is in it. */
export function isRefusal(failure: unknown): boolean {
	if (!isServiceError(failure)) return false;
	const { status = 0, details } = failure.facts;
	// Some services put the reason beside an empty result, with a status of success.
	if (status >= 200 && status < 300) return details?.serviceMessage !== undefined;
	return status >= 400 && status < 500 && !OTHER_STATUSES.has(status);
}

/**
 * A number can make the service fail with 500, and with it all that are requested together with it. Other server errors
 * are about the service.
 */
export const isStatus500 = (failure: unknown) =>
	isServiceError(failure) && failure.facts.status === 500;

/**
 * Whether the error concerns the credential, the address or the whole service, so that further requests
 * would fail as well.
 */
export function concernsAllRequests({ cause }: ErrorFacts): boolean {
	return cause !== undefined;
}

export function isMissingEndpoint(error: unknown): error is ServiceError {
	return isServiceError(error) && error.facts.isMissingEndpoint === true;
}

/** The service has no such endpoint, and not every service has it. */
export function notOfferedError(
	{ facts }: ServiceError,
	{ title, method, path, secondPath }: Pick<Endpoint, 'title' | 'method' | 'path' | 'secondPath'>,
): ServiceError {
	const paths = secondPath === undefined ? path : `${path} or ${secondPath}`;
	return new ServiceError({
		...facts,
		message: `This service does not offer: ${title} (${facts.status})`,
		description: `Not every service has ${method} ${paths}, and nothing was done. If yours has it, check that 'Base URL' of the credential ends with the service's API path.`,
		cause: 'configuration-invalid',
	});
}

/** Invalid input of one item, or a part of a response that concerns only that item. */
export class ItemError extends Error {
	constructor(
		message: string,
		readonly description: string,
		readonly details: IDataObject = {},
		/** Whether something was sent before, as opposed to an error that this node found before that. */
		readonly afterSending = false,
	) {
		super(message);
		this.name = 'ItemError';
	}
}

/** What a failed item shows, whether the error is thrown or leaves through the error output. */
export type ErrorText = Required<Pick<ErrorFacts, 'message' | 'description' | 'details'>>;

export function describeError(thrown: unknown): ErrorText {
	if (isServiceError(thrown)) {
		const { message, description, details, ...facts } = thrown.facts;
		const { endpoint, status: statusCode, correlationId, retryAfterMs } = facts;
		const all = { ...details, endpoint, statusCode, correlationId, retryAfterMs };
		const known = Object.entries(all).filter(([, value]) => value !== undefined);
		return { message, description, details: Object.fromEntries(known) };
	}
	const error = thrown as { message?: string; description?: string | null };
	return {
		message: error.message ?? String(thrown),
		description: error.description ?? '',
		details: thrown instanceof ItemError ? thrown.details : {},
	};
}

/** The same error with other texts. An error that is not one of these two is not changed. */
export function reword(thrown: unknown, change: (text: ErrorText) => Partial<ErrorText>): unknown {
	if (isServiceError(thrown)) {
		const { message, description, details = {} } = thrown.facts;
		return new ServiceError({ ...thrown.facts, ...change({ message, description, details }) });
	}
	if (!(thrown instanceof ItemError)) return thrown;
	const text = describeError(thrown);
	const { message, description, details } = { ...text, ...change(text) };
	return new ItemError(message, description, details, thrown.afterSending);
}

/** The same error with other texts in all that it says. Another kind of error becomes an `ItemError` if it changes. */
export function redactError(thrown: unknown, redact: <Value>(value: Value) => Value): unknown {
	if (isServiceError(thrown)) {
		const { message, description, details = {}, correlationId = '' } = thrown.facts;
		const id = correlationId && { correlationId: redact(correlationId) };
		return new ServiceError({
			...thrown.facts,
			...redact({ message, description, details }),
			...id,
		});
	}
	const text = describeError(thrown);
	const redacted = redact(text);
	if (redacted === text) return thrown;
	const { message, description, details } = redacted;
	const afterSending = thrown instanceof ItemError && thrown.afterSending;
	return new ItemError(message, description, details, afterSending);
}

/** The same error with these details first. */
export const withDetails = (thrown: unknown, first: IDataObject) =>
	reword(thrown, ({ details }) => ({ details: { ...first, ...details } }));

/** The same error with a sentence at the end of its description. */
export const withNote = (thrown: unknown, note: string) =>
	reword(thrown, ({ description }) => ({ description: `${description} ${note}` }));

/** Why there is no usable response, with the service's own words if there are any. */
export function reasonOf({ message, details }: ErrorText): string {
	const said = details.serviceMessage ? `The service said: ${String(details.serviceMessage)}` : '';
	return message.includes(said) ? message : `${message}. ${said}`;
}

/** The only place that creates n8n errors. */
export function toNodeError(
	node: INode,
	thrown: unknown,
	itemIndex?: number,
	advice?: string,
): NodeApiError | NodeOperationError {
	const { message, description, details } = describeError(thrown);
	const correlationId =
		details.correlationId && `Correlation ID: ${String(details.correlationId)}.`;
	const shared = {
		message,
		description: [description, correlationId, advice].filter(Boolean).join(' '),
		...(itemIndex === undefined ? {} : { itemIndex }),
	};
	const isOfService =
		isServiceError(thrown) || (thrown instanceof ItemError && thrown.afterSending);
	const error = isOfService
		? new NodeApiError(node, details as JsonObject, { ...shared, ...apiOptions(thrown) })
		: new NodeOperationError(node, message, shared);
	// Set again because n8n rewords messages in which it finds a code such as ECONNREFUSED.
	return Object.assign(error, { message, context: { ...error.context, details } });
}

function apiOptions(thrown: unknown) {
	if (!isServiceError(thrown)) return {};
	const { cause, status, retryAfterMs } = thrown.facts;
	const failure = { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
	return {
		...(status === undefined ? {} : { httpCode: String(status) }),
		...(cause === undefined ? {} : { failure: failure as never }),
	};
}

/**
 * Name of the error for a sign-in that could not be completed, as opposed to one that was refused.
 * It is a name and not a class because n8n wraps errors and keeps only their names.
 */
export const SIGN_IN_UNAVAILABLE = 'SignInUnavailable';

/** No connection was established, so the service has not received the request. */
const NEVER_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
/** TLS fails while it is set up, before any part of the request is sent. Other errors of TLS can come later. */
export const TLS = /CERT|SELF_SIGNED|VERIFY_LEAF|ERR_TLS|HANDSHAKE|PROTOCOL|WRONG_VERSION/;
/** Node.js does not send a header with characters that no header can have. */
const WRONG_HEADER = /^ERR_INVALID_(CHAR|HTTP_TOKEN)$/;

interface Thrown {
	name?: string;
	message?: string;
	code?: string;
	httpCode?: string | null;
	cause?: Thrown;
}

/** n8n threw an error instead of returning a response: what it means for the request. */
export function readNetworkError(thrown: unknown, endpoint: string, host: string): ServiceError {
	const error = (thrown ?? {}) as Thrown;
	const code = error.cause?.code ?? error.code ?? error.httpCode ?? '';

	if (code === 'ERR_CANCELED') return stoppedError(endpoint, { mayHaveActed: true });
	if (TLS.test(code)) {
		// An alert comes from the server, which does not accept n8n's certificate.
		const isCertificate = /CERT|VERIFY_LEAF/.test(code) && !code.includes('ALERT');
		return new ServiceError({
			message: `Could not establish a secure connection to ${host} (${code})`,
			description: `${isCertificate ? "n8n does not accept the service's certificate" : 'The port or the TLS version may be the reason'}. Check 'Base URL'.`,
			endpoint,
			mayHaveActed: false,
			cause: 'configuration-invalid',
		});
	}
	const unavailable = { endpoint, isTransient: true, cause: 'temporarily-unavailable' } as const;
	if (NEVER_REACHED.test(code)) {
		return new ServiceError({
			...unavailable,
			message: `Could not connect to the service at ${host}`,
			description:
				"Check 'Base URL' of the credential and that the service is up, then run the workflow again.",
			details: { code },
			mayHaveActed: false,
		});
	}
	// Also a response that is not HTTP (HPE_INVALID_CONSTANT), or that cannot be unpacked (Z_DATA_ERROR).
	if (/^[A-Z]/.test(code) && !WRONG_HEADER.test(code)) {
		return new ServiceError({
			...unavailable,
			message: TIMED_OUT.test(code)
				? `The service at ${host} did not respond in time`
				: `The connection to ${host} broke before the response was complete (${code})`,
			description: "Run the workflow again. If this persists, contact the service's support.",
			mayHaveActed: true,
		});
	}
	// Other errors occur before the request is sent: the credential rejects the address, signing in fails, the
	// domain is not allowed.
	const isSignInDown = error.cause?.name === SIGN_IN_UNAVAILABLE;
	return new ServiceError({
		...(isSignInDown ? unavailable : { endpoint, cause: 'credential-invalid' }),
		message: error.cause?.message ?? error.message ?? 'The request could not be sent',
		description: isSignInDown
			? 'Run the workflow again later.'
			: 'Open the credential and check its address and authentication.',
		mayHaveActed: false,
	});
}

/** n8n cuts off a running request, which the service may still carry out. */
export function stoppedError(
	endpoint: string,
	{ mayHaveActed }: { mayHaveActed: boolean },
): ServiceError {
	return new ServiceError({
		message: 'The workflow was stopped',
		description: 'Nothing more was sent after that.',
		endpoint,
		mayHaveActed,
	});
}
