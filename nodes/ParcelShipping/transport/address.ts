/** The service's address, checked. `base` has no slash at its end. */
export interface ServiceAddress {
	base: string;
	origin: string;
}

const PRIVATE_HOST = new RegExp(
	[
		'^localhost$',
		'\\.localhost$',
		'\\.(local|internal|lan|home\\.arpa)$',
		'^[^.:]+$', // one word, such as a container's name: can't be a host on the internet
		'^127(\\.\\d+){3}$',
		'^10(\\.\\d+){3}$',
		'^192\\.168(\\.\\d+){2}$',
		'^172\\.(1[6-9]|2\\d|3[01])(\\.\\d+){2}$',
		'^\\[::1\\]$',
		'^\\[f[cd][0-9a-f]{2}:',
		'^\\[fe80:',
	].join('|'),
	'i',
);

const LOOKS_LIKE = 'It looks like https://api.example.com/api';

/** The address, or one sentence on why it can't be used. */
export function readBaseUrl(text: unknown): ServiceAddress | { refusal: string } {
	const given = typeof text === 'string' ? text.trim() : '';
	if (given === '') return { refusal: `The Base URL is empty. ${LOOKS_LIKE}` };

	const url = URL.canParse(given) ? new URL(given) : undefined;
	if (!url || !/^https?:$/.test(url.protocol)) {
		return { refusal: `The Base URL is not a web address. ${LOOKS_LIKE}` };
	}
	if (url.username || url.password) {
		return { refusal: 'The Base URL contains a user or password. Enter them in their own fields' };
	}
	if (url.search || url.hash) {
		return { refusal: 'The Base URL has a part after "?" or "#". It ends with the api path' };
	}
	if (url.protocol === 'http:' && !PRIVATE_HOST.test(url.hostname)) {
		return {
			refusal: `The Base URL starts with http://, so the secret would travel unprotected to ${url.hostname}. Use https://; plain http is for this computer and private networks only`,
		};
	}
	return { base: url.origin + url.pathname.replace(/\/+$/, ''), origin: url.origin };
}

export function isRefused(
	address: ServiceAddress | { refusal: string },
): address is { refusal: string } {
	return 'refusal' in address;
}

/** Whether the secret may go to `target`: the service's own origin, nothing else. */
export function belongsToService(target: string, address: ServiceAddress): boolean {
	return URL.canParse(target) && new URL(target).origin === address.origin;
}
