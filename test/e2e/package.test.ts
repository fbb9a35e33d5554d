import { readFileSync } from 'node:fs';
import path from 'node:path';

import { E2eSetup } from './support/e2eSetup';
import { node, PARCEL_SHIPPING } from './support/nodes';

let setup: E2eSetup;
beforeAll(async () => {
	setup = await E2eSetup.open();
});
afterAll(() => setup.close());

interface NodeType {
	name: string;
	displayName: string;
}

const nodeTypes = async () => {
	const response = await fetch(`${setup.suite.url}/types/nodes.json`, {
		headers: setup.suite.headers,
	});
	return (await response.json()) as NodeType[];
};

const installed = (file: string) =>
	readFileSync(
		path.join(setup.suite.folder, '.n8n/nodes/node_modules/n8n-nodes-parcel-shipping', file),
		'utf8',
	);

test('n8n lists every node of the installed package under its name', async () => {
	const { n8n } = JSON.parse(installed('package.json')) as { n8n: { nodes: string[] } };
	const own = (await nodeTypes()).filter(({ name }) =>
		name.startsWith('n8n-nodes-parcel-shipping.'),
	);
	// n8n derives the tool for AI agents from the action node itself.
	const names = own.map(({ name }) => name).filter((name) => !name.endsWith('Tool'));
	expect(names).toContain(PARCEL_SHIPPING);
	expect(names).toHaveLength(n8n.nodes.length);
	expect(own.map(({ name }) => name)).toContain(`${PARCEL_SHIPPING}Tool`);
});

test('the installed package contains the built code, not the source folder', () => {
	expect(() => installed('gulpfile.js')).toThrow(/ENOENT/);
	expect(installed('dist/nodes/ParcelShipping/ParcelShipping.node.js')).toContain(
		'exports.ParcelShipping',
	);
});

test('the carrier list contains the carriers of the service', async () => {
	const execution = await setup.run(
		node({
			type: PARCEL_SHIPPING,
			name: 'Carriers',
			parameters: { resource: 'carrier', operation: 'getAll', returnAll: true },
			credentials: setup.credentials,
		}),
	);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	const codes = execution.jsonOf('Carriers').map(({ code }) => code);
	expect(codes).toEqual(setup.sandbox.state().carriers.map(({ code }) => code));
	expect(codes).toContain('ANT');
});
