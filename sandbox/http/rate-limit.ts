import type { SandboxOptions } from '../options';

type Settings = NonNullable<SandboxOptions['rateLimit']>;

/** At most so many requests within a sliding stretch of real time. */
export class RateLimit {
	private taken: number[] = [];
	constructor(readonly settings: Settings) {}

	/** False when the request is one too many. */
	take(nowMs = Date.now()): boolean {
		this.taken = this.taken.filter((at) => nowMs - at < this.settings.perMs);
		if (this.taken.length >= this.settings.requests) return false;
		this.taken.push(nowMs);
		return true;
	}

	clear(): void {
		this.taken = [];
	}
}
