import type { IHttpRequestHelper } from 'n8n-workflow';

import { isRecord, parseJson } from '../records';
import { requestError, SIGN_IN_UNAVAILABLE, TLS } from './errors';
import {
	type BodyStream,
	type HttpResponse,
	readBody,
	serviceMessageOf,
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

/** A number of the credential. Anything else counts as the default. */
export function readLimit(value: unknown, fallback: number, least: number): number {
	const number = String(value ?? '').trim() === '' ? NaN : Number(value);
	return Number.isFinite(number) && number >= least ? number : fallback;
}

/** The checked address of the provider. `base` has no trailing slash. */
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
	const given = String(text ?? '').trim();
	const url = /^https?:\/\//i.test(given) && URL.canParse(given) ? new URL(given) : undefined;
	const { protocol, username, password, search, hash } = url ?? {};
	if (!url || username || password || search || hash) {
		throw addressError(
			'The Base URL must start with https:// and have no user, password, "?" or "#", for example https://api.example.com/api',
		);
	}
	if (protocol === 'http:' && !PRIVATE_HOST.test(url.hostname)) {
		throw addressError(
			`The Base URL starts with http://, which would send the secret unencrypted to ${url.hostname}. Use https://. Plain http:// is only allowed for this computer and private networks`,
		);
	}
	return { base: url.origin + url.pathname.replace(/\/{1,100}$/, ''), origin: url.origin };
}

const addressError = (message: string) =>
	requestError(
		'Parcel Shipping API credential',
		message,
		'Open the credential and correct its Base URL.',
		{ mayHaveActed: false, cause: 'configuration-invalid' },
	);

/** Whether a request to `target` may carry the secret: only requests to the provider's own origin may. */
export function isSameOrigin(target: string, address: ServiceAddress): boolean {
	return URL.canParse(target) && new URL(target).origin === address.origin;
}

const SIGN_IN_MS = 30_000;
const DEFAULT_TOKEN_FIELD = 'token';
const TOKEN_NAMES = ['token', 'authToken', 'access_token'];
const TOKEN_FIELDS = [...TOKEN_NAMES, ...TOKEN_NAMES.map((name) => `result.${name}`)];

/** Exchanges user and password for a token. Nothing of a response that may have the token is in an error. */
export async function signIn(
	{ helpers }: IHttpRequestHelper,
	credential: ParcelShippingCredential,
): Promise<string> {
	const { base } = readBaseUrl(credential.baseUrl);
	const { signInPath = '', userField, passwordField, username, password } = credential;
	const fields = readSignInFields(credential);
	if (!fields) {
		throw new Error(
			'Additional Fields of the credential is not a JSON object. Enter names and values such as {"language": "en"}',
		);
	}
	const deadline = AbortSignal.timeout(SIGN_IN_MS);
	const receive = async () => {
		const response = (await helpers.httpRequest({
			...WHOLE_RESPONSE,
			method: 'POST',
			url: `${base}/${signInPath.replace(/^\/{1,100}/, '')}`,
			body: {
				...fields,
				[userField || 'email']: username,
				[passwordField || 'password']: password,
			},
			json: true,
			timeout: SIGN_IN_MS,
			abortSignal: deadline,
		})) as HttpResponse<BodyStream>;
		const { statusCode, body } = await readBody(response, 'Sign-in', 1);
		return { statusCode, body: parseJson(String(body)) ?? String(body) };
	};
	const failed = ({ code }: Error & { code?: string }) => {
		throw unavailableError(code ?? 'no usable response');
	};
	return readToken(await untilDeadline(deadline, receive()).catch(failed), credential);
}

/** The token of a response, or an error that says why there is none. */
export function readToken(
	{ statusCode, body }: { statusCode: number; body: unknown },
	credential: ParcelShippingCredential,
): string {
	const { signInPath: path = '', tokenField } = credential;
	// If the user chose a field, only that field is read.
	const field = tokenField?.trim() || DEFAULT_TOKEN_FIELD;
	const fields = field === DEFAULT_TOKEN_FIELD ? TOKEN_FIELDS : [field];
	const isSuccess = statusCode >= 200 && statusCode <= 299;
	const token = fields.map((each) => textAt(body, each)).find(Boolean);
	if (isSuccess && token) return token;
	if (statusCode === 429 || statusCode >= 500) throw unavailableError(String(statusCode));
	// A long word may be a token.
	const said = isSuccess ? undefined : serviceMessageOf(body)?.replace(/\S{24,}/g, '***');
	const refusal = `Sign-in at ${path} was refused (${statusCode}).${said ? ` The provider said: ${said}.` : ''} Check the user, the password, 'Sign-In Path' and 'Additional Fields' of the credential`;
	const missing = `The response of ${path} has no token in the field ${fields.map((each) => `"${each}"`).join(' or ')}. Check 'Sign-In Path' and 'Token Field' of the credential`;
	throw new Error(new Secrets(credential).redact(isSuccess ? missing : refusal));
}

