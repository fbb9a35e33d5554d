import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { CREDENTIAL_TYPE, type ParcelShippingCredential, type ServiceAddress } from './credential';
import { isServiceError, type ServiceError } from './errors';
import { readNetworkError } from './networkErrors';

export type Caller = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export interface HttpResponse {
	body: unknown;
	headers: Record<string, unknown>;
	statusCode: number;
}

/** `response.ts` judges statuses, redirects and bodies, not n8n. */
const RAW_RESPONSE = {
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
} as const;

/**
 * Sends requests with n8n's HTTP helpers and keeps the session of a credential that signs in. n8n
 * signs in once per refused request, so ten parallel requests with an expired token would sign in
 * ten times; here they share one sign-in.
 */
export class HttpSession {
	/** The sign-in that is running; other requests wait for it. */
	private signingIn: Promise<unknown> | undefined;

	/** Counts sign-ins, so that a request refused with the old token knows that there is a new one. */
	private signInCount = 0;

	private refusedSignIn: ServiceError | undefined;

	private needsSignIn: boolean;

	constructor(
		private readonly caller: Caller,
		private readonly credential: ParcelShippingCredential,
		readonly address: ServiceAddress,
	) {
		this.needsSignIn = credential.authentication === 'signIn' && !credential.sessionToken;
	}

	async send(options: IHttpRequestOptions, endpoint: string): Promise<HttpResponse> {
		if (this.refusedSignIn) throw this.refusedSignIn;
		if (this.needsSignIn) return await this.signInAndSend(options, endpoint);

		const { signInCount } = this;
		const response = await this.sendWithCredential(options, endpoint);
		if (response.statusCode !== 401 || this.credential.authentication !== 'signIn') {
			return response;
		}
		(response.body as { destroy?: () => void } | undefined)?.destroy?.();
		return signInCount === this.signInCount
			? await this.signInAndSend(options, endpoint)
			: await this.sendWithCredential(options, endpoint);
	}

	async sendWithoutCredential(
		options: IHttpRequestOptions,
		endpoint: string,
	): Promise<HttpResponse> {
		const response = this.caller.helpers.httpRequest({
			...options,
			...RAW_RESPONSE,
			...this.allowedDomains,
		}) as Promise<HttpResponse>;
		return await response.catch((thrown: unknown) => this.fail(thrown, endpoint));
	}

	/** Turns an error of n8n's HTTP helpers into one that says whether the service may have acted. */
	fail(thrown: unknown, endpoint: string): never {
		if (isServiceError(thrown)) throw thrown;
		throw readNetworkError(thrown, endpoint, new URL(this.address.base).host);
	}

	private async signInAndSend(
		options: IHttpRequestOptions,
		endpoint: string,
	): Promise<HttpResponse> {
		if (this.signingIn) {
			await this.signingIn;
			return await this.send(options, endpoint);
		}
		const sending = this.sendWithCredential(options, endpoint, 'signInFirst');
		this.signingIn = sending.then(
			() => {
				this.needsSignIn = false;
				this.signInCount++;
				this.signingIn = undefined;
			},
			(thrown: unknown) => {
				// Repeated attempts with a wrong password can lock the account.
				if (isServiceError(thrown) && thrown.facts.cause === 'credential-invalid') {
					this.refusedSignIn = thrown;
				}
				this.signingIn = undefined;
			},
		);
		await this.signingIn;
		return await sending;
	}

	private async sendWithCredential(
		options: IHttpRequestOptions,
		endpoint: string,
		signInFirst?: 'signInFirst',
	): Promise<HttpResponse> {
		// n8n signs in by itself if the token is empty, and saves the new token.
		const additional = signInFirst && {
			credentialsDecrypted: {
				id: CREDENTIAL_TYPE,
				name: CREDENTIAL_TYPE,
				type: CREDENTIAL_TYPE,
				data: { ...this.credential, sessionToken: '' } as never,
			},
		};
		const response = this.caller.helpers.httpRequestWithAuthentication.call(
			this.caller,
			CREDENTIAL_TYPE,
			{ ...options, ...RAW_RESPONSE, ...this.allowedDomains },
			additional,
		) as Promise<HttpResponse>;
		return await response.catch((thrown: unknown) => this.fail(thrown, endpoint));
	}

	/** n8n enforces *Allowed HTTP Request Domains* only for requests that pass it on. */
	private get allowedDomains(): { allowedDomains?: string } {
		return this.credential.allowedHttpRequestDomains === 'domains'
			? { allowedDomains: this.credential.allowedDomains ?? '' }
			: {};
	}
}
