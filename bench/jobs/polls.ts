import { chunk } from 'lodash';

import { figureGoal, type Job, timeGoal, type Variants } from '../job';
import {
	clientVariants,
	listAllShipments,
	mapConcurrently,
	PAGE_SIZE,
} from '../variants/bareClient';
import { prepareTrigger } from '../variants/lazy';

/** Every poll requests all shipments, which shows what each of them costs. */
const EVERY_SHIPMENT = { freshness: 'everyPoll', options: { maxRequestsPerPoll: 1_000_000 } };
/** The trigger reads the first page and ten more, if it already knows the shipments. */
const PAGES_OF_A_LATER_POLL = 11;

const goalsOf = (what: string) => [
	timeGoal(what, 1.25, ' with the same requests'),
	figureGoal(`${what}: longest event loop block (ms)`, 'longestBlockMs', 50),
];

const shared = {
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'requests', 'stateKB', 'longestBlockMs'],
	seeding: (size: number) => ({ shipments: size }),
	tracksEach: true,
} satisfies Partial<Job>;

/** The poll that runs when a workflow is published. */
export const firstPoll: Job = {
	...shared,
	name: 'poll-first',
	title: 'First poll of {size} shipments',
	goals: [
		...goalsOf('First poll'),
		figureGoal('Size of the state of 10,000 shipments (kB)', 'stateKB', 1024),
	],
	expectedResults: () => 0,
	growth: 'First poll',
	variants: {
		node: async ({ url }) => {
			const publish = await prepareTrigger(url, EVERY_SHIPMENT);
			return async () => {
				const { poll, stateKB } = publish();
				return { results: (await poll()).length, stateKB: stateKB() };
			};
		},
		...sameRequests(Infinity, () => 0),
	},
};

export const pollWithNewEvents = laterPoll('new-events', 'with 1% new events', (size) =>
	Math.ceil(size / 100),
);
export const pollWithoutNewEvents = laterPoll('no-events', 'without new events', () => 0);

/** The earlier polls are part of the warm-up. */
function laterPoll(name: string, condition: string, newEvents: (size: number) => number): Job {
	return {
		...shared,
		name: `poll-${name}`,
		title: `Poll {size} shipments ${condition}, all of them in every poll`,
		goals: goalsOf(`Poll ${condition}`),
		expectedResults: newEvents,
		newEvents,
		variants: {
			node: async ({ url }) => {
				const publish = await prepareTrigger(url, EVERY_SHIPMENT);
				let trigger: ReturnType<typeof publish> | undefined;
				return async (size) => {
					if (trigger) {
						const events = await trigger.poll();
						return { results: events.length, stateKB: trigger.stateKB() };
					}
					trigger = publish();
					await trigger.poll();
					await trigger.poll();
					return { results: newEvents(size) };
				};
			},
			...sameRequests(PAGES_OF_A_LATER_POLL, newEvents),
		},
	};
}

/** Sends the requests of the trigger and ignores the responses. */
function sameRequests(maxPages: number, newEvents: (size: number) => number): Variants {
	return clientVariants((client) => async (size, { numbers }) => {
		await listAllShipments(client, maxPages);
		await mapConcurrently(chunk(numbers, PAGE_SIZE), async (packages) =>
			client.post('/ANT/Tracking', { packages }),
		);
		return { results: newEvents(size) };
	});
}
