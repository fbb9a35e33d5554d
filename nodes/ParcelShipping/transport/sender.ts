import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import { isRecord } from '../records';
import { type AccountMemory, accountMemoryOf, fingerprintOf, noteOutcome } from './accountMemory';
import {
	CREDENTIAL_TYPE,
	explainRefusedSecret,
	type ParcelShippingCredential,
	redactSecrets,
	type ServiceAddress,
	withoutSecretInQuery,
} from './credential';
import { type Endpoint, type EndpointRequest, nameOfEndpoint, toHttpRequest } from './endpoints';
import {
	describeError,
	isMissingEndpoint,
	isNotFound,
	isServiceError,
	readNetworkError,
	reword,
	stoppedError,
	withNote,
} from './errors';
import { readResponse } from './response';
import { decideRetry } from './retry';
import { messageBeside } from './serviceMessage';
import { type HttpResponse, type Secret, Session } from './session';

export const DEFAULT_MAX_RETRY_WAIT_MS = 60_000;
export const DEFAULT_MAX_CONCURRENCY = 4;

/** So that many messages do not fill the screen. */
const MAX_SERVICE_MESSAGES = 20;

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface ClientOptions {
	/** How many requests run at a time. */
	maxConcurrency?: number | undefined;
	/** How long a request may wait in all between its tries. */
	maxRetryWaitMs?: number | undefined;
	/** How long each request may take at most. */
	maxTimeoutMs?: number;
}

/** How long the requests of one call may take. */
export interface RequestLimits {
	/** Each request. */
	timeoutMs: number;
	/** The moment at which all of them must be over. */
	endMs?: number | undefined;
	maxRetryWaitMs?: number;
}

const CREDENTIAL = { id: CREDENTIAL_TYPE, name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE };

/** Sends a request: at which path, when, and whether again. Every request of a run passes here. */
export class Sender {
	protected readonly maxConcurrency: number;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** Only for a credential that signs in. */
	private readonly session: Session | undefined;

	protected readonly memory: AccountMemory;

	/** The service and the values of the credential: others may belong to another account. */
	private readonly account: string;

	/** What the service said beside its results, in words for the user, by its own words. */
	private readonly serviceMessages = new Map<string, string>();

	constructor(
		private readonly caller: Caller,
		private credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		private readonly options: ClientOptions,
	) {
		this.maxConcurrency = Math.max(1, options.maxConcurrency ?? DEFAULT_MAX_CONCURRENCY);
		this.account = JSON.stringify({ ...credential, sessionToken: undefined });
		this.memory = accountMemoryOf(this.account);
		if (credential.authentication === 'signIn') {
			this.session = new Session(
				this.memory,
				Boolean(credential.sessionToken),
				async (...request) => this.sendOnce(...request),
			);
		}
	}

	get maxRetryWaitMs(): number {
		return this.options.maxRetryWaitMs ?? DEFAULT_MAX_RETRY_WAIT_MS;
	}

	/** The address of the service, and what tells the account from others there. */
	get accountId(): string {
		return `${this.address.base} ${fingerprintOf(this.account)}`;
	}

	/**
	 * Calls an endpoint at the path that has worked, or else at its first one. The other one is tried only
	 * if there is certainly nothing at the first one, so that nothing is created twice. For a detail, any
	 * 404 counts, unless the path has worked before.
	 */
	protected async callEndpoint(
		endpoint: Endpoint,
		request: EndpointRequest,
		limits: RequestLimits,
	): Promise<IDataObject> {
		const { workingPaths } = this.memory;
		const path = (endpoint.secondPath && workingPaths.get(endpoint.title)) ?? endpoint.path;
		const response = this.callPath({ ...endpoint, path }, request, limits);
		return await response.catch(async (thrown: unknown) => {
			const other = path === endpoint.path ? endpoint.secondPath : endpoint.path;
			const hasWorked = workingPaths.get(endpoint.title) === path;
			const mayBePath = endpoint.isAny404Missing && !hasWorked && isNotFound(thrown);
			if (other === undefined || !(mayBePath || isMissingEndpoint(thrown))) throw thrown;
			const second = this.callPath({ ...endpoint, path: other }, request, limits);
			return await second.catch((last: unknown) => {
				// A path that the service does not have says nothing about the request.
				const saysNothing =
					isMissingEndpoint(last) || (isNotFound(last) && !isMissingEndpoint(thrown));
				throw saysNothing ? thrown : last;
			});
		});
	}

	private async callPath(
		endpoint: Endpoint,
		request: EndpointRequest,
		{ timeoutMs, endMs = Infinity, maxRetryWaitMs }: RequestLimits,
	): Promise<IDataObject> {
		const name = nameOfEndpoint(endpoint);
		const attempt = async () => {
			// 0 would mean no limit.
			const { maxTimeoutMs = Infinity } = this.options;
			const timeLeft = Math.max(1, Math.min(timeoutMs, maxTimeoutMs, endMs - Date.now()));
			const options = toHttpRequest(this.address.base, endpoint, request, timeLeft);
			const { statusCode: status, headers, body: data } = await this.send(options, name, endpoint);
			const body = typeof data === 'string' ? data : JSON.stringify(data ?? '');
			const response = readResponse(endpoint, { status, headers, body }, Date.now());
			if (endpoint.secondPath) this.memory.workingPaths.set(endpoint.title, endpoint.path);
			const message = messageBeside(response);
			if (message && this.serviceMessages.size < MAX_SERVICE_MESSAGES) {
				this.serviceMessages.set(message, `${endpoint.title}: The service said: ${message}`);
			}
			return response;
		};
		const sending = this.withRetries(endpoint, name, attempt, maxRetryWaitMs);
		return await sending.catch((thrown: unknown) => this.explainRefusal(thrown));
	}

