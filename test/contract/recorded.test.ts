// Runs after the others, over the requests that the node sent to the sandbox meanwhile (see
// scripts/test.mjs). A validator of its own, so that the sandbox's checks are checked as well.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import addFormats from 'ajv-formats';
import { omit } from 'lodash';
import OpenAPIBackend from 'openapi-backend';

import { endpointOf } from '../../nodes/ParcelShipping/transport/endpoints';
import { routes } from '../../nodes/ParcelShipping/transport/contract.generated';
import { readSeed, type RecordedRequest } from '../../sandbox';

const file = process.env.SANDBOX_REQUESTS;
if (!file) throw new Error('SANDBOX_REQUESTS names no file. Run this test with: npm test');

const recorded = readFileSync(file, 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as RecordedRequest)
	// The sandbox's own tests send wrong requests on purpose, with another client.
	.filter(({ headers }) => headers['user-agent'] === 'n8n')
	.filter(({ operationId }) => operationId !== 'signIn' && operationId !== 'labelFile');

/** A key in the address belongs to the credential, not to the contract. */
const credentialQuery = readSeed().credentials.query.name;

const contract = new OpenAPIBackend({
	definition: path.resolve(__dirname, '../../contract/openapi.yaml'),
	ajvOpts: { strict: false },
	customizeAjv: (ajv) => addFormats(ajv as never) as never,
	// Its check of the definition itself knows OpenAPI 3.0 only; redocly has that part.
	quick: true,
});
beforeAll(() => contract.init());

test('every request that the node sent in the whole suite is one of the contract', () => {
	const wrong = recorded.flatMap((request) => {
		const { method, body, headers } = request;
		const query = omit(request.query, credentialQuery);
		const route = request.path.replace(/^\/api/, '');
		// The endpoint is named, because openapi-backend finds none whose path ends in a slash.
		const { errors } = contract.validateRequest(
			{
				method,
				path: route,
				query: query as Record<string, string>,
				body,
				headers: headers as Record<string, string>,
			},
			request.operationId ?? undefined,
		);
		return errors ? [{ method, route, body, errors: errors.map(({ message }) => message) }] : [];
	});
	expect(wrong).toEqual([]);
});

test('every endpoint of the contract was asked', () => {
	const asked = new Set(recorded.map(({ operationId }) => operationId));
	const names = Object.keys(routes) as Array<keyof typeof routes>;
	expect(names.filter((name) => !asked.has(name))).toEqual([]);
	expect(recorded.length).toBeGreaterThan(names.length);
});

test('the query of label printing is spelt as in the contract', () => {
	const prints = recorded.filter(({ operationId }) => operationId === 'printLabels');
	expect(new Set(prints.map((request) => request.path))).toEqual(
		new Set([`/api${endpointOf('printLabels').path}`]),
	);
	expect(prints.every(({ query }) => query.type === 'pdf' || query.type === 'zpl')).toBe(true);
});
