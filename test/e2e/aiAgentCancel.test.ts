import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import type { StoredWorkflow } from '../../scripts/demo/rest';
import { E2eSetup } from './support/e2eSetup';
import { storeExample, unpublish } from './support/examples';

const secret = randomUUID();
let setup: E2eSetup;
let workflow: StoredWorkflow;
let client: Client;

/** The tool *Track a Shipment* of the example, made to cancel. */
const CANCEL = {
	resource: 'shipment',
	operation: 'cancel',
	shipments: 'numbers',
	confirm: "={{ $fromAI('confirm', 'Whether the user has agreed to cancel', 'boolean') }}",
};

beforeAll(async () => {
	setup = await E2eSetup.open();
	const { id, name } = await setup.n8n.createCredential({
		name: 'Assistant token',
		type: 'httpBearerAuth',
		data: { token: secret },
	});
	workflow = await storeExample(setup, 'aiAgentTools', (node) => {
		if (node.name === 'Parcel Shipping MCP Server') {
			return { ...node, credentials: { httpBearerAuth: { id, name } } };
		}
		if (node.name !== 'Track a Shipment') return node;
		const parameters = node.parameters as Record<string, unknown>;
		return { ...node, parameters: { ...parameters, ...CANCEL } as typeof node.parameters };
	});
	await setup.n8n.publish(workflow);
	client = new Client({ name: 'parcel-shipping-tests', version: '1.0.0' });
	const url = new URL(`${setup.suite.url}/mcp/parcel-shipping`);
	const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
	// The SDK's types do not support exactOptionalPropertyTypes.
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport);
});

afterAll(async () => {
	await client?.close();
	if (workflow) await unpublish(setup, workflow);
	await setup.close();
});

test('An assistant cancels a shipment only if it confirms', async () => {
	const [shipment] = setup.sandbox.seedShipments(1);
	const cancel = async (confirm: boolean) => {
		const packageNumber = shipment?.packageNumberCarrier;
		const { content } = await client.callTool({
			name: 'Track_a_Shipment',
			arguments: { carrierCode: 'ANT', packageNumber, confirm },
		});
		return JSON.stringify(content);
	};
	const isCanceled = () => setup.sandbox.database.shipments().at(-1)?.canceled;

	expect(await cancel(false)).toContain('Confirm of item 0 is off, so nothing was canceled');
	expect(isCanceled()).toBe(false);
	expect(await cancel(true)).toContain('alreadyCanceled');
	expect(isCanceled()).toBe(true);
});
