import type { Job } from '../job';
import { prepareWorkflow } from '../ways/n8n';
import { mappedForm, shopOrders } from './orders';

/** One of a hundred has a phone with spaces and a country in small letters. */
const isWrong = (index: number) => index % 100 === 99;

/** Only this package checks items before it sends them, so there is nothing to compare with. */
export const checkItems: Job = {
	name: 'check',
	title: (size) => `Check ${size.toLocaleString('en')} items, 1% of them wrong`,
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'requests', 'peakMemoryMB', 'longestBlockMs'],
	goals: [],
	expected: (size) => size,
	seeding: () => ({ shipments: 0 }),
	ways: {
		node: async ({ url }) => {
			const run = await prepareWorkflow(url, [
				{
					name: 'Parcel Shipping',
					type: 'n8n-nodes-parcel-shipping.parcelShipping',
					parameters: {
						resource: 'shipment',
						operation: 'create',
						...mappedForm,
						options: { ifExists: 'create', dryRun: true },
					},
				},
			]);
			return async (size) => {
				const orders = shopOrders(size).map((order, index) =>
					isWrong(index) ? { ...order, phone: '777 123 456', country: 'cz' } : order,
				);
				const items = await run(orders);
				const refused = items.filter(({ json }) => json.wouldDo === 'refuse').length;
				if (refused === size / 100) return { results: items.length };
				throw new Error(`${refused} of ${size} items were refused`);
			};
		},
	},
};
