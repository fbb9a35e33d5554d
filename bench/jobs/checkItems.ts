import type { Job } from '../job';
import { prepareWorkflow } from '../variants/lazy';
import { mappedForm, shopOrders } from './orders';

/** One of 100 has a phone number with spaces and a lowercase country code. */
const isInvalid = (index: number) => index % 100 === 99;

/** Has a single variant, because only this package validates items before it sends them. */
export const checkItems: Job = {
	name: 'check',
	title: (size) => `Validate ${size.toLocaleString('en')} items, 1% of them invalid`,
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'peakMemoryMB', 'longestBlockMs'],
	isOffline: true,
	goals: [],
	expectedResults: (size) => size,
	seeding: () => ({ shipments: 0 }),
	variants: {
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
					isInvalid(index) ? { ...order, phone: '777 123 456', country: 'cz' } : order,
				);
				const items = await run(orders);
				const refused = items.filter(({ json }) => json.wouldDo === 'refuse').length;
				if (refused === size / 100) return { results: items.length };
				throw new Error(`${refused} of ${size} items were refused instead of ${size / 100}`);
			};
		},
	},
};
