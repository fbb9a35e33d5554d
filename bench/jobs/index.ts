import type { Job } from '../job';
import * as creation from './creation';
import { downloadLargeFile, printLabels } from './labels';
import { listShipments } from './listShipments';
import { loadPackage } from './loadPackage';
import { pollMany, pollMonth } from './month';
import * as polls from './polls';

/** In the order of the page. */
export const jobs: readonly Job[] = [
	creation.createOneByOne,
	creation.createShipments,
	creation.createMissingShipments,
	creation.createWithSlowCarrier,
	listShipments,
	printLabels,
	downloadLargeFile,
	polls.pollWithNewEvents,
	polls.pollWithoutNewEvents,
	polls.firstPoll,
	pollMonth,
	pollMany,
	creation.checkItems,
	loadPackage,
];

export function findJob(name: string): Job {
	const job = jobs.find((candidate) => candidate.name === name);
	if (job) return job;
	throw new Error(`Unknown job "${name}". Use one of: ${jobs.map((each) => each.name).join(', ')}`);
}
