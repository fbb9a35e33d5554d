import type { Job } from '../job';
import { createOneByOne, createShipments } from './creation';
import { printLabels } from './labels';
import { listShipments } from './listShipments';
import { pollMonth } from './month';
import { firstPoll, laterPoll } from './polls';

/** In the order of the page. */
export const jobs: readonly Job[] = [
	createOneByOne,
	createShipments,
	listShipments,
	printLabels,
	laterPoll,
	firstPoll,
	pollMonth,
];

export function findJob(name: string): Job {
	const job = jobs.find((candidate) => candidate.name === name);
	if (job) return job;
	throw new Error(`Unknown job "${name}". Use one of: ${jobs.map((each) => each.name).join(', ')}`);
}
