import { isSameOrigin } from './credential';
import { ItemError, requestError } from './errors';
import type { Http } from './http';
import { type BodyStream, type HttpResponse, readBody, statusError } from './response';

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
const DOWNLOAD = 'Download a label file';

/** Also for a file that comes slowly. */
const LIMITS = { deadlineMs: 10 * 60_000, maxBytes: 1024 ** 3 };

/** How many bytes are enough to recognize a format. */
const HEAD_BYTES = 64;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/**
 * Passes the file behind an address that the provider gave to `save` as a stream, because the labels of a whole day may not
 * fit into memory.
 */
export async function download<Saved>(
	http: Http,
	url: string,
	format: FileFormat,
	save: (stream: BodyStream) => Promise<Saved>,
	{ deadlineMs, maxBytes } = LIMITS,
): Promise<Saved> {
	const target = String(url ?? '');
	const read = async (response: HttpResponse<BodyStream>) =>
		response.statusCode === 200
			? { ...response, saved: await saveChecked(response.body, format, save, maxBytes) }
			: await readBody(response, DOWNLOAD, 1);
	const request = { url: target, name: DOWNLOAD, deadlineMs, read };
	return await http.retry(DOWNLOAD, true, async () => {
		const isOwn = checkTarget(target, http);
		const response = await (isOwn ? http.send(request) : http.exchange(request));
		if ('saved' in response) return response.saved;
		if (isOwn) throw statusError(DOWNLOAD, response);
		throw fileError(`${new URL(target).host} refused to send the file (${response.statusCode})`);
	});
}

/** Whether the address gets the secret: only the provider's own origin may have it, even as a part of an address. */
function checkTarget(target: string, { base, redact }: Http): boolean {
	const isOwn = isSameOrigin(target, base);
	const isProtected = target.startsWith('https:') || base.startsWith('http:');
	if (!URL.canParse(target) || !/^https?:/i.test(target) || !(isProtected || isOwn))
		throw fileError('The link to the file is not a usable web address with https');
	if (isOwn || redact(target) === target) return isOwn;
	const { host } = new URL(target);
	throw fileError(`The link to the file would send the secret of the credential to ${host}`);
}

/** Saves a file while it comes. If it ends with an error, nothing is saved. */
async function saveChecked<Saved>(
	file: BodyStream,
	format: FileFormat,
	save: (stream: BodyStream) => Promise<Saved>,
	maxBytes: number,
): Promise<Saved> {
	const checked = file.compose(async function* (chunks: AsyncIterable<Buffer>) {
		let bytes = 0;
		let head = '';
		const checkFormat = () => {
			if (IS_FORMAT[format](head)) return;
			throw fileError(`The provider did not return a ${format.toUpperCase()} file`);
		};
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (head.length < HEAD_BYTES) head += chunk.toString('latin1', 0, HEAD_BYTES);
			if (head.length >= HEAD_BYTES) checkFormat();
			if (bytes > maxBytes) throw fileError('The file is larger than 1 GB');
			yield chunk;
		}
		checkFormat();
	}) as BodyStream;
	// An error of a stream that nothing reads would end n8n.
	checked.on('error', () => {});
	try {
		return await save(checked);
	} catch (thrown) {
		// Either the file ended with an error, or n8n could not save it.
		const message = `n8n could not save the file: ${(thrown as Error).message}`;
		const advice = "Check n8n's binary data storage and its free space.";
		throw file.errored ?? new ItemError(message, advice);
	} finally {
		file.destroy();
	}
}

const fileError = (message: string): ItemError =>
	requestError(
		DOWNLOAD,
		message,
		'The file was not saved. Open the link in a browser, or create the file again to get a new one.',
		{ mayHaveActed: false },
	);
