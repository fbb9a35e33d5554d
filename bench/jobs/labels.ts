import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { figureGoal, type Job, timeGoal, type Variants } from '../job';
import { clientVariants, mapConcurrently } from '../variants/bareClient';
import { workflowVariants } from '../variants/workflowVariants';
import { SERVICE_CODES } from './orders';

const MEGABYTE = 1024 * 1024;

/** The size of a PDF label with text and a barcode. */
const BYTES_PER_LABEL = 10_000;

interface PrintResponse {
	result: Array<{ hash: string; labelsUrl: string }>;
}

/** Creates the labels of the seeded shipments and saves one file per carrier. */
const variants: Variants = {
	...workflowVariants('labels', (run) => async (_, { ids }) => {
		const items = await run(ids.map((id) => ({ id })));
		const files = items.filter(({ binary }) => binary?.data?.id !== undefined).length;
		return { results: files, files };
	}),
	...clientVariants((client, { folder }) => async (_, { ids }) => {
		const body = { packages: ids };
		const { result } = await client.post<PrintResponse>('/Label/Print/?type=pdf', body);
		await mapConcurrently(result, async ({ hash, labelsUrl }) =>
			client.save(labelsUrl, folder, `${hash}.pdf`),
		);
		const files = readdirSync(folder).length;
		for (const { hash } of result) rmSync(path.join(folder, `${hash}.pdf`));
		return { results: files, files };
	}),
};

export const printLabels: Job = {
	name: 'print',
	title: 'Print {size} labels of 3 carriers to files',
	size: 1_000,
	quickSize: 100,
	figures: ['wallMs', 'requests', 'files'],
	expectedResults: () => SERVICE_CODES.length,
	// Files of the right size instead of rendered labels, because rendering in the sandbox would take
	// most of the time and hide the difference.
	seeding: (size) => ({
		shipments: size,
		services: SERVICE_CODES,
		labelFileBytes: Math.round(size / SERVICE_CODES.length) * BYTES_PER_LABEL,
	}),
	goals: [timeGoal('Print labels', 1.15)],
	variants,
};

export const downloadLargeFile: Job = {
	name: 'download',
	title: 'Download a {size} MB label file',
	size: 200,
	quickSize: 20,
	figures: ['peakMemoryMB', 'wallMs'],
	expectedResults: () => 1,
	seeding: (size) => ({ shipments: 1, labelFileBytes: size * MEGABYTE }),
	warmUpSize: 1,
	goals: [figureGoal('Download a 200 MB file: extra memory (MB)', 'peakMemoryMB', 40)],
	variants,
};
