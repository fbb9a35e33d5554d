import { listTexts } from '../lists';
import { isRecord } from '../records';
import {
	type ParcelShippingCredential,
	readSignInFields,
	redactSecrets,
	SIGN_IN_UNAVAILABLE,
} from './credential';
import { messageBeside, messageOf } from './serviceMessage';

const DEFAULT_TOKEN_FIELD = 'token';
const USUAL_TOKEN_FIELDS = [
	'token',
	'authToken',
	'result.token',
	'result.authToken',
	'access_token',
];
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
	const token = isSuccess ? findToken(body, credential) : '';
	if (token !== '') return token;

	const path = credential.signInPath ?? '';
	const message = messageBeside(body) ?? messageOf(body);
	const reason = message ? ` The service said: ${message}.` : '';
	const redact = (text: string) => redactSecrets(text, credential);
	if (statusCode === 429 || statusCode >= 500) {
		throw signInUnavailable(String(statusCode), redact(reason));
	}
	if (!isSuccess) {
		throw new Error(
			redact(
				`Sign-in at ${path} was refused (${statusCode}).${reason} Check the user, the password, the Sign-In Path and the Additional Fields of the credential`,
			),
		);
	}
	throw new Error(
		redact(
			`The response of ${path} has no token ${describePlace(credential)}.${reason}${describeNames(body)} Check the Sign-In Path and the Token Field of the credential`,
		),
	);
}

/** The error for a sign-in that may succeed later, as opposed to one that was refused. */
export function signInUnavailable(cause: string, reason = ''): Error {
	const error = new Error(`Sign-in failed (${cause})${reason && `.${reason.replace(/\.$/, '')}`}`);
	error.name = SIGN_IN_UNAVAILABLE;
	return error;
}

function findToken(body: unknown, credential: ParcelShippingCredential): string {
	return (
		tokenFields(credential)
			.map((path) => readField(body, path))
			.find(Boolean) ?? ''
	);
}

/** Only a field that was chosen is the only one that counts. */
function tokenFields({ tokenField }: ParcelShippingCredential): string[] {
	const field = tokenField?.trim() || DEFAULT_TOKEN_FIELD;
	return field === DEFAULT_TOKEN_FIELD ? USUAL_TOKEN_FIELDS : [field];
}

function describePlace(credential: ParcelShippingCredential): string {
	const fields = tokenFields(credential);
	return fields.length === 1
		? `in the field "${fields[0]}"`
		: `in one of the usual fields (${fields.join(', ')})`;
}

/** The names of the fields that came, and never their values. */
function describeNames(body: unknown): string {
	const names = namesIn(body).flatMap((name) => {
		const inner = namesIn((body as Record<string, unknown>)[name]);
		return inner.length > 0 ? inner.map((innerName) => `${name}.${innerName}`) : [name];
	});
	return names.length > 0 ? ` Its fields are ${listTexts(names, MAX_NAMES)}.` : '';
}

function namesIn(value: unknown): string[] {
	return isRecord(value) ? Object.keys(value) : [];
}

/** Reads a path such as `result.token`. */
function readField(body: unknown, path: string): string {
	const value = path
		.split('.')
		.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], body);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
