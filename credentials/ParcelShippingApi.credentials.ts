import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import {
	isSameOrigin,
	type ParcelShippingCredential,
	readBaseUrl,
	type ServiceAddress,
	SIGN_IN_UNAVAILABLE,
} from '../nodes/ParcelShipping/transport/credential';

const shownFor = (...authentication: Array<ParcelShippingCredential['authentication']>) => ({
	show: { authentication },
});

/** How the service calls things when one signs in: names and a path, no secrets, so not masked. */
const signInFields: INodeProperties[] = [
	{
		displayName: 'Sign-In Path',
		name: 'signInPath',
		type: 'string',
		default: '/Account/Login',
		placeholder: 'e.g. /Account/Login',
		description: 'Path after the Base URL that gives a token for user and password',
		displayOptions: shownFor('signIn'),
	},
	{
		displayName: 'User Field',
		name: 'userField',
		type: 'string',
		default: 'email',
		placeholder: 'e.g. email',
		description: 'What the service calls the user when signing in',
		displayOptions: shownFor('signIn'),
	},
	{
		displayName: 'Password Field',
		name: 'passwordField',
		type: 'string',
		default: 'password',
		placeholder: 'e.g. password',
		description: 'What the service calls the password when signing in',
		displayOptions: shownFor('signIn'),
	},
	{
		displayName: 'Token Field',
		name: 'tokenField',
		type: 'string',
		default: 'token',
		placeholder: 'e.g. result.token',
		description: 'Where the answer to signing in holds the token. Dots lead into nested fields.',
		displayOptions: shownFor('signIn'),
	},
	{
		displayName: 'Token Header Name',
		name: 'headerName',
		type: 'string',
		default: 'Authorization',
		placeholder: 'e.g. Authorization',
		description: 'Name of the header that holds the token afterwards',
		displayOptions: shownFor('signIn'),
	},
];

const REFUSED =
	'The service refused the credential. Check its secret and the form of authentication';
const NOT_THERE =
	'There is no parcel service at this address. Check that the Base URL ends with its api path';

/** What an answer to the test means for someone who fills in the credential. */
const TEST_RULES = [
	{ type: 'responseCode' as const, properties: { value: 401, message: REFUSED } },
	{ type: 'responseCode' as const, properties: { value: 403, message: REFUSED } },
	{ type: 'responseCode' as const, properties: { value: 404, message: NOT_THERE } },
	{ type: 'responseCode' as const, properties: { value: 405, message: NOT_THERE } },
	{
		type: 'responseSuccessBody' as const,
		properties: {
			key: 'result',
			value: undefined,
			message:
				'Something answered, but not the parcel service. Check that the Base URL ends with its api path',
		},
	},
];

export class ParcelShippingApi implements ICredentialType {
	name = 'parcelShippingApi';

	displayName = 'Parcel Shipping API';

