import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { Bench } from './support/bench';
import { node } from './support/nodes';

let bench: Bench;
beforeAll(async () => {
	bench = await Bench.open();
});
beforeEach(() => bench.sandbox.reset());
afterAll(() => bench.close());

/** Fills in the credential's form as given and presses *Test*. */
async function testCredential(data: Partial<ParcelShippingCredential>) {
	const { id } = await bench.n8n.createCredential({
		name: 'Under test',
		type: 'parcelShippingApi',
		data,
	});
	return await bench.n8n.testCredential(id);
}

const WRONG: Readonly<Record<string, Partial<ParcelShippingCredential>>> = {
	header: { headerValue: 'wr0ng!' },
	bearer: { token: 'wr0ng!' },
	basic: { password: 'wr0ng!' },
	query: { queryValue: 'wr0ng!' },
	signIn: { password: 'wr0ng!' },
};

describe.each(['header', 'bearer', 'basic', 'query', 'signIn'] as const)('With %s', (form) => {
	test('the test of the credential succeeds with the right secret', async () => {
		const result = await testCredential(sandboxCredential(bench.sandbox.url, form));
		expect(result).toEqual({ status: 'OK', message: 'Connection successful!' });
		const asked = bench.sandbox.requests.filter(
			({ operationId }) => operationId === 'findCarriers',
		);
		expect(asked).toHaveLength(1);
		expect(asked[0]).toMatchObject({ method: 'POST', body: {}, status: 200 });
		expect(asked[0]?.headers['content-length']).toBe('2');
	});

	test('a wrong secret is said to be wrong, and not repeated', async () => {
		const data = { ...sandboxCredential(bench.sandbox.url, form), ...WRONG[form] };
		const result = await testCredential(data);
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/refused/);
		expect(JSON.stringify(result)).not.toContain('wr0ng!');
	});
});

describe('A Base URL that is not the service', () => {
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

	test('is named when a web page answers, instead of "Connection successful"', async () => {
		status = 200;
		const result = await testCredential(sandboxCredential(address));
		expect(result.status).toBe('Error');
		expect(result.message).toBe(
			"The response is not from a parcel shipping service. Check that the Base URL ends with the service's API path",
		);
	});

	test('is named when nothing is at that address', async () => {
		status = 404;
		const result = await testCredential(sandboxCredential(address));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/No parcel shipping service at this address/);
	});

	test('is named when the API path is missing', async () => {
		const result = await testCredential(sandboxCredential(bench.sandbox.home));
		expect(result.message).toMatch(/Check that the Base URL ends with the service's API path/);
	});

	test('is refused without asking when the secret would be sent unencrypted', async () => {
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
			credentials: bench.credentials,
		});

	test("may use the credential for the service's addresses", async () => {
		const execution = await bench.run(httpRequest(`${bench.sandbox.url}/Carrier/Services`));
		expect(execution.error).toBeUndefined();
		expect(JSON.stringify(execution.jsonOf('HTTP Request'))).toContain('ANT-HOME');
	});

	test('gets nothing from the credential for another origin, and nothing is sent there', async () => {
		const other = await startSandbox();
		const execution = await bench.run(httpRequest(`${other.url}/Carrier/Services`));
		expect(execution.status).toBe('error');
		expect(JSON.stringify(execution.error)).toContain('This credential can only be used with');
		expect(other.requests).toHaveLength(0);
		await other.close();
	});
});
