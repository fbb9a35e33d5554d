import { chunk, groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Job, Task } from '../job';
import { clientVariants, workflowVariants } from '../variants';
import {
	type Client,
	listAllShipments,
	listNewestShipments,
	mapConcurrently,
} from '../variants/clients';
import { requestOf, seedRecent, type ShopOrder, shopOrders } from './data';

const BATCH_SIZE = 100;

/** Each order comes alone, such as from the webhook of a shop. */
export const createOneByOne: Job = {
	name: 'create-one',
	title: 'Create {size} shipments, each in an execution of its own',
	size: 50,
	quickSize: 5,
	figures: ['wallMs', 'requests'],
	variants: {
		...workflowVariants('create', eachAlone),
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

/** All orders are new, among the same number of existing shipments. */
export const createShipments: Job = {
	name: 'create',
	title: 'Create shipments for {size} orders, among {size} others',
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'requests', 'peakMemoryMB'],
	seed: seedRecent,
	variants: {
		...workflowVariants('create', (run) => async ({ size }) => ({
			results: countCreated(await run(shopOrders(size))),
		})),
		...clientVariants((client) => async ({ size }) => ({
			results: await createMissing(client, shopOrders(size)),
		})),
	},
};

/** Returns how many shipments it created. */
async function createMissing(client: Client, orders: ShopOrder[]): Promise<number> {
	const existing = await listAllShipments(client);
	const references = new Set(existing.map(({ packageNumberCustom }) => packageNumberCustom));
	const missing = orders.filter(({ number }) => !references.has(number));
	const results = await createInBatches(client, missing);
	// Looks again for duplicates.
	await listNewestShipments(client, results + 1);
	return results;
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
