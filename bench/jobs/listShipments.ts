import type { Job } from '../job';
import { clientVariants, workflowVariants } from '../variants';
import { listAllShipments } from '../variants/clients';
import { seedRecent } from './data';

export const listShipments: Job = {
	name: 'list',
	title: 'List {size} shipments',
	size: 10_000,
	quickSize: 500,
	figures: ['wallMs', 'requests'],
	seed: seedRecent,
	variants: {
		...workflowVariants('list', (run) => async () => ({ results: (await run([{}])).length })),
		...clientVariants((client) => async () => ({
			results: (await listAllShipments(client)).length,
		})),
	},
};
