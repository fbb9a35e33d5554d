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

const connect = async (token: string): Promise<Client> => {
	const newClient = new Client({ name: 'parcel-shipping-tests', version: '1.0.0' });
	const url = new URL(`${setup.suite.url}/mcp/parcel-shipping`);
	const requestInit = { headers: { Authorization: `Bearer ${token}` } };
	const transport = new StreamableHTTPClientTransport(url, { requestInit });
	// The SDK's types do not support exactOptionalPropertyTypes.
	await newClient.connect(transport as Transport);
	return newClient;
};

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
	client = await connect(secret);
});

afterAll(async () => {
	await client?.close();
	if (workflow) await unpublish(setup, workflow);
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

test('An assistant with a wrong token is rejected', async () => {
	await expect(connect('guessed')).rejects.toThrow(/40[13]|Authorization/);
});

test('An assistant finds seven tools and the parameters of each', async () => {
	const { tools } = await client.listTools();
	const parameters = Object.fromEntries(
		tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]),
	);
	expect(parameters).toEqual({
		List_Carriers: [],
		Get_Services: ['carrierCode'],
		Find_Shipments: ['search'],
		Get_a_Shipment: ['carrierCode', 'shipmentId'],
		Track_a_Shipment: ['carrierCode', 'packageNumber'],
		Preview_a_Shipment: [...Object.keys(order), 'pickupPointCode', 'recipientCompany'].sort(),
		Create_a_Shipment: [...Object.keys(order), 'pickupPointCode', 'recipientCompany'].sort(),
	});
	const create = tools.find(({ name }) => name === 'Create_a_Shipment');
	expect(create?.description).toContain('real, paid shipment');
	expect([...(create?.inputSchema.required ?? [])].sort()).toEqual(Object.keys(order).sort());
});

test('The assistant lists the active carriers and the services of one carrier', async () => {
	const carriers = await callForRecords('List_Carriers');
	expect(carriers.map(({ code }) => code)).toEqual(['ANT', 'BEAVER', 'CRANE', 'SNAIL', 'DODO']);
	const services = await callForRecords('Get_Services', { carrierCode: 'BEAVER' });
	expect(services.map(({ code }) => code)).toEqual(['BEAVER-PARCEL', 'BEAVER-LETTER']);
});

test('The assistant previews a shipment without creating it', async () => {
	const preview = { ...order, orderNumber: 'AI-6' };
	expect(await callForRecords('Preview_a_Shipment', preview)).toMatchObject([
		{ wouldDo: 'create', request: { packageNumberCustom: 'AI-6' } },
	]);
	const wrong = { ...preview, recipientPhone: '777 123 456' };
	expect(await callForRecords('Preview_a_Shipment', wrong)).toMatchObject([
		{ wouldDo: 'refuse', problems: [{ caption: 'Recipient Phone' }] },
	]);
	expect(shipmentsOf('AI-6')).toEqual([]);
});

test('If the assistant creates a shipment twice, only one exists', async () => {
	const [first] = await callForRecords('Create_a_Shipment', order);
	const [second] = await callForRecords('Create_a_Shipment', order);
	expect(first).toMatchObject({ alreadyExisted: false, carrierCode: 'ANT' });
	expect(second).toMatchObject({
		alreadyExisted: true,
		packageNumberCarrier: first?.packageNumberCarrier,
	});
	expect(shipmentsOf('AI-7')).toMatchObject([
		{ packageNumberCarrier: first?.packageNumberCarrier, input: { recZip: '01001', price: 450 } },
	]);
});

test('If the assistant creates a shipment twice at the same time, only one exists', async () => {
	const same = { ...order, orderNumber: 'AI-8' };
	const responses = await Promise.all([
		callForRecords('Create_a_Shipment', same),
		callForRecords('Create_a_Shipment', same),
	]);
	expect(responses.flat().map(({ alreadyExisted }) => alreadyExisted)).toEqual(
		expect.arrayContaining([true, false]),
	);
	expect(shipmentsOf('AI-8')).toHaveLength(1);
});

test('The assistant finds a shipment and tracks it', async () => {
	const [seeded] = setup.sandbox.seedShipments(1, { packageNumberCustom: 'AI-9', hoursAgo: 30 });
	const number = seeded?.packageNumberCarrier;
	const [found] = await callForRecords('Find_Shipments', { search: 'AI-9' });
	expect(found).toMatchObject({ id: seeded?.id, carrierCode: 'ANT' });
	const [detail] = await callForRecords('Get_a_Shipment', {
		carrierCode: 'ANT',
		shipmentId: String(seeded?.id),
	});
	expect(detail).toMatchObject({ packageNumberCarrier: number, recName: 'Recipient 1' });
	const [tracked] = await callForRecords('Track_a_Shipment', {
		carrierCode: 'ANT',
		packageNumber: number,
	});
	expect(tracked).toMatchObject({ packageNumberCarrier: number });
	expect(JSON.stringify(tracked?.events)).toContain('Delivered');
});

test('The assistant gets the reason for a refused shipment, and nothing is created', async () => {
	const response = await callTool('Create_a_Shipment', {
		...order,
		orderNumber: 'AI-10',
		recipientPhone: '777 123 456',
	});
	expect(response).toContain('Recipient Phone');
	expect(response).toContain('a plus sign, the country prefix and digits');
	expect(shipmentsOf('AI-10')).toEqual([]);
});
