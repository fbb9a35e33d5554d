import { figureOf, type Goal, type Job, ratio, type RunContext, type Task } from '../job';
import { bareClient, type Client, listAllShipments, mapConcurrently } from '../variants/bareClient';
import { createN8nClient, prepareTrigger } from '../variants/lazy';

const KILOBYTE = 1024;
/** Every poll requests all shipments, which shows what each of them costs. */
const EVERY_SHIPMENT = { freshness: 'everyPoll', options: { maxRequestsPerPoll: 1_000_000 } };
/** The trigger reads the first page and ten more, if it already knows the shipments. */
const PAGES_OF_A_LATER_POLL = 11;

const goalsOf = (what: string): Goal[] => [
	{
		description: `${what}: time compared to n8n's request function with the same requests`,
		value: ratio('wallMs', 'node', 'n8nRequests'),
		atMost: 1.25,
	},
	{
		description: `${what}: longest event loop block (ms)`,
		value: figureOf('longestBlockMs'),
		atMost: 50,
	},
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
	title: (size) => `First poll of ${size.toLocaleString('en')} shipments`,
	goals: [
		...goalsOf('First poll'),
		{
			description: 'Size of the state of 10,000 shipments (kB)',
			value: figureOf('stateKB'),
			atMost: 1024,
		},
	],
	expectedResults: () => 0,
	growth: 'First poll',
	variants: {
		node: async ({ url }: RunContext): Promise<Task> => {
			const publish = await prepareTrigger(url, EVERY_SHIPMENT);
			return async () => {
				const trigger = publish();
				const events = await trigger.poll();
				return { results: events.length, stateKB: trigger.stateBytes() / KILOBYTE };
			};
		},
		n8nRequests: async ({ url }: RunContext) =>
			clientTask(await createN8nClient(url), Infinity, () => 0),
		bare: async ({ url }: RunContext) => clientTask(bareClient(url), Infinity, () => 0),
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
		title: (size) =>
			`Poll ${size.toLocaleString('en')} shipments ${condition}, all of them in every poll`,
		goals: goalsOf(`Poll ${condition}`),
		expectedResults: newEvents,
		newEvents,
		variants: {
			node: async ({ url }: RunContext): Promise<Task> => {
				const publish = await prepareTrigger(url, EVERY_SHIPMENT);
				let trigger: ReturnType<typeof publish> | undefined;
				return async (size) => {
					if (!trigger) {
						trigger = publish();
						await trigger.poll();
						await trigger.poll();
						return { results: newEvents(size) };
					}
					const events = await trigger.poll();
					return { results: events.length, stateKB: trigger.stateBytes() / KILOBYTE };
				};
			},
			n8nRequests: async ({ url }: RunContext) =>
				clientTask(await createN8nClient(url), PAGES_OF_A_LATER_POLL, newEvents),
			bare: async ({ url }: RunContext) =>
				clientTask(bareClient(url), PAGES_OF_A_LATER_POLL, newEvents),
		},
	};
}

interface TrackingResponse {
	result: Array<{ events: unknown[] }>;
}

/** Sends the same requests and ignores the responses. */
function clientTask(
	client: Client,
	maxPages: number,
	expectedResults: (size: number) => number,
): Task {
	return async (size, { numbers }) => {
		await listAllShipments(client, maxPages);
		const starts = Array.from({ length: Math.ceil(numbers.length / 100) }, (_, part) => part * 100);
		await mapConcurrently(starts, async (start) =>
			client.post<TrackingResponse>('/ANT/Tracking', {
				packages: numbers.slice(start, start + 100),
			}),
		);
		return { results: expectedResults(size) };
	};
}
