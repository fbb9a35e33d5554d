import { randomUUID } from 'node:crypto';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

import type { StoredWorkflow } from '../../scripts/demo/rest';
import { Bench } from './support/bench';
import { storeExample, unpublish } from './support/examples';

const secret = randomUUID();
let bench: Bench;
let workflow: StoredWorkflow;
let client: Client;

const connect = async (token: string): Promise<Client> => {
	const connecting = new Client({ name: 'parcel-shipping-tests', version: '1.0.0' });
	const url = new URL(`${bench.suite.url}/mcp/parcel-shipping`);
	const requestInit = { headers: { Authorization: `Bearer ${token}` } };
	const transport = new StreamableHTTPClientTransport(url, { requestInit });
	// The SDK's types are not made for exactOptionalPropertyTypes.
	await connecting.connect(transport as Transport);
	return connecting;
};

beforeAll(async () => {
	bench = await Bench.open();
	const { id, name } = await bench.n8n.createCredential({
		name: 'Secret of the assistant',
		type: 'httpBearerAuth',
		data: { token: secret },
	});
	workflow = await storeExample(bench, 'aiAgentTools', (node) =>
		node.name === 'Parcel Shipping MCP Server'
			? { ...node, credentials: { httpBearerAuth: { id, name } } }
			: node,
	);
	await bench.n8n.publish(workflow);
	client = await connect(secret);
});

afterAll(async () => {
	await client?.close();
	if (workflow) await unpublish(bench, workflow);
	await bench.close();
});

/** What the assistant gets to read. */
const ask = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
	const { content } = await client.callTool({ name, arguments: given });
	return (content as Array<{ text: string }>).map(({ text }) => text).join('\n');
};

const records = async (name: string, given: Record<string, unknown> = {}) =>
	JSON.parse(await ask(name, given)) as Array<Record<string, unknown>>;

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

const booked = (label: string) =>
	bench.sandbox.database.shipments().filter((each) => each.packageNumberCustom === label);

test('An assistant without the secret is not let in', async () => {
	await expect(connect('guessed')).rejects.toThrow(/40[13]|Authorization/);
});

test('An assistant finds six tools, and what each of them wants to know', async () => {
	const { tools } = await client.listTools();
	const wants = Object.fromEntries(
		tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]),
	);
	expect(wants).toEqual({
		List_Carriers: [],
		Get_Services: ['carrierCode'],
		Find_Shipments: ['search'],
		Get_a_Shipment: ['carrierCode', 'shipmentId'],
		Track_a_Shipment: ['carrierCode', 'packageNumber'],
		Create_a_Shipment: [...Object.keys(order), 'pickupPointCode', 'recipientCompany'].sort(),
	});
	const create = tools.find(({ name }) => name === 'Create_a_Shipment');
	expect(create?.description).toContain('real, paid shipment');
	expect([...(create?.inputSchema.required ?? [])].sort()).toEqual(Object.keys(order).sort());
});

test('It lists the active carriers and the services of one', async () => {
	const carriers = await records('List_Carriers');
	expect(carriers.map(({ code }) => code)).toEqual(['ANT', 'BEAVER', 'CRANE', 'SNAIL', 'DODO']);
	const services = await records('Get_Services', { carrierCode: 'BEAVER' });
	expect(services.map(({ code }) => code)).toEqual(['BEAVER-PARCEL', 'BEAVER-LETTER']);
});

test('It creates a shipment, asks twice, and there is one', async () => {
	const [first] = await records('Create_a_Shipment', order);
	const [second] = await records('Create_a_Shipment', order);
	expect(first).toMatchObject({ alreadyExisted: false, carrierCode: 'ANT' });
	expect(second).toMatchObject({
		alreadyExisted: true,
		packageNumberCarrier: first?.packageNumberCarrier,
	});
	expect(booked('AI-7')).toMatchObject([
		{ packageNumberCarrier: first?.packageNumberCarrier, input: { recZip: '01001', price: 450 } },
	]);
});

test('It asks twice at the same moment, and there is one', async () => {
	const same = { ...order, orderNumber: 'AI-8' };
	const answers = await Promise.all([
		records('Create_a_Shipment', same),
		records('Create_a_Shipment', same),
	]);
	expect(answers.flat().map(({ alreadyExisted }) => alreadyExisted)).toEqual(
		expect.arrayContaining([true, false]),
	);
	expect(booked('AI-8')).toHaveLength(1);
});

test('It looks a shipment up and tracks it', async () => {
	const [seeded] = bench.sandbox.seedShipments(1, { packageNumberCustom: 'AI-9', hoursAgo: 30 });
	const number = seeded?.packageNumberCarrier;
	const [found] = await records('Find_Shipments', { search: 'AI-9' });
	expect(found).toMatchObject({ id: seeded?.id, carrierCode: 'ANT' });
	const [detail] = await records('Get_a_Shipment', {
		carrierCode: 'ANT',
		shipmentId: String(seeded?.id),
	});
	expect(detail).toMatchObject({ packageNumberCarrier: number, recName: 'Recipient 1' });
	const [tracked] = await records('Track_a_Shipment', {
		carrierCode: 'ANT',
		packageNumber: number,
	});
	expect(tracked).toMatchObject({ packageNumberCarrier: number });
	expect(JSON.stringify(tracked?.events)).toContain('Delivered');
});

test('It is told why a shipment was refused, and nothing is created', async () => {
	const told = await ask('Create_a_Shipment', {
		...order,
		orderNumber: 'AI-10',
		recipientPhone: '777 123 456',
	});
	expect(told).toContain('Recipient Phone');
	expect(told).toContain('a plus sign, the country prefix and digits');
	expect(booked('AI-10')).toEqual([]);
});
