import type { Job } from '../job';
import { workflowVariants } from '../variants/workflowVariants';
import { shopOrders } from './orders';

/** One of 100 has a phone number with too few digits and a lowercase country code. */
const INVALID = { phone: '777 123', country: 'cz' };
const isInvalid = (index: number) => index % 100 === 99;

/** Has a single variant, because only this package validates items before it sends them. */
export const checkItems: Job = {
	name: 'check',
	title: 'Validate {size} items, 1% of them invalid',
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'peakMemoryMB', 'longestBlockMs'],
	isOffline: true,
	goals: [],
	variants: workflowVariants('check', (run) => async (size) => {
		const orders = shopOrders(size).map((order, index) =>
			isInvalid(index) ? { ...order, ...INVALID } : order,
		);
		const items = await run(orders);
		const refused = items.filter(({ json }) => json.wouldDo === 'refuse').length;
		if (refused === size / 100) return { results: items.length };
		throw new Error(`${refused} of ${size} items were refused instead of ${size / 100}`);
	}),
};
