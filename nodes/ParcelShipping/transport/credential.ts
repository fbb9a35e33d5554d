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
	/** n8n adds these two to every credential. */
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

/** A shorter "secret" could be part of an ordinary word, and redacting it would garble messages. */
const MIN_SECRET_LENGTH = 4;

/** A shorter additional field is more likely a branch or a year, which may also be part of an order number. */
const MIN_ADDITIONAL_LENGTH = 8;

/** Removes the credential's secrets from a text, in case the service repeated one of them. */
export function redactSecrets(text: string, credential: ParcelShippingCredential): string {
	const { headerValue, token, password, queryValue, sessionToken, username = '' } = credential;
	const additional = Object.values(readSignInFields(credential) ?? {})
		.filter((value) => typeof value === 'string' || typeof value === 'number')
		.map((value) => String(value).trim())
		.filter(({ length }) => length >= MIN_ADDITIONAL_LENGTH);
	const basic = Buffer.from(`${username}:${password ?? ''}`).toString('base64');
	// A header may have a word before the key, as in "Token abc123".
	const key = headerValue?.trim().split(/\s+/).at(-1);
	// Without a password, the user is a key.
	const own = password?.trim() || username;
	const given = [headerValue, key, token, own, queryValue, sessionToken, ...additional, basic];
	const secrets = given
		// HTTP removes the spaces around a header.
		.map((secret = '') => secret.trim())
		// As part of an address, or of JSON.
		.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
	return (
		secrets
			.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
			// One secret may contain another.
			.sort((a, b) => b.length - a.length)
			.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text)
	);
}

/** The address without parameters that have the secret, whatever their names are. */
export function withoutSecretInQuery(
	url: string,
	{ authentication, queryValue }: ParcelShippingCredential,
): string {
	const target = new URL(url);
	const withSecret = [...target.searchParams].filter(([, value]) => value === queryValue);
	if (authentication !== 'query' || withSecret.length === 0) return url;
	for (const [name] of withSecret) target.searchParams.delete(name);
	return target.href;
}

/** The fields that signing in needs besides user and password. Undefined if they are unreadable. */
export function readSignInFields({
	signInFields,
}: ParcelShippingCredential): Record<string, unknown> | undefined {
	const given = typeof signInFields === 'string' ? signInFields.trim() : (signInFields ?? '');
	const fields = typeof given === 'string' ? parseJson(given || '{}') : given;
	return isRecord(fields) ? fields : undefined;
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
	return { base: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
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
