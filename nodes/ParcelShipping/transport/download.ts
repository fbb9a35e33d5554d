import type { IHttpRequestOptions } from 'n8n-workflow';

import { isSameOrigin, type ServiceAddress } from './credential';
import { isServiceError, type ItemError, readNetworkError, requestError } from './errors';
import type { Http } from './http';
import { type BodyStream, statusError } from './response';

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
const DOWNLOAD = 'Download a label file';

/** How many bytes are enough to recognize a format. */
const HEAD_BYTES = 64;
const MAX_REDIRECTS = 3;

/** The timeout only counts until the headers have arrived. */
const OPTIONS = { method: 'GET', encoding: 'stream', timeout: 60_000 } as const;

/** Until `graceMs`, a file may be slow to come. Then it must have come at a useful rate all in all. */
const LIMITS = { graceMs: 60_000, maxMs: 10 * 60_000, maxBytes: 1024 ** 3, checkMs: 5_000 };
const MIN_BYTES_PER_MS = 10;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/**
 * Passes the file behind an address that the provider gave to `save` as a stream, after checking that its first bytes are
 * those of the format. Redirects are followed here, so that the credential goes only to the provider's own origin.
 */
export async function download<Saved>(
	http: Http,
	url: string,
	format: FileFormat,
	save: (stream: BodyStream) => Promise<Saved>,
	limits = LIMITS,
): Promise<Saved> {
	return await http.retry(DOWNLOAD, true, async () => {
		let target = String(url ?? '');
		for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
			checkTarget(target, http.address);
			const { host } = new URL(target);
			const isOwn = isSameOrigin(target, http.address);
			// Another origin must not get the secret, even if the provider repeats it in the address.
			const withoutSecret = isOwn ? target : http.secrets.withoutSecret(target);
			if (withoutSecret === undefined) {
				throw downloadError(
					`The link to the file would send the secret of the credential to ${host}`,
					"The file was not requested. Contact the service's support.",
				);
			}
			target = withoutSecret;
			const request: IHttpRequestOptions & { url: string } = { ...OPTIONS, url: target };
			const response = isOwn
				? await http.send(request, DOWNLOAD)
				: await http.exchange(request, DOWNLOAD, 'none');
			const { statusCode: status, headers } = response;
			const file = response.body as BodyStream;
			const location = String(headers.location ?? '');
			if (status >= 300 && status < 400 && headers.location && URL.canParse(location, target)) {
				file.destroy();
				target = new URL(location, target).href;
				continue;
			}
			limit(file, limits);
			try {
				const head = await readHead(file, status === 200 ? HEAD_BYTES : 4_096);
				if (status !== 200) {
					const body = head.toString();
					if (isOwn) throw statusError(DOWNLOAD, { statusCode: status, headers, body }, Date.now());
					throw downloadError(
						`${host} refused to send the file (${status})`,
						'The link may have expired. Create the file again to get a new one.',
					);
				}
				if (!IS_FORMAT[format](head.toString('latin1'))) {
					throw downloadError(
						`The service did not return a ${format.toUpperCase()} file`,
						'The file was not saved. The link is in the output. Create the file again to get a new one.',
					);
				}
				return await save(file);
			} catch (thrown) {
				const { errored } = file;
				file.destroy();
				// Either the connection broke in the middle of the file, or n8n could not save it.
				if (!errored || isServiceError(errored)) throw errored ?? thrown;
				throw readNetworkError(errored, DOWNLOAD, host);
			}
		}
		throw downloadError(
			'Too many redirects when downloading the file',
			'Open the link in a browser to see where it leads.',
		);
	});
}

/** Ends the stream with an error if the file comes too slowly or is too large. */
function limit(file: BodyStream, { graceMs, maxMs, maxBytes, checkMs }: typeof LIMITS): void {
	const fail = (problem: string) =>
		file.destroy(
			downloadError(
				`The file ${problem}`,
				'The file was not saved. The link is in the output. Open it in a browser, or run the workflow again.',
			),
		);
	let bytes = 0;
	// Every way to read a stream emits this. n8n allows no import with which a stream could be piped through a counter.
	const emit = file.emit.bind(file);
	file.emit = (event: string, ...values: unknown[]) => {
		if (event === 'data') bytes += (values[0] as Buffer).length;
		if (bytes > maxBytes) fail('is larger than 1 GB');
		return emit(event, ...values);
	};
	const startedMs = Date.now();
	const check = () => {
		if (file.destroyed || file.readableEnded) return;
		const elapsedMs = Date.now() - startedMs;
		if (elapsedMs > maxMs || bytes < (elapsedMs - graceMs) * MIN_BYTES_PER_MS)
			fail('arrives too slowly');
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

const downloadError = (message: string, description: string): ItemError =>
	requestError(DOWNLOAD, { message, description }, { mayHaveActed: false });
