// Adds tracking events to the sandbox all the time, each with its own name, and records which of them
// the responses of the provider contained.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../../sandbox';

/** One response to the trigger. It contains all events that were added before. */
export interface RecordedResponse {
	atMs: number;
	names: ReadonlySet<string>;
}

interface TrackingBody {
	result: Array<{ events: Array<{ name: string }> }>;
}

export class EventFeed {
	/** The names of all events that the feed has added. */
	readonly names: string[] = [];
	readonly responses: RecordedResponse[] = [];
	private readonly watched: string[];
	private onNewEvent: (() => void) | undefined;
	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly sandbox: Sandbox) {
		// They have an event in the last hour, so they are requested in every poll.
		this.watched = sandbox
			.seedShipments(30, { hoursAgo: 18.7 })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
		this.recordResponses();
	}

	/** Adds this many events at once. */
	add(count: number): void {
		for (let added = 0; added < count; added++) {
			const name = `Event ${this.names.length + 1}`;
			const shipment = this.watched[this.names.length % this.watched.length] as string;
			// The code differs as well, because events that differ only in their name are the same event.
			this.sandbox.addEvent(shipment, { name, code: name });
			this.names.push(name);
		}
	}

	/** Adds events one by one until `stop`. */
	start(): void {
		this.timer = setInterval(() => this.add(1), 700);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	/** Makes the provider close every connection without a response. */
	breakConnections(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({ operation: '*', kind: 'reset', times: Infinity });
	}

	/** Makes the provider respond correctly, and records each response. */
	recordResponses(): void {
		this.sandbox.clearFaults();
		const rewrite = (body: TrackingBody) => {
			this.record(body);
			return body;
		};
		const operation = 'trackShipments';
		this.sandbox.fault({ operation, kind: 'body', rewrite, times: Infinity });
	}

	/** Resolves when a response with a new event is about to be sent. */
	async nextNewEvent(withinMs: number): Promise<void> {
		const late = sleep(withinMs, 'late', { ref: false });
		const next = new Promise<void>((resolve) => (this.onNewEvent = resolve));
		if ((await Promise.race([next, late])) === 'late')
			throw new Error('The trigger received no new event');
	}

	private record({ result }: TrackingBody): void {
		const names = new Set(result.flatMap(({ events }) => events.map(({ name }) => name)));
		const hasNewEvent = names.size > (this.responses.at(-1)?.names.size ?? 0);
		this.responses.push({ atMs: Date.now(), names });
		if (hasNewEvent) this.onNewEvent?.();
	}
}
