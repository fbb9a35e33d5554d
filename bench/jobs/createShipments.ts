import { groupBy } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { type Goal, type Job, ratio, type RunContext, type Task } from '../job';
import {
	bareClient,
	type Client,
	listAllShipments,
	listNewestShipments,
	mapConcurrently,
} from '../variants/bareClient';
import { aggregate, filter, loopOverItems, postJson, splitOut } from '../variants/httpRequestNode';
import { createN8nClient, prepareWorkflow } from '../variants/lazy';
import type { Link, Step } from '../variants/workflow';
import { mappedForm, requestExpression, requestOf, SERVICE_CODES, shopOrders } from './orders';

const BATCH_SIZE = 100;

const shared = {
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches', 'peakMemoryMB'],
	expectedResults: (size: number) => size,
} satisfies Partial<Job>;

const timeGoal = (what: string): Goal => ({
	description: `${what}: time compared to n8n's request function`,
	value: ratio('wallMs', 'node', 'n8nRequests'),
	atMost: 1.15,
});

export const createShipments: Job = {
	...shared,
	name: 'create',
	title: (size) => `Create shipments for ${size.toLocaleString('en')} orders, without look-up`,
	seeding: () => ({ shipments: 0 }),
	growth: 'Create shipments',
	goals: [
		timeGoal('Create shipments without look-up'),
		{
			description: 'Create shipments without look-up: requests compared to the HTTP Request node',
			value: ratio('requests', 'node', 'httpRequest'),
			atMost: 0.01,
		},
	],
	variants: {
		node: async (context) => await packageTask(context, 'create'),
		httpRequest: async ({ url }) =>
			await workflowTask(
				[postJson('Create', `${url}/Package/Create`, `={{ [${jsonExpression}] }}`)],
				url,
			),
		httpRequestInBatches: async ({ url }) => {
			const batch = `$json.data.map((order) => (${requestExpression('order')}))`;
			const steps = [
				loopOverItems('Loop', BATCH_SIZE),
				aggregate('Batch'),
				postJson('Create', `${url}/Package/Create`, `={{ ${batch} }}`),
				splitOut('Rows', 'result'),
			];
			return await workflowTask(steps, url, linkLoop(steps));
		},
		n8nRequests: async ({ url }) => createTask(await createN8nClient(url)),
		bare: async ({ url }) => createTask(bareClient(url)),
	},
};

/** All orders are new, among the same number of existing shipments. */
export const createMissingShipments: Job = {
	...shared,
	name: 'create-missing',
	title: (size) =>
		`Create shipments for ${size.toLocaleString('en')} orders, with look-up among ${size.toLocaleString('en')} others`,
	seeding: (size) => ({ shipments: size, services: [...SERVICE_CODES] }),
	goals: [timeGoal('Create shipments with look-up')],
	variants: {
		node: async (context) => await packageTask(context, 'reuse'),
		httpRequest: async ({ url }) => {
			const find = `={{ { search: $json.number, carrierCodes: [$json.carrier], start: 0, length: 100 } }}`;
			const order = `$('Orders').item.json`;
			return await workflowTask(
				[
					postJson('Find', `${url}/Package/Find`, find),
					filter('Missing', '={{ $json.result.total }}', 0),
					postJson('Create', `${url}/Package/Create`, `={{ [${requestExpression(order)}] }}`),
				],
				url,
			);
		},
		n8nRequests: async ({ url }) => createMissingTask(await createN8nClient(url)),
		bare: async ({ url }) => createMissingTask(bareClient(url)),
	},
};

const jsonExpression = requestExpression('$json');

async function packageTask({ url }: RunContext, ifExists: string): Promise<Task> {
	const run = await prepareCreation(url, { ifExists });
	return async (size) => ({ results: (await run(shopOrders(size))).filter(isCreated).length });
}

/** A workflow that creates a shipment for each order with this package. */
export async function prepareCreation(url: string, options: IDataObject) {
	return await prepareWorkflow(url, [
		{
			name: 'Parcel Shipping',
			type: 'n8n-nodes-parcel-shipping.parcelShipping',
			parameters: {
				resource: 'shipment',
				operation: 'create',
				...mappedForm,
				options,
			} as INodeParameters,
		},
	]);
}

async function workflowTask(steps: Step[], url: string, links?: Link[]): Promise<Task> {
	const run = await prepareWorkflow(url, steps, links);
	return async (size) => {
		const items = await run(shopOrders(size));
		const rows = items.flatMap(({ json }) => (json.result as object[] | undefined) ?? json);
		return { results: rows.filter((json) => isCreated({ json } as INodeExecutionData)).length };
	};
}

export const isCreated = ({ json }: INodeExecutionData) => json.statusCode === 200;

/** Links the last step back to the first, which is the loop node. */
function linkLoop(steps: Step[]): Link[] {
	const [loop, ...body] = steps.map(({ name }) => name) as [string, ...string[]];
	const inner = body.map(
		(name, index): Link => (index === 0 ? [loop, 1, name] : [body[index - 1] as string, 0, name]),
	);
	return [['Orders', 0, loop], [body.at(-1) as string, 0, loop], ...inner];
}

function createTask(client: Client): Task {
	return async (size) => ({ results: await createInBatches(client, shopOrders(size)) });
}

/** Looks up, creates, and looks again for duplicates. */
function createMissingTask(client: Client): Task {
	return async (size) => {
		const orders = shopOrders(size);
		const existing = await listAllShipments(client);
		const references = new Set(existing.map(({ packageNumberCustom }) => packageNumberCustom));
		const missing = orders.filter(({ number }) => !references.has(number));
		const results = await createInBatches(client, missing);
		await listNewestShipments(client, results + 1);
		return { results };
	};
}

export async function createInBatches(
	client: Client,
	orders: ReturnType<typeof shopOrders>,
): Promise<number> {
	const byCarrier = Object.values(groupBy(orders, 'carrier'));
	const requests = byCarrier.flatMap((carrierOrders) =>
		Array.from({ length: Math.ceil(carrierOrders.length / BATCH_SIZE) }, (_, part) =>
			carrierOrders.slice(part * BATCH_SIZE, (part + 1) * BATCH_SIZE).map(requestOf),
		),
	);
	const responses = await mapConcurrently(requests, async (body) =>
		client.post<{ result: Array<{ statusCode: number }> }>('/Package/Create', body),
	);
	return responses.flatMap(({ result }) => result).filter(({ statusCode }) => statusCode === 200)
		.length;
}
