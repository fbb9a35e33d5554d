import { type Job, ratio, type Task, timeGoal } from '../job';
import { clientVariants, listAllShipments } from '../variants/bareClient';
import { pagination, postJson, splitOut } from '../variants/httpRequestNode';
import { prepareWorkflow } from '../variants/lazy';
import type { Step } from '../variants/workflow';
import { packageStep } from './orders';

export const listShipments: Job = {
	name: 'list',
	title: 'List {size} shipments',
	size: 10_000,
	quickSize: 500,
	figures: ['wallMs', 'cpuMs', 'requests'],
	seeding: (size) => ({ shipments: size }),
	growth: 'List shipments',
	goals: [
		timeGoal('List shipments', 1.15),
		{
			description: 'List shipments: speed compared to the HTTP Request node',
			value: ratio('wallMs', 'httpRequest', 'node'),
			atLeast: 3,
		},
	],
	variants: {
		node: async ({ url }) => {
			const all = { returnAll: true, simplify: false };
			return await workflowTask(url, [
				packageStep({ resource: 'shipment', operation: 'getAll', ...all }),
			]);
		},
		httpRequest: async ({ url }) =>
			await workflowTask(url, [
				postJson('Find', `${url}/Package/Find`, '{ "start": 0, "length": 100 }', pagination),
				splitOut('Shipments', 'result.data'),
			]),
		...clientVariants((client) => async () => ({
			results: (await listAllShipments(client)).length,
		})),
	},
};

async function workflowTask(url: string, steps: Step[]): Promise<Task> {
	const run = await prepareWorkflow(url, steps);
	return async () => ({ results: (await run([{}])).length });
}
