import { isRecord, parseJson } from '../records';

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
	/** JSON, or an object if it comes from an expression. */
	signInFields?: unknown;
	sessionToken?: string;
	/** n8n adds these two to every credential. */
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

/** A shorter "secret" could be part of an ordinary word, and redacting it would garble messages. */
const MIN_SECRET_LENGTH = 4;

/** Removes the credential's secrets from a text, in case the service repeated one of them. */
export function redactSecrets(text: string, credential: ParcelShippingCredential): string {
	const { headerValue, token, password, queryValue, sessionToken } = credential;
	const additional = Object.values(readSignInFields(credential) ?? {})
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map(String);
	return [headerValue, token, password, queryValue, sessionToken, ...additional]
		.filter((secret) => secret !== undefined && secret.length >= MIN_SECRET_LENGTH)
		.reduce<string>((redacted, secret) => redacted.replaceAll(secret as string, '***'), text);
}

/** Where the secret is sent, and which field of the credential says so. */
export function secretPlaceOf({
	authentication,
	headerName,
	queryName,
}: ParcelShippingCredential): string {
	const header = `header ${headerName || 'Authorization'}`;
	const places: Readonly<Record<ParcelShippingCredential['authentication'], string>> = {
		header: `${header}. Check 'Header Name'`,
		signIn: `${header}. Check 'Token Header Name'`,
		query: `query parameter ${queryName || 'apiKey'}. Check 'Query Name'`,
		bearer: 'header Authorization',
		basic: 'header Authorization',
	};
	return places[authentication];
}

/** The fields that signing in needs besides user and password. Undefined if they are unreadable. */
export function readSignInFields({
	signInFields,
}: ParcelShippingCredential): Record<string, unknown> | undefined {
	const given = typeof signInFields === 'string' ? signInFields.trim() : (signInFields ?? '');
	const fields = typeof given === 'string' ? parseJson(given || '{}') : given;
	return isRecord(fields) ? fields : undefined;
}

/**
 * Name of the error for a sign-in that could not be completed, as opposed to one that was refused.
 * It is a name and not a class because n8n wraps errors and keeps only their names.
 */
export const SIGN_IN_UNAVAILABLE = 'SignInUnavailable';

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

const EXAMPLE = 'Example: https://api.example.com/api';

/** The address, or one sentence that says why it is not usable. */
export function readBaseUrl(text: unknown): ServiceAddress | { problem: string } {
	const given = typeof text === 'string' ? text.trim() : '';
	if (given === '') return { problem: `The Base URL is empty. ${EXAMPLE}` };

	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		return { problem: `The Base URL is not a web address. ${EXAMPLE}` };
	}
	if (url.username || url.password) {
		return { problem: 'The Base URL contains a user or password. Enter them in their own fields' };
	}
	if (url.search || url.hash) {
		return { problem: 'The Base URL has a part after "?" or "#". It must end with the API path' };
	}
	if (url.protocol === 'http:' && !PRIVATE_HOST.test(url.hostname)) {
		return {
			problem: `The Base URL starts with http://, which would send the secret unencrypted to ${url.hostname}. Use https://. Plain http:// is only allowed for this computer and private networks`,
		};
	}
	return { base: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

/** Whether a request to `target` may carry the secret: only requests to the service's own origin may. */
export function isSameOrigin(target: string, address: ServiceAddress): boolean {
	return URL.canParse(target) && new URL(target).origin === address.origin;
}
