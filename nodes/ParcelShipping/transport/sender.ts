import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import { type AccountMemory, accountMemoryOf } from './accountMemory';
import { type BodyStream, MAX_RUN_BYTES, readText, untilDeadline } from './body';
import {
	CREDENTIAL_TYPE,
	type ParcelShippingCredential,
	readLimit,
	type ServiceAddress,
} from './credential';
import { type Endpoint, type EndpointRequest, nameOfEndpoint, toHttpRequest } from './endpoints';
import {
	isMissingEndpoint,
	isNotFound,
	isServiceError,
	ItemError,
	readNetworkError,
	redactError,
	stoppedError,
	withNote,
} from './errors';
import { readResponse } from './response';
import { decideRetry } from './retry';
import { Secrets } from './secrets';
import { messageBeside } from './serviceMessage';
import { type HttpResponse, type Secret, Session } from './session';

const DEFAULT_TIMEOUT_MS = 60_000;

/** So that many messages do not fill the screen. */
const MAX_SERVICE_MESSAGES = 20;

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** How long each request of a call may take. */
export interface RequestLimits {
	timeoutMs?: number | undefined;
	/** How long a request may wait in all between its tries, if the credential does not allow less. */
	maxRetryWaitMs?: number | undefined;
}

type StreamResponse = HttpResponse & { body: BodyStream };

const CREDENTIAL = { id: CREDENTIAL_TYPE, name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE };

/**
 * Sends a request: at which path, when, and whether again. Every request of a run passes here, except the sign-in, which
 * the credential sends.
 */
export class Sender {
	/** How many requests run at a time. */
	protected readonly maxParallelRequests: number;

	readonly maxRetryWaitMs: number;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** Only for a credential that signs in. */
	private readonly session: Session | undefined;

	/** What this process remembers about the account. */
	readonly memory: AccountMemory;

	protected secrets: Secrets;

	/** The size of all responses of this run, without files. */
	private receivedBytes = 0;

