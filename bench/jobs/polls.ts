import { chunk } from 'lodash';

import type { Job, Variants } from '../job';
import { clientVariants } from '../variants';
import { listAllShipments, mapConcurrently, PAGE_SIZE } from '../variants/clients';
import { advanceClocks } from '../variants/clock';
import { seedMoving } from './data';

/** Soon after the poll before, the trigger reads the first page. */
const PAGES_OF_A_LATER_POLL = 1;

const shared = {
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'requests', 'stateKB', 'longestBlockMs'],
	seed: seedMoving,
	tracksEach: true,
} satisfies Partial<Job>;

/** The poll that runs when a workflow is published. */
export const firstPoll: Job = {
	...shared,
	name: 'poll-first',
	title: 'First poll of {size} shipments',
	expectedResults: () => 0,
	variants: {
		node: async (url) => {
			const { prepareTrigger } = await import('../variants/n8n.js');
			const publish = await prepareTrigger(url);
			return async () => {
				const { poll, stateKB } = publish();
				return { results: await poll(), stateKB: stateKB() };
			};
		},
		...sameRequests(Infinity, () => 0),
	},
};

const newEvents = (size: number) => size / 100;

/** One of 100 shipments has got an event since the poll before. */
export const laterPoll: Job = {
	...shared,
	name: 'poll-new-events',
	title: 'Poll {size} shipments with 1% new events, all of them in every poll',
	expectedResults: newEvents,
	afterWarmUp: (sandbox, { numbers }) => {
		for (const number of numbers.filter((_, index) => index % 100 === 0)) {
			sandbox.addEvent(number, {});
		}
	},
	variants: {
		node: async (url) => {
			const { prepareTrigger } = await import('../variants/n8n.js');
			const publish = await prepareTrigger(url);
			const trigger = publish();
			return async ({ isWarmUp }) => {
				if (isWarmUp) await trigger.poll();
				await advanceClocks(url, 1);
				return { results: await trigger.poll(), stateKB: trigger.stateKB() };
			};
		},
		...sameRequests(PAGES_OF_A_LATER_POLL, newEvents),
	},
};

/** Sends the requests of the trigger and ignores the responses. */
function sameRequests(maxPages: number, newEvents: (size: number) => number): Variants {
	return clientVariants((client) => async ({ size, numbers }) => {
		await listAllShipments(client, maxPages);
		await mapConcurrently(chunk(numbers, PAGE_SIZE), async (packages) =>
			client.post('/ANT/Tracking', { packages }),
		);
		return { results: newEvents(size) };
	});
}
