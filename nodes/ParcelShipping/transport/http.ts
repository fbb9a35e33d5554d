import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import { countOf } from '../lists';
import {
	CREDENTIAL_TYPE,
	type ParcelShippingCredential,
	readLimit,
	Secrets,
	type ServiceAddress,
} from './credential';
import { type Endpoint, type EndpointRequest, toHttpRequest } from './endpoints';
import {
	type ErrorText,
	isServiceError,
	readNetworkError,
	redactError,
	type RequestFacts,
	isMissingEndpoint,
	ItemError,
	reword,
	stoppedError,
} from './errors';
import { type AccountMemory, accountMemoryOf } from './memory';
import {
	type BodyStream,
	type HttpResponse,
	messageBeside,
	readResponse,
	readText,
	untilDeadline,
} from './response';

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** How long a request may take. */
export interface RequestLimits {
	timeoutMs?: number | undefined;
	/** How long it may wait in all between its tries, if the credential does not allow less. */
	maxRetryWaitMs?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_RUN_BYTES = 500 * 1024 * 1024;

/** So that many messages do not fill the screen. */
const MAX_SERVICE_MESSAGES = 20;

/** With which secret a request is sent. For a `newToken`, n8n signs in first and saves the token. */
export type Secret = 'saved' | 'newToken' | 'none';

/** The requests of a run: at which path, when, with which secret, and whether again. */
export class Http {
	readonly maxParallelRequests: number;

	readonly maxRetryWaitMs: number;

	/** What this process remembers about the account. */
	readonly memory: AccountMemory;

	secrets: Secrets;

	private running = 0;

	private readonly waiting: Array<() => void> = [];

	/** The size of all responses of this run, without files, because a list of many pages is kept in memory. */
	private receivedBytes = 0;

	/** What the provider said beside its results, in words for the user, by its own words. */
	private readonly serviceMessages = new Map<string, string>();

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
		private readonly limits: RequestLimits = {},
	) {
		const { maxParallelRequests, maxRetryWait, sessionToken, ...account } = credential;
		this.maxParallelRequests = Math.floor(readLimit(maxParallelRequests, 4, 1));
		const maxRetryWaitMs = readLimit(maxRetryWait, 60, 0) * 1000;
		this.maxRetryWaitMs = Math.min(limits.maxRetryWaitMs ?? Infinity, maxRetryWaitMs);
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
		const { title, safe, path, secondPath } = endpoint;
		const { workingPaths } = this.memory;
		const working = workingPaths.get(title);
		const at = async (chosen: string) => {
			const response = await this.callPath({ ...endpoint, path: chosen }, request, limits);
			if (secondPath !== undefined) workingPaths.set(title, chosen);
			return response;
		};
		try {
			return await at(working ?? path);
		} catch (first) {
			// With rows, or cut off, the provider may have acted.
			const isOther = safe ? isWrongPath(first) : isMissingEndpoint(first);
			const triesOther = secondPath !== undefined && working === undefined && isOther;
			if (!triesOther) throw withoutEndpoint(first, endpoint);
			return await at(secondPath).catch((last: unknown) => {
				// A provider that lacks the path, or redirects a read from it, says nothing about the request.
				const isFirst = isWrongPath(last) || (safe && isRedirect(last));
				throw isFirst ? withoutEndpoint(first, endpoint) : last;
			});
		}
	}

	private async callPath(
		endpoint: Endpoint,
		request: EndpointRequest,
		{ timeoutMs = this.limits.timeoutMs, maxRetryWaitMs }: RequestLimits = {},
	): Promise<IDataObject> {
		const { title, method, path, safe } = endpoint;
		const name = `${title} (${method} ${path})`;
		const options = toHttpRequest(this.address.base, endpoint, request);
		return await this.retry(
			name,
			safe,
			async () => {
				const sent = await this.send(
					{ ...options, timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS },
					name,
				);
				const response = readResponse(endpoint, name, sent as HttpResponse<string>, Date.now());
				const message = messageBeside(response);
				if (message && this.serviceMessages.size < MAX_SERVICE_MESSAGES)
					this.serviceMessages.set(message, `${title}: The service said: ${message}`);
				return response;
			},
			maxRetryWaitMs,
		);
	}

