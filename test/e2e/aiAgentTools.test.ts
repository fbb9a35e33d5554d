import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import type { StoredWorkflow } from '../../scripts/demo/rest';
import { E2eSetup, storeExample } from './support/e2eSetup';

const secret = randomUUID();
let setup: E2eSetup;
let workflow: StoredWorkflow;
let client: Client;

beforeAll(async () => {
	setup = await E2eSetup.open();
	const { id, name } = await setup.n8n.createCredential({
		name: 'Assistant token',
		type: 'httpBearerAuth',
		data: { token: secret },
	});
	workflow = await storeExample(setup, 'aiAgentTools', (node) =>
		node.name === 'Parcel Shipping MCP Server'
			? { ...node, credentials: { httpBearerAuth: { id, name } } }
			: node,
	);
	await setup.n8n.publish(workflow);
	client = new Client({ name: 'parcel-shipping-tests', version: '1.0.0' });
	const url = new URL(`${setup.suite.url}/mcp/parcel-shipping`);
	const requestInit = { headers: { Authorization: `Bearer ${secret}` } };
	const transport = new StreamableHTTPClientTransport(url, { requestInit });
	// The SDK's types do not support exactOptionalPropertyTypes.
	await client.connect(transport as Transport);
});

afterAll(async () => {
	await client?.close();
	if (workflow) await setup.unpublish(workflow);
	await setup.close();
});

/** Calls a tool and returns the text that the assistant receives. */
const callTool = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
	const { content } = await client.callTool({ name, arguments: args });
	return (content as Array<{ text: string }>).map(({ text }) => text).join('\n');
};

const callForRecords = async (name: string, args: Record<string, unknown> = {}) =>
	JSON.parse(await callTool(name, args)) as Array<Record<string, unknown>>;

const order = {
	carrierCode: 'ANT',
	serviceCode: 'ANT-HOME',
	orderNumber: 'AI-7',
	value: 450,
	recipientName: 'Jana Nováková',
	recipientStreet: 'Dlouhá 12',
	recipientCity: 'Žilina',
	recipientPostalCode: '01001',
	recipientCountry: 'SK',
	recipientPhone: '+421905123456',
	recipientEmail: 'jana@example.com',
};

const shipmentsOf = (orderNumber: string) =>
	setup.sandbox.database.shipments().filter((each) => each.packageNumberCustom === orderNumber);

test('An assistant finds seven tools and the parameters of each', async () => {
	const { tools } = await client.listTools();
	const parameters = Object.fromEntries(
		tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]),
	);
	const ofOrder = [...Object.keys(order), 'pickupPointCode', 'recipientCompany'].sort();
	expect(parameters).toEqual({
		List_Carriers: [],
		Get_Services: ['carrierCode'],
		Find_Shipments: ['search'],
		Get_a_Shipment: ['orderNumber'],
		Track_a_Shipment: ['orderNumber'],
		Preview_a_Shipment: ofOrder,
		Create_a_Shipment: ofOrder,
	});
	const create = tools.find(({ name }) => name === 'Create_a_Shipment');
	expect(create?.description).toContain('real, paid shipment');
	expect([...(create?.inputSchema.required ?? [])].sort()).toEqual(Object.keys(order).sort());
});

test('The assistant gets the reason for a wrong value, a preview creates nothing, a creation one shipment', async () => {
	expect(await callForRecords('Preview_a_Shipment', order)).toMatchObject([
		{ wouldDo: 'create', request: { packageNumberCustom: 'AI-7' } },
	]);
	const wrong = { ...order, recipientPhone: '777 123' };
	expect(await callForRecords('Preview_a_Shipment', wrong)).toMatchObject([
		{ wouldDo: 'refuse', problems: [{ caption: 'Recipient Phone' }] },
	]);
	const refused = await callTool('Create_a_Shipment', wrong);
	expect(refused).toContain(
		'Recipient Phone: expected a number with 9 digits after the prefix +421',
	);
	expect(shipmentsOf('AI-7')).toEqual([]);
	const created = await callForRecords('Create_a_Shipment', order);
	expect(created).toMatchObject([{ alreadyExisted: false }]);
	expect(shipmentsOf('AI-7')).toMatchObject([{ input: { recZip: '01001', price: 450 } }]);
});
