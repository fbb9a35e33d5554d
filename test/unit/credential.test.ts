import { ParcelShippingApi } from '../../credentials/ParcelShippingApi.credentials';
import {
	isSameOrigin,
	readBaseUrl,
	type ServiceAddress,
} from '../../nodes/ParcelShipping/transport/credential';

test.each([
	['https://api.example.com/api/', 'https://api.example.com/api'],
	['  https://api.example.com/v2/api//  ', 'https://api.example.com/v2/api'],
	['http://[::1]:80/api', 'http://[::1]/api'],
])('the Base URL %j is used as %s', (given, base) => {
	expect(readBaseUrl(given)).toMatchObject({ base });
});

test.each([
	['https:', ['api.example.com', 'api.example.com/api']],
	['http:', ['127.0.0.1:3040', 'localhost', '10.1.2.3', '172.16.0.1', '192.168.1.5', '[fd00::1]']],
	['http:', ['sandbox:3040', 'printer.local']],
])('a Base URL may begin with %s at %j', (protocol, hosts) => {
	const addresses = hosts.map((host) => `${protocol}//${host}/api`);
	expect(addresses.map(readBaseUrl)).toMatchObject(addresses.map((base) => ({ base })));
});

test.each([
	['', /is empty/],
	[undefined, /is empty/],
	['api.example.com/api', /not a web address/],
	['ftp://api.example.com', /not a web address/],
	['http://api.example.com/api', /unencrypted to api\.example\.com/],
	['http://172.32.0.1/api', /unencrypted/],
	['http://127.evil.example.com/api', /unencrypted/],
	['http://10.example.com/api', /unencrypted/],
	['http://localhost.example.com/api', /unencrypted/],
	['https://user:secret@api.example.com/api', /^(?!.*secret@).*user or password/],
	['https://api.example.com/api?x=1', /after "\?"/],
])('the Base URL %s is refused', (given, message) => {
	expect(readBaseUrl(given)).toMatchObject({ problem: expect.stringMatching(message) });
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
	const address = readBaseUrl('https://api.example.com/api') as ServiceAddress;
	expect(isSameOrigin(target, address)).toBe(expected);
});

test.each([
	['shop@example.com', 'parcels', 'c2hvcEBleGFtcGxlLmNvbTpwYXJjZWxz'],
	// In UTF-8, as browsers send it.
	['obchod', 'žluť€', 'b2JjaG9kOsW+bHXFpeKCrA=='],
])('User and Password "%s" and "%s" are sent as %s', async (username, password, expected) => {
	const baseUrl = 'https://api.example.com/api';
	const credential = { baseUrl, authentication: 'basic', username, password };
	const { authenticate } = new ParcelShippingApi();
	if (typeof authenticate !== 'function') throw new Error('not a function');
	const { headers } = await authenticate(credential, { url: `${baseUrl}/Carrier/Find` });
	expect(headers).toMatchObject({ Authorization: `Basic ${expected}` });
});