	/** If the secret was refused, the error says where it was sent, and which fields may be wrong. */
	private explainRefusal(thrown: unknown): never {
		if (!isServiceError(thrown) || thrown.facts.status !== 401) throw thrown;
		const { serviceMessage = '' } = describeError(thrown).details;
		throw withNote(thrown, explainRefusedSecret(this.credential, String(serviceMessage)));
	}

	/**
	 * Sends a request, and repeats it until it succeeds or `retry.ts` decides that it has failed. Requests
	 * beyond the limit wait in the order they arrived.
	 */
	protected async withRetries<Result>(
		endpoint: { safe: boolean },
		name: string,
		attempt: () => Promise<Result>,
		maxWaitMs = this.maxRetryWaitMs,
	): Promise<Result> {
		if (this.running < this.maxConcurrency) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		const state = { tries: 0, waitedMs: 0, maxWaitMs };
		try {
			for (;;) {
				if (this.isStopped) throw stoppedError(name, { mayHaveActed: false });
				state.tries++;
				const outcome = await attempt().then(
					(result) => ({ result }),
					(thrown: unknown) => ({ thrown }),
				);
				if ('result' in outcome) {
					noteOutcome(this.memory, undefined, Date.now());
					return outcome.result;
				}
				const { thrown } = outcome;
				if (!isServiceError(thrown)) throw thrown;
				noteOutcome(this.memory, thrown.facts, Date.now());
				const { pauseMs, because } = decideRetry(thrown.facts, endpoint, state, Math.random());
				if (pauseMs === undefined) {
					throw this.withoutSecrets(because ? withNote(thrown, because) : thrown);
				}
				await this.pause(pauseMs);
				state.waitedMs += pauseMs;
			}
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}

	/** The error without secrets, in case the service has repeated one. */
	withoutSecrets(thrown: unknown): unknown {
		return reword(thrown, (text) => this.redact(text));
	}

	/** A text, or all texts in a value, without secrets. */
	private redact<Value>(value: Value): Value {
		const redactAll = (each: unknown): unknown => {
			if (typeof each === 'string') return redactSecrets(each, this.credential);
			if (Array.isArray(each)) return each.map(redactAll);
			if (!isRecord(each)) return each;
			return Object.fromEntries(Object.entries(each).map(([key, more]) => [key, redactAll(more)]));
		};
		return redactAll(value) as Value;
	}

	/** Sends a request with the credential; signs in if that is needed. */
	async send(
		options: IHttpRequestOptions,
		endpoint: string,
		behavior = { safe: true },
	): Promise<HttpResponse> {
		if (this.session) return await this.session.send(options, endpoint, behavior);
		return await this.sendOnce(options, endpoint, 'saved');
	}

	async sendOnce(
		options: IHttpRequestOptions,
		endpoint: string,
		secret: Secret,
	): Promise<HttpResponse> {
		const { allowedHttpRequestDomains, allowedDomains = '' } = this.credential;
		const request = {
			...options,
			// Another origin must not get the secret, even if a redirect repeats it.
			url: secret === 'none' ? withoutSecretInQuery(options.url, this.credential) : options.url,
			// `response.ts` judges statuses, redirects and bodies, not n8n.
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			// n8n enforces 'Allowed HTTP Request Domains' only for requests that pass it on.
			...(allowedHttpRequestDomains === 'domains' ? { allowedDomains } : {}),
		};
		const withoutToken = { ...CREDENTIAL, data: { ...this.credential, sessionToken: '' } as never };
		const { helpers } = this.caller;
		const sending =
			secret === 'none'
				? helpers.httpRequest(request)
				: helpers.httpRequestWithAuthentication.call(
						this.caller,
						CREDENTIAL_TYPE,
						request,
						secret === 'newToken' ? { credentialsDecrypted: withoutToken } : undefined,
					);
		const response = await (sending as Promise<HttpResponse>).catch((thrown: unknown) =>
			this.fail(thrown, endpoint),
		);
		if (secret === 'newToken') {
			// With the new token, so that no message contains it. Whatever happens, the response counts.
			this.credential = await this.caller
				.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE)
				.catch(() => this.credential);
		}
		return response;
	}

	/** Turns an error of n8n's HTTP helpers into one that says whether the service may have acted. */
	fail(thrown: unknown, endpoint: string): never {
		if (isServiceError(thrown)) throw thrown;
		throw readNetworkError(thrown, endpoint, new URL(this.address.base).host);
	}

	/** What the service said beside its results, unless one of the errors already says it. */
	serviceMessagesExcept(errors: readonly string[]): string[] {
		return [...this.serviceMessages]
			.filter(([message]) => !errors.some((error) => error.includes(message)))
			.map(([, text]) => this.redact(text));
	}

	/** Whether polls send nothing, because the service has asked for a pause. */
	get isHeldBack(): boolean {
		return Date.now() < this.memory.pausedUntil;
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
