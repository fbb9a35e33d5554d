import { isSameOrigin, type ServiceAddress } from './credential';
import { type ItemError, requestError } from './errors';
import type { Http } from './http';
import { statusError } from './response';

export type FileFormat = 'pdf' | 'zpl';

/** The name of these requests in messages. */
const DOWNLOAD = 'Download a label file';

const MAX_REDIRECTS = 3;
const MAX_MEGABYTES = 100;
const TIMEOUT_MS = 5 * 60_000;

const IS_FORMAT: Readonly<Record<FileFormat, (head: string) => boolean>> = {
	pdf: (head) => /^[\s\u00ef\u00bb\u00bf]*%PDF-/.test(head),
	zpl: (head) => !/^\s*[<{%]/.test(head) && /[\^~][A-Z]/i.test(head),
};

/**
 * The file behind an address that the provider gave, if its beginning is that of the format. Redirects are followed here,
 * so that the credential goes only to the provider's own origin.
 */
export async function download(http: Http, url: string, format: FileFormat): Promise<Buffer> {
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
			const request = { method: 'GET', url: withoutSecret, timeout: TIMEOUT_MS } as const;
			const response = isOwn
				? await http.send(request, DOWNLOAD, MAX_MEGABYTES)
				: await http.exchange(request, DOWNLOAD, 'none', MAX_MEGABYTES);
			const { statusCode: status, headers, body } = response;
			const location = String(headers.location ?? '');
			if (status >= 300 && status < 400 && location && URL.canParse(location, withoutSecret)) {
				target = new URL(location, withoutSecret).href;
				continue;
			}
			if (status !== 200 && isOwn) throw statusError(DOWNLOAD, response, Date.now());
			if (status !== 200) {
				throw downloadError(
					`${host} refused to send the file (${status})`,
					'The link may have expired. Create the file again to get a new one.',
				);
			}
			if (IS_FORMAT[format](body.toString('latin1', 0, 64))) return body;
			throw downloadError(
				`The service did not return a ${format.toUpperCase()} file`,
				'The file was not saved. The link is in the output. Create the file again to get a new one.',
			);
		}
		throw downloadError(
			'Too many redirects when downloading the file',
			'Open the link in a browser to see where it leads.',
		);
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
