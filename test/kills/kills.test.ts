// `npm run test:kills`: kills n8n many times and prints what was lost or doubled.
import { setTimeout as sleep } from 'node:timers/promises';

import { seededRandom } from '../e2e/support/seededRandom';
import type { Verdict } from '../e2e/support/killVerdict';
import { POLL_MODES, type PollMode, removeFolders } from '../e2e/support/killableN8n';
import { KillRun } from '../e2e/support/killRun';

const KILLS = Number(process.env.KILL_KILLS ?? 40);
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);
const modes = (Object.keys(POLL_MODES) as PollMode[]).filter(
	(mode) => mode === (process.env.KILL_MODE ?? mode),
);

/** The most critical time: the service has responded, and n8n is about to save the events. */
const CRITICAL_MS = 300;

jest.setTimeout(KILLS * 60_000 + 300_000);

/** Prints at once. jest would show console.log only at the end. */
const print = (line: string) => process.stdout.write(`${line}\n`);

beforeAll(() => print(`Seed ${SEED}`));
afterAll(removeFolders);

describe.each(modes)('In the %s mode of n8n, the trigger emits each event once', (mode) => {
	test(`when n8n is killed ${KILLS} times at any moment`, async () => {
		await play(mode, 'at any moment', async (run, random) => {
			await sleep(7_000 * random());
			await editWorkflow(run, random);
			await run.kill();
			if (random() > 0.15) return await run.restart();
			await run.restartWithoutService(4_000);
			await run.untilEvent();
		});
	});

	test(`when n8n is killed ${KILLS} times after the first events since its start`, async () => {
		await play(mode, `within ${CRITICAL_MS} ms after the first events`, killAfterEvents);
	});

	test(`when n8n is killed ${KILLS} times after later events`, async () => {
		await play(mode, `within ${CRITICAL_MS} ms after later events`, async (run, ...args) => {
			await run.untilEvent();
			await killAfterEvents(run, ...args);
		});
	});
});

async function play(
	mode: PollMode,
	when: string,
	killOnce: (run: KillRun, random: () => number, index: number) => Promise<void>,
): Promise<void> {
	const random = seededRandom(SEED);
	const run = await KillRun.open(mode);
	try {
		await run.publish();
		run.startEvents();
		for (let index = 0; index < KILLS; index++) await killOnce(run, random, index);
		const verdict = await run.end();
		print(`${mode}, ${KILLS} kills ${when}: ${summarize(verdict)}`);
		expect(verdict).toMatchObject({ lost: [], doubled: [], unexpected: [] });
	} finally {
		await run.close();
	}
}

/** Spreads the kills evenly, so that a few of them find the critical moment. */
async function killAfterEvents(run: KillRun, random: () => number, index: number): Promise<void> {
	await run.killAfterEvent(((index + random()) / KILLS) * CRITICAL_MS);
	await run.restart();
}

/** Does what users may do between two kills. */
async function editWorkflow(run: KillRun, random: () => number): Promise<void> {
	const at = random();
	if (at < 0.1) return await run.editTrigger();
	if (at < 0.2) return await run.renameOtherNode();
	if (at < 0.3) return await run.renameTrigger();
	if (at < 0.4) return await run.unpublishFor(2_000 * random());
}

function summarize(verdict: Verdict): string {
	const { events, lost, doubled, unexpected, lostByN8n, doubledByN8n, interrupted, deleted } =
		verdict;
	const gaps = verdict.lossesAfterMs.map((ms) => `${ms} ms`).join(', ');
	return [
		`${events} events`,
		`lost ${lost.length}, doubled ${doubled.length}, unexpected ${unexpected.length} by the trigger`,
		`lost ${lostByN8n.length}${gaps && ` (kills ${gaps} after the response)`}, doubled ${doubledByN8n.length} by n8n`,
		`${interrupted.length} in interrupted executions, the data of ${deleted.length} deleted`,
	].join('; ');
}
