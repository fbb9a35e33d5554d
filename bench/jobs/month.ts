import { figureOf, type Job, type RunContext, type SeedGroup, type Task } from '../job';
import { advanceClocks, restoreClock } from '../variants/clock';
import { prepareTrigger } from '../variants/lazy';

const KILOBYTE = 1024;
const MINUTES = 60;
const DAY = 24;
/** After this time, shipments of the first poll no longer count as new. */
const HOURS_BEFORE = 4;

/** The shipments of a month: most of them have arrived. */
const MONTH: SeedGroup[] = [
	{ share: 0.6, hoursAgo: [29 * DAY, 3 * DAY], lastEvent: { category: 'Delivered', hoursAgo: 60 } },
	{
		share: 0.25,
		hoursAgo: [3 * DAY, DAY],
		lastEvent: { category: 'TransitOnTheWay', hoursAgo: 5 },
	},
	{
		share: 0.1,
		hoursAgo: [15 * DAY, 6 * DAY],
		lastEvent: { category: 'TransitOnTheWay', hoursAgo: 5 * DAY },
	},
	{ share: 0.05, hoursAgo: [DAY, 0] },
];

const shared = {
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'requests', 'stateKB', 'longestBlockMs', 'peakMemoryMB'],
	seeding: (size: number) => ({ shipments: size, groups: MONTH }),
	// The measured polls go on from the state after the warm-up.
	newEvents: () => 0,
	expectedResults: () => 0,
	variants: { node: hourOfPolls },
} satisfies Partial<Job>;

export const pollMonth: Job = {
	...shared,
	name: 'poll-month',
	title: (size) =>
		`An hour of polls, one a minute, of a month with ${size.toLocaleString('en')} shipments`,
	size: 10_000,
	goals: [
		{
			description: 'A month with 10,000 shipments: requests per poll',
			value: (medians) => figureOf('requests')(medians) / MINUTES,
			atMost: 25,
		},
		{
			description: 'A month with 10,000 shipments: longest event loop block (ms)',
			value: figureOf('longestBlockMs'),
			atMost: 50,
		},
	],
};

export const pollMany: Job = {
	...shared,
	name: 'poll-many',
	title: (size) =>
		`An hour of polls, one a minute, of a month with ${size.toLocaleString('en')} shipments`,
	size: 100_000,
	maxRuns: 2,
	goals: [],
};

/** Publishes the workflow, lets it poll for some hours, and measures the polls of the next hour. */
async function hourOfPolls({ url }: RunContext): Promise<Task> {
	const publish = await prepareTrigger(url);
	let trigger: ReturnType<typeof publish> | undefined;

	const pollAfter = async (minutes: number): Promise<number> => {
		await advanceClocks(url, minutes);
		return (await trigger?.poll())?.length ?? 0;
	};
	const pollTimes = async (count: number, minutes: number): Promise<number> => {
		let events = 0;
		for (let poll = 0; poll < count; poll++) events += await pollAfter(minutes);
		return events;
	};
	return async () => {
		if (!trigger) {
			trigger = publish();
			const early = (await pollTimes(HOURS_BEFORE, MINUTES)) + (await pollTimes(MINUTES, 1));
			return { results: early };
		}
		const results = await pollTimes(MINUTES, 1).finally(restoreClock);
		return { results, stateKB: trigger.stateBytes() / KILOBYTE };
	};
}
