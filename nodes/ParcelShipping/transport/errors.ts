import {
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

/** The causes that n8n's scheduler acts on. */
type ErrorCause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

/** What is known about a request without a usable response. */
export interface RequestFacts {
	/** The provider may have carried out the request. */
	mayHaveActed: boolean;
	/** The same request may succeed a little later. */
	isTransient?: boolean;
	/** There is nothing at this path, so nothing was done. */
	isMissingEndpoint?: boolean;
	/** Further requests would fail as well. */
	cause?: ErrorCause | undefined;
	status?: number;
	retryAfterMs?: number | undefined;
}

/** What a failed item shows, whether the error is thrown or leaves through the error output. */
export interface ErrorText {
	message: string;
	/** What to do. */
	description: string;
	details: IDataObject;
}

/** Everything that fails: invalid input, a refused item, or a request, which has `facts`. */
export class ItemError extends Error {
	constructor(
		message: string,
		readonly description: string,
		readonly details: IDataObject = {},
		/** Whether something was sent before, as opposed to an error that this node found before that. */
		readonly afterSending = false,
		readonly facts?: RequestFacts,
	) {
		super(message);
		this.name = 'ItemError';
	}
}

/** The error of a request to this endpoint or file. */
export function requestError(
	endpoint: string,
	message: string,
	description: string,
	facts: RequestFacts,
	more: IDataObject = {},
): ItemError {
	const { status: statusCode, retryAfterMs } = facts;
	const details = Object.entries({ ...more, endpoint, statusCode, retryAfterMs });
	const known = details.filter(([, value]) => value !== undefined);
	return new ItemError(message, description, Object.fromEntries(known), true, facts);
}

/** An error of a request, which has a meaning for other requests, too. */
export function isServiceError(error: unknown): error is ItemError & { facts: RequestFacts } {
	return error instanceof ItemError && error.facts !== undefined;
}

/** An error of another kind does not say it, so the provider may have acted. */
export function mayHaveActed(thrown: unknown): boolean {
	return !(thrown instanceof ItemError) || (thrown.facts?.mayHaveActed ?? thrown.afterSending);
}

const statusOf = (error: unknown) => (isServiceError(error) ? (error.facts.status ?? 0) : 0);

export const isNotFound = (error: unknown) => statusOf(error) === 404;

/** Refusals that are about the whole request or about the moment, not about what is in it. */
const OTHER_STATUSES = new Set([401, 403, 407, 408, 429]);

/** Whether the provider certainly refused the request because of what is in it. */
export function isRefusal(failure: unknown): boolean {
	const status = statusOf(failure);
	// Some providers put the reason beside an empty result, with a status of success.
	if (status >= 200 && status < 300) return 'serviceMessage' in (failure as ItemError).details;
	return status >= 400 && status < 500 && !OTHER_STATUSES.has(status);
}

/**
 * A number can make the provider fail with 500, and with it all that are requested together with it. Other server errors
 * are about the provider.
 */
export const isStatus500 = (failure: unknown) => statusOf(failure) === 500;

export const isMissingEndpoint = (error: unknown): error is ItemError =>
	isServiceError(error) && error.facts.isMissingEndpoint === true;

export function describeError(thrown: unknown): ErrorText {
	const { message = String(thrown), description = '' } = thrown as Partial<ItemError>;
	return { message, description, details: thrown instanceof ItemError ? thrown.details : {} };
}

/** The same error with other texts. An error of another kind is not changed. */
export function reword(thrown: unknown, texts: Partial<ErrorText>): unknown {
	if (!(thrown instanceof ItemError)) return thrown;
	const { message, description, details } = { ...describeError(thrown), ...texts };
	return new ItemError(message, description, details, thrown.afterSending, thrown.facts);
}

/** The same error with these details first. */
export const withDetails = (thrown: unknown, first: IDataObject) =>
	reword(thrown, { details: { ...first, ...describeError(thrown).details } });

/** Why there is no usable response, with the provider's own words if there are any. */
export function reasonOf({ message, details }: ErrorText): string {
	const said = details.serviceMessage ? `The provider said: ${String(details.serviceMessage)}` : '';
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
	const { correlationId } = details;
	const id = correlationId && `Correlation ID: ${String(correlationId)}.`;
	const shared = {
		message,
		description: [description, id, advice].filter(Boolean).join(' '),
		...(itemIndex !== undefined && { itemIndex }),
	};
	const { cause, status, retryAfterMs } = (isServiceError(thrown) && thrown.facts) || {};
	const failure = { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
	const error =
		thrown instanceof ItemError && thrown.afterSending
			? new NodeApiError(node, details as JsonObject, {
					...shared,
					...(status !== undefined && { httpCode: String(status) }),
					...(cause !== undefined && { failure: failure as never }),
				})
			: new NodeOperationError(node, message, shared);
	// Set again because n8n rewords messages in which it finds a code such as ECONNREFUSED.
	return Object.assign(error, { message, context: { ...error.context, details } });
}

/**
 * Name of the error for a sign-in that could not be completed, as opposed to one that was refused.
 * It is a name and not a class because n8n wraps errors and keeps only their names.
 */
export const SIGN_IN_UNAVAILABLE = 'SignInUnavailable';

/** No connection was established, so the provider has not received the request. */
const NEVER_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
/** TLS fails while it is set up, before any part of the request is sent. Other errors of TLS can come later. */
export const TLS = /CERT|SELF_SIGNED|VERIFY_LEAF|ERR_TLS|HANDSHAKE|PROTOCOL|WRONG_VERSION/;
/** Node.js does not send a header with characters that no header can have. */
const WRONG_HEADER = /^ERR_INVALID_(CHAR|HTTP_TOKEN)$/;

export const LATER =
	"Run the workflow again later. If this persists, contact the provider's support.";
const NOT_SENT = { mayHaveActed: false } as const;
export const UNAVAILABLE = {
	mayHaveActed: true,
	isTransient: true,
	cause: 'temporarily-unavailable',
} as const;

interface Thrown {
	name?: string;
	message?: string;
	code?: string;
	httpCode?: string | null;
	cause?: Thrown;
}

/** n8n threw an error instead of returning a response: what it means for the request. */
export function readNetworkError(thrown: unknown, endpoint: string, host: string): ItemError {
	const error = (thrown ?? {}) as Thrown;
	const code = error.cause?.code ?? error.code ?? error.httpCode ?? '';
	const fail = (message: string, advice: string, facts: RequestFacts) =>
		requestError(endpoint, message, advice, facts, code ? { code } : {});
	if (code === 'ERR_CANCELED') return stoppedError(endpoint, true);
	if (TLS.test(code)) {
		return fail(
			`Could not establish a secure connection to ${host} (${code})`,
			"Check 'Base URL' of the credential, and with the provider whether its certificate is valid.",
			{ ...NOT_SENT, cause: 'configuration-invalid' },
		);
	}
	if (NEVER_REACHED.test(code)) {
		return fail(
			`Could not connect to the provider at ${host}`,
			`Check 'Base URL' of the credential. ${LATER}`,
			{ ...UNAVAILABLE, ...NOT_SENT },
		);
	}
	if (TIMED_OUT.test(code))
		return fail(`The provider at ${host} did not respond in time`, LATER, UNAVAILABLE);
	// Also a response that is not HTTP (HPE_INVALID_CONSTANT), or that cannot be unpacked (Z_DATA_ERROR).
	if (/^[A-Z]/.test(code) && !WRONG_HEADER.test(code)) {
		const message = `The connection to ${host} broke before the response was complete (${code})`;
		return fail(message, LATER, UNAVAILABLE);
	}
	// Other errors occur before the request is sent: the credential rejects the address, signing in fails, the
	// domain is not allowed.
	const message = error.cause?.message ?? error.message ?? 'The request could not be sent';
	if (error.cause?.name === SIGN_IN_UNAVAILABLE)
		return fail(message, LATER, { ...UNAVAILABLE, ...NOT_SENT });
	const advice = 'Open the credential and check its address and authentication.';
	return fail(message, advice, { ...NOT_SENT, cause: 'credential-invalid' });
}

/** n8n cuts off a running request, which the provider may still carry out. */
export const stoppedError = (endpoint: string, mayAct: boolean) =>
	requestError(endpoint, 'The workflow was stopped', 'Nothing more was sent after that.', {
		mayHaveActed: mayAct,
	});
