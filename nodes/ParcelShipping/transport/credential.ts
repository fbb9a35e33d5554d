import type { IHttpRequestHelper } from 'n8n-workflow';

import { isRecord, parseJson } from '../records';
import { isTransient, ItemError, readNetworkError, requestError, MISCONFIGURED } from './errors';
import {
	type BodyStream,
	type HttpResponse,
	readBody,
	statusError,
	untilDeadline,
	WHOLE_RESPONSE,
} from './response';

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

/** A number of the credential. Anything else counts as the default. */
export function readLimit(value: unknown, fallback: number, least: number): number {
	const number = String(value ?? '').trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) && number >= least ? number : fallback;
}

/** Names and addresses of private networks. A single word, such as the name of a container, is not on the internet. */
const PRIVATE_HOST =
	/^(.+\.)?localhost$|\.(local|internal|lan|home\.arpa)$|^[^.:]+$|^(127|10)(\.\d+){3}$|^(192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}$|^\[(::1\]$|f[cd][0-9a-f]{2}:|fe80:)/i;

/** The address of the provider without a trailing slash. Throws if it is not usable. */
export function readBaseUrl(text: unknown): string {
	const given = String(text ?? '').trim();
	const url = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : undefined;
	const { protocol, username, password, search, hash, hostname = '' } = url ?? {};
	const isProtected = protocol === 'https:' || PRIVATE_HOST.test(hostname);
	if (!url || username || password || search || hash || !isProtected) {
		throw requestError(
			'Credential',
			'The Base URL must start with https:// and have no user, password, "?" or "#"',
			'Open the credential and enter an address such as https://api.example.com/api. http:// would send the secret unencrypted, so it is only allowed for this computer and private networks.',
			MISCONFIGURED,
		);
	}
	return url.origin + url.pathname.replace(/\/{1,100}$/, '');
}

/** Whether a request to `target` may carry the secret: only requests to the provider's own origin may. */
export function isSameOrigin(target: string, base: string): boolean {
	return URL.canParse(target) && new URL(target).origin === new URL(base).origin;
}

const SIGN_IN = 'Sign-in';
const SIGN_IN_MS = 30_000;
const CHECK_SIGN_IN =
	"Check the user, the password, 'Sign-In Path' and 'Additional Fields' of the credential.";
const TOKEN_FIELDS = ['authToken', 'token', 'access_token'];

/** Exchanges user and password for a token. Nothing of a response that may have the token is in an error. */
export async function signIn(
	{ helpers }: IHttpRequestHelper,
	credential: ParcelShippingCredential,
): Promise<string> {
	const base = readBaseUrl(credential.baseUrl);
	const { signInPath = '', username: email, password } = credential;
	const deadline = AbortSignal.timeout(SIGN_IN_MS);
	return await untilDeadline(deadline, async () => {
		const response = (await helpers.httpRequest({
			...WHOLE_RESPONSE,
			method: 'POST',
			url: `${base}/${signInPath.replace(/^\/{1,100}/, '')}`,
			body: { ...readSignInFields(credential), email, password },
			json: true,
			timeout: SIGN_IN_MS,
			abortSignal: deadline,
		})) as HttpResponse<BodyStream>;
		return readToken(await readBody(response, SIGN_IN, 1));
	}).catch((thrown: unknown) => {
		const isKnown = thrown instanceof ItemError;
		const known = isKnown ? thrown : readNetworkError(thrown, SIGN_IN, new URL(base).host);
		// A long word may be a token.
		const message = redactorOf(credential)(known.message).replace(/\S{24,}/g, '***');
		const advice = isTransient(known.facts) ? known.description : CHECK_SIGN_IN;
		// The request that needs the token was not sent.
		const facts = { cause: 'credential-invalid', ...known.facts, mayHaveActed: false } as const;
		throw requestError(SIGN_IN, `Sign-in failed: ${message}`, advice, facts);
	});
}

/** Throws without the words of the provider, which may be the token. */
function readToken(response: HttpResponse): string {
	const { statusCode, body } = response;
	if (statusCode < 200 || statusCode > 299) throw statusError(SIGN_IN, response);
	const sent = parseJson(String(body));
	const places = [sent, isRecord(sent) ? sent.result : undefined].filter(isRecord);
	const token = places.flatMap((place) => TOKEN_FIELDS.map((name) => place[name])).find(Boolean);
	if (typeof token === 'string') return token;
	throw new ItemError(`the response has no "${TOKEN_FIELDS[0]}"`, '');
}

/** The fields that signing in needs besides user and password, such as a language. */
function readSignInFields({ signInFields = {} }: ParcelShippingCredential) {
	const fields = typeof signInFields === 'string' ? parseJson(signInFields) : signInFields;
	return isRecord(fields) ? fields : {};
}

/** A shorter secret could be a city or, of digits only, a part of a tracking number. */
const isLongEnough = (secret: string) => secret.length >= (/^\d+$/.test(secret) ? 10 : 6);

/** A shorter additional field of a sign-in is more likely a language or a branch than a secret. */
const MIN_FIELD_LENGTH = 8;

/** Removes the secrets of a credential from texts and data, in case the provider repeats one. Returns all else as it is. */
export function redactorOf(credential: ParcelShippingCredential): <Value>(value: Value) => Value {
	const { headerValue = '', username = '', password = '' } = credential;
	const additional = Object.values(readSignInFields(credential)).map(String);
	const secrets = [
		...[headerValue, credential.token, credential.queryValue, credential.sessionToken],
		// A header may have a word before the key, as in "Token abc123".
		headerValue.trim().split(/\s+/).at(-1),
		// Without a password, the user is a key.
		password.trim() || username,
		Buffer.from(`${username}:${password}`).toString('base64'),
		...additional.filter(({ length }) => length >= MIN_FIELD_LENGTH),
	]
		// HTTP removes the spaces around a header. Half of a pair of characters cannot be encoded.
		.map((secret = '') => Buffer.from(secret).toString().trim())
		.filter(isLongEnough);
	const pattern = patternOf(secrets);
	const redact = (value: unknown): unknown => {
		if (typeof value === 'string') return value.replace(pattern, '***');
		if (Array.isArray(value)) return value.map(redact);
		if (!isRecord(value)) return value;
		return Object.fromEntries(Object.entries(value).map((entry) => entry.map(redact)));
	};
	return <Value>(value: Value) => {
		const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
		return text.search(pattern) === -1 ? value : (redact(value) as Value);
	};
}

/** Finds the secrets in any letter case and in the encodings of addresses, forms and JSON. */
function patternOf(secrets: readonly string[]): RegExp {
	const forms = secrets.flatMap((secret) => [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
	]);
	// Of a long one, the beginning is enough, in case the provider cut it off.
	const parts = forms.flatMap((form) => [form, /^\S{12}/.exec(form)?.[0] ?? form]);
	const patterns = [...new Set(parts)]
		// One secret may contain another.
		.sort((a, b) => b.length - a.length)
		.map((part) => part.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'));
	return new RegExp(`(${patterns.join('|') || '(?!)'})[\\w.~+/=%-]*`, 'gi');
}