/** At a path such as `result.token`. */
function textAt(body: unknown, path: string): string {
	const value = path
		.split('.')
		.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), body);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A sign-in that may succeed later, as opposed to one that was refused. */
function unavailableError(cause: string): Error {
	const error = new Error(`Sign-in failed (${cause})`);
	// Without a trusted certificate, it does not succeed later either.
	return Object.assign(error, TLS.test(cause) ? { code: cause } : { name: SIGN_IN_UNAVAILABLE });
}

/** The fields that signing in needs besides user and password. Undefined if they are unreadable. */
function readSignInFields({
	signInFields,
}: ParcelShippingCredential): Record<string, unknown> | undefined {
	const isText = typeof signInFields === 'string';
	const fields = isText ? parseJson(signInFields.trim() || '{}') : (signInFields ?? {});
	return isRecord(fields) ? fields : undefined;
}

/** A shorter "secret" could be part of an ordinary word, and redacting it would garble messages. */
const MIN_LENGTH = 4;

/**
 * In the data of items, a shorter one or one of digits only could be a name, a city or a part of a tracking number. A
 * shorter additional field of a sign-in is more likely a branch or a year.
 */
const MIN_DATA_LENGTH = 8;

/** Of a secret without spaces that is as long as this, two thirds are enough, in case the provider cut it off. */
const MIN_CUT_LENGTH = 18;

/** Removes the secrets of a credential from texts, in case the provider repeats one of them. */
export class Secrets {
	private readonly inMessages: RegExp;

	private readonly inData: RegExp;

	constructor(credential: ParcelShippingCredential) {
		const { headerValue = '', username = '', password = '' } = credential;
		const additional = Object.values(readSignInFields(credential) ?? {})
			.map((value) => (isRecord(value) ? '' : String(value).trim()))
			.filter(({ length }) => length >= MIN_DATA_LENGTH);
		const secrets = [
			...[headerValue, credential.token, credential.queryValue, credential.sessionToken],
			// A header may have a word before the key, as in "Token abc123".
			headerValue.trim().split(/\s+/).at(-1),
			// Without a password, the user is a key.
			password.trim() || username,
			Buffer.from(`${username}:${password}`).toString('base64'),
			...additional,
		]
			// HTTP removes the spaces around a header. Half of a pair of characters cannot be encoded.
			.map((secret = '') => Buffer.from(secret).toString().trim())
			.filter(({ length }) => length >= MIN_LENGTH);
		this.inMessages = patternOf(secrets);
		this.inData = patternOf(
			secrets.filter((secret) => secret.length >= MIN_DATA_LENGTH && !/^\d+$/.test(secret)),
		);
	}

	/** All texts of a message without secrets, whatever their letter case and encoding is. */
	redact<Value>(value: Value): Value {
		return redactIn(value, this.inMessages);
	}

	/** The data of an item without secrets. A link only loses the parameters that have one. */
	redactData<Value>(value: Value): Value {
		return redactIn(value, this.inData);
	}

	/** An address for another origin without the secret. Undefined if not only its parameters have it. */
	withoutSecret(url: string): string | undefined {
		const without = withoutParameters(url, this.inMessages);
		const decoded = without.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
			String.fromCharCode(parseInt(hex, 16)),
		);
		return `${without} ${decoded}`.search(this.inMessages) === -1 ? without : undefined;
	}
}

function patternOf(secrets: readonly string[]): RegExp {
	const forms = secrets.flatMap((secret) => [
		secret,
		encodeURIComponent(secret),
		// As part of a form, and of JSON.
		new URLSearchParams({ '': secret }).toString().slice(1),
		JSON.stringify(secret).slice(1, -1),
	]);
	const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
	const patterns = [...new Set(forms)]
		// One secret may contain another.
		.sort((a, b) => b.length - a.length)
		.map((form) =>
			form.length < MIN_CUT_LENGTH || /\s/.test(form)
				? escaped(form)
				: `${escaped(form.slice(0, Math.ceil((form.length * 2) / 3)))}[\\w.~+/=%-]*`,
		);
	return new RegExp(patterns.join('|') || '(?!)', 'gi');
}

/** The value with other texts, also those of names. Itself, if the pattern matches nothing in it. */
function redactIn<Value>(value: Value, pattern: RegExp): Value {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	if (text === undefined || text.search(pattern) === -1) return value;
	const redact = (each: unknown): unknown => {
		if (typeof each === 'string') return withoutParameters(each, pattern).replace(pattern, '***');
		if (Array.isArray(each)) return each.map(redact);
		if (!isRecord(each)) return each;
		return Object.fromEntries(Object.entries(each).map((entry) => entry.map(redact)));
	};
	return redact(value) as Value;
}

/** An address without the parameters that have a secret. Any other text as it is. */
function withoutParameters(text: string, pattern: RegExp): string {
	if (!/^https?:/i.test(text) || !URL.canParse(text)) return text;
	const url = new URL(text);
	const before = url.search;
	for (const [name, value] of [...url.searchParams]) {
		if (`${name}=${value}`.search(pattern) !== -1) url.searchParams.delete(name);
	}
	return url.search === before ? text : url.href;
}
