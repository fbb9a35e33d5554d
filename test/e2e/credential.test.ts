import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { E2eSetup } from './support/e2eSetup';
import { node } from './support/nodes';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
beforeEach(() => setup.sandbox.reset());
afterAll(() => setup.close());

/** Creates a credential with this data and runs its test. */
async function testCredential(data: Partial<ParcelShippingCredential>) {
	const { id } = await setup.n8n.createCredential({
		name: 'Under test',
		type: 'parcelShippingApi',
		data,
	});
	return await setup.n8n.testCredential(id);
}

const WRONG: Readonly<Record<string, Partial<ParcelShippingCredential>>> = {
	header: { headerValue: 'wr0ng!' },
	bearer: { token: 'wr0ng!' },
	basic: { password: 'wr0ng!' },
	query: { queryValue: 'wr0ng!' },
	signIn: { password: 'wr0ng!' },
};

describe.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)(
	'With %s',
	(authentication) => {
		test('the credential test succeeds with the right secret', async () => {
			const result = await testCredential(sandboxCredential(setup.sandbox.url, authentication));
			expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
			const requests = setup.sandbox.requests.filter(
				({ operationId }) => operationId === 'findCarriers',
			);
			expect(requests).toHaveLength(1);
			expect(requests[0]).toMatchObject({ method: 'POST', body: {}, status: 200 });
			expect(requests[0]?.headers['content-length']).toBe('2');
		});

		test('a wrong secret is reported as refused, and the message does not contain it', async () => {
			const data = {
				...sandboxCredential(setup.sandbox.url, authentication),
				...WRONG[authentication],
			};
			const result = await testCredential(data);
			expect(result.status).toBe('Error');
			expect(result.message).toMatch(/refused/);
			expect(JSON.stringify(result)).not.toContain('wr0ng!');
		});
	},
);

describe('A wrong Base URL', () => {
	let website: Server;
	let address: string;
	let status = 200;
	beforeAll(async () => {
		website = createServer((_request, response) => {
			response
				.writeHead(status, { 'content-type': 'text/html' })
				.end('<!doctype html><title>Welcome to our shop</title>');
		});
		await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
		address = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
	});
	afterAll(() => new Promise((resolve) => website.close(resolve)));

	test('is an error if a web page responds', async () => {
		status = 200;
		const result = await testCredential(sandboxCredential(address));
		expect(result.status).toBe('Error');
		expect(result.message).toBe(
			"The response is not from a parcel shipping service. Check that the Base URL ends with the service's API path",
		);
	});

	test('is an error if the service is not at that address', async () => {
		status = 404;
		const result = await testCredential(sandboxCredential(address));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/No parcel shipping service at this address/);
	});

	test('is an error if the API path is missing', async () => {
		const result = await testCredential(sandboxCredential(setup.sandbox.home));
		expect(result.message).toMatch(/Check that the Base URL ends with the service's API path/);
	});

	test('is rejected without a request if the secret would be sent unencrypted', async () => {
		const result = await testCredential(sandboxCredential('http://api.example.com/api'));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/unencrypted/);
	});
});

describe("n8n's own HTTP Request node", () => {
	const httpRequest = (url: string) =>
		node({
			type: 'n8n-nodes-base.httpRequest',
			name: 'HTTP Request',
			typeVersion: 4.2,
			parameters: {
				method: 'POST',
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'parcelShippingApi',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { carrierCode: "ANT" } }}',
				options: {},
			},
			credentials: setup.credentials,
		});

	test('can use the credential for addresses of the service', async () => {
		const execution = await setup.run(httpRequest(`${setup.sandbox.url}/Carrier/Services`));
		expect(execution.error).toBeUndefined();
		expect(JSON.stringify(execution.jsonOf('HTTP Request'))).toContain('ANT-HOME');
	});

	test('cannot use the credential for another origin, and sends nothing there', async () => {
		const other = await startSandbox();
		const execution = await setup.run(httpRequest(`${other.url}/Carrier/Services`));
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain('This credential can only be used with');
		expect(other.requests).toHaveLength(0);
		await other.close();
	});
});
