import { ServiceError } from '../domain/service-error';
import type { RouteName } from './request-log';

const kinds = [
	'reset',
	'noAnswer',
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
	/** Whether the work was done when it goes wrong: before it (default) or after it. */
	when?: 'before' | 'after';
	/** status: 503; html: 200; redirect: 302 when not said. */
	status?: number;
	/** Value of the Retry-After header, seconds or a date; none when not said. */
	retryAfter?: string;
	/** Where redirect leads; a login page of the sandbox's own when not said. */
	location?: string;
	/** Length of latency. */
	ms?: number;
	/** status, body: what to answer; a text is sent as it is. */
	body?: unknown;
	/** body, within one process: makes the answer from the right one (the work is done). */
	rewrite?: (answer: never) => unknown;
	/** halfBody: closes the socket in the middle instead of ending the body properly. */
	cut?: boolean;
	/** Requests let through before the first fault. */
	skip?: number;
	/** How often; once when not said, Infinity for ever. Over HTTP null means for ever. */
	times?: number | null;
}

export interface WaitingFault extends Fault {
	when: 'before' | 'after';
}

/** Faults waiting for their request, in the order they were set. */
export class FaultQueue {
	private faults: Array<{ fault: WaitingFault; skip: number; times: number }> = [];

	constructor(private readonly operations: string[]) {}

	add(fault: Fault): void {
		if (!kinds.includes(fault.kind)) {
			throw new ServiceError(400, `No fault is of kind "${fault.kind}": ${kinds.join(', ')}`);
		}
		const targets = ['*', 'signIn', 'labelFile', ...this.operations];
		if (!targets.includes(fault.operation)) {
			const choice = targets.join(', ');
			throw new ServiceError(400, `No operation is called "${fault.operation}": ${choice}`);
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

	waiting(): Fault[] {
		return this.faults.map(({ fault, skip, times }) => ({ ...fault, skip, times }));
	}

	/** Every latency that applies, or the first other fault that does. */
	take(name: RouteName, which: 'latency' | 'other'): WaitingFault[] {
		const taken: WaitingFault[] = [];
		for (const entry of this.faults) {
			const { operation, kind } = entry.fault;
			if (operation !== '*' && operation !== name) continue;
			if ((kind === 'latency') !== (which === 'latency')) continue;
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
