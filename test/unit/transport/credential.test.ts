import { ParcelShippingApi } from '../../../credentials/ParcelShippingApi.credentials';
import {
	isSameOrigin,
	type ParcelShippingCredential,
	readBaseUrl,
	signIn,
} from '../../../nodes/ParcelShipping/transport/credential';
import {
	isTransient as mayPass,
	type ItemError,
} from '../../../nodes/ParcelShipping/transport/errors';
import { streamOf } from '../../support/respondingClient';

test.each([
	['https://api.example.com/api/', 'https://api.example.com/api'],
	['  https://api.example.com/v2/api//  ', 'https://api.example.com/v2/api'],
	['http://[::1]:80/api', 'http://[::1]/api'],
])('the Base URL %j is used as %s', (given, base) => {
	expect(readBaseUrl(given)).toBe(base);
});

test.each([
	['https:', ['api.example.com', 'api.example.com/api']],
	['http:', ['127.0.0.1:3040', 'localhost', '10.1.2.3', '172.16.0.1', '192.168.1.5', '[fd00::1]']],
	['http:', ['sandbox:3040', 'printer.local']],
])('a Base URL may begin with %s at %j', (protocol, hosts) => {
	const addresses = hosts.map((host) => `${protocol}//${host}/api`);
	expect(addresses.map(readBaseUrl)).toEqual(addresses);
});

test.each([
	['', /must start with https/],
	[undefined, /must start with https/],
	['api.example.com/api', /must start with https/],
	['ftp://api.example.com', /must start with https/],
	['https://', /must start with https/],
	['http://api.example.com/api', /must start with https/],
	['http://172.32.0.1/api', /must start with https/],
	['http://127.evil.example.com/api', /must start with https/],
	['http://10.example.com/api', /must start with https/],
	['http://localhost.example.com/api', /must start with https/],
	['https://user:secret@api.example.com/api', /^(?!.*secret@).*have no user/],
	['https://api.example.com/api?x=1', /"\?"/],
	['https://api.example.com/api#x', /"#"/],
])('the Base URL %s is refused', (given, message) => {
	expect(() => readBaseUrl(given)).toThrow(message);
});

test.each([
	['https://api.example.com/labels/1.pdf', true],
	['https://API.example.com:443/x', true],
	['https://api.example.com.evil.net/x', false],
	['https://cdn.example.com/x', false],
	['http://api.example.com/x', false],
	['https://api.example.com@evil.net/x', false],
	['/labels/1.pdf', false],
])('the credential may be sent to %s: %s', (target, expected) => {
	const address = readBaseUrl('https://api.example.com/api');
	expect(isSameOrigin(target, address)).toBe(expected);
});

const baseUrl = 'https://api.example.com/api';

/** The request as n8n sends it with this credential. */
async function authenticated(credential: object, request: { url: string }) {
	const { authenticate } = new ParcelShippingApi();
	if (typeof authenticate !== 'function') throw new Error('not a function');
	return await authenticate({ baseUrl, ...credential }, { headers: { Accept: '*' }, ...request });
}

const KEY = 'k%y +&ž';

test.each<[ParcelShippingCredential['authentication'], object, object]>([
	['header', { headerName: 'X-Key', headerValue: KEY }, { headers: { 'X-Key': KEY } }],
	['bearer', { token: KEY }, { headers: { Authorization: `Bearer ${KEY}` } }],
	// The name for a key may be left over from before.
	[
		'signIn',
		{ headerName: 'X-Key', tokenHeaderName: '', sessionToken: KEY },
		{ headers: { Authorization: KEY } },
	],
	['query', { queryName: '', queryValue: KEY }, { qs: { apiKey: KEY } }],
	[
		'basic',
		{ username: 'shop@example.com', password: 'parcels' },
		{ headers: { Authorization: 'Basic c2hvcEBleGFtcGxlLmNvbTpwYXJjZWxz' } },
	],
	// In UTF-8, as browsers send it.
	[
		'basic',
		{ username: 'obchod', password: 'žluť€' },
		{ headers: { Authorization: 'Basic b2JjaG9kOsW+bHXFpeKCrA==' } },
	],
])('the secret (%s, %j) is sent unchanged, and follows no redirect', async (...given) => {
	const [authentication, credential, expected] = given;
	const url = `${baseUrl}/Carrier/Find`;
	const request = await authenticated({ authentication, ...credential }, { url });
	const headers = { Accept: '*', ...(expected as { headers?: object }).headers };
	const noRedirect = {
		...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
	};
	expect(request).toEqual({ url, ...noRedirect, ...expected, headers });
});

test.each<[options: object, message: RegExp]>([
	[{ proxy: { host: 'evil.example.net', port: 80 } }, /the option 'Proxy'/],
	[{ proxy: 'http://evil.example.net' }, /the option 'Proxy'/],
	[{ rejectUnauthorized: false }, /'Ignore SSL Issues'/],
	[{ skipSslCertificateValidation: true }, /'Ignore SSL Issues'/],
	[{ agentOptions: { rejectUnauthorized: false } }, /'Ignore SSL Issues'/],
	[{ agentOptions: { ca: 'mine' } }, /another certificate authority/],
])('no other node can read the secret on its way: %j', async (options, message) => {
	const credential = { authentication: 'header', headerValue: KEY };
	const url = `${baseUrl}/Carrier/Find`;
	await expect(authenticated(credential, { url, ...options })).rejects.toThrow(message);
});

test.each([
	[401, false],
	[429, true],
	[503, true],
	['ETIMEDOUT', true],
	['CERT_HAS_EXPIRED', false],
])('a sign-in that ends with %s may succeed later: %s', async (ending, isTransient) => {
	const httpRequest = async () => {
		if (typeof ending === 'string') throw Object.assign(new Error('no'), { code: ending });
		return { statusCode: ending, headers: {}, body: streamOf(Buffer.from('')) };
	};
	const signingIn = signIn({ helpers: { httpRequest } } as never, { baseUrl } as never);
	const { facts } = (await signingIn.catch((thrown: unknown) => thrown)) as ItemError;
	// The request that needs the token was not sent.
	expect([mayPass(facts), facts.mayHaveActed]).toEqual([isTransient, false]);
});
