import { type Job, timeGoal } from '../job';
import { clientVariants, workflowVariants } from '../variants';
import { listAllShipments } from '../variants/clients';
import { seedRecent } from './data';

export const listShipments: Job = {
	name: 'list',
	title: 'List {size} shipments',
	size: 10_000,
	quickSize: 500,
	figures: ['wallMs', 'cpuMs', 'requests'],
	seed: seedRecent,
	growth: 'List shipments',
	goals: [
		timeGoal('List shipments', 1.15),
		{
			description: 'List shipments: time compared to the HTTP Request node',
			figure: 'wallMs',
			comparedTo: 'httpRequest',
			atMost: 1 / 3,
		},
	],
	variants: {
		...workflowVariants('list', (run) => async () => ({ results: (await run([{}])).length })),
		...clientVariants((client) => async () => ({
			results: (await listAllShipments(client)).length,
		})),
	},
};
