import { type Job, ratio, timeGoal } from '../job';
import { clientVariants, listAllShipments } from '../variants/bareClient';
import { workflowVariants } from '../variants/workflowVariants';

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
		...workflowVariants('list', (run) => async () => ({ results: (await run([{}])).length })),
		...clientVariants((client) => async () => ({
			results: (await listAllShipments(client)).length,
		})),
	},
};
