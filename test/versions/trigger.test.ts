import { KillRun, type PollMode } from '../e2e/support/killRun';

const KILLS = Number(process.env.VERSIONS_KILLS);

jest.setTimeout(300_000 + KILLS * 240_000);

const [major = 0, minor = 0] = (process.env.N8N_VERSION ?? '').split('.').map(Number);
const hasDurableMode = major > 2 || (major === 2 && minor >= 36);
const modes: PollMode[] = hasDurableMode ? ['default', 'durable'] : ['default'];

test.each(modes)(
	'in the %s mode, each event since publishing starts the workflow once, also after a restart, a crash and kills within 0.3 s after a response',
	async (mode) => {
		const run = await KillRun.open(mode);
		try {
			await run.publish();
			run.feed.add(3);
			await run.untilTwoPolls();
			await run.stop();
			run.feed.add(2);
			await run.start();
			await run.untilTwoPolls();
			await run.kill();
			await run.start();
			run.feed.start();
			for (let kill = 0; kill < KILLS; kill++) {
				// Alternately in the first poll after the start and in the second one.
				if (kill % 2 === 1) await run.untilEvent();
				await run.killAfterEvent((300 * kill) / KILLS);
				await run.start();
			}
			const { lostByN8n, repeatedByN8n, ...verdict } = await run.end();
			console.log(
				`${process.env.N8N_VERSION}, ${mode} mode, ${KILLS} kills: ${verdict.events} events, ${lostByN8n.length} lost by n8n, ${repeatedByN8n.length} repeated by n8n`,
			);
			expect(verdict).toMatchObject({ lost: [], repeated: [], unexpected: [] });
			if (mode === 'durable') expect([...lostByN8n, ...repeatedByN8n]).toEqual([]);
		} finally {
			await run.close();
		}
	},
);
