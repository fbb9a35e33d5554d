import { chunk, groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { figureGoal, type Job, ratio, type Task, timeGoal } from '../job';
import {
	type Client,
	clientVariants,
	listAllShipments,
	mapConcurrently,
	listNewestShipments,
} from '../variants/bareClient';
import { workflowVariants } from '../variants/workflowVariants';
import { requestOf, SERVICE_CODES, type ShopOrder, shopOrders } from './orders';

const BATCH_SIZE = 100;
const ONE_CARRIER = 1;

const shared = {
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches', 'peakMemoryMB'],
} satisfies Partial<Job>;

export const createShipments: Job = {
	...shared,
	name: 'create',
	title: 'Create shipments for {size} orders, without look-up',
	growth: 'Create shipments',
	goals: [
		timeGoal('Create shipments without look-up', 1.15),
		{
			description: 'Create shipments without look-up: requests compared to the HTTP Request node',
			value: ratio('requests', 'node', 'httpRequest'),
			atMost: 0.01,
		},
	],
	variants: {
		...workflowVariants('create', (run) => async (size) => ({
			results: countCreated(await run(shopOrders(size))),
		})),
		...clientVariants((client) => async (size) => ({
			results: await createInBatches(client, shopOrders(size)),
		})),
	},
};

/** All orders are new, among the same number of existing shipments. */
export const createMissingShipments: Job = {
	...shared,
	name: 'create-missing',
	title: 'Create shipments for {size} orders, with look-up among {size} others',
	seeding: (size) => ({ shipments: size, services: SERVICE_CODES }),
	goals: [timeGoal('Create shipments with look-up', 1.15)],
	variants: {
		...workflowVariants('create-missing', (run) => async (size) => ({
			results: countCreated(await run(shopOrders(size))),
		})),
		...clientVariants((client) => async (size) => {
			const orders = shopOrders(size);
			const existing = await listAllShipments(client);
			const references = new Set(existing.map(({ packageNumberCustom }) => packageNumberCustom));
			const missing = orders.filter(({ number }) => !references.has(number));
			const results = await createInBatches(client, missing);
			// Looks again for duplicates.
			await listNewestShipments(client, results + 1);
			return { results };
		}),
	},
};

/** Each order comes alone, such as from the webhook of a shop. */
export const createOneByOne: Job = {
	name: 'create-one',
	title: 'Create {size} shipments, each in an execution of its own',
	size: 50,
	quickSize: 5,
	figures: ['wallMs', 'cpuMs', 'requests'],
	goals: [
		timeGoal('Create one by one', 1.1),
		figureGoal('Create one by one: requests for 50 orders', 'requests', 150),
	],
	variants: {
		...workflowVariants('create-one', eachAlone),
		...clientVariants((client) =>
			eachAlone(async ([order]) => {
				const find = { search: order.number, start: 0, length: 100 };
				await client.post('/Package/Find', find);
				const { result } = await client.post<{ result: object[] }>('/Package/Create', [
					requestOf(order),
				]);
				await client.post('/Package/Find', find);
				return result;
			}),
		),
	},
};

/** A carrier that takes long for each batch, as many do that print the labels at once. */
export const createWithSlowCarrier: Job = {
	name: 'create-slow',
	title: 'Create shipments for {size} orders of one carrier that takes 0.4 s for a batch',
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches'],
	goals: [timeGoal('One slow carrier', 1.2)],
	seeding: () => ({ shipments: 0, creationMs: 400 }),
	variants: {
		...workflowVariants('create-slow', (run) => async (size) => ({
			results: countCreated(await run(shopOrders(size, ONE_CARRIER))),
		})),
		...clientVariants((client) => async (size) => {
			await listAllShipments(client);
			const results = await createInBatches(client, shopOrders(size, ONE_CARRIER));
			await listAllShipments(client);
			return { results };
		}),
	},
};

/** An item of the HTTP Request node has all rows of a response. */
function countCreated(items: INodeExecutionData[]): number {
	const rows = items.flatMap(({ json }) => (json.result as IDataObject[] | undefined) ?? [json]);
	return rows.filter(({ statusCode }) => statusCode === 200).length;
}

function eachAlone(create: (orders: [ShopOrder]) => Promise<object[]>): Task {
	return async (size) => {
		let results = 0;
		for (const order of shopOrders(size)) results += (await create([order])).length;
		return { results };
	};
}

async function createInBatches(client: Client, orders: ShopOrder[]): Promise<number> {
	const requests = Object.values(groupBy(orders, 'carrier')).flatMap((ownOrders) =>
		chunk(ownOrders.map(requestOf), BATCH_SIZE),
	);
	const responses = await mapConcurrently(requests, async (body) =>
		client.post<{ result: Array<{ statusCode: number }> }>('/Package/Create', body),
	);
	const rows = responses.flatMap(({ result }) => result);
	return rows.filter(({ statusCode }) => statusCode === 200).length;
}
