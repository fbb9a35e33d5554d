import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import {
	CREDENTIAL_TYPE,
	type ParcelShippingCredential,
	readLimit,
	redactorOf,
	readBaseUrl,
	signIn,
} from './credential';
import { type Endpoint, type EndpointRequest, toHttpRequest } from './endpoints';
import {
	describeError,
	factsOf,
	isTransient,
	ItemError,
	readNetworkError,
	type RequestFacts,
	reword,
	stoppedError,
} from './errors';
import { type AccountMemory, accountMemoryOf } from './memory';
import {
	type BodyStream,
	type HttpResponse,
	readBody,
	readResponse,
	tooLarge,
	untilDeadline,
	WHOLE_RESPONSE,
} from './response';

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface RequestLimits {
	timeoutMs?: number | undefined;
}

export interface Request<Result> extends IHttpRequestOptions {
	url: string;
	/** In messages. */
	name: string;
	/** n8n's `timeout` measures silence. The deadline is for everything. */
	deadlineMs?: number;
	/** What is read of the response, while the deadline runs. */
	read: (response: HttpResponse<BodyStream>, name: string) => Promise<Result>;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Of all responses of a run, without files, because a list of many pages is kept in memory. */
const MAX_RUN_BYTES = 500 * 1024 * 1024;

/** The requests of a run: at which path, when, with which secret, and whether again. */
export class Http {
	/** The address of the provider. */
	readonly base: string;

	readonly maxParallelRequests: number;

	readonly maxRetryWaitMs: number;

	/** What this process remembers about the account. */
	readonly memory: AccountMemory;

	/** A value without the secrets of the credential. */
	redact: ReturnType<typeof redactorOf>;

	private readonly timeoutMs: number;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	private receivedBytes = 0;

	/** The token, or the error if the provider refused the user. Ten requests without a token sign in once. */
	private session: Promise<string> | undefined;

	/** Whether this run has replaced a token that the provider no longer accepts. It does so once at most. */
	private hasRenewed = false;

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		{ timeoutMs = DEFAULT_TIMEOUT_MS, maxRetryWaitMs = Infinity } = {},
	) {
		const { maxParallelRequests, maxRetryWait, ...account } = credential;
		this.base = readBaseUrl(credential.baseUrl);
		this.timeoutMs = timeoutMs;
		this.maxParallelRequests = Math.floor(readLimit(maxParallelRequests, 4, 1));
		this.maxRetryWaitMs = Math.min(maxRetryWaitMs, readLimit(maxRetryWait, 60, 0) * 1000);
		this.redact = redactorOf(credential);
		this.memory = accountMemoryOf(JSON.stringify({ ...account, sessionToken: '' }));
	}

	/** Until one of the two paths of an endpoint has worked, a 404 or 405 may mean that the provider has the other one. */
	async call(
		endpoint: Endpoint,
		request: EndpointRequest,
		{ timeoutMs: timeout = this.timeoutMs }: RequestLimits = {},
	): Promise<IDataObject> {
		const { title, method, path, secondPath, safe } = endpoint;
		const at = async (chosen: string) => {
			const name = `${title} (${method} ${chosen})`;
			const options = toHttpRequest(this.base, { ...endpoint, path: chosen }, request);
			return await this.retry(name, safe, async () => {
				const sent = await this.send({ ...options, timeout, name, read: readBody });
				this.receivedBytes += sent.body.length;
				if (this.receivedBytes > MAX_RUN_BYTES)
					throw tooLarge(name, 'The responses are too large together');
				const response = readResponse(endpoint, name, sent);
				this.memory.workingPaths.set(title, chosen);
				return response;
			});
		};
		// Another request may find the working one meanwhile: this one has not tried both yet.
		const working = this.memory.workingPaths.get(title);
		return await at(working ?? path).catch(async (first: unknown) => {
			if (!secondPath || working || !isWrongPath(first, false)) throw first;
			return await at(secondPath).catch((last: unknown) => {
				throw isWrongPath(last, safe) ? first : last;
			});
		});
	}

	/** Tries until it succeeds or `decideRetry` says that it has failed. */
	async retry<Result>(name: string, safe: boolean, attempt: () => Promise<Result>) {
		// A request keeps its turn while it pauses. Others wait in their order.
		if (this.running < this.maxParallelRequests) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			for (let tries = 1, waitedMs = 0; ; tries++) {
				if (this.isStopped) throw stoppedError(name, false);
				try {
					return await attempt();
				} catch (thrown) {
					const state = { safe, tries, leftMs: this.maxRetryWaitMs - waitedMs };
					const pauseMs = decideRetry(factsOf(thrown), state, Math.random());
					if (pauseMs === undefined) throw this.withoutSecrets(thrown);
					await this.pause(pauseMs);
					waitedMs += pauseMs;
				}
			}
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}

