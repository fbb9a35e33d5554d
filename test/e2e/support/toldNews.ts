// Tracking events that happen all the time, each with a name of its own, and what the service has
// answered about them.
import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../../sandbox';

const SERVICE = 'BEAVER-PARCEL';
export const CARRIER = 'BEAVER';

interface TrackingBody {
	result: Array<{ events: Array<{ name: string }> }>;
}

/** One answer to the trigger's question; an answer shows everything that was told before. */
export interface Answer {
	atMs: number;
	names: ReadonlySet<string>;
}

export class ToldNews {
	/** What happened before the workflow was published. */
	readonly before: string[] = [];
	readonly since: string[] = [];
	readonly answers: Answer[] = [];
	private readonly watched: string[];
	private onNews: (() => void) | undefined;
	private telling: Promise<void> | undefined;
	private isOver = false;

	constructor(private readonly sandbox: Sandbox) {
		this.watched = sandbox
			.seedShipments(30, { serviceType: SERVICE, hoursAgo: 20 })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
		this.answerAgain();
	}

	tellBefore(): void {
		this.tellOne(this.before, 'Before');
	}

	tell(): void {
		this.tellOne(this.since, 'News');
	}

	begin(everyMs: number): void {
		this.isOver = false;
		this.telling = (async () => {
			while (!this.isOver) {
				this.tell();
				await sleep(everyMs);
			}
		})();
	}

	async end(): Promise<void> {
		this.isOver = true;
		await this.telling;
	}

	/** The service breaks off every connection. */
	goAway(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({ operation: '*', kind: 'reset', times: Infinity });
	}

	/** Right answers, and a look at each of them. */
	answerAgain(): void {
		this.sandbox.clearFaults();
		this.sandbox.fault({
			operation: 'trackShipments',
			kind: 'body',
			rewrite: (body: TrackingBody) => {
				this.look(body);
				return body;
			},
			times: Infinity,
		});
	}

	/** Settles at the moment at which an answer with something new in it is about to be sent. */
	async nextNews(): Promise<void> {
		await new Promise<void>((resolve) => (this.onNews = resolve));
	}

	private tellOne(list: string[], kind: string): void {
		const name = `${kind} ${list.length + 1}`;
		const shipment = this.watched[list.length % this.watched.length] as string;
		// The code, because events that differ in their name only are one event in other words.
		this.sandbox.addEvent(shipment, { name, code: name });
		list.push(name);
	}

	private look({ result }: TrackingBody): void {
		const names = new Set(result.flatMap(({ events }) => events.map(({ name }) => name)));
		const isNews = names.size > (this.answers.at(-1)?.names.size ?? 0);
		this.answers.push({ atMs: Date.now(), names });
		if (isNews) this.onNews?.();
	}
}
