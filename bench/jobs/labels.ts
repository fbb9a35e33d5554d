import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Job, Variants } from '../job';
import { clientVariants, workflowVariants } from '../variants';
import { mapConcurrently } from '../variants/clients';
import { CARRIER_COUNT, seedRecent } from './data';

/** The size of a PDF label with text and a barcode. */
const BYTES_PER_LABEL = 10_000;

interface PrintResponse {
	result: Array<{ hash: string; labelsUrl: string }>;
}

/** Creates the labels of the shipments and saves one file per carrier. Returns the number of files. */
const variants: Variants = {
	...workflowVariants('labels', (run) => async ({ ids }) => {
		const items = await run(ids.map((id) => ({ id })));
		return { results: items.filter(({ binary }) => binary?.data?.id !== undefined).length };
	}),
	...clientVariants((client) => async ({ ids }) => {
		const folder = mkdtempSync(path.join(tmpdir(), 'labels-'));
		const body = { packages: ids };
		const { result } = await client.post<PrintResponse>('/Label/Print/?type=pdf', body);
		await mapConcurrently(result, async ({ hash, labelsUrl }) =>
			client.save(labelsUrl, path.join(folder, `${hash}.pdf`)),
		);
		const results = readdirSync(folder).length;
		rmSync(folder, { recursive: true });
		return { results };
	}),
};

export const printLabels: Job = {
	name: 'print',
	title: 'Print {size} labels of 3 carriers to files',
	size: 1_000,
	quickSize: 100,
	figures: ['wallMs', 'requests'],
	expectedResults: () => CARRIER_COUNT,
	seed: seedRecent,
	// Files of the right size instead of rendered labels, because rendering in the sandbox would take
	// most of the time and hide the difference.
	labelFileBytes: (size) => Math.round(size / CARRIER_COUNT) * BYTES_PER_LABEL,
	variants,
};
