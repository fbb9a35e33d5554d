import type { IExecuteFunctions } from 'n8n-workflow';

import { ServiceError } from './errors';

/** A stream as n8n gives and takes it. */
export type BodyStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

/** A JSON body, after decompression. */
const MAX_BYTES = 50 * 1024 * 1024;

/** What all responses of a run may have together, because a list of many pages is kept in memory. */
export const MAX_RUN_BYTES = 10 * MAX_BYTES;

/** As `readNetworkError` reads it. */
const timedOut = () => Object.assign(new Error('Timed out'), { code: 'ETIMEDOUT' });

/**
 * The result, or an error at the deadline. n8n's own time limit measures silence: a provider that sends a byte now and
 * then never reaches it. A response that comes after the deadline is given to `discard`.
 */
export async function untilDeadline<Result>(
	deadline: AbortSignal,
	work: Promise<Result>,
	discard: (late: Result) => void,
): Promise<Result> {
	let isLate = false;
	let stopWaiting = () => {};
	const late = new Promise<never>((_, reject) => {
		const end = () => {
			isLate = true;
			reject(timedOut());
		};
		if (deadline.aborted) end();
		deadline.addEventListener('abort', end, { once: true });
		stopWaiting = () => deadline.removeEventListener('abort', end);
	});
	const discardLate = (result: Result) => {
		if (isLate) discard(result);
	};
	// An error after the deadline says nothing more.
	work.then(discardLate, () => {});
	try {
		return await Promise.race([work, late]);
	} finally {
		stopWaiting();
	}
}

/** Reads a whole body as text, unless it is too large or the deadline comes first. */
export async function readText(
	stream: BodyStream,
	deadline: AbortSignal,
	mostBytes: number,
	endpoint: string,
): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	const end = () => stream.destroy(timedOut());
	if (deadline.aborted) end();
	deadline.addEventListener('abort', end, { once: true });
	try {
		for await (const chunk of stream) {
			chunks.push(Buffer.from(chunk as Buffer));
			bytes += (chunk as Buffer).length;
			if (bytes > MAX_BYTES) throw tooLargeError(endpoint, 'The response is larger than 50 MB');
			if (bytes > mostBytes) throw tooLargeError(endpoint, 'The responses are too large together');
		}
	} finally {
		deadline.removeEventListener('abort', end);
		stream.destroy();
	}
	const text = Buffer.concat(chunks).toString('utf8');
	return text.startsWith('\ufeff') ? text.slice(1) : text;
}

const tooLargeError = (endpoint: string, message: string) =>
	new ServiceError({
		message,
		description: 'Read fewer records at a time, for example with a filter or a limit.',
		endpoint,
		mayHaveActed: true,
	});
