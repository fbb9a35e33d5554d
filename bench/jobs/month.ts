import type { Sandbox } from '../../sandbox';
import type { Job, Task } from '../job';
import { advanceClocks } from '../variants/clock';
import { addEventToEach } from './data';

const MINUTES = 60;
const DAY = 24;
/** After this time, shipments of the first poll no longer count as new. */
const HOURS_BEFORE = 4;

/** The shipments of a month: most of them have arrived. Ages are in hours. */
const MONTH = [
	{ share: 0.6, age: [29 * DAY, 3 * DAY], lastEvent: ['Delivered', 60] },
	{ share: 0.25, age: [3 * DAY, DAY], lastEvent: ['TransitOnTheWay', 5] },
	{ share: 0.1, age: [15 * DAY, 6 * DAY], lastEvent: ['TransitOnTheWay', 5 * DAY] },
	{ share: 0.05, age: [DAY, 0] },
] as const;

function seedMonth(sandbox: Sandbox, size: number) {
	return MONTH.flatMap(({ share, age: [first, last], ...rest }) => {
		const spread = { hoursAgo: first, spreadHours: first - last };
		const shipments = sandbox.seedShipments(Math.round(size * share), spread);
		if ('lastEvent' in rest) {
			const [category, hoursAgo] = rest.lastEvent;
			addEventToEach(sandbox, shipments, category, hoursAgo);
		}
		return shipments;
	});
}

export const pollMonth: Job = {
	name: 'poll-month',
	title: 'An hour of polls, one a minute, of a month with {size} shipments',
	size: 10_000,
	quickSize: 200,
	figures: ['wallMs', 'requests', 'stateKB', 'longestBlockMs', 'peakMemoryMB'],
	seed: seedMonth,
	afterWarmUp: () => {},
	expectedResults: () => 0,
	variants: { node: hourOfPolls },
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
