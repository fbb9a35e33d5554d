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

/** A server that responds with whatever a test wants, and remembers what it has received. */
export class HostileProvider {
	readonly requests: Received[] = [];

	reply: (received: Received) => Reply = () => ({ status: 404 });

	private readonly server = createServer(
		(request, response) => void this.respond(request, response),
	);

	static async start(): Promise<HostileProvider> {
		const provider = new HostileProvider();
		await once(provider.server.listen(0, '127.0.0.1'), 'listening');
		return provider;
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await once(this.server.close(), 'close');
	}

	private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url = '', headers } = request;
		const received = { method, url, headers, body: await text(request) };
		this.requests.push(received);
		const reply = this.reply(received);
		if (typeof reply === 'function') return reply(response);
		const { status = 200, headers: own = {}, body = '' } = reply;
		response.writeHead(status, { 'content-type': 'application/json', ...own }).end(body);
	}
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
