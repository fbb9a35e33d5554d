import { chunk, groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Job, type Task, timeGoal, type Variants } from '../job';
import {
	type Client,
	clientVariants,
	listAllShipments,
	listNewestShipments,
	mapConcurrently,
} from '../variants/clients';
import { workflowVariants } from '../variants/workflows';
import { CARRIER_COUNT, requestOf, seedRecent, type ShopOrder, shopOrders } from './data';

const BATCH_SIZE = 100;

/** Each order comes alone, such as from the webhook of a shop. */
export const createOneByOne: Job = {
	name: 'create-one',
	title: 'Create {size} shipments, each in an execution of its own',
	size: 50,
	quickSize: 5,
	figures: ['wallMs', 'cpuMs', 'requests'],
	goals: [
		timeGoal('Create one by one', 1.1),
		{
			description: 'Create one by one: requests for 50 orders',
			figure: 'requests',
			atMost: 150,
		},
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

function eachAlone(create: (orders: [ShopOrder]) => Promise<object[]>): Task {
	return async ({ size }) => {
		let results = 0;
		for (const order of shopOrders(size)) results += (await create([order])).length;
		return { results };
	};
}

const many = {
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches', 'peakMemoryMB'],
} satisfies Partial<Job>;

export const createShipments: Job = {
	...many,
	name: 'create',
	title: 'Create shipments for {size} orders, without look-up',
	growth: 'Create shipments',
	goals: [
		timeGoal('Create shipments without look-up', 1.15),
		{
			description: 'Create shipments without look-up: requests compared to the HTTP Request node',
			figure: 'requests',
			comparedTo: 'httpRequest',
			atMost: 0.01,
		},
	],
	variants: createTogether('create', createInBatches),
};

/** All orders are new, among the same number of existing shipments. */
export const createMissingShipments: Job = {
	...many,
	name: 'create-missing',
	title: 'Create shipments for {size} orders, with look-up among {size} others',
	seed: (sandbox, size) => seedRecent(sandbox, size, CARRIER_COUNT),
	goals: [timeGoal('Create shipments with look-up', 1.15)],
	variants: createTogether('create-missing', async (client, orders) => {
		const existing = await listAllShipments(client);
		const references = new Set(existing.map(({ packageNumberCustom }) => packageNumberCustom));
		const missing = orders.filter(({ number }) => !references.has(number));
		const results = await createInBatches(client, missing);
		// Looks again for duplicates.
		await listNewestShipments(client, results + 1);
		return results;
	}),
};

/** A carrier that takes long for each batch, as many do that print the labels at once. */
export const createWithSlowCarrier: Job = {
	...many,
	name: 'create-slow',
	title: 'Create shipments for {size} orders of one carrier that takes 0.4 s for a batch',
	figures: ['wallMs', 'cpuMs', 'requests', 'batches'],
	goals: [timeGoal('One slow carrier', 1.2)],
	seed: (sandbox) => {
		sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 400, times: Infinity });
		return [];
	},
	variants: createTogether(
		'create-slow',
		async (client, orders) => {
			await listAllShipments(client);
			const results = await createInBatches(client, orders);
			await listAllShipments(client);
			return results;
		},
		1,
	),
};

/** Both tasks return how many shipments they created. */
function createTogether(
	workflow: string,
	createWithClient: (client: Client, orders: ShopOrder[]) => Promise<number>,
	carrierCount = CARRIER_COUNT,
): Variants {
	return {
		...workflowVariants(workflow, (run) => async ({ size }) => ({
			results: countCreated(await run(shopOrders(size, carrierCount))),
		})),
		...clientVariants((client) => async ({ size }) => ({
			results: await createWithClient(client, shopOrders(size, carrierCount)),
		})),
	};
}

async function createInBatches(client: Client, orders: ShopOrder[]): Promise<number> {
	const requests = Object.values(groupBy(orders, 'carrier')).flatMap((ownOrders) =>
		chunk(ownOrders.map(requestOf), BATCH_SIZE),
	);
	const responses = await mapConcurrently(requests, async (body) =>
		client.post<IDataObject>('/Package/Create', body),
	);
	return countCreated(responses.map((json) => ({ json })));
}

/** An item of the HTTP Request node has all rows of a response. */
function countCreated(items: INodeExecutionData[]): number {
	const rows = items.flatMap(({ json }) => (json.result as IDataObject[] | undefined) ?? [json]);
	return rows.filter(({ statusCode }) => statusCode === 200).length;
}

/** One of 100 has a phone number with too few digits and a lowercase country code. */
const INVALID = { phone: '777 123', country: 'cz' };
const isInvalid = (index: number) => index % 100 === 99;

/** Has a single variant, because only this package validates items before it sends them. */
export const checkItems: Job = {
	name: 'check',
	title: 'Validate {size} items, 1% of them invalid',
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'peakMemoryMB', 'longestBlockMs'],
	goals: [],
	variants: workflowVariants('check', (run) => async ({ size }) => {
		const orders = shopOrders(size).map((order, index) =>
			isInvalid(index) ? { ...order, ...INVALID } : order,
		);
		const items = await run(orders);
		const refused = items.filter(({ json }) => json.wouldDo === 'refuse').length;
		if (refused === size / 100) return { results: items.length };
		throw new Error(`${refused} of ${size} items were refused instead of ${size / 100}`);
	}),
};
