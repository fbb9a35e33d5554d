import { startPollHost } from '../support/poll';

import fc from 'fast-check';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import { histories, type History, STEP_HOURS, type StepHours } from '../support/history';
import { HistoryPlayer } from '../support/historyPlayer';
import { noteHistory, reachedByHistories } from '../support/historyReached';
import { SERVICE_KINDS, SERVICES, type ServiceKind } from '../support/services';

// The ordinary suite plays the same histories every time, so that it fails only after a change.
// `npm run test:histories -- --runs 5000` plays other ones. A history that fails is printed with the
// seed and the path that play it again. It says which service, and so which dialect, was chosen.
const ordinaryRuns = 200;
const runs = Number(process.env.HISTORY_RUNS ?? ordinaryRuns);
const seed = Number(process.env.HISTORY_SEED ?? 7);
const replayed = process.env.HISTORY_PATH;

const clock = { nowMs: Date.now() };
const sandboxes = {} as Record<`${ServiceKind} ${StepHours}`, Sandbox>;

beforeAll(async () => {
	jest.spyOn(Date, 'now').mockImplementation(() => clock.nowMs);
	for (const kind of SERVICE_KINDS) {
		for (const stepHours of STEP_HOURS) {
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
	noteHistory(history, host);
	return errors;
}

test(
	`in ${runs} histories, every event that the service shows is emitted exactly once, in order`,
	async () => {
		await fc.assert(
			fc.asyncProperty(histories, async (history) => {
				expect(await play(history)).toEqual([]);
			}),
			{ numRuns: runs, seed, ...(replayed ? { path: replayed, endOnFailure: true } : {}) },
		);
		reachedByHistories.expectAll({ runs: replayed ? 1 : runs, ordinaryRuns });
	},
	60_000 + runs * 6_000,
);
