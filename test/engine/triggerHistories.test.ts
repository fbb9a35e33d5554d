import { startPollHost } from '../support/poll';

import fc from 'fast-check';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { histories, type History, HistoryPlayer } from '../support/historyPlayer';
import { SERVICE_KINDS, SERVICES, type ServiceKind } from '../support/services';

// The ordinary suite plays the same histories every time, so that it fails only after a change.
// `npm run test:histories -- --runs 5000` plays other ones. A history that fails is printed with the
// seed and the path that play it again. It says which service, and so which dialect, was chosen.
const ORDINARY_RUNS = 200;
const runs = Number(process.env.HISTORY_RUNS ?? ORDINARY_RUNS);
const seed = Number(process.env.HISTORY_SEED ?? 7);
const replayed = process.env.HISTORY_PATH;

const clock = { nowMs: Date.now() };
const sandboxes = {} as Record<`${ServiceKind} ${History['stepHours']}`, Sandbox>;

/** What the workflows got in at least one history. */
const reached = new Set<unknown>();
const REACHABLE =
	'noMovement waitingForPickup delivered canceled returned failure repeated older'.split(' ');

beforeAll(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => clock.nowMs);
	for (const kind of SERVICE_KINDS) {
		for (const stepHours of [6, 40] as const) {
			sandboxes[`${kind} ${stepHours}`] = await startSandbox({
				...SERVICES[kind],
				trackingStepHours: stepHours,
				clock: { now: () => new Date(clock.nowMs) },
			});
		}
	}
});

afterAll(async () => {
	jest.restoreAllMocks();
	await Promise.all(Object.values(sandboxes).map(async (sandbox) => sandbox.close()));
});

async function play(history: History): Promise<string[]> {
	const sandbox = sandboxes[`${history.service} ${history.stepHours}`];
	sandbox.reset();
	const host = await startPollHost(history.mode, sandboxCredential(sandbox.url));
	const errors = await new HistoryPlayer(history, sandbox, host, clock).play();
	for (const { eventGroup, isFirstOfGroup, isLatest } of host.events) {
		reached.add(eventGroup);
		if (isFirstOfGroup === false) reached.add('repeated');
		if (isLatest === false) reached.add('older');
	}
	if (host.failures.length > 0) reached.add('failure');
	return errors;
}

test(
	`in ${runs} histories, every event of the service comes once, in time, and nothing else comes`,
	async () => {
		await fc.assert(
			fc.asyncProperty(histories, async (history) => {
				expect(await play(history)).toEqual([]);
			}),
			{ numRuns: runs, seed, ...(replayed ? { path: replayed, endOnFailure: true } : {}) },
		);
		if (!replayed && runs >= ORDINARY_RUNS) {
			expect([...reached]).toEqual(expect.arrayContaining(REACHABLE));
		}
	},
	60_000 + runs * 6_000,
);
