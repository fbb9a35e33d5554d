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
	return secrets
		.filter((secret) => secret.length >= MIN_SECRET_LENGTH)
		.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
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

type Authentication = ParcelShippingCredential['authentication'];

type Secrets = Partial<
	Record<'headerValue' | 'token' | 'queryValue' | 'username' | 'password', string>
>;

/** The fields that contain the secret, with their captions, and the captions of those that say where it is sent. */
const FORM: Readonly<Record<Authentication, { secrets: Secrets; place: string[] }>> = {
	header: { secrets: { headerValue: 'API Key' }, place: ['Authentication', 'Header Name'] },
	bearer: { secrets: { token: 'Token' }, place: ['Authentication'] },
	query: { secrets: { queryValue: 'API Key' }, place: ['Authentication', 'Query Name'] },
	basic: { secrets: { username: 'User', password: 'Password' }, place: ['Authentication'] },
	signIn: {
		secrets: { username: 'User', password: 'Password' },
		place: ['Token Header Name', 'Token Field'],
	},
};

/** What services say if the secret is not where they look for it, but not if it is wrong. */
const NOT_FOUND =
	/^(?!.*(invalid|expired|wrong)).*\b(missing|required|no (api ?key|token)|not (found|present|provided|sent))\b/is;

/** Where a secret was sent that the service refused, and which fields are likely to be wrong. */
export function explainRefusedSecret(
	{ authentication, headerName, tokenHeaderName, queryName }: ParcelShippingCredential,
	serviceMessage = '',
): string {
	const header = { header: headerName, signIn: tokenHeaderName }[String(authentication)];
	const place =
		authentication === 'query'
			? `query parameter ${queryName || 'apiKey'}`
			: `header ${header || 'Authorization'}`;
	const quoted = (captions: string[], word: string) =>
		captions.map((caption) => `'${caption}'`).join(` ${word} `);
	const form = FORM[authentication];
	const fields = quoted(form.place, 'and');
	// A wrong user or password fails the sign-in.
	if (authentication === 'signIn') {
		return `n8n signed in, and sent the token in the ${place}. Check ${fields}.`;
	}
	const sent = `n8n sent the secret in the ${place}.`;
	if (NOT_FOUND.test(serviceMessage)) return `${sent} Check ${fields}.`;
	const captions = Object.values(form.secrets);
	const secrets = quoted(captions, 'or');
	return captions.length > 1
		? `${sent} Most likely, ${secrets} is wrong. If both are right, check ${fields}.`
		: `${sent} Most likely, ${secrets} is wrong, incomplete or expired. If it is right, check ${fields}.`;
}

/** Why the form has nothing to sign in with. Some services take a key as the user, without a password. */
export function emptySecretOf(credential: ParcelShippingCredential): string | undefined {
	const { secrets } = FORM[credential.authentication];
	const names = Object.keys(secrets) as Array<keyof Secrets>;
	if (names.some((name) => (credential[name] ?? '').trim() !== '')) return undefined;
	const captions = Object.values(secrets).join(' and ');
	return `${captions} of the credential ${names.length > 1 ? 'are' : 'is'} empty`;
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
