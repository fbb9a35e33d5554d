import { type IDataObject, sleep } from 'n8n-workflow';

import { Limiter } from './concurrency';
import { type ParcelShippingCredential, redactSecrets, type ServiceAddress } from './credential';
import { download, DOWNLOAD, type FileFormat, type FileStream } from './download';
import { type Endpoint, type EndpointRequest, nameOf, toHttpRequest } from './endpoints';
import {
	type ErrorFacts,
	isMissingEndpoint,
	isNotFound,
	isServiceError,
	ServiceError,
} from './errors';
import { stoppedError } from './networkErrors';
import { readResponse } from './response';
import { decideRetry } from './retry';
import { isPaused, noteOutcome, rememberWorkingPath, workingPathOf } from './serviceMemory';
import { messageBeside } from './serviceMessage';
import { type Caller, HttpSession } from './session';

export const DEFAULT_MAX_RETRY_WAIT_MS = 60_000;
export const DEFAULT_MAX_CONCURRENCY = 4;

/** So that many messages do not fill the screen. */
const MAX_SERVICE_MESSAGES = 20;

export interface ClientOptions {
	/** How many requests run at a time. */
	maxConcurrency?: number;
	/** How long a request may wait in all between its tries. */
	maxRetryWaitMs?: number;
}

/** Sends a request: at which path, when, and whether again. Every request of a run passes here. */
export class Sender {
	private readonly session: HttpSession;

	private readonly limiter: Limiter;

	protected readonly maxConcurrency: number;

	private readonly maxRetryWaitMs: number;

	/**
	 * The service and the credential, for `serviceMemory.ts`. A credential with other values may belong
	 * to another account.
	 */
	protected readonly account: string;

	/** What the service said beside its results, in words for the user, by its own words. */
	private readonly serviceMessages = new Map<string, string>();

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		options: ClientOptions,
	) {
		this.session = new HttpSession(caller, credential, address);
		this.maxConcurrency = options.maxConcurrency ?? DEFAULT_MAX_CONCURRENCY;
		this.limiter = new Limiter(this.maxConcurrency);
		this.maxRetryWaitMs = options.maxRetryWaitMs ?? DEFAULT_MAX_RETRY_WAIT_MS;
		this.account = JSON.stringify({ ...credential, sessionToken: undefined });
	}

	/**
	 * Calls an endpoint at the path that has worked, or else at its first one. The other one is tried only
	 * if there is certainly nothing at the first one, so that nothing is created twice. For a detail, any
	 * 404 counts, unless the path has worked before.
	 */
	protected async callEndpoint(
		endpoint: Endpoint,
		request: EndpointRequest,
		timeoutMs: number,
	): Promise<IDataObject> {
		const [first = '', second] = this.orderedPaths(endpoint);
		const callAt = async (path: string) => this.callPath({ ...endpoint, path }, request, timeoutMs);
		return await callAt(first).catch(async (thrown: unknown) => {
			const hasWorked = workingPathOf(this.account, endpoint.title) === first;
			const mayBePath = endpoint.isAny404Missing && !hasWorked && isNotFound(thrown);
			if (second === undefined || !(mayBePath || isMissingEndpoint(thrown))) throw thrown;
			return await callAt(second).catch((other: unknown) => {
				// A path that the service does not have says nothing about the request.
				const saysNothing =
					isMissingEndpoint(other) || (isNotFound(other) && !isMissingEndpoint(thrown));
				throw saysNothing ? thrown : other;
			});
		});
	}

	/** The paths of an endpoint, first the one that has worked. */
	protected orderedPaths({ title, paths }: Endpoint): string[] {
		const known = workingPathOf(this.account, title);
		return [...paths].sort((a, b) => Number(b === known) - Number(a === known));
	}

	private async callPath(
		endpoint: Endpoint,
		request: EndpointRequest,
		timeoutMs: number,
	): Promise<IDataObject> {
		const name = nameOf(endpoint);
		const options = toHttpRequest(this.address.base, endpoint, request, timeoutMs);
		return await this.withRetries(endpoint, name, async () => {
			const { statusCode: status, headers, body: data } = await this.session.send(options, name);
			const body = typeof data === 'string' ? data : JSON.stringify(data ?? '');
			const response = readResponse(endpoint, { status, headers, body }, Date.now());
			if (endpoint.paths.length > 1) {
				rememberWorkingPath(this.account, endpoint.title, endpoint.path);
			}
			const message = messageBeside(response);
			if (message && this.serviceMessages.size < MAX_SERVICE_MESSAGES) {
				this.serviceMessages.set(message, `${endpoint.title}: The service said: ${message}`);
			}
			return response;
		});
	}

	/** Sends a request, and repeats it until it succeeds or `retry.ts` decides that it has failed. */
	private async withRetries<Result>(
		endpoint: { safe: boolean },
		name: string,
		attempt: () => Promise<Result>,
	): Promise<Result> {
		return await this.limiter.run(async () => {
			const state = { tries: 0, waitedMs: 0, maxWaitMs: this.maxRetryWaitMs };
			for (;;) {
				if (this.isStopped) throw stoppedError(name, { mayHaveActed: false });
				state.tries++;
				const outcome = await attempt().then(
					(result) => ({ result }),
					(thrown: unknown) => {
						if (isServiceError(thrown)) return { failure: thrown.facts };
						throw thrown;
					},
				);
				const failure = 'failure' in outcome ? outcome.failure : undefined;
				noteOutcome(this.account, failure, Date.now());
				if ('result' in outcome) return outcome.result;

				const decision = decideRetry(outcome.failure, endpoint, state, Math.random());
				if (!decision.again) throw this.errorToShow(outcome.failure, decision.because);
				await this.pause(decision.pauseMs);
				state.waitedMs += decision.pauseMs;
			}
		});
	}

	/** The error as the user may see it: without secrets, and with the reason for giving up. */
	private errorToShow(facts: ErrorFacts, because?: string): ServiceError {
		const redact = (text: string) => redactSecrets(text, this.credential);
		const { message, description, details } = facts;
		return new ServiceError({
			...facts,
			message: redact(message),
			description: redact(because ? `${description} ${because}` : description),
			...(details && { details: JSON.parse(redact(JSON.stringify(details))) as IDataObject }),
		});
	}

	/** Downloads a label file. See `download.ts`. */
	async download<Saved>(
		url: string,
		format: FileFormat,
		save: (stream: FileStream) => Promise<Saved>,
	): Promise<Saved> {
		return await this.withRetries({ safe: true }, DOWNLOAD, async () =>
			download(url, format, this.session, save),
		);
	}

	/** What the service said beside its results, unless one of the errors already says it. */
	serviceMessagesExcept(errors: readonly string[]): string[] {
		return [...this.serviceMessages]
			.filter(([message]) => !errors.some((error) => error.includes(message)))
			.map(([, text]) => redactSecrets(text, this.credential));
	}

	/** Whether polls send nothing, because the service has asked for a pause. */
	get isHeldBack(): boolean {
		return isPaused(this.account, Date.now());
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
