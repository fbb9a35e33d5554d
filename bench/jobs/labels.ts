import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import {
	figureOf,
	type Job,
	ratio,
	type RunContext,
	type SeededShipments,
	type Task,
} from '../job';
import { bareClient, type Client, mapConcurrently } from '../variants/bareClient';
import { aggregate, getFile, postJson, splitOut } from '../variants/httpRequestNode';
import { createN8nClient, prepareWorkflow } from '../variants/lazy';

const SERVICES = ['ANT-HOME', 'BEAVER-PARCEL', 'CRANE-EU'];
const MEGABYTE = 1024 * 1024;

/** The size of a PDF label with text and a barcode. */
const BYTES_PER_LABEL = 10_000;

/** Creates the labels of the seeded shipments and saves one file per carrier. */
const variants = {
	node: async ({ url }: RunContext) =>
		await workflowTask(
			prepareWorkflow(url, [
				{
					name: 'Parcel Shipping',
					type: 'n8n-nodes-parcel-shipping.parcelShipping',
					parameters: { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' },
				},
			]),
		),

	httpRequest: async ({ url }: RunContext) =>
		await workflowTask(
			prepareWorkflow(url, [
				aggregate('All'),
				postJson(
					'Print',
					`${url}/Label/Print/?type=pdf`,
					'={{ { packages: $json.data.map((shipment) => shipment.id) } }}',
				),
				splitOut('Carriers', 'result'),
				getFile('Download', '={{ $json.labelsUrl }}'),
			]),
		),

	n8nRequests: async ({ url, folder }: RunContext) =>
		clientTask(await createN8nClient(url), folder),
	bare: async ({ url, folder }: RunContext) => clientTask(bareClient(url), folder),
} satisfies Job['variants'];

export const printLabels: Job = {
	name: 'print',
	title: (size) => `Print ${size.toLocaleString('en')} labels of 3 carriers to files`,
	size: 1_000,
	quickSize: 100,
	figures: ['wallMs', 'requests', 'files'],
	expectedResults: () => SERVICES.length,
	// Files of the right size instead of rendered labels, because rendering in the sandbox would take
	// most of the time and hide the difference.
	seeding: (size) => ({
		shipments: size,
		services: SERVICES,
		labelFileBytes: Math.round(size / SERVICES.length) * BYTES_PER_LABEL,
	}),
	goals: [
		{
			description: "Print labels: time compared to n8n's request function",
			value: ratio('wallMs', 'node', 'n8nRequests'),
			atMost: 1.15,
		},
	],
	variants,
};

export const downloadLargeFile: Job = {
	name: 'download',
	title: (size) => `Download a ${size} MB label file`,
	size: 200,
	quickSize: 20,
	figures: ['peakMemoryMB', 'wallMs'],
	expectedResults: () => 1,
	seeding: (size) => ({ shipments: 1, labelFileBytes: size * MEGABYTE }),
	warmUpSize: 1,
	goals: [
		{
			description: 'Download a 200 MB file: extra memory (MB)',
			value: figureOf('peakMemoryMB'),
			atMost: 40,
		},
	],
	variants,
};

async function workflowTask(preparing: ReturnType<typeof prepareWorkflow>): Promise<Task> {
	const run = await preparing;
	return async (_, { ids }: SeededShipments) => {
		const items = await run(ids.map((id) => ({ id })));
		const files = items.filter(({ binary }) => binary?.data?.id !== undefined).length;
		return { results: files, files };
	};
}

function clientTask(client: Client, folder: string): Task {
	return async (_, { ids }) => {
		const { result } = await client.post<{ result: Array<{ hash: string; labelsUrl: string }> }>(
			'/Label/Print/?type=pdf',
			{ packages: ids },
		);
		await mapConcurrently(result, async ({ hash, labelsUrl }) =>
			client.save(labelsUrl, folder, `${hash}.pdf`),
		);
		const files = readdirSync(folder).length;
		for (const { hash } of result) rmSync(path.join(folder, `${hash}.pdf`));
		return { results: files, files };
	};
}
