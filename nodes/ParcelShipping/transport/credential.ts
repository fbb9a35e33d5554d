/** What `credentials/ParcelShippingApi.credentials.ts` asks for. */
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
	sessionToken?: string;
	/** Added to every credential by n8n. */
	allowedHttpRequestDomains?: 'all' | 'domains' | 'none';
	allowedDomains?: string;
}

/** Below this length a "secret" could be any part of a word, and masking it would garble messages. */
const SHORTEST_SECRET = 4;

/** The text without any of the credential's secrets, should the service have repeated one. */
export function maskSecrets(text: string, credential: ParcelShippingCredential): string {
	const { headerValue, token, password, queryValue, sessionToken } = credential;
	return [headerValue, token, password, queryValue, sessionToken]
		.filter((secret) => secret !== undefined && secret.length >= SHORTEST_SECRET)
		.reduce<string>((masked, secret) => masked.replaceAll(secret as string, '***'), text);
}

/**
 * Name of the error for a sign-in that could not be carried out, as opposed to one that was refused.
 * A name survives n8n's wrapping of errors, a class does not.
 */
export const SIGN_IN_UNAVAILABLE = 'SignInUnavailable';
