import type { Fault, Sandbox } from '../../../sandbox';

/** Adds rate limits, slow responses, and responses that are lost after the service did the work. */
export function addFaults(sandbox: Sandbox, creations: number): void {
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
