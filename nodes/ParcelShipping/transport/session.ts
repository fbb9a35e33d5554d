import type { IHttpRequestOptions } from 'n8n-workflow';

import { isServiceError } from './errors';

export interface HttpResponse {
	body: unknown;
	headers: Record<string, unknown>;
	statusCode: number;
}

/** With which secret a request is sent. For a `newToken`, n8n signs in first and saves the token. */
export type Secret = 'saved' | 'newToken' | 'none';

/** Sends requests with the token of a session, and signs in if there is none or it has ended (401). */
export class Session {
	/**
	 * The latest sign-in: whether there is a token, or the error if the service refused the user. n8n
	 * signs in once per refused request, so ten parallel requests with an expired token would sign in ten
	 * times; here they share one sign-in.
	 */
	private signIn: Promise<boolean>;

	/** Whether this run has replaced a token that the service no longer accepts. It does so once at most. */
	private hasRenewed = false;

	constructor(
		hasToken: boolean,
		private readonly sendOnce: (
			options: IHttpRequestOptions,
			endpoint: string,
			secret: Secret,
		) => Promise<HttpResponse>,
	) {
		this.signIn = Promise.resolve(hasToken);
	}

	/** Sends a request once, and once more with a new token if the service refuses the one it had. */
	async send(options: IHttpRequestOptions, endpoint: string): Promise<HttpResponse> {
		for (;;) {
			const { signIn } = this;
			if (await signIn) {
				const response = await this.sendOnce(options, endpoint, 'saved');
				if (response.statusCode !== 401) return response;
				// Otherwise, another request has signed in meanwhile.
				if (this.signIn === signIn) {
					if (this.hasRenewed) return response;
					this.hasRenewed = true;
				}
				(response.body as { destroy?: () => void } | undefined)?.destroy?.();
			}
			if (this.signIn === signIn) return await this.signInAndSend(options, endpoint);
		}
	}

	private async signInAndSend(
		options: IHttpRequestOptions,
		endpoint: string,
	): Promise<HttpResponse> {
		const sending = this.sendOnce(options, endpoint, 'newToken');
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
