import type { Job } from '../job';
import { checkItems } from './checkItems';
import { createMissingShipments, createShipments } from './createShipments';
import { downloadLargeFile } from './downloadLargeFile';
import { listShipments } from './listShipments';
import { loadPackage } from './loadPackage';
import { firstPoll, newsPoll, quietPoll } from './polls';
import { printLabels } from './printLabels';

/** In the order of the page. */
export const jobs: readonly Job[] = [
	createShipments,
	createMissingShipments,
	listShipments,
	printLabels,
	downloadLargeFile,
	newsPoll,
	quietPoll,
	firstPoll,
	checkItems,
	loadPackage,
];

export function findJob(name: string): Job {
	const job = jobs.find((candidate) => candidate.name === name);
	if (job) return job;
	const names = jobs.map((candidate) => candidate.name).join(', ');
	throw new Error(`There is no job "${name}". Choose from: ${names}`);
}
