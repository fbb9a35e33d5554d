import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { belongsToService, type ServiceAddress } from './address';
import { refusal } from './response';
import { ServiceFailure } from './errors';

export type FileStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export type FileFormat = 'pdf' | 'zpl';

/** How many bytes are looked at before a file is believed to be one. */
const HEAD_BYTES = 64;
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 120_000;

const LOOKS_LIKE: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

interface FileResponse {
	body: unknown;
	headers: Record<string, unknown>;
	statusCode: number;
}

/**
 * Opens the file behind an address the service gave and returns its stream. The credential goes
 * along only to the service's own origin, also behind a redirect.
 */
export async function openFile(
	url: string,
	format: FileFormat,
	address: ServiceAddress,
	label: string,
	send: (options: IHttpRequestOptions, withCredential: boolean) => Promise<FileResponse>,
): Promise<FileStream> {
	let target = url;
	for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
		refuseUnsafe(target, address, label);
		const response = await send(
			{ method: 'GET', url: target, encoding: 'stream', timeout: TIMEOUT_MS },
			belongsToService(target, address),
		);
		const stream = response.body as FileStream;
		const { statusCode: status, headers } = response;
		const { location } = headers;

		if (
			status >= 300 &&
			status < 400 &&
			typeof location === 'string' &&
			URL.canParse(location, target)
		) {
			stream.destroy();
			target = new URL(location, target).href;
			continue;
		}
		if (status !== 200) {
			const body = (await readHead(stream, 4_096)).toString('utf8');
			stream.destroy();
			throw refusal(label, { status, headers, body }, Date.now());
		}
		const head = await readHead(stream, HEAD_BYTES);
		if (LOOKS_LIKE[format](head.toString('latin1'))) return stream;

		stream.destroy();
		throw notThatFile(format, head.toString('utf8'), label);
	}
	throw new ServiceFailure({
		message: 'The label file is redirected in a circle',
		description: 'Open the link of the label in a browser to see where it leads.',
		endpoint: label,
		mayHaveActed: false,
		passing: false,
	});
}

/** The first bytes of a stream, which stay in it. */
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

function refuseUnsafe(target: string, address: ServiceAddress, label: string): void {
	const isWeb = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
	const isProtected = target.startsWith('https:') || address.origin.startsWith('http:');
	if (isWeb && (isProtected || belongsToService(target, address))) return;
	throw new ServiceFailure({
		message: 'The link of the label file is not a usable web address',
		description: 'The service gave a link that is empty, not complete, or not protected by https.',
		endpoint: label,
		mayHaveActed: false,
		passing: false,
	});
}

function notThatFile(format: FileFormat, head: string, label: string): ServiceFailure {
	const came = /^\s*</.test(head)
		? 'a web page'
		: /^\s*[{[]/.test(head)
			? 'a message in JSON'
			: head === ''
				? 'an empty file'
				: 'something else';
	return new ServiceFailure({
		message: `Instead of a ${format.toUpperCase()} file, ${came} came back`,
		description:
			'The label file was not saved. The link is in the output; print the labels again for a fresh one.',
		endpoint: label,
		mayHaveActed: false,
		passing: false,
	});
}
