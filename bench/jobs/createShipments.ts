import { groupBy } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';

import { type Goal, type Job, type Place, ratio, type Work } from '../job';
import { bareClient, type Client, forEach, readAllShipments } from '../ways/bare';
import type { Link, Step } from '../ways/engine';
import { prepareWorkflow, requestsOfN8n } from '../ways/n8n';
import { aggregate, filter, loopOverItems, postJson, splitOut } from '../ways/httpRequest';
import { mappedForm, requestExpression, requestOf, SERVICE_CODES, shopOrders } from './orders';

const PER_REQUEST = 100;

const shared = {
	size: 1_000,
	quickSize: 30,
	figures: ['wallMs', 'cpuMs', 'requests', 'batches', 'peakMemoryMB'],
	expected: (size: number) => size,
} satisfies Partial<Job>;

const goalsOf = (what: string): Goal[] => [
	{
		says: `${what} takes at most 1.15 times the bare client's time`,
		value: ratio('wallMs', 'node', 'bare'),
		atMost: 1.15,
	},
];

export const createShipments: Job = {
	...shared,
	name: 'create',
	title: (size) => `Create ${size.toLocaleString('en')} orders without looking for existing ones`,
	seeding: () => ({ shipments: 0 }),
	growth: 'Create shipments',
	goals: [
		...goalsOf('Creation'),
		{
			says: 'Creation sends at most 1/100 of the requests of the HTTP Request node item by item',
			value: ratio('requests', 'node', 'httpRequest'),
			atMost: 0.01,
		},
	],
	ways: {
		node: async (place) => await withThisPackage(place, 'create'),
		httpRequest: async ({ url }) =>
			await ofItems([postJson('Create', `${url}/Package/Create`, `={{ [${ofJson}] }}`)], url),
		httpRequestInBatches: async ({ url }) => {
			const batch = `$json.data.map((order) => (${requestExpression('order')}))`;
			const steps = [
				loopOverItems('Loop', PER_REQUEST),
				aggregate('Batch'),
				postJson('Create', `${url}/Package/Create`, `={{ ${batch} }}`),
				splitOut('Rows', 'result'),
			];
			return await ofItems(steps, url, loopOf(steps));
		},
		n8nRequests: async ({ url }) => creation(await requestsOfN8n(url)),
		bare: async ({ url }) => creation(bareClient(url)),
	},
};

/** Every order is new, and there are as many older shipments. */
export const createMissingShipments: Job = {
	...shared,
	name: 'create-missing',
	title: (size) =>
		`Create ${size.toLocaleString('en')} orders that are not there yet, among ${size.toLocaleString('en')} others`,
	seeding: (size) => ({ shipments: size, services: [...SERVICE_CODES] }),
	goals: goalsOf('Creation with the look-up'),
	ways: {
		node: async (place) => await withThisPackage(place, 'reuse'),
		httpRequest: async ({ url }) => {
			const find = `={{ { search: $json.number, carrierCodes: [$json.carrier], start: 0, length: 100 } }}`;
			const order = `$('Orders').item.json`;
			return await ofItems(
				[
					postJson('Find', `${url}/Package/Find`, find),
					filter('Missing', '={{ $json.result.total }}', 0),
					postJson('Create', `${url}/Package/Create`, `={{ [${requestExpression(order)}] }}`),
				],
				url,
			);
		},
		n8nRequests: async ({ url }) => creationOfMissing(await requestsOfN8n(url)),
		bare: async ({ url }) => creationOfMissing(bareClient(url)),
	},
};

const ofJson = requestExpression('$json');

async function withThisPackage({ url }: Place, ifExists: string): Promise<Work> {
	const run = await prepareWorkflow(url, [
		{
			name: 'Parcel Shipping',
			type: 'n8n-nodes-parcel-shipping.parcelShipping',
			parameters: {
				resource: 'shipment',
				operation: 'create',
				...mappedForm,
				options: { ifExists },
			},
		},
	]);
	return async (size) => ({ results: (await run(shopOrders(size))).filter(isCreated).length });
}

async function ofItems(steps: Step[], url: string, links?: Link[]): Promise<Work> {
	const run = await prepareWorkflow(url, steps, links);
	return async (size) => {
		const items = await run(shopOrders(size));
		const rows = items.flatMap(({ json }) => (json.result as object[] | undefined) ?? json);
		return { results: rows.filter((json) => isCreated({ json } as INodeExecutionData)).length };
	};
}

const isCreated = ({ json }: INodeExecutionData) => json.statusCode === 200;

/** Back from the last step to the first, which is the loop. */
function loopOf(steps: Step[]): Link[] {
	const [loop, ...body] = steps.map(({ name }) => name) as [string, ...string[]];
	const inner = body.map(
		(name, index): Link => (index === 0 ? [loop, 1, name] : [body[index - 1] as string, 0, name]),
	);
	return [['Orders', 0, loop], [body.at(-1) as string, 0, loop], ...inner];
}

function creation(client: Client): Work {
	return async (size) => ({ results: await createInBatches(client, shopOrders(size)) });
}

function creationOfMissing(client: Client): Work {
	return async (size) => {
		const orders = shopOrders(size);
		const known = await readAllShipments(client);
		const labels = new Set(known.map(({ packageNumberCustom }) => packageNumberCustom));
		const missing = orders.filter(({ number }) => !labels.has(number));
		return { results: await createInBatches(client, missing) };
	};
}

async function createInBatches(
	client: Client,
	orders: ReturnType<typeof shopOrders>,
): Promise<number> {
	const byCarrier = Object.values(groupBy(orders, 'carrier'));
	const requests = byCarrier.flatMap((ofCarrier) =>
		Array.from({ length: Math.ceil(ofCarrier.length / PER_REQUEST) }, (_, part) =>
			ofCarrier.slice(part * PER_REQUEST, (part + 1) * PER_REQUEST).map(requestOf),
		),
	);
	const answers = await forEach(requests, async (body) =>
		client.post<{ result: Array<{ statusCode: number }> }>('/Package/Create', body),
	);
	return answers.flatMap(({ result }) => result).filter(({ statusCode }) => statusCode === 200)
		.length;
}
