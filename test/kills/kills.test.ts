// Many kills, with figures at the end: `npm run test:kills`.
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

/** The worst moments: the service has just answered, and n8n is about to store what there is. */
const AIMED_WITHIN_MS = 300;

jest.setTimeout(KILLS * 60_000 + 300_000);

/** At once, not only when all is over. */
const print = (line: string) => process.stdout.write(`${line}\n`);

beforeAll(() => print(`Seed ${SEED}`));
afterAll(removeFolders);

describe.each(modes)('In the %s mode of n8n, each event comes once', (mode) => {
	test(`although n8n is killed ${KILLS} times at any moment`, async () => {
		await play(mode, 'at any moment', async (story, chance) => {
			await sleep(7_000 * chance());
			await meddle(story, chance);
			await story.kill();
			if (chance() > 0.15) return await story.restart();
			await story.restartWithoutService(4_000);
			await story.untilNews();
		});
	});

	test(`although n8n is killed ${KILLS} times after the first news since its start`, async () => {
		await play(mode, `within ${AIMED_WITHIN_MS} ms after the first news`, killAtNews);
	});

	test(`although n8n is killed ${KILLS} times after later news`, async () => {
		await play(mode, `within ${AIMED_WITHIN_MS} ms after later news`, async (story, ...args) => {
			await story.untilNews();
			await killAtNews(story, ...args);
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
		print(`${mode}, ${KILLS} kills ${when}: ${inWords(verdict)}`);
		expect(verdict).toMatchObject({ lost: [], doubled: [], strange: [] });
	} finally {
		await story.close();
	}
}

/** Spread evenly, so that few kills show where the gap is. */
async function killAtNews(story: KillStory, chance: () => number, index: number): Promise<void> {
	await story.killAfterNews(((index + chance()) / KILLS) * AIMED_WITHIN_MS);
	await story.restart();
}

/** What else users do between two kills. */
async function meddle(story: KillStory, chance: () => number): Promise<void> {
	const at = chance();
	if (at < 0.1) return await story.editTrigger();
	if (at < 0.2) return await story.renameOtherNode();
	if (at < 0.3) return await story.renameTrigger();
	if (at < 0.4) return await story.switchOffAndOn(2_000 * chance());
}

function inWords(verdict: Verdict): string {
	const { events, lost, doubled, strange, lostByN8n, doubledByN8n, cutOff, emptied } = verdict;
	const gaps = verdict.lossesAfterMs.map((ms) => `${ms} ms`).join(', ');
	return [
		`${events} events`,
		`lost ${lost.length}, doubled ${doubled.length}, strange ${strange.length} by the trigger`,
		`lost ${lostByN8n.length}${gaps && ` (kills ${gaps} after the answer)`}, doubled ${doubledByN8n.length} by n8n`,
		`${cutOff.length} in executions that a kill cut off, ${emptied.length} of them emptied`,
	].join('; ');
}
