import { sleep } from 'n8n-workflow';

import { keepLatest } from '../lists';
import { Limiter } from './concurrency';
import type { ErrorFacts } from './errors';

// A trigger can poll a little later. A user or an order waits for the requests of an execution, so
// polls give way to them, and send nothing while the service asks for a pause.

/** Less than a minute, so that it does not take the next poll but one. */
const FIRST_PAUSE_MS = 45_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A date in Retry-After may be far in the future by mistake. */
const LONGEST_TOLD_PAUSE_MS = 24 * 3_600_000;

/** How long a request of a poll waits for those of executions. */
const MAX_WAIT_MS = 500;

const MAX_SERVICES = 100;

/** The requests of this process to one service with one credential. */
export class Traffic {
	/** Requests of executions under way, including those that wait for another try. */
	private urgent = 0;

	private readonly onceIdle: Array<() => void> = [];

	private readonly oneByOne = new Limiter(1);

	private pausedUntil = 0;

	/** Pauses in a row for which the service did not say how long they should be. */
	private pauses = 0;

	/** Sends a request of an execution. */
	async sendUrgent<Result>(send: () => Promise<Result>): Promise<Result> {
		this.urgent++;
		try {
			return await send();
		} finally {
			this.urgent--;
			if (this.urgent === 0) for (const resolve of this.onceIdle.splice(0)) resolve();
		}
	}

	/** Sends a request of a poll: while there are urgent ones, one at a time and after a short wait. */
	async sendPatiently<Result>(send: () => Promise<Result>): Promise<Result> {
		if (this.urgent === 0) return await send();
		return await this.oneByOne.run(async () => {
			if (this.urgent > 0) {
				const idle = new Promise<void>((resolve) => this.onceIdle.push(resolve));
				await Promise.race([idle, sleep(MAX_WAIT_MS)]);
			}
			return await send();
		});
	}

	/** Whether polls send nothing, because the service has asked for a pause. */
	isPaused(nowMs: number): boolean {
		return nowMs < this.pausedUntil;
	}

	/** Notes the outcome of a request: its error, or `undefined` for an answer. */
	note(error: ErrorFacts | undefined, nowMs: number): void {
		const isPaused = this.isPaused(nowMs);
		if (error?.retryAfterMs !== undefined) {
			const pauseMs = Math.min(error.retryAfterMs, LONGEST_TOLD_PAUSE_MS);
			this.pausedUntil = Math.max(this.pausedUntil, nowMs + pauseMs);
		} else if (error?.cause === 'rate-limited' && !isPaused) {
			this.pausedUntil = nowMs + Math.min(FIRST_PAUSE_MS * 2 ** this.pauses, LONGEST_PAUSE_MS);
			this.pauses++;
		} else if (!error && !isPaused) {
			this.pauses = 0;
		}
	}
}

const byService = new Map<string, Traffic>();

/** `service` names the service and the credential. */
export function trafficOf(service: string): Traffic {
	const traffic = byService.get(service) ?? new Traffic();
	keepLatest(byService, service, traffic, MAX_SERVICES);
	return traffic;
}
