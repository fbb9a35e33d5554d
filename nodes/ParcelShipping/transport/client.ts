import {
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import { isRefused, readBaseUrl, type ServiceAddress } from './address';
import { endpointLabel, readAnswer } from './response';
import type { AnswerOf, BodyOf, EndpointName, PathOf, QueryOf } from './contract';
import { Gate } from './concurrency';
import { endpointOf, fillPath } from './endpoints';
import { maskSecrets, type ParcelShippingCredential } from './credential';
import { isServiceFailure, ServiceFailure } from './errors';
import { type FileFormat, type FileStream, openFile } from './download';
import { decideRetry } from './retry';
import { readUnanswered, stopped } from './networkErrors';

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface FullResponse {
	body: unknown;
	headers: Record<string, unknown>;
	statusCode: number;
}

type Request<Name extends EndpointName> = (BodyOf<Name> extends undefined
	? { body?: undefined }
	: { body: BodyOf<Name> }) &
	(PathOf<Name> extends undefined ? { path?: undefined } : { path: PathOf<Name> }) &
	(QueryOf<Name> extends undefined ? { query?: undefined } : { query?: QueryOf<Name> });

const CREDENTIAL = 'parcelShippingApi';
const DEFAULT_TIMEOUT_MS = 60_000;
export const DEFAULT_MAX_RETRY_WAIT_MS = 60_000;

/** A connection for one run of a node: the credential is read once and its address checked once. */
export async function connect(
	caller: Caller,
	maxRetryWaitMs = DEFAULT_MAX_RETRY_WAIT_MS,
	maxConcurrency = Infinity,
): Promise<Connection> {
	const credential = await caller.getCredentials<ParcelShippingCredential>(CREDENTIAL);
	const address = readBaseUrl(credential.baseUrl);
	if (isRefused(address)) {
		throw new ServiceFailure({
			message: address.refusal,
			description: 'Open the credential and correct its Base URL.',
			endpoint: 'Parcel Shipping API credential',
			mayHaveActed: false,
			passing: false,
			cause: 'configuration-invalid',
		});
	}
	return new Connection(caller, credential, address, maxRetryWaitMs, new Gate(maxConcurrency));
}

/** The single way out to HTTP. */
export class Connection {
	/** Signing in under way; the others wait for it instead of signing in as well. */
	private signingIn: Promise<unknown> | undefined;

	/** Counts sign-ins, so that a request refused with the old token knows that there is a new one. */
	private session = 0;

	private signInRefused: ServiceFailure | undefined;

	private needsSignIn: boolean;

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
		private readonly maxRetryWaitMs: number,
		private readonly gate: Gate,
	) {
		this.needsSignIn = credential.authentication === 'signIn' && !credential.sessionToken;
	}

	/** Asks an endpoint and returns its checked answer; throws a `ServiceFailure` otherwise. */
	async call<Name extends EndpointName>(
		name: Name,
		request: Request<Name>,
		timeoutMs = DEFAULT_TIMEOUT_MS,
	): Promise<AnswerOf<Name>> {
		const endpoint = endpointOf(name);
		const options: IHttpRequestOptions = {
			method: endpoint.method,
			url: this.address.base + fillPath(endpoint.path, request.path ?? {}),
			headers: { Accept: 'application/json' },
			timeout: timeoutMs,
			// Parsed here, so that half a JSON is noticed instead of handed on as text.
			encoding: 'text',
		};
		if (request.query) options.qs = request.query as IDataObject;
		if (request.body !== undefined) {
			options.headers = { ...options.headers, 'Content-Type': 'application/json' };
			// As text, because n8n leaves out a body that is an empty object.
			options.body = JSON.stringify(request.body);
		}
		const label = endpointLabel(endpoint);
		const attempt = async () => {
			const reply = await this.send(options, label);
			const { statusCode: status, headers } = reply;
			const body = asText(reply.body);
			return readAnswer(endpoint, { status, headers, body }, Date.now()) as AnswerOf<Name>;
		};
		return await this.gate.pass(async () => this.insist(endpoint, label, attempt));
	}

	/**
	 * Hands the file behind an address that the service gave to `save`, as a stream, once its first
	 * bytes are those of the format.
	 */
	async download<Saved>(
		url: string,
		format: FileFormat,
		save: (stream: FileStream) => Promise<Saved>,
	): Promise<Saved> {
		const label = 'Download a label file';
		const attempt = async () => {
			const stream = await openFile(
				url,
				format,
				this.address,
				label,
				async (options, withCredential) =>
					withCredential ? this.send(options, label) : this.sendWithoutCredential(options, label),
			).catch((thrown: unknown) => this.fail(thrown, label));
			return await save(stream).catch((thrown: unknown) => {
				// Either the connection broke in the middle of the file, or there is no room to save it.
				if (stream.errored) this.fail(thrown, label);
				throw thrown;
			});
		};
		return await this.gate.pass(async () => this.insist({ safe: true }, label, attempt));
	}

	get isStopped(): boolean {
		return this.stopSignal?.aborted ?? false;
	}

	/** Waits, but not longer than until the user stops the workflow. */
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

	/** Tries until it works or `retry.ts` says that it is over. */
	private async insist<Result>(
		endpoint: { safe: boolean },
		label: string,
		attempt: () => Promise<Result>,
	): Promise<Result> {
		let waitedMs = 0;
		for (let tries = 1; ; tries++) {
			if (this.isStopped) throw notStarted(label);
			const outcome = await settle(attempt());
			if ('result' in outcome) return outcome.result;

			const { failure } = outcome;
			const decision = decideRetry(
				failure.facts,
				endpoint,
				{ tries, waitedMs },
				this.maxRetryWaitMs,
				Math.random(),
			);
			if (!decision.again) throw this.presentable(failure, decision.because);

			await this.pause(decision.pauseMs);
			waitedMs += decision.pauseMs;
		}
	}

	/** The failure as it may be shown: why it was given up, and without any secret. */
	private presentable(failure: ServiceFailure, because?: string): ServiceFailure {
		const { facts } = failure;
		const mask = (text: string) => maskSecrets(text, this.credential);
		const details =
			facts.details && (JSON.parse(mask(JSON.stringify(facts.details))) as IDataObject);
		return new ServiceFailure({
			...facts,
			message: mask(facts.message),
			description: mask(because ? `${facts.description} ${because}` : facts.description),
			...(details ? { details } : {}),
		});
	}

	private async send(options: IHttpRequestOptions, label: string): Promise<FullResponse> {
		if (this.signInRefused) throw this.signInRefused;
		if (this.needsSignIn) return await this.sendSigningIn(options, label);

		const { session } = this;
		const response = await this.sendWithCredential(options, label);
		if (response.statusCode !== 401 || this.credential.authentication !== 'signIn') return response;

		discard(response.body);
		return session === this.session
			? await this.sendSigningIn(options, label)
			: await this.sendWithCredential(options, label);
	}

	/** Ten requests refused at the same moment lead to one sign-in. */
	private async sendSigningIn(options: IHttpRequestOptions, label: string): Promise<FullResponse> {
		if (this.signingIn) {
			await this.signingIn;
			return await this.send(options, label);
		}
		const sending = settle(this.sendWithCredential(options, label, 'signInFirst'));
		this.signingIn = sending.then((outcome) => {
			if ('result' in outcome) {
				this.needsSignIn = false;
				this.session++;
			} else if (outcome.failure.facts.cause === 'credential-invalid') {
				// Trying wrong passwords again and again can lock the account.
				this.signInRefused = outcome.failure;
			}
			this.signingIn = undefined;
		});
		await this.signingIn;
		const outcome = await sending;
		if ('failure' in outcome) throw outcome.failure;
		return outcome.result;
	}

	private async sendWithCredential(
		options: IHttpRequestOptions,
		label: string,
		signInFirst?: 'signInFirst',
	): Promise<FullResponse> {
		// n8n signs in by itself where the token is empty, and keeps the new one.
		const additional = signInFirst && {
			credentialsDecrypted: {
				id: CREDENTIAL,
				name: CREDENTIAL,
				type: CREDENTIAL,
				data: { ...this.credential, sessionToken: '' } as never,
			},
		};
		const answered = this.caller.helpers.httpRequestWithAuthentication.call(
			this.caller,
			CREDENTIAL,
			{ ...options, ...ANSWER_AS_IT_CAME, ...allowedDomainsOf(this.credential) },
			additional,
		) as Promise<FullResponse>;
		return await answered.catch((thrown: unknown) => this.fail(thrown, label));
	}

	private async sendWithoutCredential(
		options: IHttpRequestOptions,
		label: string,
	): Promise<FullResponse> {
		const answered = this.caller.helpers.httpRequest({
			...options,
			...ANSWER_AS_IT_CAME,
			...allowedDomainsOf(this.credential),
		}) as Promise<FullResponse>;
		return await answered.catch((thrown: unknown) => this.fail(thrown, label));
	}

	private fail(thrown: unknown, label: string): never {
		if (isServiceFailure(thrown)) throw thrown;
		throw readUnanswered(thrown, label, new URL(this.address.base).host);
	}
}

/** Statuses, redirects and bodies are judged in `answer.ts`, not by n8n. */
const ANSWER_AS_IT_CAME = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/** n8n enforces *Allowed HTTP Request Domains* only where a node passes it on. */
function allowedDomainsOf(credential: ParcelShippingCredential): { allowedDomains?: string } {
	return credential.allowedHttpRequestDomains === 'domains'
		? { allowedDomains: credential.allowedDomains ?? '' }
		: {};
}

type Outcome<Result> = { result: Result } | { failure: ServiceFailure };

async function settle<Result>(work: Promise<Result>): Promise<Outcome<Result>> {
	return await work.then(
		(result) => ({ result }),
		(thrown: unknown) => {
			if (isServiceFailure(thrown)) return { failure: thrown };
			throw thrown;
		},
	);
}

function notStarted(label: string): ServiceFailure {
	return new ServiceFailure({ ...stopped(label).facts, mayHaveActed: false });
}

function asText(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}

function discard(body: unknown): void {
	(body as { destroy?: () => void } | undefined)?.destroy?.();
}
