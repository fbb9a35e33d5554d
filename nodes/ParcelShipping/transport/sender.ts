import { type IDataObject, sleep } from 'n8n-workflow';

import { Limiter } from './concurrency';
import { type ParcelShippingCredential, redactSecrets } from './credential';
import { isServiceError, ServiceError } from './errors';
import { stoppedError } from './networkErrors';
import { decideRetry } from './retry';
import type { Caller } from './session';
import { type Traffic, trafficOf } from './traffic';

export interface RequestLimits {
	/** How many requests run at a time. */
	maxConcurrency: number;
	/** How long a request may wait in all between its tries. */
	maxRetryWaitMs: number;
	/** Whether requests of executions go first; see `traffic.ts`. */
	isPatient: boolean;
}

/** Decides when each request of a client is sent, and whether it is sent again. */
export class Sender {
	private readonly limiter: Limiter;

	private readonly traffic: Traffic;

	/** `service` names the service and the credential, whose requests go in turn. */
	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		service: string,
		private readonly limits: RequestLimits,
	) {
		this.limiter = new Limiter(limits.maxConcurrency);
		this.traffic = trafficOf(service);
	}

	/** Repeats an attempt until it succeeds or `retry.ts` decides that it has failed. */
	async send<Result>(
		endpoint: { safe: boolean },
		endpointName: string,
		attempt: (endpointName: string) => Promise<Result>,
	): Promise<Result> {
		return await this.inTurn(async () => {
			let waitedMs = 0;
			for (let tries = 1; ; tries++) {
				if (this.isStopped) throw stoppedError(endpointName, { mayHaveActed: false });
				const outcome = await settle(attempt(endpointName));
				this.traffic.note('error' in outcome ? outcome.error.facts : undefined, Date.now());
				if ('result' in outcome) return outcome.result;

				const { error } = outcome;
				const { maxRetryWaitMs } = this.limits;
				const state = { tries, waitedMs };
				const decision = decideRetry(error.facts, endpoint, state, maxRetryWaitMs, Math.random());
				if (!decision.again) throw this.withoutSecrets(error, decision.because);
				await this.pause(decision.pauseMs);
				waitedMs += decision.pauseMs;
			}
		});
	}

	/** Sends a request when this client and, for polls, the other requests to the service allow it. */
	private async inTurn<Result>(send: () => Promise<Result>): Promise<Result> {
		return await this.limiter.run(async () =>
			this.limits.isPatient ? this.traffic.sendPatiently(send) : this.traffic.sendUrgent(send),
		);
	}

	/** The error as the user may see it: without secrets, and with the reason for giving up. */
	private withoutSecrets({ facts }: ServiceError, because?: string): ServiceError {
		const redact = (text: string) => redactSecrets(text, this.credential);
		const details =
			facts.details && (JSON.parse(redact(JSON.stringify(facts.details))) as IDataObject);
		return new ServiceError({
			...facts,
			message: redact(facts.message),
			description: redact(because ? `${facts.description} ${because}` : facts.description),
			...(details ? { details } : {}),
		});
	}

	/** Whether polls send nothing, because the service has asked for a pause. */
	get isHeldBack(): boolean {
		return this.traffic.isPaused(Date.now());
	}

	/** Whether the user has stopped the workflow. */
	get isStopped(): boolean {
		return this.stopSignal?.aborted ?? false;
	}

	/** Waits, or returns early if the user stops the workflow. */
	async pause(ms: number): Promise<void> {
		const stop = new Promise<void>((resolve) => {
			this.stopSignal?.addEventListener('abort', () => resolve(), { once: true });
		});
		await Promise.race([sleep(ms), stop]);
	}

	private get stopSignal(): AbortSignal | undefined {
		return 'getExecutionCancelSignal' in this.caller
			? this.caller.getExecutionCancelSignal()
			: undefined;
	}
}

async function settle<Result>(
	work: Promise<Result>,
): Promise<{ result: Result } | { error: ServiceError }> {
	return await work.then(
		(result) => ({ result }),
		(thrown: unknown) => {
			if (isServiceError(thrown)) return { error: thrown };
			throw thrown;
		},
	);
}
