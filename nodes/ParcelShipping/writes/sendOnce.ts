import type { Client, UnsafeCalls } from '../transport/client';
import { describeError, type ErrorText, mayHaveActed } from '../transport/errors';
import { growingPauseMs } from '../transport/http';

/** What is known after a request: its response, that it certainly had no effect, or that it may have been carried out. */
export type Outcome<Response> = { response: Response } | { refused: unknown } | { lost: ErrorText };

/** How it is noted that something was sent. `forget`: the request certainly had no effect. */
export type Noting = Record<'sending' | 'forget', () => void>;

/** Sends a request that may happen only once, and notes it before. Nothing else can call these endpoints. */
export async function sendOnce<Response>(
	client: Client,
	noting: Noting,
	send: (calls: UnsafeCalls) => Promise<Response>,
): Promise<Outcome<Response>> {
	noting.sending();
	try {
		return { response: await send(client as unknown as UnsafeCalls) };
	} catch (thrown) {
		if (mayHaveActed(thrown)) return { lost: describeError(thrown) };
		noting.forget();
		return { refused: thrown };
	}
}

/**
 * Looks until `look` returns true, or the time is over. A provider may finish a request after its gateway gave up, so
 * that finding nothing at first proves nothing. With a `maxWaitMs` of 0, it looks once.
 */
export async function lookAgain(
	client: Client,
	maxWaitMs: number,
	look: () => Promise<boolean>,
): Promise<void> {
	const endMs = Date.now() + maxWaitMs;
	for (let pauses = 0; ; pauses++) {
		const isSettled = await look();
		const leftMs = endMs - Date.now();
		if (isSettled || leftMs <= 0 || client.http.isStopped) return;
		await client.http.pause(Math.min(growingPauseMs(pauses), leftMs));
	}
}
