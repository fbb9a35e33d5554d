import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../../sandbox';

/** Adds tracking events with unique names at a steady rate. */
export class EventFeed {
	readonly names: string[] = [];
	private readonly numbers: string[];
	private isStopped = false;
	private adding: Promise<void> | undefined;

	constructor(private readonly sandbox: Sandbox) {
		this.numbers = sandbox
			.seedShipments(30, { serviceType: 'BEAVER-PARCEL' })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
	}

	start(everyMs: number): void {
		this.adding = this.addEvents(everyMs);
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await this.adding;
	}

	private async addEvents(everyMs: number): Promise<void> {
		while (!this.isStopped) {
			const name = `Event ${this.names.length + 1}`;
			const shipment = this.numbers[this.names.length % this.numbers.length] as string;
			this.sandbox.addEvent(shipment, { name });
			this.names.push(name);
			await sleep(everyMs);
		}
	}
}
