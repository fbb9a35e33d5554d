import type { Fault, Sandbox } from '../../../sandbox';

/** Asks for patience now and then, is slow now and then, and loses answers after the work was done. */
export function bringBadWeather(sandbox: Sandbox, creations: number): void {
	for (let every = 0; every < creations; every += 20) {
		sandbox.fault({
			operation: '*',
			kind: 'rateLimit',
			retryAfter: '1',
			skip: every * 4,
			times: 3,
		});
		sandbox.fault({ operation: 'createShipments', kind: 'latency', ms: 1500, skip: every });
		const lost: Fault = { operation: 'createShipments', kind: 'reset', when: 'after' };
		sandbox.fault({ ...lost, skip: every + 5 });
		sandbox.fault({ ...lost, kind: 'halfBody', cut: true, skip: every + 15 });
	}
}
