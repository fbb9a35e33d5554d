import { Client } from '../../nodes/ParcelShipping/transport/client';
import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { Http } from '../../nodes/ParcelShipping/transport/http';

const address = { base: 'https://api.example.com/api', origin: 'https://api.example.com' };
export const responseOf = (statusCode: number, body: unknown) => ({
	statusCode,
	headers: {},
	body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
export type Sent = { path: string; secret: string; timeoutMs?: number | undefined; body?: string };

/** A client whose requests `respond` answers, with what it has sent. */
export function clientOf(
	respond: (sent: Sent, requests: Sent[]) => ReturnType<typeof responseOf>,
	credential: Partial<ParcelShippingCredential> = {},
	caller: object = {},
) {
	const requests: Sent[] = [];
	class TestHttp extends Http {
		override async exchange(...given: Parameters<Http['exchange']>) {
			const [{ url, body, timeout }, , secret] = given;
			const path = url.replace(address.base, '');
			const sent = { path, secret, timeoutMs: timeout, ...(body ? { body: String(body) } : {}) };
			requests.push(sent);
			const response = respond(sent, requests);
			await new Promise(setImmediate);
			return response;
		}
	}
	const given = {
		...({ baseUrl: '', authentication: 'header', maxRetryWait: 0 } as const),
		...credential,
	};
	const client = new Client(new TestHttp(caller as never, given, address));
	return { client, requests };
}
