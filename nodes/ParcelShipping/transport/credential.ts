import { isRecord, parseJson } from '../records';
import { ServiceError } from './errors';

export const CREDENTIAL_TYPE = 'parcelShippingApi';

/** The fields of `credentials/ParcelShippingApi.credentials.ts`. */
export interface ParcelShippingCredential {
	baseUrl: string;
	authentication: 'header' | 'bearer' | 'basic' | 'query' | 'signIn';
	headerName?: string;
	headerValue?: string;
	token?: string;
	username?: string;
	password?: string;
	queryName?: string;
	queryValue?: string;
	signInPath?: string;
	userField?: string;
	passwordField?: string;
	tokenField?: string;
	tokenHeaderName?: string;
	/** JSON, or an object if it comes from an expression. */
	signInFields?: unknown;
	sessionToken?: string;
	/** An expression can give a text. */
	maxParallelRequests?: unknown;
	/** In seconds. */
	maxRetryWait?: unknown;
	/** n8n adds these two to every credential. */
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

/** The fields that signing in needs besides user and password. Undefined if they are unreadable. */
export function readSignInFields({
	signInFields,
}: ParcelShippingCredential): Record<string, unknown> | undefined {
	const given = typeof signInFields === 'string' ? signInFields.trim() : (signInFields ?? '');
	const fields = typeof given === 'string' ? parseJson(given || '{}') : given;
	return isRecord(fields) ? fields : undefined;
}

/** A number of the credential. Anything else counts as the default. */
export function readLimit(value: unknown, fallback: number, least: number): number {
	const number = String(value ?? '').trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) && number >= least ? number : fallback;
}

/** The checked address of the service. `base` has no trailing slash. */
export interface ServiceAddress {
	base: string;
	origin: string;
}

const PRIVATE_HOST = new RegExp(
	[
		'^([^.]+\\.)*localhost$',
		'\\.(local|internal|lan|home\\.arpa)$',
		'^[^.:]+$', // a single word, such as the name of a container, is not a host on the internet
		'^(127|10)(\\.\\d+){3}$',
		'^(192\\.168|172\\.(1[6-9]|2\\d|3[01]))(\\.\\d+){2}$',
		'^\\[(::1\\]$|f[cd][0-9a-f]{2}:|fe80:)',
	].join('|'),
	'i',
);

/** Throws if the address is not usable. */
export function readBaseUrl(text: unknown): ServiceAddress {
	const given = typeof text === 'string' ? text.trim() : '';
	const url = URL.canParse(given) ? new URL(given) : undefined;
	const { protocol = '', username, password, search, hash } = url ?? {};
	if (!url || !/^https?:$/.test(protocol) || username || password || search || hash) {
		throw addressError(
			'The Base URL must be a web address without a user, a password, "?" or "#". Example: https://api.example.com/api',
		);
	}
	if (protocol === 'http:' && !PRIVATE_HOST.test(url.hostname)) {
		throw addressError(
			`The Base URL starts with http://, which would send the secret unencrypted to ${url.hostname}. Use https://. Plain http:// is only allowed for this computer and private networks`,
		);
	}
	const path = url.pathname.split('/');
	while (path.at(-1) === '') path.pop();
	return { base: url.origin + path.join('/'), origin: url.origin };
}

const addressError = (message: string) =>
	new ServiceError({
		message,
		description: 'Open the credential and correct its Base URL.',
		endpoint: 'Parcel Shipping API credential',
		mayHaveActed: false,
		cause: 'configuration-invalid',
	});

/** Whether a request to `target` may carry the secret: only requests to the service's own origin may. */
export function isSameOrigin(target: string, address: ServiceAddress): boolean {
	return URL.canParse(target) && new URL(target).origin === address.origin;
}
