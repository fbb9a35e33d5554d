import { listTexts } from '../lists';
import { isRecord } from '../records';
import { type ParcelShippingCredential, readSignInFields } from './credential';
import { SIGN_IN_UNAVAILABLE, TLS } from './errors';
import { Secrets } from './secrets';
import { serviceMessageOf } from './serviceMessage';

const DEFAULT_TOKEN_FIELD = 'token';
const TOKEN_FIELDS = ['', 'result.'].flatMap((path) =>
	['token', 'authToken', 'access_token'].map((name) => `${path}${name}`),
);
const MAX_NAMES = 8;

/** The request that exchanges user and password for a token. */
export function signInRequest(credential: ParcelShippingCredential): {
	path: string;
	body: object;
} {
	const { signInPath = '', userField, passwordField, username, password } = credential;
	const fields = readSignInFields(credential);
	if (!fields) {
		throw new Error(
			'Additional Fields of the credential is not a JSON object. Enter names and values such as {"language": "en"}',
		);
	}
	return {
		path: `/${signInPath.replace(/^\/+/, '')}`,
		body: {
			...fields,
			[userField || 'email']: username,
			[passwordField || 'password']: password,
		},
	};
}

/** The token of a response, or an error that says why there is none. */
export function readToken(
	{ statusCode, body }: { statusCode: number; body: unknown },
	credential: ParcelShippingCredential,
): string {
	const isSuccess = statusCode >= 200 && statusCode <= 299;
	const fields = tokenFields(credential);
	const token = fields.map((field) => readField(body, field)).find(Boolean);
	if (isSuccess && token) return token;

	const path = credential.signInPath ?? '';
	if (statusCode === 429 || statusCode >= 500) throw signInUnavailable(String(statusCode));
	const names = fields.map((field) => `"${field}"`).join(' or ');
	const problem = isSuccess
		? `The response of ${path} has no token in the field ${names}.${describeNames(body)} Check 'Sign-In Path' and 'Token Field' of the credential`
		: `Sign-in at ${path} was refused (${statusCode}).${describeRefusal(body)} Check the user, the password, 'Sign-In Path' and 'Additional Fields' of the credential`;
	throw new Error(new Secrets(credential).redact(problem));
}

/** What the provider says about a refusal. A long word may be a token. */
function describeRefusal(body: unknown): string {
	const message = serviceMessageOf(body)?.replace(/\S{24,}/g, '***');
	return message ? ` The service said: ${message}.` : '';
}

/** The error for a sign-in that may succeed later, as opposed to one that was refused. */
export function signInUnavailable(cause: string): Error {
	const error = new Error(`Sign-in failed (${cause})`);
	// Without a trusted certificate, it does not succeed later either.
	if (TLS.test(cause)) return Object.assign(error, { code: cause });
	error.name = SIGN_IN_UNAVAILABLE;
	return error;
}

/** If the user chose a field, only that field is read. */
function tokenFields({ tokenField }: ParcelShippingCredential): string[] {
	const field = tokenField?.trim() || DEFAULT_TOKEN_FIELD;
	return field === DEFAULT_TOKEN_FIELD ? TOKEN_FIELDS : [field];
}

/** A name that looks like a word. Anything else may be the token. */
const WORD = /^[A-Za-z_]{1,30}$/;

/** The names of the fields that came. Their values may have the token. */
function describeNames(body: unknown): string {
	const namesIn = (value: unknown) =>
		isRecord(value) ? Object.keys(value).filter((name) => WORD.test(name)) : [];
	const names = namesIn(body).flatMap((name) => {
		const inner = namesIn((body as Record<string, unknown>)[name]);
		return inner.length > 0 ? inner.map((innerName) => `${name}.${innerName}`) : [name];
	});
	return names.length > 0 ? ` Its fields are ${listTexts(names, MAX_NAMES)}.` : '';
}

/** Reads a path such as `result.token`. */
function readField(body: unknown, path: string): string {
	const value = path
		.split('.')
		.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], body);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
