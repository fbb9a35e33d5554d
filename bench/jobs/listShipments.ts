import { type Job, ratio, type Task } from '../job';
import { bareClient, type Client, listAllShipments } from '../variants/bareClient';
import { pagination, postJson, splitOut } from '../variants/httpRequestNode';
import { createN8nClient, prepareWorkflow } from '../variants/lazy';

export const listShipments: Job = {
	name: 'list',
	title: (size) => `List ${size.toLocaleString('en')} shipments`,
	size: 10_000,
	quickSize: 500,
	figures: ['wallMs', 'cpuMs', 'requests'],
	expectedResults: (size) => size,
	seeding: (size) => ({ shipments: size }),
	growth: 'List shipments',
	goals: [
		{
			description: "List shipments: time compared to n8n's request function",
			value: ratio('wallMs', 'node', 'n8nRequests'),
			atMost: 1.15,
		},
		{
			description: 'List shipments: speed compared to the HTTP Request node',
			value: ratio('wallMs', 'httpRequest', 'node'),
			atLeast: 3,
		},
	],
	variants: {
		node: async ({ url }) => {
			const run = await prepareWorkflow(url, [
				{
					name: 'Parcel Shipping',
					type: 'n8n-nodes-parcel-shipping.parcelShipping',
					parameters: {
						resource: 'shipment',
						operation: 'getAll',
						returnAll: true,
						simplify: false,
					},
				},
			]);
			return async () => ({ results: (await run([{}])).length });
		},
		httpRequest: async ({ url }) => {
			const run = await prepareWorkflow(url, [
				postJson('Find', `${url}/Package/Find`, '{ "start": 0, "length": 100 }', pagination),
				splitOut('Shipments', 'result.data'),
			]);
			return async () => ({ results: (await run([{}])).length });
		},
		n8nRequests: async ({ url }) => listTask(await createN8nClient(url)),
		bare: async ({ url }) => listTask(bareClient(url)),
	},
};

function listTask(client: Client): Task {
	return async () => ({ results: (await listAllShipments(client)).length });
}
