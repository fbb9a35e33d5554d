import { MODES, setStage } from '../support/triggerStage';

// What a poll may spend.

const stage = setStage();

test.each(MODES)(
	'in the %s mode, shipments are requested in turns, within the time budget of n8n',
	async (mode) => {
		stage.seed(2_000);
		const host = await stage.publish(mode);
		await stage.poll(host);
		const from = stage.requested().length;
		// 20 requests of 1.6 seconds, while a poll in the durable mode has 36 for everything.
		stage.rewrite('trackShipments', () => (stage.clock.nowMs += 1_600));
		for (let polls = 0; polls < 3; polls++) {
			const startedMs = stage.clock.nowMs;
			await host.tick();
			expect(stage.clock.nowMs - startedMs).toBeLessThanOrEqual(host.budgetMs[mode]);
		}
		const turns = stage.requested().slice(from).flat();
		expect(new Set(turns.slice(0, 2_000)).size).toBe(2_000);
		if (mode === 'default') expect(turns).toHaveLength(6_000);
	},
);
