import type { Job } from '../job';
import { checkItems } from './checkItems';
import { createMissingShipments, createShipments } from './createShipments';
import { downloadLargeFile, printLabels } from './labels';
import { listShipments } from './listShipments';
import { loadPackage } from './loadPackage';
import { createOneByOne } from './singleOrders';
import { createWithSlowCarrier } from './slowCarrier';
import { pollMany, pollMonth } from './month';
import { firstPoll, pollWithNewEvents, pollWithoutNewEvents } from './polls';

/** In the order of the report. */
export const jobs: readonly Job[] = [
	createOneByOne,
	createShipments,
	createMissingShipments,
	createWithSlowCarrier,
	listShipments,
	printLabels,
	downloadLargeFile,
	pollWithNewEvents,
	pollWithoutNewEvents,
	firstPoll,
	pollMonth,
	pollMany,
	checkItems,
	loadPackage,
];

export function findJob(name: string): Job {
	const job = jobs.find((candidate) => candidate.name === name);
	if (job) return job;
	const names = jobs.map((candidate) => candidate.name).join(', ');
	throw new Error(`Unknown job "${name}". Use one of: ${names}`);
}
