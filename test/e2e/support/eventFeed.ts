// Adds tracking events to the sandbox all the time, each with its own name, and records which of them
// the responses of the service contained.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../../sandbox';

const SERVICE = 'BEAVER-PARCEL';
export const CARRIER = 'BEAVER';

interface TrackingBody {
	result: Array<{ events: Array<{ name: string }> }>;
}

/** One response to the trigger. It contains all events that were added before. */
export interface RecordedResponse {
	atMs: number;
	names: ReadonlySet<string>;
}

export class EventFeed {
	/** The names of the events before the workflow was published. */
	readonly before: string[] = [];
	/** The names of the events since then. */
	readonly since: string[] = [];
	readonly responses: RecordedResponse[] = [];
	private readonly watched: string[];
	private onNewEvent: (() => void) | undefined;
	private adding: Promise<void> | undefined;
	private isStopped = false;

	constructor(private readonly sandbox: Sandbox) {
		this.watched = sandbox
			.seedShipments(30, { serviceType: SERVICE, hoursAgo: 19 })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
		this.restoreService();
	}

	addBefore(): void {
		this.add(this.before, 'Before');
	}

	addEvent(): void {
		this.add(this.since, 'Event');
	}

	start(everyMs: number): void {
		this.isStopped = false;
		this.adding = (async () => {
			while (!this.isStopped) {
				this.addEvent();
				await sleep(everyMs);
			}
		})();
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await this.adding;
	}

	/** Makes the service close every connection without a response. */
	breakConnections(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({ operation: '*', kind: 'reset', times: Infinity });
	}

	/** Makes the service respond correctly, and records each response. */
	restoreService(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({
			operation: 'trackShipments',
			kind: 'body',
			rewrite: (body: TrackingBody) => {
				this.record(body);
				return body;
			},
			times: Infinity,
		});
	}

	/** Resolves when a response with a new event is about to be sent. */
	async nextNewEvent(): Promise<void> {
		await new Promise<void>((resolve) => (this.onNewEvent = resolve));
	}

	private add(list: string[], kind: string): void {
		const name = `${kind} ${list.length + 1}`;
		const shipment = this.watched[list.length % this.watched.length] as string;
		// The code differs as well, because events that differ only in their name are the same event.
		this.sandbox.addEvent(shipment, { name, code: name });
		list.push(name);
	}

	private record({ result }: TrackingBody): void {
		const names = new Set(result.flatMap(({ events }) => events.map(({ name }) => name)));
		const hasNewEvent = names.size > (this.responses.at(-1)?.names.size ?? 0);
		this.responses.push({ atMs: Date.now(), names });
		if (hasNewEvent) this.onNewEvent?.();
	}
}
