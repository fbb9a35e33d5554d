import { figureOf, type Job } from '../job';
import { printLabels as ways } from './labels';

const MEGABYTE = 1024 * 1024;

export const downloadLargeFile: Job = {
	name: 'download',
	title: (size) => `Download a label file of ${size} MB`,
	size: 200,
	quickSize: 20,
	figures: ['peakMemoryMB', 'wallMs'],
	expected: () => 1,
	seeding: (size) => ({ shipments: 1, labelFileBytes: size * MEGABYTE }),
	warmUpSize: 1,
	goals: [
		{
			says: 'A file of 200 MB takes at most 40 MB of extra memory',
			value: figureOf('peakMemoryMB'),
			atMost: 40,
		},
	],
	ways,
};
