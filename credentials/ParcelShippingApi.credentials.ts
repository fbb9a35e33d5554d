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
	signIn,
} from '../nodes/ParcelShipping/transport/credential';

const shownFor = (...authentication: Authentication[]) => ({ show: { authentication } });

type Authentication = ParcelShippingCredential['authentication'];

const nameField = (
	authentication: Authentication,
	displayName: string,
	name: string,
	usual: string,
	description: string,
): INodeProperties => ({
	...{ displayName, name, type: 'string', default: usual, placeholder: `e.g. ${usual}` },
	...{ description, displayOptions: shownFor(authentication) },
});

const secretField = (
	authentication: Authentication,
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	...{ displayName, name, type: 'string', typeOptions: { password: true }, default: '' },
	...{ required: true, description, displayOptions: shownFor(authentication) },
});

/** How the provider wants to be asked for a token. */
const signInProperties: INodeProperties[] = [
	nameField(
		'signIn',
		'Sign-In Path',
		'signInPath',
		'/Account/Login',
		"Path, relative to 'Base URL', of the request that returns a token",
	),
	{
		displayName: 'Additional Fields',
		name: 'signInFields',
		type: 'json',
		// n8n shows the names, and hides the values once they are saved.
		typeOptions: { redactJsonLeaves: true },
		default: '{}',
		placeholder: 'e.g. { "language": "en" }',
		description: 'JSON with more fields that the request for a token needs, such as a language',
		displayOptions: shownFor('signIn'),
	},
	nameField(
		'signIn',
		'Token Header Name',
		'tokenHeaderName',
		'Authorization',
		'Name of the header that contains the token in later requests',
	),
];

const CHECK_BASE_URL = "Check that 'Base URL' ends with the provider's API path";
const REFUSED =
	"The provider refused the credential. Most likely, the secret is wrong, incomplete or expired. If it is right, check 'Authentication' and the name of the header or query parameter";
const NOT_ALLOWED =
	"The provider accepts the credential, but does not allow the account to list carriers. Ask the provider's support to allow it";
const NOT_FOUND = `No parcel shipping provider at this address. ${CHECK_BASE_URL}`;

