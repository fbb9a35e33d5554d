import { ServiceError } from '../domain/validation';
import type { RouteName } from './requestLog';

const kinds = [
	'reset',
	'noResponse',
	'status',
	'html',
	'halfBody',
	'nullResult',
	'redirect',
	'latency',
	'rateLimit',
	'body',
] as const;

export type FaultKind = (typeof kinds)[number];

export interface Fault {
	operation: RouteName | '*';
	kind: FaultKind;
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
	/** For body, in-process only: changes the correct response. Implies `when: after`. */
	rewrite?: (response: never) => unknown;
	/** In-process only: affects only requests with such a body. */
	onlyIf?: (body: never) => boolean;
	/** For halfBody: closes the socket halfway instead of ending the response. */
	cut?: boolean;
	/** Number of requests to let through first. */
	skip?: number;
	/** Number of requests to affect. Default 1. Infinity, or null over HTTP, means all. */
	times?: number | null;
}

export interface QueuedFault extends Fault {
	when: 'before' | 'after';
}

/** Faults to apply to upcoming requests, in the order they were added. */
export class FaultQueue {
	private faults: Array<{ fault: QueuedFault; skip: number; times: number }> = [];

	constructor(private readonly operations: string[]) {}

	add(fault: Fault): void {
		if (!kinds.includes(fault.kind)) {
			throw new ServiceError(
				400,
				`Unknown fault kind "${fault.kind}". Use one of: ${kinds.join(', ')}`,
			);
		}
		const targets = ['*', 'signIn', 'labelFile', ...this.operations];
		if (!targets.includes(fault.operation)) {
			throw new ServiceError(
				400,
				`Unknown operation "${fault.operation}". Use one of: ${targets.join(', ')}`,
			);
		}
		this.faults.push({
			fault: { ...fault, when: fault.rewrite ? 'after' : (fault.when ?? 'before') },
			skip: fault.skip ?? 0,
			times: fault.times === null ? Infinity : (fault.times ?? 1),
		});
	}

	clear(): void {
		this.faults = [];
	}

	list(): Fault[] {
		return this.faults.map(({ fault, skip, times }) => ({ ...fault, skip, times }));
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
