import {
	type IDataObject,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

/** What an error says about its request. */
export interface RequestFacts {
	/** The provider may have carried out the request. */
	mayHaveActed: boolean;
	/** The request that failed, unless only an item did. */
	endpoint?: string;
	/** There is nothing at this path, so nothing was done. */
	isMissingEndpoint?: boolean;
	/** Further requests would fail as well, after one of the first two for a while. n8n's scheduler acts on it. */
	cause?:
		| 'rate-limited'
		| 'temporarily-unavailable'
		| 'credential-invalid'
		| 'configuration-invalid';
	status?: number;
	retryAfterMs?: number | undefined;
}

/** Everything that fails: invalid input, a refused item, or a request. */
export class ItemError extends Error {
	override readonly name = 'ItemError';

	constructor(
		message: string,
		/** What to do. */
		readonly description: string,
		readonly details: IDataObject = {},
		readonly facts: RequestFacts = { mayHaveActed: false },
	) {
		super(message);
	}
}

/** What a failed item shows, whether the error is thrown or leaves through the error output. */
export type ErrorText = Pick<ItemError, 'message' | 'description' | 'details'>;

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
	const known = Object.fromEntries(details.filter(([, value]) => value !== undefined));
	return new ItemError(message, description, known, { ...facts, endpoint });
}

/** An error of another kind says nothing, so the provider may have acted. */
export const factsOf = (thrown: unknown): RequestFacts =>
	thrown instanceof ItemError ? thrown.facts : { mayHaveActed: true };

/** Whether the whole request has failed, which has a meaning for other requests, too. */
export const isServiceError = (thrown: unknown): thrown is ItemError =>
	factsOf(thrown).endpoint !== undefined;

export const mayHaveActed = (thrown: unknown) => factsOf(thrown).mayHaveActed;

/** The same request may succeed a little later. */
export const isTransient = ({ cause }: RequestFacts) =>
	cause === 'rate-limited' || cause === 'temporarily-unavailable';

export const isMissingEndpoint = (thrown: unknown) => factsOf(thrown).isMissingEndpoint === true;

export const isNotFound = (thrown: unknown) => factsOf(thrown).status === 404;

/**
 * A number can make the provider fail with 500, and with it all that are requested together with it. Other server errors
 * are about the provider.
 */
export const isStatus500 = (thrown: unknown) => factsOf(thrown).status === 500;

/** Refusals that are about the whole request or about the moment, not about what is in it. */
const OTHER_STATUSES = new Set([401, 403, 407, 408, 429]);

/** Whether the provider certainly refused the request because of what is in it. */
export function isRefusal(thrown: unknown): boolean {
	const { status = 0 } = factsOf(thrown);
	// Some providers put the reason beside an empty result, with a status of success.
	if (status >= 200 && status < 300) return 'serviceMessage' in describeError(thrown).details;
	return status >= 400 && status < 500 && !OTHER_STATUSES.has(status);
}

export function describeError(thrown: unknown): ErrorText {
	const { message = String(thrown), description = '' } = thrown as Partial<ItemError>;
	return { message, description, details: thrown instanceof ItemError ? thrown.details : {} };
}

/** The same error with other texts. */
export function reword(thrown: unknown, texts: Partial<ErrorText>): ItemError {
	const { message, description, details } = { ...describeError(thrown), ...texts };
	return new ItemError(message, description, details, factsOf(thrown));
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
	const { cause, status, retryAfterMs } = factsOf(thrown);
	const error = isServiceError(thrown)
		? new NodeApiError(node, details as JsonObject, {
				...shared,
				...(status !== undefined && { httpCode: String(status) }),
				...(cause && { failure: { cause, retryAfterMs } as never }),
			})
		: new NodeOperationError(node, message, shared);
	// Set again because n8n rewords messages in which it finds a code such as ECONNREFUSED.
	return Object.assign(error, { message, context: { ...error.context, details } });
}

export const LATER =
	"Run the workflow again later. If this persists, contact the provider's support.";
export const UNAVAILABLE = { mayHaveActed: true, cause: 'temporarily-unavailable' } as const;
export const MISCONFIGURED = { mayHaveActed: false, cause: 'configuration-invalid' } as const;
const CHECK_ADDRESS = "Check 'Base URL' of the credential.";
export const NOT_REACHED = { ...UNAVAILABLE, mayHaveActed: false } as const;

/** TLS fails while it is set up, before any part of the request is sent. Other errors of TLS can come later. */
const TLS = /CERT|SELF_SIGNED|VERIFY_LEAF|ERR_TLS|HANDSHAKE|PROTOCOL|WRONG_VERSION/;
/** No connection was established, so the provider has not received the request. */
const NEVER_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
/** Also a response that is not HTTP (HPE_INVALID_CONSTANT). Node.js does not send a header that has these characters. */
const BROKEN = /^(?!ERR_INVALID_(CHAR|HTTP_TOKEN)$)[A-Z]/;

interface Thrown {
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
		const advice = `${CHECK_ADDRESS} If it is right, ask the provider to renew its certificate.`;
		return fail(`Could not establish a secure connection to ${host}`, advice, MISCONFIGURED);
	}
	if (NEVER_REACHED.test(code)) {
		const advice = `${CHECK_ADDRESS} ${LATER}`;
		return fail(`Could not connect to the provider at ${host}`, advice, NOT_REACHED);
	}
	if (TIMED_OUT.test(code))
		return fail(`The provider at ${host} did not respond in time`, LATER, UNAVAILABLE);
	if (BROKEN.test(code))
		return fail(
			`The connection to ${host} broke before the response was complete`,
			LATER,
			UNAVAILABLE,
		);
	// n8n did not send it: the credential rejects the address, or the domain is not allowed.
	const message = error.cause?.message ?? error.message ?? 'The request could not be sent';
	const facts = { mayHaveActed: false, cause: 'credential-invalid' } as const;
	return fail(message, 'Open the credential and check its address and authentication.', facts);
}

/** n8n cuts off a running request, which the provider may still carry out. */
export const stoppedError = (endpoint: string, mayHaveActed: boolean) =>
	requestError(endpoint, 'The workflow was stopped', 'Nothing more was sent.', { mayHaveActed });
