// `npm run test:kills`: kills n8n many times and prints what was lost or repeated. `npm run test:versions` does so in
// other versions of n8n, with few kills.
import { mapValues } from 'lodash';
import { setTimeout as sleep } from 'node:timers/promises';

import { randomOf } from '../simulation/time';
import { KillRun, POLL_MODES, type PollMode } from './support/killRun';

const KILLS = Number(process.env.KILL_KILLS ?? 40);
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);
const [major = 3, minor = 0] = (process.env.N8N_VERSION?.split('.') ?? []).map(Number);
const hasDurableMode = major > 2 || minor >= 36;
const modes = (Object.keys(POLL_MODES) as PollMode[])
	.filter((mode) => mode === 'default' || hasDurableMode)
	.filter((mode) => mode === (process.env.KILL_MODE || mode));

/** The most critical time: the provider has responded, and n8n is about to save the events. */
const CRITICAL_MS = 300;

jest.setTimeout(KILLS * 240_000 + 300_000);

type Kill = (run: KillRun, random: () => number, index: number) => Promise<void>;

const killAtAnyMoment: Kill = async (run, random) => {
	await sleep(7_000 * random());
	await editWorkflow(run, random);
	await run.kill();
	await run.start();
};

/** Spreads the kills evenly, so that a few of them find the critical moment. */
const killAfterEvents: Kill = async (run, random, index) => {
	// Alternately in the first poll after the start and in the second one.
	if (index % 2 === 1) await run.feed.nextNewEvent();
	await run.feed.nextNewEvent();
	await sleep(((index + random()) / KILLS) * CRITICAL_MS);
	await run.kill();
	await run.start();
};

/** Does what users may do between two kills. */
async function editWorkflow(run: KillRun, random: () => number): Promise<void> {
	const at = random();
	if (at < 0.1) return await run.restart();
	if (at < 0.3) return await run.rename();
	if (at < 0.4) return await run.unpublishFor(2_000 * random());
}

describe.each(modes)('In the %s mode of n8n, the trigger emits each event once', (mode) => {
	test.each([
		['at any moment', killAtAnyMoment],
		['after the first events since its start, or later ones', killAfterEvents],
	])(`when n8n is killed ${KILLS} times %s (seed ${SEED})`, async (when, killOnce) => {
		const random = randomOf(SEED);
		const run = new KillRun(mode);
		try {
			await run.open();
			// The moment of publishing must survive a kill, although no event has been emitted yet.
			await run.publish();
			await run.kill();
			expect(run.kills).toMatchObject([{ executions: [] }]);
			run.feed.add(3);
			await run.start();
			run.feed.start();
			for (let index = 0; index < KILLS; index++) await killOnce(run, random, index);
			const verdict = await run.end();
			const counts = mapValues(verdict, (found) => (Array.isArray(found) ? found.length : found));
			process.stdout.write(`${mode}, killed ${when}: ${JSON.stringify(counts)}\n`);
			expect(verdict).toMatchObject({ lost: [], repeated: [], unexpected: [] });
		} finally {
			await run.close();
		}
	});
});