	icon = {
		light: 'file:../icons/parcelShipping.svg',
		dark: 'file:../icons/parcelShipping.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/parcel-shipping/n8n-nodes-parcel-shipping/blob/main/README.md#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/api',
			description: 'Address of the service, up to and including its api path',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			default: 'header',
			description: 'How the service recognises you. Its operator tells which form applies.',
			options: [
				{
					name: 'API Key in a Header',
					value: 'header',
					description: 'A key in a header of your choice',
				},
				{
					name: 'API Key in the Address',
					value: 'query',
					description: 'A key as a query parameter',
				},
				{ name: 'Bearer Token', value: 'bearer', description: 'A token that does not change' },
				{ name: 'Sign In', value: 'signIn', description: 'User and password, changed for a token' },
				{
					name: 'User and Password',
					value: 'basic',
					description: 'Sent with every request (basic authentication)',
				},
			],
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'X-Api-Key',
			placeholder: 'e.g. X-Api-Key',
			description: 'Name of the header that holds the key',
			displayOptions: shownFor('header'),
		},
		{
			displayName: 'Header Value',
			name: 'headerValue',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The key, with a prefix where the service asks for one',
			displayOptions: shownFor('header'),
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The token, without the word Bearer',
			displayOptions: shownFor('bearer'),
		},
		{
			displayName: 'Query Name',
			name: 'queryName',
			type: 'string',
			default: 'apiKey',
			placeholder: 'e.g. apiKey',
			description: 'Name of the query parameter that holds the key',
			displayOptions: shownFor('query'),
		},
		{
			displayName: 'Query Value',
			name: 'queryValue',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The key',
			displayOptions: shownFor('query'),
		},
		{
			displayName: 'User',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. shop@example.com',
			description: 'Name or e-mail address you sign in with',
			displayOptions: shownFor('basic', 'signIn'),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The password of that user',
			displayOptions: shownFor('basic', 'signIn'),
		},
		...signInFields,
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/** n8n runs it where the token is empty, and once more where the service refused it. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const credential = credentials as unknown as ParcelShippingCredential;
		if (credential.authentication !== 'signIn') return {};
		const { base } = addressOf(credential);

		const path = credential.signInPath ?? '';
		const response = (await this.helpers
			.httpRequest({
				method: 'POST',
				url: `${base}/${path.replace(/^\/+/, '')}`,
				body: {
					[credential.userField || 'email']: credential.username,
					[credential.passwordField || 'password']: credential.password,
				},
				json: true,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 30_000,
			})
			.catch((error: Error & { code?: string }) => {
				throw signInUnavailable(error.code ?? 'no connection');
			})) as { statusCode: number; body: unknown };

		const { statusCode } = response;
		if (statusCode === 429 || statusCode >= 500) throw signInUnavailable(String(statusCode));
		if (statusCode < 200 || statusCode > 299) {
			throw new Error(
				`Signing in at ${path} was refused (${statusCode}). Check user, password and the Sign-In Path of the credential`,
			);
		}
		const sessionToken = readField(response.body, credential.tokenField || 'token');
		if (!sessionToken) {
			throw new Error(
				`Signing in at ${path} gave no token in the field "${credential.tokenField}". Check the Token Field of the credential`,
			);
		}
		return { sessionToken };
	}

	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const credential = credentials as unknown as ParcelShippingCredential;
		refuseOtherOrigins(requestOptions, addressOf(credential));
		const withSecret: IHttpRequestOptions & { followRedirect: boolean } = {
			...requestOptions,
			...SECRETS[credential.authentication](credential, requestOptions),
			// Headers of one's own go along to wherever a redirect leads, so none is followed; in the
			// second spelling for nodes that still use n8n's older request function.
			disableFollowRedirect: true,
			followRedirect: false,
		};
		return withSecret;
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/Carrier/Find',
			headers: { 'Content-Type': 'application/json' },
			// As text: of an empty object, n8n would send nothing at all.
			body: '{}',
		},
		// n8n reads the two kinds side by side; its type knows only one kind at a time.
		rules: TEST_RULES as NonNullable<ICredentialTestRequest['rules']>,
	};
}

type PutSecret = (
	credential: ParcelShippingCredential,
	request: IHttpRequestOptions,
) => Partial<IHttpRequestOptions>;

const inHeader = (request: IHttpRequestOptions, name: string | undefined, value: string) => ({
	headers: { ...request.headers, [name || 'Authorization']: value },
});

const SECRETS: Readonly<Record<ParcelShippingCredential['authentication'], PutSecret>> = {
	header: ({ headerName, headerValue }, request) =>
		inHeader(request, headerName, headerValue ?? ''),
	bearer: ({ token }, request) => inHeader(request, 'Authorization', `Bearer ${token}`),
	basic: ({ username, password }, request) =>
		inHeader(
			request,
			'Authorization',
			`Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
		),
	query: ({ queryName, queryValue }, request) => ({
		qs: { ...request.qs, [queryName || 'apiKey']: queryValue },
	}),
	signIn: ({ headerName, sessionToken }, request) =>
		inHeader(request, headerName, sessionToken ?? ''),
};

function addressOf(credential: ParcelShippingCredential): ServiceAddress {
	const address = readBaseUrl(credential.baseUrl);
	if ('problem' in address) throw new Error(address.problem);
	return address;
}

/** The HTTP Request node sends wherever it is told to; the secret of this credential does not. */
function refuseOtherOrigins(request: IHttpRequestOptions, address: ServiceAddress): void {
	const url = request.url ?? (request as { uri?: string }).uri ?? '';
	const target = URL.canParse(url) ? url : `${request.baseURL ?? ''}${url}`;
	if (isSameOrigin(target, address)) return;
	throw new Error(
		`This credential is for ${address.origin} only; the request goes elsewhere. Use it with addresses that begin with its Base URL`,
	);
}

function signInUnavailable(reason: string): Error {
	const error = new Error(`Signing in did not get through (${reason})`);
	error.name = SIGN_IN_UNAVAILABLE;
	return error;
}

/** `result.token` of `{ result: { token: 'abc' } }`. */
function readField(body: unknown, path: string): string {
	const value = path
		.split('.')
		.reduce<unknown>((inner, key) => (inner as IDataObject | undefined)?.[key], body);
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
