import type { IDataObject } from 'n8n-workflow';

/** Why something failed, in the words that n8n's scheduler acts on. */
export type FailureCause =
	| 'rate-limited'
	| 'temporarily-unavailable'
	| 'credential-invalid'
	| 'configuration-invalid';

export interface FailureFacts {
	/** What happened. */
	message: string;
	/** What the user can do about it. */
	description: string;
	/** The endpoint or file that was asked for, as a user can read it. */
	endpoint: string;
	/** The service may have done what it was asked although no usable answer came. */
	mayHaveActed: boolean;
	/** The same request may succeed a little later. */
	passing: boolean;
	cause?: FailureCause;
	status?: number;
	retryAfterMs?: number;
	correlationId?: string;
	/** Anything else worth showing: the service's own words, an excerpt of the answer. */
	details?: IDataObject;
}

/** Everything that can go wrong on the way to the service and back. `nodeError.ts` shows it. */
export class ServiceFailure extends Error {
	constructor(readonly facts: FailureFacts) {
		super(facts.message);
		this.name = 'ServiceFailure';
	}
}

export function isServiceFailure(error: unknown): error is ServiceFailure {
	return error instanceof ServiceFailure;
}
