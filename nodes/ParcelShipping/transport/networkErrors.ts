import { SIGN_IN_UNAVAILABLE } from './credential';
import { ServiceError } from './errors';

/** No connection was established, so the service has not received the request. */
const NEVER_REACHED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const TIMED_OUT = /^(ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
/** TLS fails before any part of the request is sent. */
const TLS = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/;

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
		return new ServiceError({
			message: `Could not establish a secure connection to ${host} (${code})`,
			description: "n8n does not accept the service's certificate. Check the Base URL.",
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
				'Check the Base URL of the credential and that the service is up, then run the workflow again.',
			details: { code },
			mayHaveActed: false,
		});
	}
	if (code.startsWith('E')) {
		return new ServiceError({
			...unavailable,
			message: TIMED_OUT.test(code)
				? `The service at ${host} did not respond in time`
				: `The connection to ${host} broke before the response was complete (${code})`,
			description: "Run the workflow again. If this persists, contact the service's support.",
			mayHaveActed: true,
		});
	}
	// All other errors occur before the request is sent: the credential rejects the address, signing
	// in fails, the domain is not allowed.
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
