// Runs after the other tests and checks the requests that the node sent to the sandbox (see
// scripts/test.mjs). Uses another validator than the sandbox, to verify the sandbox's checks too.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import addFormats from 'ajv-formats';
import { omit } from 'lodash';
import OpenAPIBackend, { type Request } from 'openapi-backend';

import { endpoints } from '../../nodes/ParcelShipping/transport/endpoints';
import { routes } from '../../nodes/ParcelShipping/transport/contract.generated';
import { readSeed, type RecordedRequest } from '../../sandbox';

const file = process.env.SANDBOX_REQUESTS;
if (!file) throw new Error('SANDBOX_REQUESTS is not set. Run this test with: npm test');

/** A provider need not have it. The node asks there once, until one of the two paths has worked. */
const secondPath = `/api${endpoints.printLabels.secondPath}`;

const recorded = readFileSync(file, 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as RecordedRequest)
	// The tests of the sandbox send invalid requests on purpose, with another client.
	.filter(({ headers }) => headers['user-agent'] === 'n8n')
	.filter(({ operationId }) => operationId !== 'signIn' && operationId !== 'labelFile')
	.filter(({ operationId, path: at }) => operationId !== null || at !== secondPath);

/** The API key in the query belongs to the credential, not to the contract. */
const credentialQuery = readSeed().credentials.query.name;

const contract = new OpenAPIBackend({
	definition: path.resolve(__dirname, '../../contract/openapi.yaml'),
	ajvOpts: { strict: false },
	customizeAjv: (ajv) => addFormats(ajv as never) as never,
	// Skips validating the definition: it only supports OpenAPI 3.0, and redocly already does it.
	quick: true,
});
beforeAll(() => contract.init());

test('every request that the node sent matches the contract', () => {
	const invalid = recorded.flatMap((request) => {
		const { method, body, headers } = request;
		const query = omit(request.query, credentialQuery);
		const route = request.path.replace(/^\/api/, '');
		// Passes the operation, because openapi-backend finds no path that ends in a slash.
		const sent = { method, path: route, query, body, headers } as Request;
		const { errors } = contract.validateRequest(sent, request.operationId ?? undefined);
		return errors ? [{ method, route, body, errors: errors.map(({ message }) => message) }] : [];
	});
	expect(invalid).toEqual([]);
});

test('the node called every endpoint of the contract', () => {
	const called = new Set(recorded.map(({ operationId }) => operationId));
	const names = Object.keys(routes) as Array<keyof typeof routes>;
	expect(names.filter((name) => !called.has(name))).toEqual([]);
	expect(recorded.length).toBeGreaterThan(names.length);
});