	/** Sends a request with the secret. With a session, it signs in if there is no token, and once more after a 401. */
	async send<Result extends HttpResponse>(request: Request<Result>): Promise<Result> {
		const { credential, memory } = this;
		if (credential.authentication !== 'signIn') return await this.exchange(request, credential);
		for (;;) {
			const session = (this.session ??= this.signIn());
			const sessionToken = await session;
			const response = await this.exchange(request, { ...credential, sessionToken });
			if (response.statusCode !== 401) return response;
			// Otherwise, another request has signed in meanwhile.
			if (this.session !== session) continue;
			if (this.hasRenewed) return response;
			this.hasRenewed = true;
			this.session = undefined;
			if (memory.token === sessionToken) memory.token = '';
		}
	}

	private async signIn(): Promise<string> {
		const { memory, credential } = this;
		memory.token ||= await signIn(this.caller, credential).catch((thrown: unknown) => {
			// Otherwise, repeated attempts with a wrong password could lock the account.
			if (isTransient(factsOf(thrown))) this.session = undefined;
			throw thrown;
		});
		this.redact = redactorOf({ ...credential, sessionToken: memory.token });
		return memory.token;
	}

	/** Sends a request once and reads its response. Without a credential, no secret is sent. */
	async exchange<Result extends HttpResponse>(
		{ name, read, timeout = DEFAULT_TIMEOUT_MS, deadlineMs = timeout, ...options }: Request<Result>,
		credential?: ParcelShippingCredential,
	): Promise<Result> {
		const { caller, stopSignal } = this;
		const { allowedHttpRequestDomains, allowedDomains = '' } = this.credential;
		const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
		const request: IHttpRequestOptions = {
			...options,
			...WHOLE_RESPONSE,
			timeout: Math.max(1, Math.ceil(timeout)),
			abortSignal: AbortSignal.any([deadline, ...(stopSignal ? [stopSignal] : [])]),
			// n8n enforces 'Allowed HTTP Request Domains' only for requests that pass it on.
			...(allowedHttpRequestDomains === 'domains' ? { allowedDomains } : {}),
		};
		const { helpers } = caller;
		const type = { id: CREDENTIAL_TYPE, name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE };
		const secret = { credentialsDecrypted: { ...type, data: credential as never } };
		let body: BodyStream | undefined;
		return await untilDeadline(deadline, async () => {
			const response = (await (credential
				? helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL_TYPE, request, secret)
				: helpers.httpRequest(request))) as HttpResponse<BodyStream>;
			({ body } = response);
			return await read(response, name);
		}).catch((thrown: unknown) => {
			// In the action node, n8n replaces the signal of the request with its own.
			body?.destroy();
			throw thrown instanceof ItemError
				? thrown
				: readNetworkError(thrown, name, new URL(options.url).host);
		});
	}

	/** The same error without secrets, in case the provider has repeated one. */
	withoutSecrets(thrown: unknown): unknown {
		const text = describeError(thrown);
		const redacted = this.redact(text);
		return redacted === text ? thrown : reword(thrown, redacted);
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
		return (this.caller as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();
	}
}

/** A 404 or 405 that says for certain that nothing was done. For a read, a redirect to a login page may mean the same. */
function isWrongPath(thrown: unknown, isRead: boolean): boolean {
	const { status = 0, mayHaveActed } = factsOf(thrown);
	return mayHaveActed ? isRead && status >= 300 && status < 400 : status === 404 || status === 405;
}

/** A pause that is twice as long as the one before, up to a limit. */
export const growingPauseMs = (pausesBefore: number) => Math.min(500 * 2 ** pausesBefore, 15_000);

/** The limit for a provider that is unreachable. Waiting because the provider asks for it has none. */
const MAX_TRIES = 4;

/**
 * The pause before a request is sent again to the same path. Undefined if it is not sent again.
 * Not here: after a 401 with a session, and at the other path. In both cases, the provider has not acted.
 */
export function decideRetry(
	facts: RequestFacts,
	/** `leftMs`: how long the request may still wait. */
	{ safe, tries, leftMs }: { safe: boolean; tries: number; leftMs: number },
	/** From 0 to 1. */
	random: number,
): number | undefined {
	// Wrong input, a wrong credential, a login page: sending it again changes nothing.
	if (!isTransient(facts)) return undefined;
	const { mayHaveActed, cause, retryAfterMs } = facts;
	// A request that may have been carried out must not be carried out twice.
	if (mayHaveActed && !safe) return undefined;
	const isToldToWait = cause === 'rate-limited' || retryAfterMs !== undefined;
	if (!isToldToWait && tries >= MAX_TRIES) return undefined;
	// Jitter lengthens a pause that the provider asked for, and shortens one that we chose. A provider that says 0, or a
	// time that is over by n8n's clock, does not say how long.
	const pauseMs = retryAfterMs
		? Math.round(retryAfterMs + random * 250)
		: Math.round(growingPauseMs(tries - 1) * (0.5 + random / 2));
	return pauseMs <= leftMs ? pauseMs : undefined;
}
