import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import type { Place, Seeded, Work } from '../job';
import { bareClient, type Client, forEach } from '../ways/bare';
import { prepareWorkflow, requestsOfN8n } from '../ways/n8n';
import { aggregate, getFile, postJson, splitOut } from '../ways/httpRequest';

/** One item per shipment, as they come out of whatever found or created them. */
const itemsOf = ({ ids }: Seeded) => ids.map((id) => ({ id }));

async function filesOf(run: ReturnType<typeof prepareWorkflow>): Promise<Work> {
	const workflow = await run;
	return async (_, seeded) => {
		const items = await workflow(itemsOf(seeded));
		const files = items.filter(({ binary }) => binary?.data?.id !== undefined).length;
		return { results: files, files };
	};
}

/** Makes the labels of the seeded shipments and saves one file per carrier. */
export const printLabels = {
	node: async ({ url }: Place) =>
		await filesOf(
			prepareWorkflow(url, [
				{
					name: 'Parcel Shipping',
					type: 'n8n-nodes-parcel-shipping.parcelShipping',
					parameters: { resource: 'label', operation: 'print', shipmentIds: '={{ $json.id }}' },
				},
			]),
		),

	httpRequest: async ({ url }: Place) =>
		await filesOf(
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

	n8nRequests: async ({ url, folder }: Place) => savingLabels(await requestsOfN8n(url), folder),
	bare: async ({ url, folder }: Place) => savingLabels(bareClient(url), folder),
};

function savingLabels(client: Client, folder: string): Work {
	return async (_, { ids }) => {
		const { result } = await client.post<{ result: Array<{ hash: string; labelsUrl: string }> }>(
			'/Label/Print/?type=pdf',
			{ packages: ids },
		);
		await forEach(result, async ({ hash, labelsUrl }) =>
			client.save(labelsUrl, folder, `${hash}.pdf`),
		);
		const files = readdirSync(folder).length;
		for (const { hash } of result) rmSync(path.join(folder, `${hash}.pdf`));
		return { results: files, files };
	};
}
