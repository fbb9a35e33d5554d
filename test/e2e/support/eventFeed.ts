// Adds tracking events to the sandbox all the time, each with its own name, and records which of them
// the responses of the provider contained.
import { setTimeout as sleep } from 'node:timers/promises';

import type { WorkflowNode } from '../../../scripts/demo/rest';
import type { Sandbox } from '../../../sandbox';
import { EVERY_FIVE_SECONDS, node, PARCEL_SHIPPING } from './nodes';

const CARRIER = 'BEAVER';

/** A trigger that emits the events of the feed. */
export const feedTrigger = (name: string, { id }: { id: string }): WorkflowNode =>
	node({
		type: `${PARCEL_SHIPPING}Trigger`,
		name,
		credentials: { parcelShippingApi: { id, name: 'Sandbox' } },
		parameters: {
			pollTimes: EVERY_FIVE_SECONDS,
			filters: { carrierCodes: [CARRIER] },
			events: ['all'],
			timezone: 'Europe/Prague',
			simplify: false,
		},
	});

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
	private adding: Promise<void> | undefined;
	private isStopped = false;

	constructor(private readonly sandbox: Sandbox) {
		// They have an event in the last hour, so they are requested in every poll.
		this.watched = sandbox
			.seedShipments(30, { serviceType: `${CARRIER}-PARCEL`, hoursAgo: 18.7 })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
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
		this.isStopped = false;
		this.adding = (async () => {
			while (!this.isStopped) {
				this.add(1);
				await sleep(700);
			}
		})();
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await this.adding;
	}

	/** Makes the provider close every connection without a response. */
	breakConnections(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({ operation: '*', kind: 'reset', times: Infinity });
	}

	/** Makes the provider respond correctly, and records each response. */
	recordResponses(): void {
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

	private record({ result }: TrackingBody): void {
		const names = new Set(result.flatMap(({ events }) => events.map(({ name }) => name)));
		const hasNewEvent = names.size > (this.responses.at(-1)?.names.size ?? 0);
		this.responses.push({ atMs: Date.now(), names });
		if (hasNewEvent) this.onNewEvent?.();
	}
}
