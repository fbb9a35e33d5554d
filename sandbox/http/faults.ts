import type { RouteName } from './request';

export interface Fault {
	operation: RouteName | '*';
	kind:
		| 'reset'
		| 'noResponse'
		| 'status'
		| 'html'
		| 'halfBody'
		| 'redirect'
		| 'latency'
		| 'rateLimit'
		| 'body';
	/** Whether the fault happens before (default) or after the service carries out the request. */
	when?: 'before' | 'after';
	/** Defaults: 503 for status, 200 for html, 302 for redirect. */
	status?: number;
	/** Retry-After header: seconds or a date. Not sent by default. */
	retryAfter?: string;
	/** Target of redirect. Defaults to a login page of the sandbox. */
	location?: string;
	/** Duration of latency. */
	ms?: number;
	/** Response body for status and body. Strings are sent unchanged. */
	body?: unknown;
	/** For body: changes the correct response. Implies `when: after`. */
	rewrite?: (response: never) => unknown;
	/** Affects only requests with such a body. */
	onlyIf?: (body: never) => boolean;
	/** For halfBody: closes the socket halfway instead of ending the response. */
	cut?: boolean;
	/** Number of requests to let through first. */
	skip?: number;
	/** Number of requests to affect. Default 1. Infinity means all. */
	times?: number;
}

export interface QueuedFault extends Fault {
	when: 'before' | 'after';
}

/** Faults to apply to upcoming requests, in the order they were added. */
export class FaultQueue {
	private faults: Array<{ fault: QueuedFault; skip: number; times: number }> = [];

	add(fault: Fault): void {
		this.faults.push({
			fault: { ...fault, when: fault.rewrite ? 'after' : (fault.when ?? 'before') },
			skip: fault.skip ?? 0,
			times: fault.times ?? 1,
		});
	}

	clear(): void {
		this.faults = [];
	}

	/** Returns all matching latencies, or the first other matching fault. */
	take(name: RouteName, which: 'latency' | 'other', body: unknown): QueuedFault[] {
		const taken: QueuedFault[] = [];
		for (const entry of this.faults) {
			const { operation, kind, onlyIf } = entry.fault;
			if (operation !== '*' && operation !== name) continue;
			if ((kind === 'latency') !== (which === 'latency')) continue;
			if (onlyIf && !onlyIf(body as never)) continue;
			if (entry.skip > 0) {
				entry.skip--;
				continue;
			}
			entry.times--;
			taken.push(entry.fault);
			if (which === 'other') break;
		}
		this.faults = this.faults.filter((entry) => entry.times > 0);
		return taken;
	}
}