	/** Tries until it succeeds or `decideRetry` says that it has failed. */
	async retry<Result>(
		name: string,
		safe: boolean,
		attempt: () => Promise<Result>,
		maxWaitMs = this.maxRetryWaitMs,
	): Promise<Result> {
		// A request keeps its turn while it pauses. Others wait in their order.
		if (this.running < this.maxParallelRequests) this.running++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			let waitedMs = 0;
			for (let tries = 1; ; tries++) {
				if (this.isStopped) throw stoppedError(name, false);
				const outcome = await attempt().then(
					(result) => ({ result }),
					(thrown: unknown) => ({ thrown }),
				);
				if ('result' in outcome) return outcome.result;
				const { thrown } = outcome;
				if (!isServiceError(thrown)) throw thrown;
				const state = { safe, tries, waitedMs, maxWaitMs };
				const { pauseMs, note } = decideRetry(thrown.facts, state, Math.random());
				if (pauseMs === undefined) {
					const addNote = ({ description }: ErrorText) => ({ description: description + note });
					throw this.withoutSecrets(reword(thrown, addNote));
				}
				await this.pause(pauseMs);
				waitedMs += pauseMs;
			}
		} finally {
			const next = this.waiting.shift();
			if (next) next();
			else this.running--;
		}
	}

	/** Sends a request. With a session, it signs in if there is no token, and once more after a 401. */
	async send(
		options: IHttpRequestOptions & { url: string },
		endpoint: string,
	): Promise<HttpResponse> {
		for (;;) {
			const { signIn } = this;
			if (signIn === undefined) return await this.exchange(options, endpoint, 'saved');
			if (await signIn) {
				const response = await this.exchange(options, endpoint, 'saved');
				if (response.statusCode !== 401) return response;
				// Otherwise, another request has signed in meanwhile.
				if (this.signIn === signIn) {
					if (this.hasRenewed) return response;
					this.hasRenewed = true;
				}
				(response.body as Partial<BodyStream>).destroy?.();
			}
			if (this.signIn !== signIn) continue;
			const sending = this.exchange(options, endpoint, 'newToken');
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

	/** Sends a request once and reads its response, without its body if that is a file. */
	async exchange(
		{ timeout, ...options }: IHttpRequestOptions & { url: string },
		endpoint: string,
		secret: Secret,
	): Promise<HttpResponse> {
		const { allowedHttpRequestDomains, allowedDomains = '' } = this.credential;
		const isFile = options.encoding === 'stream';
		const timeoutMs = Math.max(1, Math.ceil(timeout ?? 0));
		const deadline = AbortSignal.timeout(timeoutMs);
		const { stopSignal, caller } = this;
		// A file may come later than its headers.
		const signals = [...(isFile ? [] : [deadline]), ...(stopSignal ? [stopSignal] : [])];
		const request: IHttpRequestOptions = {
			...options,
			timeout: timeoutMs,
			// `response.ts` reads bodies, up to a size and a time, and judges statuses and redirects, not n8n.
			encoding: 'stream',
			abortSignal: AbortSignal.any(signals),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			// n8n enforces 'Allowed HTTP Request Domains' only for requests that pass it on.
			...(allowedHttpRequestDomains === 'domains' ? { allowedDomains } : {}),
		};
		const type = { id: CREDENTIAL_TYPE, name: CREDENTIAL_TYPE, type: CREDENTIAL_TYPE };
		const withoutToken = { ...type, data: { ...this.credential, sessionToken: '' } as never };
		const more = secret === 'newToken' ? { credentialsDecrypted: withoutToken } : undefined;
		const { helpers } = caller;
		const sending =
			secret === 'none'
				? helpers.httpRequest(request)
				: helpers.httpRequestWithAuthentication.call(caller, CREDENTIAL_TYPE, request, more);
		const receive = async () => {
			const response = await untilDeadline(
				deadline,
				sending as Promise<HttpResponse<BodyStream>>,
				({ body }) => body.destroy(),
			);
			if (secret === 'newToken') {
				// With the new token, so that no message contains it. Whatever happens, the response counts.
				const credential = caller.getCredentials<ParcelShippingCredential>(CREDENTIAL_TYPE);
				this.secrets = new Secrets(await credential.catch(() => this.credential));
			}
			if (isFile) return response;
			const leftBytes = MAX_RUN_BYTES - this.receivedBytes;
			const body = await readText(response.body, deadline, leftBytes, endpoint);
			this.receivedBytes += body.length;
			return { ...response, body };
		};
		return await receive().catch((thrown: unknown) => {
			if (isServiceError(thrown)) throw thrown;
			throw readNetworkError(thrown, endpoint, new URL(options.url).host);
		});
	}

	/** The error without secrets, in case the provider has repeated one. */
	withoutSecrets(thrown: unknown): unknown {
		return redactError(thrown, (value) => this.secrets.redact(value));
	}

	/** What the provider said beside its results, unless one of the errors already says it. */
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
		return (this.caller as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();
	}
}

const isWrongPath = (thrown: unknown) =>
	isServiceError(thrown) &&
	!thrown.facts.mayHaveActed &&
	[404, 405].includes(thrown.facts.status ?? 0);

/** The error of an endpoint that not every provider has, if there is nothing at its path. */
function withoutEndpoint(thrown: unknown, endpoint: Endpoint): unknown {
	if (!endpoint.isOptional || !isServiceError(thrown) || !isMissingEndpoint(thrown)) return thrown;
	const { title, method, path, secondPath } = endpoint;
	const paths = secondPath === undefined ? path : `${path} or ${secondPath}`;
	return new ItemError(
		`This service does not offer: ${title} (${thrown.facts.status})`,
		`Not every service has ${method} ${paths}, and nothing was done. If yours has it, check that 'Base URL' of the credential ends with the service's API path.`,
		thrown.details,
		true,
		{ ...thrown.facts, cause: 'configuration-invalid' },
	);
}

const isRedirect = (thrown: unknown) =>
	isServiceError(thrown) && Math.floor((thrown.facts.status ?? 0) / 100) === 3;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** A pause that is twice as long as the one before, up to a limit. */
export const growingPauseMs = (pausesBefore: number) =>
	Math.min(FIRST_PAUSE_MS * 2 ** pausesBefore, LONGEST_PAUSE_MS);

/** The limit for a provider that is unreachable. Waiting because the provider asks for it has none. */
const MAX_TRIES = 4;

interface Tries {
	safe: boolean;
	tries: number;
	waitedMs: number;
	/** How long the request may wait in all between its tries. */
	maxWaitMs: number;
}

/**
 * Whether a request is sent again to the same path: the pause before, or else what the user is told about the tries.
 * Not here: after a 401 with a session, and at the other path. In both cases, the provider has not acted.
 */
export function decideRetry(
	{ isTransient, mayHaveActed, cause, retryAfterMs }: RequestFacts,
	{ safe, tries, waitedMs, maxWaitMs }: Tries,
	/** From 0 to 1. */
	random: number,
): { pauseMs?: number; note: string } {
	// Wrong input, a wrong credential, a login page: sending it again changes nothing.
	if (!isTransient) return { note: '' };
	// A request that may have been carried out must not be carried out twice.
	if (mayHaveActed && !safe) return { note: '' };
	const tried = ` Tried ${countOf(tries, 'time')}.`;
	const isToldToWait = cause === 'rate-limited' || retryAfterMs !== undefined;
	if (!isToldToWait && tries >= MAX_TRIES) return { note: tried };
	// Jitter lengthens a pause that the provider asked for, and shortens one that we chose. A provider that says 0, or a
	// time that is over by n8n's clock, does not say how long.
	const pauseMs = retryAfterMs
		? Math.round(retryAfterMs + random * 250)
		: Math.round(growingPauseMs(tries - 1) * (0.5 + random / 2));
	if (waitedMs + pauseMs <= maxWaitMs) return { pauseMs, note: '' };
	if (maxWaitMs === 0) return { note: '' };
	const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
	const limit = `'Max Retry Wait' (${seconds(maxWaitMs)})`;
	return { note: `${tried} Waiting another ${seconds(pauseMs)} would exceed ${limit}.` };
}
