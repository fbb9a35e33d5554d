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
	Secrets,
	type ServiceAddress,
} from './credential';
import { type Endpoint, type EndpointRequest, toHttpRequest } from './endpoints';
import {
	describeError,
	isServiceError,
	ItemError,
	mayHaveActed,
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

/** n8n's `timeout` measures silence. The deadline is for everything. */
type Request = IHttpRequestOptions & { url: string; deadlineMs?: number };

/** What is read of a response, while the deadline runs. */
type Read<Result> = (response: HttpResponse<BodyStream>, endpoint: string) => Promise<Result>;

/** With which secret a request is sent. For a `newToken`, n8n signs in first and saves the token. */
type Secret = 'saved' | 'newToken' | 'none';

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_RUN_BYTES = 500 * 1024 * 1024;

/** The requests of a run: at which path, when, with which secret, and whether again. */
export class Http {
	readonly maxParallelRequests: number;

	readonly maxRetryWaitMs: number;

	private readonly timeoutMs: number;

	/** What this process remembers about the account. */
	readonly memory: AccountMemory;

	secrets: Secrets;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** The size of all responses of this run, without files, because a list of many pages is kept in memory. */
	private receivedBytes = 0;

	/**
	 * Only for a credential that signs in, the latest sign-in: whether there is a token, or the error if the provider refused
	 * the user. All requests of the run share it: ten with an expired token would sign in ten times.
	 */
	private signIn: Promise<boolean> | undefined;

	/** Whether this run has replaced a token that the provider no longer accepts. It does so once at most. */
	private hasRenewed = false;

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		{ timeoutMs = DEFAULT_TIMEOUT_MS, maxRetryWaitMs = Infinity } = {},
	) {
		const { maxParallelRequests, maxRetryWait, sessionToken, ...account } = credential;
		this.timeoutMs = timeoutMs;
		this.maxParallelRequests = Math.floor(readLimit(maxParallelRequests, 4, 1));
		this.maxRetryWaitMs = Math.min(maxRetryWaitMs, readLimit(maxRetryWait, 60, 0) * 1000);
		this.secrets = new Secrets(credential);
		this.memory = accountMemoryOf(JSON.stringify(account));
		const signsIn = credential.authentication === 'signIn';
		this.signIn = signsIn ? Promise.resolve(Boolean(sessionToken)) : undefined;
	}

	/** The address of the provider and n8n's ID of the credential. n8n saves it, so nothing in it is made of the secret. */
	get accountId(): string {
		const { credentials } = this.caller.getNode();
		return `${this.address.base} ${credentials?.[CREDENTIAL_TYPE]?.id ?? ''}`;
	}

	/** Until one of the two paths of an endpoint has worked, a 404 or 405 may mean that the provider has the other one. */
	async call(
		endpoint: Endpoint,
		request: EndpointRequest,
		limits?: RequestLimits,
	): Promise<IDataObject> {
		const { title, path, secondPath } = endpoint;
		const { workingPaths } = this.memory;
		const at = async (chosen: string) => {
			const response = await this.callPath({ ...endpoint, path: chosen }, request, limits);
			workingPaths.set(title, chosen);
			return response;
		};
		const working = workingPaths.get(title);
		if (working !== undefined) return await at(working);
		return await at(path).catch(async (first: unknown) => {
			if (secondPath === undefined || !isWrongPath(first)) throw first;
			return await at(secondPath).catch((last: unknown) => {
				throw isWrongPath(last) ? first : last;
			});
		});
	}

	private async callPath(
		endpoint: Endpoint,
		request: EndpointRequest,
		{ timeoutMs = this.timeoutMs }: RequestLimits = {},
	): Promise<IDataObject> {
		const { title, method, path, safe } = endpoint;
		const name = `${title} (${method} ${path})`;
		const options = toHttpRequest(this.address.base, endpoint, request);
		return await this.retry(name, safe, async () => {
			const sent = await this.send({ ...options, timeout: timeoutMs }, name, readBody);
			this.receivedBytes += sent.body.length;
			if (this.receivedBytes > MAX_RUN_BYTES)
				throw tooLarge(name, 'The responses are too large together');
			return readResponse(endpoint, name, sent, Date.now());
		});
	}

	/** Tries until it succeeds or `decideRetry` says that it has failed. */
	async retry<Result>(
		name: string,
		safe: boolean,
		attempt: () => Promise<Result>,
	): Promise<Result> {
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
					const pauseMs = isServiceError(thrown)
						? decideRetry(thrown.facts, state, Math.random())
						: undefined;
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

	/** Sends a request. With a session, it signs in if there is no token, and once more after a 401. */
	async send<Result extends HttpResponse>(
		options: Request,
		endpoint: string,
		read: Read<Result>,
	): Promise<Result> {
		const exchange = async (secret: Secret) => this.exchange(options, endpoint, secret, read);
		for (;;) {
			const { signIn } = this;
			if (signIn === undefined) return await exchange('saved');
			if (await signIn) {
				const response = await exchange('saved');
				if (response.statusCode !== 401) return response;
				// Otherwise, another request has signed in meanwhile.
				if (this.signIn === signIn) {
					if (this.hasRenewed) return response;
					this.hasRenewed = true;
				}
			}
			if (this.signIn !== signIn) continue;
			const sending = exchange('newToken');
			this.signIn = sending.then(
				() => true,
				(thrown: unknown) => {
					// Repeated attempts with a wrong password can lock the account.
					if (isServiceError(thrown) && thrown.facts.cause === 'credential-invalid') throw thrown;
					return false;
				},
			);
			await this.signIn;
			return await sending;
		}
	}

	/** Sends a request once and reads its response. */
	async exchange<Result extends HttpResponse>(
		{ timeout = DEFAULT_TIMEOUT_MS, deadlineMs = timeout, ...options }: Request,
		endpoint: string,
		secret: Secret,
		read: Read<Result>,
	): Promise<Result> {
		const { caller, credential, stopSignal } = this;
		const { allowedHttpRequestDomains, allowedDomains = '' } = credential;
		const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(deadlineMs)));
		const request: IHttpRequestOptions = {
			...options,
			...WHOLE_RESPONSE,
			timeout: Math.max(1, Math.ceil(timeout)),
			abortSignal: AbortSignal.any([deadline, ...(stopSignal ? [stopSignal] : [])]),
			// n8n enforces 'Allowed HTTP Request Domains' only for requests that pass it on.
			...(allowedHttpRequestDomains === 'domains' ? { allowedDomains } : {}),
		};
		const type = { id: CREDENTIAL_TYPE, name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE };
		const withoutToken = { ...type, data: { ...credential, sessionToken: '' } as never };
		const more = secret === 'newToken' ? { credentialsDecrypted: withoutToken } : undefined;
		const { helpers } = caller;
		const receive = async () => {
			const sending: Promise<unknown> =
				secret === 'none'
					? helpers.httpRequest(request)
					: helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL_TYPE, request, more);
			const response = (await sending) as HttpResponse<BodyStream>;
			if (secret === 'newToken') {
				// With the new token, so that no message contains it. Whatever happens, the response counts.
				const saved = caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
				this.secrets = new Secrets(await saved.catch(() => credential));
			}
			// In the action node, n8n replaces the signal of the request with its own.
			const end = () => void response.body.destroy();
			deadline.addEventListener('abort', end);
			const over = () => deadline.removeEventListener('abort', end);
			return await read(response, endpoint).finally(over);
		};
		return await untilDeadline(deadline, receive()).catch((thrown: unknown) => {
			if (thrown instanceof ItemError) throw thrown;
			throw readNetworkError(thrown, endpoint, new URL(options.url).host);
		});
	}

	/** The same error without secrets, in case the provider has repeated one. Another kind of error becomes an `ItemError`. */
	withoutSecrets(thrown: unknown): unknown {
		const text = describeError(thrown);
		const redacted = this.secrets.redact(text);
		if (redacted === text) return thrown;
		if (thrown instanceof ItemError) return reword(thrown, redacted);
		return new ItemError(redacted.message, redacted.description);
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

/** A 404 or 405 that says for certain that nothing was done. */
const isWrongPath = (thrown: unknown) =>
	isServiceError(thrown) &&
	!mayHaveActed(thrown) &&
	(thrown.facts.status === 404 || thrown.facts.status === 405);

/** A pause that is twice as long as the one before, up to a limit. */
export const growingPauseMs = (pausesBefore: number) => Math.min(500 * 2 ** pausesBefore, 15_000);

/** The limit for a provider that is unreachable. Waiting because the provider asks for it has none. */
const MAX_TRIES = 4;

/**
 * The pause before a request is sent again to the same path. Undefined if it is not sent again.
 * Not here: after a 401 with a session, and at the other path. In both cases, the provider has not acted.
 */
export function decideRetry(
	{ isTransient, mayHaveActed: mayAct, cause, retryAfterMs }: RequestFacts,
	/** `leftMs`: how long the request may still wait. */
	{ safe, tries, leftMs }: { safe: boolean; tries: number; leftMs: number },
	/** From 0 to 1. */
	random: number,
): number | undefined {
	// Wrong input, a wrong credential, a login page: sending it again changes nothing.
	if (!isTransient) return undefined;
	// A request that may have been carried out must not be carried out twice.
	if (mayAct && !safe) return undefined;
	const isToldToWait = cause === 'rate-limited' || retryAfterMs !== undefined;
	if (!isToldToWait && tries >= MAX_TRIES) return undefined;
	// Jitter lengthens a pause that the provider asked for, and shortens one that we chose. A provider that says 0, or a
	// time that is over by n8n's clock, does not say how long.
	const pauseMs = retryAfterMs
		? Math.round(retryAfterMs + random * 250)
		: Math.round(growingPauseMs(tries - 1) * (0.5 + random / 2));
	return pauseMs <= leftMs ? pauseMs : undefined;
}