	/** What the service said beside its results, in words for the user, by its own words. */
	private readonly serviceMessages = new Map<string, string>();

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		private readonly limits: RequestLimits,
	) {
		const { maxParallelRequests, maxRetryWait, sessionToken, ...account } = credential;
		this.maxParallelRequests = Math.floor(readLimit(maxParallelRequests, 4, 1));
		const maxRetryWaitMs = readLimit(maxRetryWait, 60, 0) * 1000;
		this.maxRetryWaitMs = Math.min(limits.maxRetryWaitMs ?? Infinity, maxRetryWaitMs);
		this.secrets = new Secrets(credential);
		// The service and the values of the credential: others may belong to another account.
		this.memory = accountMemoryOf(JSON.stringify(account));
		if (credential.authentication === 'signIn') {
			this.session = new Session(Boolean(sessionToken), async (...request) =>
				this.sendOnce(...request),
			);
		}
	}

	/** The address of the provider and n8n's ID of the credential. n8n saves it, so nothing in it is made of the secret. */
	get accountId(): string {
		const { credentials } = this.caller.getNode();
		return `${this.address.base} ${credentials?.[CREDENTIAL_TYPE]?.id ?? ''}`;
	}

	/**
	 * Calls an endpoint at the path that has worked, or else at its first one. The other one is tried only
	 * if there is certainly nothing at the first one, so that nothing is created twice. For a read, any 404 counts,
	 * unless a path has worked before: then it is about the record.
	 */
	protected async callEndpoint(
		endpoint: Endpoint,
		request: EndpointRequest,
		limits?: RequestLimits,
	): Promise<IDataObject> {
		checkPathValues(request);
		const known = this.memory.workingPaths.get(endpoint.title);
		const path = known ?? endpoint.path;
		const response = this.callPath({ ...endpoint, path }, request, limits);
		return await response.catch(async (thrown: unknown) => {
			const other = path === endpoint.path ? endpoint.secondPath : endpoint.path;
			const mayBePath = endpoint.safe && known === undefined && isNotFound(thrown);
			if (other === undefined || !(mayBePath || isMissingEndpoint(thrown))) throw thrown;
			const second = this.callPath({ ...endpoint, path: other }, request, limits);
			return await second.catch((last: unknown) => {
				// A path that the service does not have, or from which it redirects a read, says nothing about the request.
				const { status = 0 } = isServiceError(last) ? last.facts : {};
				const isRedirected = endpoint.safe && status >= 300 && status < 400;
				throw isMissingEndpoint(last) || isRedirected ? thrown : last;
			});
		});
	}

	private async callPath(
		endpoint: Endpoint,
		request: EndpointRequest,
		{ timeoutMs = this.limits.timeoutMs ?? DEFAULT_TIMEOUT_MS, maxRetryWaitMs }: RequestLimits = {},
	): Promise<IDataObject> {
		const name = nameOfEndpoint(endpoint);
		const attempt = async () => {
			// 0 would mean no limit.
			const timeout = Math.max(1, Math.ceil(timeoutMs));
			const options = toHttpRequest(this.address.base, endpoint, request, timeout);
			const sent = await this.send(options, name);
			const response = readResponse(endpoint, { ...sent, body: sent.body as string }, Date.now());
			if (endpoint.secondPath) this.memory.workingPaths.set(endpoint.title, endpoint.path);
			const message = messageBeside(response);
			if (message && this.serviceMessages.size < MAX_SERVICE_MESSAGES) {
				this.serviceMessages.set(message, `${endpoint.title}: The service said: ${message}`);
			}
			return response;
		};
		return await this.withRetries(endpoint, name, attempt, maxRetryWaitMs);
	}

	/** Sends a request, and repeats it until it succeeds or `retry.ts` decides that it has failed. */
	protected async withRetries<Result>(
		endpoint: { safe: boolean },
		name: string,
		attempt: () => Promise<Result>,
		maxWaitMs = this.maxRetryWaitMs,
	): Promise<Result> {
		const state = { tries: 0, waitedMs: 0, maxWaitMs };
		return await this.inTurn(async () => {
			for (;;) {
				if (this.isStopped) throw stoppedError(name, { mayHaveActed: false });
				state.tries++;
				const outcome = await attempt().then(
					(result) => ({ result }),
					(thrown: unknown) => ({ thrown }),
				);
				if ('result' in outcome) return outcome.result;
				const { thrown } = outcome;
				if (!isServiceError(thrown)) throw thrown;
				const { pauseMs, because } = decideRetry(thrown.facts, endpoint, state, Math.random());
				if (pauseMs === undefined) {
					throw this.withoutSecrets(because ? withNote(thrown, because) : thrown);
				}
				await this.pause(pauseMs);
				state.waitedMs += pauseMs;
			}
		});
	}

	/** At most `maxParallelRequests` at a time, with those that pause before they are sent again. Others wait in their order. */
	private async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		if (this.running < this.maxParallelRequests) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}

	/** The error without secrets, in case the provider has repeated one. */
	withoutSecrets(thrown: unknown): unknown {
		return redactError(thrown, (value) => this.secrets.redact(value));
	}

	/** The data of an item without secrets. */
	withoutSecretsInData<Data>(data: Data): Data {
		return this.secrets.redactData(data);
	}

	/** Sends a request with the credential; signs in if that is needed. */
	protected async send(options: IHttpRequestOptions, endpoint: string): Promise<HttpResponse> {
		if (this.session) return await this.session.send(options, endpoint);
		return await this.sendOnce(options, endpoint, 'saved');
	}

	protected async sendOnce(
		options: IHttpRequestOptions,
		endpoint: string,
		secret: Secret,
	): Promise<HttpResponse> {
		const { allowedHttpRequestDomains, allowedDomains = '' } = this.credential;
		const isFile = options.encoding === 'stream';
		const deadline = AbortSignal.timeout(options.timeout ?? DEFAULT_TIMEOUT_MS);
		// A file may come later than its headers.
		const signals = [isFile ? undefined : deadline, this.stopSignal].filter(
			(signal) => signal !== undefined,
		);
		const request = {
			...options,
			// Read here, up to a size and a time. n8n has no limit for the size.
			encoding: 'stream' as const,
			abortSignal: AbortSignal.any(signals),
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
		const response = await untilDeadline(deadline, sending as Promise<StreamResponse>, ({ body }) =>
			body.destroy(),
		).catch((thrown: unknown) => this.fail(thrown, endpoint, options.url));
		if (secret === 'newToken') {
			// With the new token, so that no message contains it. Whatever happens, the response counts.
			const credential = await this.caller
				.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE)
				.catch(() => this.credential);
			this.secrets = new Secrets(credential);
		}
		if (isFile) return response;
		const left = MAX_RUN_BYTES - this.receivedBytes;
		const body = await readText(response.body, deadline, left, endpoint).catch((thrown: unknown) =>
			this.fail(thrown, endpoint, options.url),
		);
		this.receivedBytes += body.length;
		return { ...response, body };
	}

	/** Turns an error of n8n's HTTP helpers into one that says whether the service may have acted. */
	protected fail(thrown: unknown, endpoint: string, url: string): never {
		if (isServiceError(thrown)) throw thrown;
		throw readNetworkError(thrown, endpoint, new URL(url).host);
	}

	/** What the service said beside its results, unless one of the errors already says it. */
	serviceMessagesExcept(errors: readonly string[]): string[] {
		return [...this.serviceMessages]
			.filter(([message]) => !errors.some((error) => error.includes(message)))
			.map(([, text]) => this.secrets.redact(text));
	}

	/** Whether the user has stopped the workflow. */
	get isStopped(): boolean {
		return this.stopSignal?.aborted ?? false;
	}

	/** Waits, or returns early if the user stops the workflow. */
	async pause(ms: number): Promise<void> {
		if (this.isStopped) return;
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

/** What a part of a path may be. Anything else could lead to another path. */
const PATH_VALUE = /^[0-9A-Za-z_-]{1,100}$/;

function checkPathValues({ path }: EndpointRequest): void {
	for (const [name, value] of Object.entries(path ?? {})) {
		if (PATH_VALUE.test(String(value))) continue;
		const what = name === 'carrier_code' ? 'carrier code' : 'ID';
		throw new ItemError(
			`Invalid ${what}: ${JSON.stringify(String(value).slice(0, 100))}`,
			'Letters, digits, hyphens and underscores are allowed. Choose it from the list, or check the value.',
		);
	}
}
