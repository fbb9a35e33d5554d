import { setTimeout as sleep } from 'node:timers/promises';

import { chanceOf } from './support/chance';
import { POLL_MODES, type PollMode, removeFolders } from './support/killableN8n';
import { KillStory } from './support/killStory';

// Few kills, at moments that matter. `npm run test:kills` has many, at any moment.

jest.setTimeout(300_000);

afterAll(removeFolders);

describe.each(Object.keys(POLL_MODES) as PollMode[])('In the %s mode of n8n', (mode) => {
	test('each event since publishing comes once, although n8n is killed and the service goes away', async () => {
		const seed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);
		console.log(`The kills of the ${mode} mode at random moments: KILL_SEED=${seed}`);
		const chance = chanceOf(seed);
		const story = await KillStory.open(mode);
		try {
			// What there was at publishing must outlive n8n, though nothing has been emitted yet.
			await story.publish();
			const { executions } = await story.kill();
			expect(executions).toEqual([]);
			for (let count = 0; count < 3; count++) story.news.tell();
			await story.restart();
			story.beginNews();

			// About when n8n stores what a poll has brought.
			await story.untilNews();
			await story.killAfterNews(40 * chance());
			await story.restart();

			await story.renameTrigger();
			await sleep(6_000 * chance());
			await story.kill();
			await story.restartWithoutService(4_000);
			// The trigger lives, although nobody has published it again.
			await story.untilNews();

			await story.editTrigger();
			await story.renameOtherNode();
			await story.switchOffAndOn(2_000);
			const verdict = await story.end();

			expect(verdict).toMatchObject({ lost: [], doubled: [], strange: [] });
			expect(verdict.events).toBeGreaterThan(40);
		} finally {
			await story.close();
		}
	});
});
