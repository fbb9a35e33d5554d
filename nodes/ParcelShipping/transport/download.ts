import { isSameOrigin, type ServiceAddress } from './credential';
import { ItemError, requestError } from './errors';
import type { Http } from './http';
import { type BodyStream, type HttpResponse, readBody, statusError } from './response';

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
const DOWNLOAD = 'Download a label file';

const MAX_REDIRECTS = 3;

/** Until `graceMs`, a file may be slow to come. Then it must have come at a useful rate all in all. */
const LIMITS = { graceMs: 60_000, maxMs: 10 * 60_000, maxBytes: 1024 ** 3 };
const MIN_BYTES_PER_MS = 10;

/** How many bytes are enough to recognize a format. */
const HEAD_BYTES = 64;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/**
 * Passes the file behind an address that the provider gave to `save` as a stream, because the labels of a whole day may not
 * fit into memory. Redirects are followed here, so that the credential goes only to the provider's own origin.
 */
export async function download<Saved>(
	http: Http,
	url: string,
	format: FileFormat,
	save: (stream: BodyStream) => Promise<Saved>,
	limits = LIMITS,
): Promise<Saved> {
	const read = async (response: HttpResponse<BodyStream>) =>
		response.statusCode === 200
			? { ...response, saved: await saveChecked(response.body, format, save, limits) }
			: await readBody(response, DOWNLOAD, 1);
	const request = { method: 'GET', timeout: limits.graceMs, deadlineMs: limits.maxMs } as const;
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
					"The file was not requested. Contact the provider's support.",
				);
			}
			const own = { ...request, url: withoutSecret };
			const response = isOwn
				? await http.send(own, DOWNLOAD, read)
				: await http.exchange(own, DOWNLOAD, 'none', read);
			if ('saved' in response) return response.saved;
			const { statusCode: status, headers } = response;
			const location = String(headers.location ?? '');
			if (status >= 300 && status < 400 && location && URL.canParse(location, withoutSecret)) {
				target = new URL(location, withoutSecret).href;
				continue;
			}
			if (isOwn) throw statusError(DOWNLOAD, response, Date.now());
			throw downloadError(
				`${host} refused to send the file (${status})`,
				'The link may have expired. Create the file again to get a new one.',
			);
		}
		throw downloadError(
			'Too many redirects when downloading the file',
			'Open the link in a browser to see where it leads.',
		);
	});
}

/** Saves a file while it comes. If it ends with an error, nothing is saved. */
async function saveChecked<Saved>(
	file: BodyStream,
	format: FileFormat,
	save: (stream: BodyStream) => Promise<Saved>,
	{ graceMs, maxBytes }: typeof LIMITS,
): Promise<Saved> {
	const fail = (problem: string) =>
		downloadError(
			problem,
			'The file was not saved. The link is in the output. Open it in a browser, or create the file again to get a new one.',
		);
	const checked = file.compose(async function* (chunks: AsyncIterable<Buffer>) {
		const startedMs = Date.now();
		let bytes = 0;
		let head = '';
		const isWrong = () => !IS_FORMAT[format](head);
		const wrongFormat = `The provider did not return a ${format.toUpperCase()} file`;
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (head.length < HEAD_BYTES) head += chunk.toString('latin1', 0, HEAD_BYTES);
			if (head.length >= HEAD_BYTES && isWrong()) throw fail(wrongFormat);
			if (bytes > maxBytes) throw fail('The file is larger than 1 GB');
			// A hostile provider may send a byte now and then, without an end.
			if (bytes < (Date.now() - startedMs - graceMs) * MIN_BYTES_PER_MS)
				throw fail('The file arrives too slowly');
			yield chunk;
		}
		if (isWrong()) throw fail(wrongFormat);
	}) as BodyStream;
	// An error of a stream that nothing reads would end n8n.
	checked.on('error', () => {});
	try {
		return await save(checked);
	} catch (thrown) {
		// Either the file ended with an error, or n8n could not save it.
		throw (
			file.errored ??
			new ItemError(
				`n8n could not save the file: ${(thrown as Error).message}`,
				"Check n8n's binary data storage and its free space.",
			)
		);
	} finally {
		file.destroy();
	}
}

function checkTarget(target: string, address: ServiceAddress): void {
	const isWeb = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
	const isProtected = target.startsWith('https:') || address.origin.startsWith('http:');
	if (isWeb && (isProtected || isSameOrigin(target, address))) return;
	throw downloadError(
		'The link to the file is not a usable web address',
		'The provider returned a link that is empty, incomplete or not protected by https.',
	);
}

const downloadError = (message: string, description: string): ItemError =>
	requestError(DOWNLOAD, message, description, { mayHaveActed: false });
