import { Readable } from 'node:stream';

import { Client } from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { Http } from '../../nodes/ParcelShipping/transport/http';
import type { HttpResponse } from '../../nodes/ParcelShipping/transport/response';

const BASE = 'https://api.example.com/api';

export const responseOf = (statusCode: number, body: unknown) => ({
	statusCode,
	headers: {},
	body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
export const pageOf = (data: object[], total = data.length) =>
	responseOf(200, { result: { data, total } });
export const streamOf = (body: Buffer) => Readable.from([body], { objectMode: false });
export type ExchangeParameters<Result extends HttpResponse> = Parameters<
	typeof Http.prototype.exchange<Result>
>;
export type Sent = {
	path: string;
	token: string | undefined;
	timeoutMs?: number | undefined;
	body?: string;
};

/** A client whose requests `respond` answers, with what it has sent. */
export function clientOf(
	respond: (sent: Sent, requests: Sent[]) => ReturnType<typeof responseOf>,
	credential: Partial<ParcelShippingCredential> = {},
	caller: object = {},
) {
	const requests: Sent[] = [];
	class TestHttp extends Http {
		override async exchange<Result extends HttpResponse>(
			...[{ url, body, timeout, name, read }, secret]: ExchangeParameters<Result>
		) {
			const path = url.replace(BASE, '');
			const token = secret?.sessionToken;
			const sent = { path, token, timeoutMs: timeout, ...(body ? { body: String(body) } : {}) };
			requests.push(sent);
			const response = respond(sent, requests);
			await new Promise(setImmediate);
			return await read({ ...response, body: streamOf(response.body) }, name);
		}
	}
	const given = {
		...({ baseUrl: BASE, authentication: 'header', maxRetryWait: 0 } as const),
		...credential,
	};
	const client = new Client(new TestHttp(caller as never, given));
	return { client, requests };
}

/** What a provider with these records responds to a list or a detail. `details` are by ID; a number is a status. */
export function recordsFor(
	{ path }: Sent,
	list: object[],
	details: Readonly<Record<number, object[] | number>> = {},
) {
	if (path.includes('/Find')) return pageOf(list);
	const [id = ''] = /\d+/.exec(path) ?? [];
	const detail = details[Number(id)] ?? 404;
	return typeof detail === 'number'
		? responseOf(detail, { message: 'Not found', reference: id })
		: responseOf(200, { result: detail });
}
