import { type Job, ratio, type Task } from '../job';
import { bareClient, type Client, listAllShipments } from '../variants/bareClient';
import { createN8nClient } from '../variants/lazy';
import { createInBatches, isCreated, prepareCreation } from './createShipments';
import { shopOrders } from './orders';

const CARRIERS = 1;

/** A carrier that takes long for each batch, as many do that print the labels at once. */
export const createWithSlowCarrier: Job = {
	name: 'create-slow',
	title: (size) =>
		`Create shipments for ${size.toLocaleString('en')} orders of one carrier that takes 0.4 s for a batch`,
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches'],
	goals: [
		{
			description: "One slow carrier: time compared to n8n's request function",
			value: ratio('wallMs', 'node', 'n8nRequests'),
			atMost: 1.2,
		},
	],
	expectedResults: (size) => size,
	seeding: () => ({ shipments: 0, creationMs: 400 }),
	variants: {
		node: async ({ url }) => {
			const run = await prepareCreation(url, {});
			return async (size) => ({
				results: (await run(shopOrders(size, CARRIERS))).filter(isCreated).length,
			});
		},
		n8nRequests: async ({ url }) => clientTask(await createN8nClient(url)),
		bare: async ({ url }) => clientTask(bareClient(url)),
	},
};

/** Looks up, creates, and looks again for duplicates. */
function clientTask(client: Client): Task {
	return async (size) => {
		await listAllShipments(client);
		const results = await createInBatches(client, shopOrders(size, CARRIERS));
		await listAllShipments(client);
		return { results };
	};
}
