import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A body, or something that writes the whole response itself. */
export type Reply =
	| { status?: number; headers?: Record<string, string>; body?: string | Buffer }
	| ((response: ServerResponse) => void);

interface Received {
	method: string;
	/** As it came, with its query. */
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>;

/** A server that responds with whatever a test wants, and remembers what it has received. */
export async function startHostileProvider() {
	const provider = {
		requests: [] as Received[],
		origin: '',
		reply: (_received: Received): Reply => ({ status: 404 }),
		close: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
	const respond = async (request: IncomingMessage, response: ServerResponse) => {
		const { method = '', url = '', headers } = request;
		const received = { method, url, headers, body: await text(request) };
		provider.requests.push(received);
		const reply = provider.reply(received);
		if (typeof reply === 'function') return reply(response);
		const { status = 200, headers: own = {}, body = '' } = reply;
		response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
	};
	const server = createServer((request, response) => void respond(request, response));
	await once(server.listen(0, '127.0.0.1'), 'listening');
	provider.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return provider;
}

/** One byte after another, without an end. */
export const drip =
	(start: string, everyMs = 20): Reply =>
	(response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).write(start);
		const timer = setInterval(() => response.write(' '), everyMs);
		response.on('close', () => clearInterval(timer));
	};

/** Headers that never end. */
export const dripHeaders: Reply = (response) => {
	const { socket } = response;
	socket?.write('HTTP/1.1 200 OK\r\n');
	let count = 0;
	const timer = setInterval(() => socket?.write(`X-${count++}: 1\r\n`), 20);
	socket?.on('close', () => clearInterval(timer));
};
