// `npm run test:kills`: kills n8n many times and prints what was lost or doubled.
import { setTimeout as sleep } from 'node:timers/promises';

import { chanceOf } from '../e2e/support/chance';
import type { Verdict } from '../e2e/support/killBooks';
import { POLL_MODES, type PollMode, removeFolders } from '../e2e/support/killableN8n';
import { KillStory } from '../e2e/support/killStory';

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
		await play(mode, 'at any moment', async (story, chance) => {
			await sleep(7_000 * chance());
			await editWorkflow(story, chance);
			await story.kill();
			if (chance() > 0.15) return await story.restart();
			await story.restartWithoutService(4_000);
			await story.untilNews();
		});
	});

	test(`when n8n is killed ${KILLS} times after the first events since its start`, async () => {
		await play(mode, `within ${CRITICAL_MS} ms after the first events`, killAfterEvents);
	});

	test(`when n8n is killed ${KILLS} times after later events`, async () => {
		await play(mode, `within ${CRITICAL_MS} ms after later events`, async (story, ...args) => {
			await story.untilNews();
			await killAfterEvents(story, ...args);
		});
	});
});

async function play(
	mode: PollMode,
	when: string,
	killOnce: (story: KillStory, chance: () => number, index: number) => Promise<void>,
): Promise<void> {
	const chance = chanceOf(SEED);
	const story = await KillStory.open(mode);
	try {
		await story.publish();
		story.beginNews();
		for (let index = 0; index < KILLS; index++) await killOnce(story, chance, index);
		const verdict = await story.end();
		print(`${mode}, ${KILLS} kills ${when}: ${summarize(verdict)}`);
		expect(verdict).toMatchObject({ lost: [], doubled: [], strange: [] });
	} finally {
		await story.close();
	}
}

/** Spreads the kills evenly, so that a few of them find the critical moment. */
async function killAfterEvents(
	story: KillStory,
	chance: () => number,
	index: number,
): Promise<void> {
	await story.killAfterNews(((index + chance()) / KILLS) * CRITICAL_MS);
	await story.restart();
}

/** Does what users may do between two kills. */
async function editWorkflow(story: KillStory, chance: () => number): Promise<void> {
	const at = chance();
	if (at < 0.1) return await story.editTrigger();
	if (at < 0.2) return await story.renameOtherNode();
	if (at < 0.3) return await story.renameTrigger();
	if (at < 0.4) return await story.switchOffAndOn(2_000 * chance());
}

function summarize(verdict: Verdict): string {
	const { events, lost, doubled, strange, lostByN8n, doubledByN8n, cutOff, emptied } = verdict;
	const gaps = verdict.lossesAfterMs.map((ms) => `${ms} ms`).join(', ');
	return [
		`${events} events`,
		`lost ${lost.length}, doubled ${doubled.length}, strange ${strange.length} by the trigger`,
		`lost ${lostByN8n.length}${gaps && ` (kills ${gaps} after the answer)`}, doubled ${doubledByN8n.length} by n8n`,
		`${cutOff.length} in executions that a kill cut off, ${emptied.length} of them emptied`,
	].join('; ');
}
