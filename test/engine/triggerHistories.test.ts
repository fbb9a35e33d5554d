import { startPollHost } from '../support/poll';

import fc from 'fast-check';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from '../support/credentials';
import type { Entry, EventRules } from '../support/eventRules';
import { histories, type History, STEP_HOURS } from '../support/history';
import { HistoryPlayer } from '../support/historyPlayer';
import { Reached } from '../support/reached';
import { SERVICE_KINDS, SERVICES, type ServiceKind } from '../support/services';

// The ordinary suite plays the same histories every time, so that it fails only after a change.
// `npm run test:histories -- --runs 5000` plays other ones. A history that fails is printed with the
// seed and the path that play it again. It says which service, and so which dialect, was chosen.
const ordinaryRuns = 200;
const runs = Number(process.env.HISTORY_RUNS ?? ordinaryRuns);
const seed = Number(process.env.HISTORY_SEED ?? 7);
const replayed = process.env.HISTORY_PATH;

const clock = { nowMs: Date.now() };
const sandboxes = {} as Record<`${ServiceKind} ${History['stepHours']}`, Sandbox>;

const reached = new Reached([
	'event emitted',
	'late event emitted',
	'event without a date emitted',
	'event of another type skipped',
	'No Movement emitted',
	'Waiting for Pickup emitted',
	'poll failed',
]);

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
	const player = new HistoryPlayer(history, sandbox, host, clock);
	const errors = await player.play();
	noteReached(player.rules, host.failures.length);
	return errors;
}

function noteReached({ entries, periods }: EventRules, failures: number): void {
	const all = [...entries.values()];
	const emitted = all.filter((entry) => entry.emitted > 0);
	const isAfter = (late: Entry) => (early: Entry) =>
		early.number === late.number &&
		early.appearedMs < late.appearedMs &&
		early.dateMs > late.dateMs;
	reached.note('event emitted', emitted.length > 0);
	reached.note(
		'late event emitted',
		emitted.some((late) => emitted.some(isAfter(late))),
	);
	reached.note(
		'event without a date emitted',
		emitted.some(({ event }) => event.date === ''),
	);
	reached.note(
		'event of another type skipped',
		all.some(({ isSelected }) => !isSelected.once),
	);
	reached.note(
		'No Movement emitted',
		periods.some(({ type }) => type === 'noMovement'),
	);
	reached.note(
		'Waiting for Pickup emitted',
		periods.some(({ type }) => type === 'waitingForPickup'),
	);
	reached.note('poll failed', failures > 0);
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
		reached.expectAll({ runs: replayed ? 1 : runs, ordinaryRuns });
	},
	60_000 + runs * 6_000,
);
