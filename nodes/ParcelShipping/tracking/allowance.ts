import type { Deadline } from './host';

/** What a poll, or a part of it, may still spend: time and requests. */
export class Allowance {
	private constructor(
		readonly deadline: Deadline,
		private readonly requests: { left: number },
		private readonly isHeldBack: () => boolean,
		/** How many requests this part leaves to the others. */
		private readonly kept = 0,
	) {}

	/** `isHeldBack` says whether the service has asked for a pause. */
	static of(deadline: Deadline, maxRequests = Infinity, isHeldBack = () => false): Allowance {
		return new Allowance(deadline, { left: maxRequests }, isHeldBack);
	}

	/** A part of the remaining time and requests, as numbers from 0 to 1. */
	share(ofTime: number, ofRequests = ofTime): Allowance {
		const { requests, kept, deadline } = this;
		const others = Math.floor((requests.left - kept) * (1 - ofRequests));
		return new Allowance(deadline.share(ofTime), requests, this.isHeldBack, kept + others);
	}

	/** Whether no further request may start. */
	get isSpent(): boolean {
		return this.deadline.hasPassed || this.requests.left <= this.kept || this.isHeldBack();
	}

	/** Counts a request, and returns how long it may take. */
	spend(): number {
		this.requests.left--;
		return this.deadline.requestTimeoutMs;
	}
}
