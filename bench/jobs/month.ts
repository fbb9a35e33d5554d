import axios from 'axios';

import type { Sandbox } from '../../sandbox';
import { HOUR_MS, localSecond } from '../../sandbox/domain/clock';
import type { Job, Task } from '../job';

const MINUTES = 60;
const DAY = 24;
/** After this time, shipments of the first poll no longer count as new. */
const HOURS_BEFORE = 4;

const onTheWay = (hoursAgo: number) => ({ category: 'TransitOnTheWay', hoursAgo });

/** The shipments of a month: most of them have arrived. Ages are in hours. */
const MONTH = [
	{ share: 0.6, age: [29 * DAY, 3 * DAY], lastEvent: { category: 'Delivered', hoursAgo: 60 } },
	{ share: 0.25, age: [3 * DAY, DAY], lastEvent: onTheWay(5) },
	{ share: 0.1, age: [15 * DAY, 6 * DAY], lastEvent: onTheWay(5 * DAY) },
	{ share: 0.05, age: [DAY, 0] },
] as const;

function seedMonth(sandbox: Sandbox, size: number) {
	return MONTH.flatMap(({ share, age: [first, last], ...rest }) => {
		const spread = { hoursAgo: first, spreadHours: first - last };
		const shipments = sandbox.seedShipments(Math.round(size * share), spread);
		if ('lastEvent' in rest) {
			const { category, hoursAgo } = rest.lastEvent;
			const date = localSecond(sandbox.now().getTime() - hoursAgo * HOUR_MS);
			for (const { packageNumberCarrier } of shipments)
				sandbox.addEvent(packageNumberCarrier, { category, date });
		}
		return shipments;
	});
}

const shared = {
	title: 'An hour of polls, one a minute, of a month with {size} shipments',
	quickSize: 200,
	figures: ['wallMs', 'cpuMs', 'requests', 'stateKB', 'longestBlockMs', 'peakMemoryMB'],
	seed: seedMonth,
	afterWarmUp: () => {},
	expectedResults: () => 0,
	variants: { node: hourOfPolls },
} satisfies Partial<Job>;

export const pollMonth: Job = {
	...shared,
	name: 'poll-month',
	size: 10_000,
	goals: [
		{
			description: 'A month with 10,000 shipments: requests in an hour of polls',
			figure: 'requests',
			atMost: 25 * MINUTES,
		},
		{
			description: 'A month with 10,000 shipments: longest event loop block (ms)',
			figure: 'longestBlockMs',
			atMost: 50,
		},
	],
};

export const pollMany: Job = {
	...shared,
	name: 'poll-many',
	size: 20_000,
	goals: [],
};

/** Publishes a workflow, lets it poll for some hours, and measures the polls of the next hour. */
async function hourOfPolls(url: string): Promise<Task> {
	const { prepareTrigger } = await import('../variants/n8n.js');
	const publish = await prepareTrigger(url);
	const { poll, stateKB } = publish();

	const pollTimes = async (count: number, minutes: number): Promise<number> => {
		let events = 0;
		for (let polls = 0; polls < count; polls++) {
			await advanceClocks(url, minutes);
			events += await poll();
		}
		return events;
	};
	return async ({ isWarmUp }) => {
		if (isWarmUp) await pollTimes(HOURS_BEFORE, MINUTES);
		return { results: await pollTimes(MINUTES, 1), stateKB: stateKB() };
	};
}

const realNow = Date.now.bind(Date);
let offsetMs = 0;

/** Moves the clock of this process and that of the sandbox forward, so that hours of polls take seconds. */
async function advanceClocks(url: string, minutes: number): Promise<void> {
	offsetMs += minutes * 60_000;
	Date.now = () => realNow() + offsetMs;
	await axios.post(new URL('/sandbox/advance', url).href, { hours: minutes / 60 });
}