/** The messages that n8n shows when the credential test fails. */
const TEST_RULES = [
	{ type: 'responseCode' as const, properties: { value: 401, message: REFUSED } },
	{ type: 'responseCode' as const, properties: { value: 403, message: NOT_ALLOWED } },
	{ type: 'responseCode' as const, properties: { value: 404, message: NOT_FOUND } },
	{ type: 'responseCode' as const, properties: { value: 405, message: NOT_FOUND } },
	{
		type: 'responseSuccessBody' as const,
		properties: {
			key: 'result',
			value: undefined,
			message: `The response is not from a parcel shipping provider. ${CHECK_BASE_URL}`,
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
			description: 'Address of the provider, including its API path',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			default: 'header',
			description: 'The authentication method of the provider. Ask the provider for it.',
			options: [
				{ name: 'API Key in Header', value: 'header', description: 'Send a key in a header' },
				{
					name: 'API Key in Query',
					value: 'query',
					description: 'Send a key as a query parameter',
				},
				{ name: 'Bearer Token', value: 'bearer', description: 'Send a token that does not change' },
				{ name: 'Sign In', value: 'signIn', description: 'Exchange user and password for a token' },
				{ name: 'User and Password', value: 'basic', description: 'Send both with every request' },
			],
		},
		nameField('header', 'Header Name', 'headerName', 'X-Api-Key', 'Header that contains the key'),
		secretField(
			'header',
			'API Key',
			'headerValue',
			'The key, with a prefix if the provider requires one',
		),
		secretField('bearer', 'Token', 'token', 'The token, without the word Bearer'),
		nameField('query', 'Query Name', 'queryName', 'apiKey', 'Parameter that contains the key'),
		secretField('query', 'API Key', 'queryValue', 'The key'),
		{
			displayName: 'User',
			name: 'username',
			type: 'string',
			default: '',
			placeholder: 'e.g. shop@example.com',
			description: 'User name or email address to sign in with',
			displayOptions: shownFor('basic', 'signIn'),
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The password of the user',
			displayOptions: shownFor('basic', 'signIn'),
		},
		...signInProperties,
		{
			displayName: 'Max Parallel Requests',
			name: 'maxParallelRequests',
			type: 'number',
			default: 4,
			typeOptions: { minValue: 1, maxValue: 20 },
			description: 'Maximum number of parallel requests. Lower it if the provider refuses so many.',
		},
		{
			displayName: 'Max Retry Wait',
			name: 'maxRetryWait',
			type: 'number',
			default: 60,
			typeOptions: { minValue: 0 },
			description:
				'Maximum total time in seconds to wait and retry a request when the provider is rate-limiting or unreachable. 0 disables retries. The trigger never waits: its next poll retries.',
		},
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	/** n8n runs this if the token is empty, and again after the provider refused the token. */
	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		const credential = credentials as unknown as ParcelShippingCredential;
		if (credential.authentication !== 'signIn') return {};
		return { sessionToken: await signIn(this, credential) };
	}

	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const credential = credentials as unknown as ParcelShippingCredential;
		refuseOtherOrigins(requestOptions, readBaseUrl(credential.baseUrl));
		refuseDetours(requestOptions);
		// A followed redirect would send the secret to another address. The last two are the options of n8n's
		// older request function, which the HTTP Request node uses. It follows if either of them is true.
		const none = { disableFollowRedirect: true, followRedirect: false, followAllRedirects: false };
		const secret = ADD_SECRET[credential.authentication](credential, requestOptions);
		return { ...requestOptions, ...secret, ...none };
	};

	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
			url: '/Carrier/Find',
			headers: { 'Content-Type': 'application/json' },
			// As text, because n8n leaves out a body that is an empty object.
			body: '{}',
		},
		// n8n accepts both kinds of rules in one list, but its type allows only one kind.
		rules: TEST_RULES as NonNullable<ICredentialTestRequest['rules']>,
	};
}

type AddSecret = (
	credential: ParcelShippingCredential,
	request: IHttpRequestOptions,
) => Partial<IHttpRequestOptions>;

const inHeader = (request: IHttpRequestOptions, name: string | undefined, value: string) => ({
	headers: { ...request.headers, [name || 'Authorization']: value },
});

const ADD_SECRET: Readonly<Record<Authentication, AddSecret>> = {
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
	signIn: ({ tokenHeaderName, sessionToken }, request) =>
		inHeader(request, tokenHeaderName, sessionToken ?? ''),
};

/** Other nodes can use this credential with any address. The secret must not go to other origins. */
function refuseOtherOrigins(request: IHttpRequestOptions, base: string): void {
	const url = request.url ?? (request as { uri?: string }).uri ?? '';
	const target = URL.canParse(url) ? url : `${request.baseURL ?? ''}${url}`;
	if (isSameOrigin(target, base)) return;
	throw new Error(
		`This credential can only be used with ${new URL(base).origin}. Use addresses that start with its 'Base URL'`,
	);
}

/** Through a proxy of its own, or with a certificate that is not checked, another node could read the secret. */
function refuseDetours(request: IHttpRequestOptions): void {
	const options = request as IHttpRequestOptions & Partial<Record<string, unknown>>;
	const { proxy, skipSslCertificateValidation, rejectUnauthorized, agentOptions } = options;
	const agent = (agentOptions ?? {}) as { rejectUnauthorized?: unknown; ca?: unknown };
	const isUnchecked =
		[rejectUnauthorized, agent.rejectUnauthorized].includes(false) ||
		Boolean(skipSslCertificateValidation || agent.ca);
	if (!proxy && !isUnchecked) return;
	throw new Error(
		`This credential cannot be used with ${proxy ? "the option 'Proxy'" : "'Ignore SSL Issues' or with another certificate authority"}, because the secret could be read on its way. A proxy of the whole n8n installation works`,
	);
}
