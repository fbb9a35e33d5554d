import { figureGoal, type Job, type RunContext, type SeedGroup, type Task } from '../job';
import { prepareTrigger } from '../variants/lazy';

const MINUTES = 60;
const DAY = 24;
/** After this time, shipments of the first poll no longer count as new. */
const HOURS_BEFORE = 4;

const onTheWay = (hoursAgo: number) => ({ category: 'TransitOnTheWay', hoursAgo });

/** The shipments of a month: most of them have arrived. */
const MONTH: SeedGroup[] = [
	{ share: 0.6, hoursAgo: [29 * DAY, 3 * DAY], lastEvent: { category: 'Delivered', hoursAgo: 60 } },
	{ share: 0.25, hoursAgo: [3 * DAY, DAY], lastEvent: onTheWay(5) },
	{ share: 0.1, hoursAgo: [15 * DAY, 6 * DAY], lastEvent: onTheWay(5 * DAY) },
	{ share: 0.05, hoursAgo: [DAY, 0] },
];

const shared = {
	title: 'An hour of polls, one a minute, of a month with {size} shipments',
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
	size: 10_000,
	goals: [
		{
			description: 'A month with 10,000 shipments: requests per poll',
			value: ({ node }) => (node?.requests ?? NaN) / MINUTES,
			atMost: 25,
		},
		figureGoal(
			'A month with 10,000 shipments: longest event loop block (ms)',
			'longestBlockMs',
			50,
		),
	],
};

export const pollMany: Job = {
	...shared,
	name: 'poll-many',
	size: 100_000,
	maxRuns: 2,
	goals: [],
};

/** Publishes the workflow, lets it poll for some hours, and measures the polls of the next hour. */
async function hourOfPolls({ url }: RunContext): Promise<Task> {
	const publish = await prepareTrigger(url);
	let trigger: ReturnType<typeof publish> | undefined;

	const pollTimes = async (count: number, minutes: number): Promise<number> => {
		let events = 0;
		for (let poll = 0; poll < count; poll++) {
			await advanceClocks(url, minutes);
			events += (await trigger?.poll())?.length ?? 0;
		}
		return events;
	};
	return async () => {
		if (trigger) {
			const results = await pollTimes(MINUTES, 1).finally(restoreClock);
			return { results, stateKB: trigger.stateKB() };
		}
		trigger = publish();
		return { results: (await pollTimes(HOURS_BEFORE, MINUTES)) + (await pollTimes(MINUTES, 1)) };
	};
}

const realNow = Date.now.bind(Date);
let offsetMs = 0;

/** Moves the clock of this process and that of the sandbox forward, so that hours of polls take seconds. */
async function advanceClocks(url: string, minutes: number): Promise<void> {
	offsetMs += minutes * 60_000;
	Date.now = () => realNow() + offsetMs;
	const response = await fetch(new URL('/sandbox/advance', url), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ hours: minutes / 60 }),
	});
	if (!response.ok) throw new Error(`The sandbox's clock did not advance: ${response.status}`);
}

function restoreClock(): void {
	offsetMs = 0;
	Date.now = realNow;
}
