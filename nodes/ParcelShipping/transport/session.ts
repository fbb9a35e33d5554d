import type { IHttpRequestOptions } from 'n8n-workflow';

import type { AccountMemory } from './accountMemory';
import { isServiceError } from './errors';

const RENEWAL_MS = 60 * 60_000;

export interface HttpResponse {
	body: unknown;
	headers: Record<string, unknown>;
	statusCode: number;
}

/** With which secret a request is sent. For a `newToken`, n8n signs in first and saves the token. */
export type Secret = 'saved' | 'newToken' | 'none';

/** Some services end a session with 403, or with their sign-in page. */
function mayBeSessionEnd({ statusCode, headers, body }: HttpResponse): boolean {
	const isPage =
		/html/i.test(String(headers['content-type'])) ||
		(typeof body === 'string' && /^\s*(<!doctype|<html)/i.test(body));
	return statusCode === 401 || statusCode === 403 || (statusCode === 200 && isPage);
}

/** Sends requests with the token of a session, and signs in if there is none or it has ended. */
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
		private readonly memory: AccountMemory,
		hasToken: boolean,
		private readonly sendOnce: (
			options: IHttpRequestOptions,
			endpoint: string,
			secret: Secret,
		) => Promise<HttpResponse>,
	) {
		this.signIn = Promise.resolve(hasToken);
	}

	/**
	 * Sends a request once, and once more with a new token if the service refuses the one it had. After a
	 * web page, a request that is not safe is not sent again: the next request signs in.
	 */
	async send(
		options: IHttpRequestOptions,
		endpoint: string,
		{ safe }: { safe: boolean },
	): Promise<HttpResponse> {
		let isDoubtful = false;
		for (;;) {
			const { signIn } = this;
			if (await signIn) {
				const response = await this.sendOnce(options, endpoint, 'saved');
				if (!mayBeSessionEnd(response)) return response;
				const isFirst = this.signIn === signIn;
				if (isFirst && !this.mayRenew(response)) return response;
				isDoubtful = response.statusCode !== 401;
				if (response.statusCode === 200 && !safe) {
					if (isFirst) this.signIn = Promise.resolve(false);
					return response;
				}
				(response.body as { destroy?: () => void } | undefined)?.destroy?.();
			}
			// Another request has signed in meanwhile.
			if (this.signIn !== signIn) continue;
			const response = await this.signInAndSend(options, endpoint);
			// The old session had ended, and the new one may end within the hour, too.
			if (isDoubtful && !mayBeSessionEnd(response)) this.memory.renewedAt = -Infinity;
			return response;
		}
	}

	/** Whether to sign in again. What is no 401 may have another reason, so it is tried once an hour. */
	private mayRenew({ statusCode }: HttpResponse): boolean {
		const nowMs = Date.now();
		const isEnded = statusCode === 401;
		if (this.hasRenewed || (!isEnded && nowMs - this.memory.renewedAt < RENEWAL_MS)) return false;
		if (!isEnded) this.memory.renewedAt = nowMs;
		this.hasRenewed = true;
		return true;
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
