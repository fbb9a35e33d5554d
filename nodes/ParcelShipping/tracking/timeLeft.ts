/** The time that a poll, or a part of it, may take. */
export class TimeLeft {
	constructor(
		readonly now: () => number,
		private readonly endsAt: number,
	) {}

	/** A part of what is left, as a number from 0 to 1. */
	share(part: number): TimeLeft {
		const nowMs = this.now();
		return new TimeLeft(this.now, nowMs + Math.max(0, this.endsAt - nowMs) * part);
	}

	/** Whether another request may begin. */
	get isUp(): boolean {
		return this.endsAt - this.now() < SHORTEST_REQUEST_MS;
	}

	/** How long a request that begins now may take. */
	get requestTimeoutMs(): number {
		return Math.max(SHORTEST_REQUEST_MS, Math.min(LONGEST_REQUEST_MS, this.endsAt - this.now()));
	}
}

const SHORTEST_REQUEST_MS = 1_000;

/** Shorter than n8n's usual limit for a whole poll, so that one silent carrier doesn't use it up. */
const LONGEST_REQUEST_MS = 20_000;
