import { setTimeout as sleep } from 'node:timers/promises';

import type { Sandbox } from '../../../sandbox';

/** Tracking events that happen all the time, each with a name of its own. */
export class News {
	readonly told: string[] = [];
	private readonly watched: string[];
	private isOver = false;
	private telling: Promise<void> | undefined;

	constructor(private readonly sandbox: Sandbox) {
		this.watched = sandbox
			.seedShipments(30, { serviceType: 'BEAVER-PARCEL' })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
	}

	begin(everyMs: number): void {
		this.telling = this.tell(everyMs);
	}

	async end(): Promise<void> {
		this.isOver = true;
		await this.telling;
	}

	private async tell(everyMs: number): Promise<void> {
		while (!this.isOver) {
			const name = `News ${this.told.length + 1}`;
			const shipment = this.watched[this.told.length % this.watched.length] as string;
			this.sandbox.addEvent(shipment, { name });
			this.told.push(name);
			await sleep(everyMs);
		}
	}
}
