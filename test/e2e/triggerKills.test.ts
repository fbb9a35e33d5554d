import { setTimeout as sleep } from 'node:timers/promises';

import { randomOf } from '../simulation/time';
import { KillRun, POLL_MODES, type PollMode } from './support/killRun';

// A few kills at critical moments. `npm run test:kills` runs many at random moments.

jest.setTimeout(600_000);

test.concurrent.each(Object.keys(POLL_MODES) as PollMode[])(
	'In the %s mode of n8n, each event since publishing is emitted once, even if n8n is killed and the service is down',
	async (mode) => {
		const seed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);
		console.log(`Random moments of the kills in the ${mode} mode: KILL_SEED=${seed}`);
		const random = randomOf(seed);
		const run = await KillRun.open(mode);
		try {
			// The moment of publishing must survive the kill, although no event has been emitted yet.
			await run.publish();
			const { executions } = await run.kill();
			expect(executions).toEqual([]);
			run.feed.add(3);
			await run.start();
			run.feed.start();

			// At about this time, n8n stores the result of a poll.
			await run.untilEvent();
			await run.killAfterEvent(40 * random());
			await run.start();

			await run.renameTrigger();
			await sleep(6_000 * random());
			await run.kill();
			await run.startWithoutService(4_000);
			// The trigger still polls, although the workflow was not published again.
			await run.untilEvent();

			await run.editTrigger();
			await run.renameOtherNode();
			await run.unpublishFor(2_000);
			const verdict = await run.end();

			expect(verdict).toMatchObject({ lost: [], repeated: [], unexpected: [] });
			// How many there are depends on how long each start took, about one every 0.7 s.
			expect(verdict.events).toBeGreaterThan(15);
		} finally {
			await run.close();
		}
	},
);
