import type { IHttpRequestOptions } from 'n8n-workflow';

import type { BodyStream } from './body';
import { isSameOrigin, type ServiceAddress } from './credential';
import { ServiceError } from './errors';
import { httpError } from './response';
import type { HttpResponse } from './session';

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
export const DOWNLOAD = 'Download a label file';

/** How many bytes are enough to recognize a format. */
const HEAD_BYTES = 64;
const MAX_REDIRECTS = 3;

/** The timeout of a request only counts until the headers have arrived. */
const OPTIONS = { method: 'GET', encoding: 'stream', timeout: 60_000 } as const;

/** Until this time, a file may be slow to come. Then it must have come at a useful rate all in all. */
const GRACE_MS = 60_000;
const MIN_BYTES_PER_S = 10_000;
const MAX_MS = 10 * 60_000;
const MAX_BYTES = 1024 ** 3;
const CHECK_MS = 5_000;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/** How a file is requested: with the credential (`isOwn`), or without it from another origin. */
export interface FileSource {
	address: ServiceAddress;
	request(options: IHttpRequestOptions, isOwn: boolean): Promise<HttpResponse>;
	/** An address of another origin without the secret, or undefined if that is not possible. */
	withoutSecret(url: string): string | undefined;
	fail(thrown: unknown, url: string): never;
}

/**
 * Passes the file behind an address that the provider gave to `save` as a stream, after checking that
 * its first bytes are those of the format.
 */
export async function download<Saved>(
	url: string,
	format: FileFormat,
	source: FileSource,
	save: (stream: BodyStream) => Promise<Saved>,
	limits: FileLimits = {},
): Promise<Saved> {
	const { stream, target } = await openFile(url, format, source, limits);
	return await save(stream).catch((thrown: unknown) => {
		// Either the connection broke in the middle of the file, or n8n could not save it.
		if (stream.errored) source.fail(stream.errored, target);
		throw thrown;
	});
}

/** Redirects are followed here, so that the credential goes only to the provider's own origin. */
async function openFile(
	url: string,
	format: FileFormat,
	source: FileSource,
	limits: FileLimits,
): Promise<{ stream: BodyStream; target: string }> {
	let target = String(url ?? '');
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		checkTarget(target, source.address);
		const isOwn = isSameOrigin(target, source.address);
		// Another origin must not get the secret, even if the provider repeats it in the address.
		const withoutSecret = isOwn ? target : source.withoutSecret(target);
		if (withoutSecret === undefined) throw secretInLinkError(new URL(target).host);
		target = withoutSecret;
		const response = await source.request({ ...OPTIONS, url: target }, isOwn);
		const { statusCode: status, headers, body } = response;
		const location = String(headers.location ?? '');
		const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
		if (isRedirect && URL.canParse(location, target)) {
			(body as BodyStream).destroy();
			target = new URL(location, target).href;
			continue;
		}
		const stream = body as BodyStream;
		limit(stream, limits);
		const failed = (thrown: unknown) => source.fail(thrown, target);
		if (status !== 200) {
			const text = (await readHead(stream, 4_096).catch(failed)).toString('utf8');
			stream.destroy();
			if (!isOwn) {
				throw downloadError(
					`${new URL(target).host} refused to send the file (${status})`,
					'The link may have expired. Create the file again to get a new one.',
				);
			}
			throw httpError(DOWNLOAD, { ...response, body: text }, Date.now());
		}
		const head = await readHead(stream, HEAD_BYTES).catch(failed);
		if (IS_FORMAT[format](head.toString('latin1'))) return { stream, target };

		stream.destroy();
		throw downloadError(
			`The service did not return a ${format.toUpperCase()} file`,
			'The file was not saved. The link is in the output. Create the file again to get a new one.',
		);
	}
	throw downloadError(
		'Too many redirects when downloading the file',
		'Open the link in a browser to see where it leads.',
	);
}

/** For tests. */
interface FileLimits {
	graceMs?: number;
	maxMs?: number;
	maxBytes?: number;
	checkMs?: number;
}

/** Ends the stream with an error if the file comes too slowly or is too large. */
function limit(
	file: BodyStream,
	{ graceMs = GRACE_MS, maxMs = MAX_MS, maxBytes = MAX_BYTES, checkMs = CHECK_MS }: FileLimits,
): void {
	let bytes = 0;
	// Every way to read a stream emits this. n8n allows no import with which a stream could be piped through a counter.
	const emit = file.emit.bind(file);
	file.emit = (event: string, ...values: unknown[]) => {
		if (event === 'data') bytes += (values[0] as Buffer).length;
		if (bytes > maxBytes) file.destroy(unusableFileError('is larger than 1 GB'));
		return emit(event, ...values);
	};
	const startedMs = Date.now();
	const check = () => {
		if (file.destroyed || file.readableEnded) return;
		const elapsedMs = Date.now() - startedMs;
		const isSlow = bytes < (Math.max(0, elapsedMs - graceMs) / 1000) * MIN_BYTES_PER_S;
		if (isSlow || elapsedMs > maxMs) file.destroy(unusableFileError('arrives too slowly'));
		else AbortSignal.timeout(checkMs).addEventListener('abort', check, { once: true });
	};
	check();
}

/** Reads the first bytes of a stream and puts them back. */
async function readHead(stream: BodyStream, bytes: number): Promise<Buffer> {
	return await new Promise((resolve, reject) => {
		const finish = (head: Buffer) => {
			stream.off('readable', look).off('end', atEnd).off('error', reject);
			if (head.length > 0) stream.unshift(head);
			resolve(head);
		};
		const look = () => {
			const head = stream.read(bytes) as Buffer | null;
			if (head) finish(head);
		};
		const atEnd = () => finish(Buffer.alloc(0));
		stream.on('readable', look).on('end', atEnd).on('error', reject);
	});
}

function checkTarget(target: string, address: ServiceAddress): void {
	const isWeb = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
	const isProtected = target.startsWith('https:') || address.origin.startsWith('http:');
	if (isWeb && (isProtected || isSameOrigin(target, address))) return;
	throw downloadError(
		'The link to the file is not a usable web address',
		'The service returned a link that is empty, incomplete or not protected by https.',
	);
}

const secretInLinkError = (host: string) =>
	downloadError(
		`The link to the file would send the secret of the credential to ${host}`,
		"The file was not requested. Contact the service's support.",
	);

const unusableFileError = (problem: string) =>
	downloadError(
		`The file ${problem}`,
		'The file was not saved. The link is in the output. Open it in a browser, or run the workflow again.',
	);

function downloadError(message: string, description: string): ServiceError {
	return new ServiceError({ message, description, endpoint: DOWNLOAD, mayHaveActed: false });
}
