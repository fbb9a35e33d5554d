import { SIGN_IN_UNAVAILABLE } from './credential';
import { ServiceFailure } from './errors';

/** The connection never came about, so the service has seen nothing of the request. */
const NEVER_REACHED = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
]);

const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

interface Thrown {
	name?: string;
	message?: string;
	description?: string | null;
	code?: string;
	httpCode?: string | null;
	cause?: Thrown;
}

/** n8n threw instead of returning an answer: what that says about the request. */
export function readUnanswered(thrown: unknown, endpoint: string, host: string): ServiceFailure {
	const error = (thrown ?? {}) as Thrown;
	const code = error.cause?.code ?? error.code ?? error.httpCode ?? undefined;

	if (code === 'ERR_CANCELED') return stopped(endpoint);
	// TLS refuses before a byte of the request is sent.
	if (code !== undefined && /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
		return new ServiceFailure({
			message: `No secure connection to ${host} (${code})`,
			description: 'The certificate of the service is not accepted. Check the Base URL.',
			endpoint,
			mayHaveActed: false,
			passing: false,
			cause: 'configuration-invalid',
		});
	}
	if (code !== undefined && NEVER_REACHED.has(code)) {
		return new ServiceFailure({
			message: `The service at ${host} can't be reached (${code})`,
			description:
				'Check the Base URL of the credential and that the service is up, then run the workflow again.',
			endpoint,
			mayHaveActed: false,
			passing: true,
			cause: 'temporarily-unavailable',
		});
	}
	if (code !== undefined && /^E/.test(code)) {
		return new ServiceFailure({
			message: TIMED_OUT.has(code)
				? `The service at ${host} did not answer in time`
				: `The connection to ${host} broke before the answer was complete (${code})`,
			description: 'Run the workflow again. If it stays so, the operator of the service can help.',
			endpoint,
			mayHaveActed: true,
			passing: true,
			cause: 'temporarily-unavailable',
		});
	}
	// Everything else is thrown before anything is sent: the credential refused the address, signing
	// in did not work, the domain is not allowed.
	const isPassing = error.cause?.name === SIGN_IN_UNAVAILABLE;
	return new ServiceFailure({
		message: error.cause?.message ?? error.message ?? 'The request could not be sent',
		description: isPassing
			? 'Run the workflow again later.'
			: 'Open the credential and check its address and authentication.',
		endpoint,
		mayHaveActed: false,
		passing: isPassing,
		cause: isPassing ? 'temporarily-unavailable' : 'credential-invalid',
	});
}

export function stopped(endpoint: string): ServiceFailure {
	return new ServiceFailure({
		message: 'The workflow was stopped',
		description: 'Nothing more was sent after that.',
		endpoint,
		// n8n cuts a request under way, and the service may still carry it out.
		mayHaveActed: true,
		passing: false,
	});
}
