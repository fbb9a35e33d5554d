import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isSameOrigin, type ServiceAddress } from './credential';
import { ServiceError } from './errors';
import { httpError } from './response';
import type { HttpResponse } from './session';

export type FileStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
export const DOWNLOAD = 'Download a label file';

/** How many bytes are enough to recognize a format. */
const HEAD_BYTES = 64;
const MAX_REDIRECTS = 3;

/** The timeout of a request only counts until the headers have arrived. */
const MAX_FILE_MINUTES = 10;
const OPTIONS = { method: 'GET', encoding: 'stream', timeout: 120_000 } as const;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/** How a file is requested: with the credential (`isOwn`), or without it from another origin. */
export interface FileSource {
	address: ServiceAddress;
	request(options: IHttpRequestOptions, isOwn: boolean): Promise<HttpResponse>;
	fail(thrown: unknown): never;
}

/**
 * Passes the file behind an address that the service gave to `save` as a stream, after checking that
 * its first bytes are those of the format.
 */
export async function download<Saved>(
	url: string,
	format: FileFormat,
	source: FileSource,
	save: (stream: FileStream) => Promise<Saved>,
	maxMs = MAX_FILE_MINUTES * 60_000,
): Promise<Saved> {
	const stream = await openFile(url, format, source, maxMs).catch((thrown: unknown) =>
		source.fail(thrown),
	);
	return await save(stream).catch((thrown: unknown) => {
		// Either the connection broke in the middle of the file, or n8n could not save it.
		if (stream.errored) source.fail(stream.errored);
		throw thrown;
	});
}

/** Redirects are followed here, so that the credential goes only to the service's own origin. */
async function openFile(
	url: string,
	format: FileFormat,
	source: FileSource,
	maxMs: number,
): Promise<FileStream> {
	let target = String(url ?? '');
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		checkTarget(target, source.address);
		const isOwn = isSameOrigin(target, source.address);
		const response = await source.request({ ...OPTIONS, url: target }, isOwn);
		const { statusCode: status, headers, body } = response;
		const stream = body as FileStream;
		endAfter(stream, maxMs);
		const location = String(headers.location ?? '');
		const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
		if (isRedirect && URL.canParse(location, target)) {
			stream.destroy();
			target = new URL(location, target).href;
			continue;
		}
		if (status !== 200) {
			const text = (await readHead(stream, 4_096)).toString('utf8');
			stream.destroy();
			if (!isOwn) {
				throw downloadError(
					`${new URL(target).host} refused to send the file (${status})`,
					'The link may have expired. Create the file again to get a new one.',
				);
			}
			throw httpError(DOWNLOAD, { ...response, body: text }, Date.now());
		}
		const head = await readHead(stream, HEAD_BYTES);
		if (IS_FORMAT[format](head.toString('latin1'))) return stream;

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

function endAfter(stream: FileStream, maxMs: number): void {
	const limit = AbortSignal.timeout(maxMs);
	const end = () =>
		stream.destroy(
			downloadError(
				`The file did not arrive within ${MAX_FILE_MINUTES} minutes`,
				'The file was not saved. The link is in the output. Open it in a browser, or run the workflow again.',
			),
		);
	limit.addEventListener('abort', end, { once: true });
	stream.once('close', () => limit.removeEventListener('abort', end));
}

/** Reads the first bytes of a stream and puts them back. */
async function readHead(stream: FileStream, bytes: number): Promise<Buffer> {
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

function downloadError(message: string, description: string): ServiceError {
	return new ServiceError({ message, description, endpoint: DOWNLOAD, mayHaveActed: false });
}
