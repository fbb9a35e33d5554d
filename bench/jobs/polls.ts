import { figureOf, type Goal, type Job, type Place, ratio, type Work } from '../job';
import { bareClient, type Client, forEach, readAllShipments } from '../ways/bare';
import { prepareTrigger, requestsOfN8n } from '../ways/n8n';

const KILOBYTE = 1024;
/** What a poll that knows its shipments reads of the list: the first page and ten more. */
const PAGES_OF_A_LATER_POLL = 11;

const goalsOf = (what: string): Goal[] => [
	{
		says: `${what} takes at most 1.25 times the bare client's time for the same requests`,
		value: ratio('wallMs', 'node', 'bare'),
		atMost: 1.25,
	},
	{
		says: `${what} blocks the event loop for at most 50 ms`,
		value: figureOf('longestBlockMs'),
		atMost: 50,
	},
];

const shared = {
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'requests', 'stateKB', 'longestBlockMs'],
	seeding: (size: number) => ({ shipments: size }),
} satisfies Partial<Job>;

/** Begins to watch at the first poll, as after publishing. */
export const firstPoll: Job = {
	...shared,
	name: 'poll-first',
	title: (size) => `First poll over ${size.toLocaleString('en')} shipments`,
	goals: [
		...goalsOf('The first poll'),
		{
			says: 'The state of 10,000 shipments takes at most 1 MB',
			value: figureOf('stateKB'),
			atMost: 1024,
		},
	],
	expected: () => 0,
	growth: 'First poll',
	ways: {
		node: async ({ url }: Place): Promise<Work> => {
			const publish = await prepareTrigger(url);
			return async () => {
				const trigger = publish();
				const events = await trigger.poll();
				return { results: events.length, stateKB: trigger.stateBytes() / KILOBYTE };
			};
		},
		n8nRequests: async ({ url }: Place) => asWork(await requestsOfN8n(url), Infinity, () => 0),
		bare: async ({ url }: Place) => asWork(bareClient(url), Infinity, () => 0),
	},
};

export const quietPoll = laterPoll('quiet', 'Quiet poll', () => 0);
export const newsPoll = laterPoll('news', 'Poll with news of 1%', (size) => Math.ceil(size / 100));

/** The polls before it belong to the warm-up. */
function laterPoll(name: string, title: string, newsOf: (size: number) => number): Job {
	return {
		...shared,
		name: `poll-${name}`,
		title: (size) => `${title} over ${size.toLocaleString('en')} shipments`,
		goals: goalsOf(`A ${title.toLowerCase()}`),
		expected: newsOf,
		newsBetween: newsOf,
		ways: {
			node: async ({ url }: Place): Promise<Work> => {
				const publish = await prepareTrigger(url);
				let trigger: ReturnType<typeof publish> | undefined;
				return async (size) => {
					if (!trigger) {
						trigger = publish();
						await trigger.poll();
						await trigger.poll();
						return { results: newsOf(size) };
					}
					const events = await trigger.poll();
					return { results: events.length, stateKB: trigger.stateBytes() / KILOBYTE };
				};
			},
			n8nRequests: async ({ url }: Place) =>
				asWork(await requestsOfN8n(url), PAGES_OF_A_LATER_POLL, newsOf),
			bare: async ({ url }: Place) => asWork(bareClient(url), PAGES_OF_A_LATER_POLL, newsOf),
		},
	};
}

interface Tracking {
	result: Array<{ events: unknown[] }>;
}

/** The same requests, and nothing done with the answers. */
function asWork(client: Client, maxPages: number, expected: (size: number) => number): Work {
	return async (size, { numbers }) => {
		await readAllShipments(client, {}, maxPages);
		const starts = Array.from({ length: Math.ceil(numbers.length / 100) }, (_, part) => part * 100);
		await forEach(starts, async (start) =>
			client.post<Tracking>('/ANT/Tracking', { packages: numbers.slice(start, start + 100) }),
		);
		return { results: expected(size) };
	};
}
