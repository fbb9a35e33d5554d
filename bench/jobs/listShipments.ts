import { type Job, ratio, type Work } from '../job';
import { bareClient, type Client, readAllShipments } from '../ways/bare';
import { prepareWorkflow, requestsOfN8n } from '../ways/n8n';
import { byPages, postJson, splitOut } from '../ways/httpRequest';

export const listShipments: Job = {
	name: 'list',
	title: (size) => `Get all of ${size.toLocaleString('en')} shipments`,
	size: 10_000,
	quickSize: 500,
	figures: ['wallMs', 'cpuMs', 'requests'],
	expected: (size) => size,
	seeding: (size) => ({ shipments: size }),
	growth: 'Get all shipments',
	goals: [
		{
			says: "Listing takes at most 1.15 times the bare client's time",
			value: ratio('wallMs', 'node', 'bare'),
			atMost: 1.15,
		},
		{
			says: 'Listing is at least 3 times faster than the HTTP Request node, which goes page by page',
			value: ratio('wallMs', 'httpRequest', 'node'),
			atLeast: 3,
		},
	],
	ways: {
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
				postJson('Find', `${url}/Package/Find`, '{ "start": 0, "length": 100 }', byPages),
				splitOut('Shipments', 'result.data'),
			]);
			return async () => ({ results: (await run([{}])).length });
		},
		n8nRequests: async ({ url }) => listing(await requestsOfN8n(url)),
		bare: async ({ url }) => listing(bareClient(url)),
	},
};

function listing(client: Client): Work {
	return async () => ({ results: (await readAllShipments(client)).length });
}
