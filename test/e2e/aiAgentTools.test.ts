import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import { useSetup } from './support/e2eSetup';

const setup = useSetup();
const client = new Client({ name: 'parcel-shipping-tests', version: '1.0.0' });

beforeAll(async () => {
	const type = 'httpBearerAuth';
	const token = { name: 'Assistant token', type, data: { token: 'of the assistant' } };
	const { id, name } = await setup.n8n.createCredential(token);
	const workflow = await setup.storeExample('aiAgentTools', (node) =>
		node.name === 'Parcel Shipping MCP Server'
			? { ...node, credentials: { [type]: { id, name } } }
			: node,
	);
	await setup.n8n.publish(workflow);
	const url = new URL(`${setup.suite.url}/mcp/parcel-shipping`);
	const requestInit = { headers: { Authorization: 'Bearer of the assistant' } };
	// The SDK's types do not support exactOptionalPropertyTypes.
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as Transport);
});

afterAll(async () => client.close());

/** Calls a tool and returns the text that the assistant receives. */
const callTool = async (name: string, args: Record<string, unknown>): Promise<string> => {
	const { content } = await client.callTool({ name, arguments: args });
	return (content as Array<{ text: string }>).map(({ text }) => text).join('\n');
};

const callForRecords = async (name: string, args: Record<string, unknown>) =>
	JSON.parse(await callTool(name, args)) as Array<Record<string, unknown>>;

const order = {
	...{ carrierCode: 'ANT', serviceCode: 'ANT-HOME', orderNumber: 'AI-7', value: 450 },
	...{ recipientName: 'Jana Nováková', recipientStreet: 'Dlouhá 12', recipientCity: 'Žilina' },
	...{ recipientPostalCode: '01001', recipientCountry: 'SK' },
	...{ recipientPhone: '+421905123456', recipientEmail: 'jana@example.com' },
};

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
	const shipments = () => setup.sandbox.database.shipments();
	expect(await callForRecords('Preview_a_Shipment', order)).toMatchObject([
		{ wouldDo: 'create', request: { packageNumberCustom: 'AI-7' } },
	]);
	const wrong = { ...order, recipientPhone: '777 123' };
	expect(await callForRecords('Preview_a_Shipment', wrong)).toMatchObject([
		{ wouldDo: 'refuse', problems: [{ caption: 'Recipient Phone' }] },
	]);
	expect(await callTool('Create_a_Shipment', wrong)).toContain(
		'Recipient Phone: expected a number with 9 digits after the calling code +421',
	);
	expect(shipments()).toEqual([]);
	const created = await callForRecords('Create_a_Shipment', order);
	expect(created).toMatchObject([{ alreadyExisted: false }]);
	expect(shipments()).toMatchObject([{ input: { recZip: '01001', price: 450 } }]);
});
