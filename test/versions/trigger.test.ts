import { KillRun } from '../e2e/support/killRun';

jest.setTimeout(300_000);

test('each event since publishing starts the workflow once, also after a restart and a crash', async () => {
	const run = await KillRun.open('default');
	try {
		await run.publish();
		run.feed.add(3);
		await run.untilTwoPolls();
		await run.stop();
		run.feed.add(2);
		await run.start();
		await run.untilTwoPolls();
		await run.kill();
		run.feed.add(1);
		await run.start();
		// Two more polls would repeat an event that was not saved as known.
		const verdict = await run.end();
		expect(verdict).toEqual({
			events: 6,
			lost: [],
			repeated: [],
			unexpected: [],
			lostByN8n: [],
			repeatedByN8n: [],
		});
	} finally {
		await run.close();
	}
});
