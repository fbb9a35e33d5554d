import { figureOf, type Job, ratio, type Task } from '../job';
import { bareClient, type Client } from '../variants/bareClient';
import { filter, postJson } from '../variants/httpRequestNode';
import { createN8nClient, prepareWorkflow } from '../variants/lazy';
import { isCreated, prepareCreation } from './createShipments';
import { requestExpression, requestOf, type ShopOrder, shopOrders } from './orders';

/** Each order comes alone, such as from the webhook of a shop. */
export const createOneByOne: Job = {
	name: 'create-one',
	title: (size) => `Create ${size} shipments, each in an execution of its own`,
	size: 50,
	quickSize: 5,
	figures: ['wallMs', 'cpuMs', 'requests'],
	goals: [
		{
			description: "Create one by one: time compared to n8n's request function",
			value: ratio('wallMs', 'node', 'n8nRequests'),
			atMost: 1.1,
		},
		{
			description: 'Create one by one: requests for 50 orders',
			value: figureOf('requests'),
			atMost: 150,
		},
	],
	expectedResults: (size) => size,
	seeding: () => ({ shipments: 0 }),
	variants: {
		node: async ({ url }) => {
			const run = await prepareCreation(url, {});
			return eachAlone(async (order) => (await run([order])).filter(isCreated).length);
		},
		httpRequest: async ({ url }) => {
			const find = `={{ { search: $json.number, start: 0, length: 100 } }}`;
			const order = `$('Orders').item.json`;
			const run = await prepareWorkflow(url, [
				postJson('Find', `${url}/Package/Find`, find),
				filter('Missing', '={{ $json.result.total }}', 0),
				postJson('Create', `${url}/Package/Create`, `={{ [${requestExpression(order)}] }}`),
			]);
			return eachAlone(async (each) => (await run([each])).length);
		},
		n8nRequests: async ({ url }) => clientTask(await createN8nClient(url)),
		bare: async ({ url }) => clientTask(bareClient(url)),
	},
};

function eachAlone(create: (order: ShopOrder) => Promise<number>): Task {
	return async (size) => {
		let results = 0;
		for (const order of shopOrders(size)) results += await create(order);
		return { results };
	};
}

/** Looks up, creates, and looks again for a duplicate. */
function clientTask(client: Client): Task {
	return eachAlone(async (order) => {
		const find = { search: order.number, start: 0, length: 100 };
		await client.post('/Package/Find', find);
		const { result } = await client.post<{ result: object[] }>('/Package/Create', [
			requestOf(order),
		]);
		await client.post('/Package/Find', find);
		return result.length;
	});
}
