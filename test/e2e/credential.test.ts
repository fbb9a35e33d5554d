import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { sandboxCredential } from '../support/credentials';
import { E2eSetup } from './support/e2eSetup';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
beforeEach(async () => setup.reset());
afterAll(() => setup.close());

/** Creates a credential with this data and runs its test. */
async function testCredential(data: Partial<ParcelShippingCredential>) {
	const credential = { name: 'Under test', type: 'parcelShippingApi', data };
	return await setup.n8n.testCredential((await setup.n8n.createCredential(credential)).id);
}

test.each<[ParcelShippingCredential['authentication'], Partial<ParcelShippingCredential>]>([
	['header', { headerValue: 'wr0ng!' }],
	['bearer', { token: 'wr0ng!' }],
	['basic', { password: 'wr0ng!' }],
	['query', { queryValue: 'wr0ng!' }],
	['signIn', { password: 'wr0ng!' }],
])(
	'With %s, the credential test accepts the right secret, and refuses a wrong one without showing it',
	async (authentication, wrong) => {
		const right = sandboxCredential(setup.sandbox.url, authentication);
		expect(await testCredential(right)).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		const refused = await testCredential({ ...right, ...wrong });
		expect(refused).toMatchObject({ status: 'Error', message: expect.stringMatching(/refused/) });
		expect(JSON.stringify(refused)).not.toContain('wr0ng!');
	},
);

test('n8n does not save a credential whose key is empty', async () => {
	const empty = { ...sandboxCredential(setup.sandbox.url), headerValue: '' };
	await expect(testCredential(empty)).rejects.toThrow(/headerValue.* is mandatory/);
});

/** A website that responds to everything with a page. */
const website = createServer((_request, response) => {
	response
		.writeHead(200, { 'content-type': 'text/html' })
		.end('<!doctype html><title>Welcome to our shop</title>');
});
beforeAll(() => once(website.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void website.close());
const websiteUrl = () => `http://127.0.0.1:${(website.address() as AddressInfo).port}`;

const CHECK_PATH = "Check that 'Base URL' ends with the provider's API path";

test.each([
	['a web page responds', websiteUrl, `not from a parcel shipping provider. ${CHECK_PATH}`],
	['the API path is missing', () => setup.sandbox.home, `at this address. ${CHECK_PATH}`],
	[
		'the secret would be sent unencrypted',
		() => 'http://api.example.com/api',
		'must start with https://',
	],
])('The credential test refuses a Base URL if %s', async (_, baseUrl, message) => {
	expect(await testCredential(sandboxCredential(baseUrl()))).toEqual({
		status: 'Error',
		message: expect.stringContaining(message),
	});
});
