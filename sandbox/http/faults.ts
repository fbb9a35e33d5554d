import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../domain/validation';
import type { RenderedFile } from './renderFile';
import type { RouteName, ServiceResponse } from './request';
import { errorResponse, type Received } from './routes';
import type { ServiceState } from './state';

const KINDS = [
	...(['reset', 'noResponse', 'status', 'html', 'halfBody'] as const),
	...(['redirect', 'latency', 'rateLimit', 'body'] as const),
];

export interface Fault {
	operation: RouteName | '*';
	kind: (typeof KINDS)[number];
	/** Whether the fault happens before (default) or after the provider carries out the request. */
	when?: 'before' | 'after';
	/** Defaults: 503 for status, 200 for html, 302 for redirect. */
	status?: number;
	retryAfter?: string;
	location?: string;
	ms?: number;
	/** Response body for status and body. Strings are sent unchanged. */
	body?: unknown;
	/** For body: changes the correct response. Implies `when: after`. */
	rewrite?: (response: never) => unknown;
	onlyIf?: (body: never) => boolean;
	/** For halfBody: closes the socket halfway instead of ending the response. */
	cut?: boolean;
	skip?: number;
	/** Number of requests to affect. Default 1. Infinity means all. */
	times?: number;
}

export class FaultQueue {
	private faults: Array<Fault & { skip: number; times: number }> = [];

	add(fault: Fault): void {
		const when = fault.rewrite ? 'after' : (fault.when ?? 'before');
		this.faults.push({ skip: 0, times: 1, ...fault, when });
	}

	clear(): void {
		this.faults = [];
	}

	take(name: RouteName, which: 'latency' | 'other', body: unknown): Fault[] {
		const taken: Fault[] = [];
		for (const fault of this.faults) {
			const { operation, kind, onlyIf } = fault;
			if (operation !== '*' && operation !== name) continue;
			if ((kind === 'latency') !== (which === 'latency')) continue;
			if ((onlyIf && !onlyIf(body as never)) || fault.skip-- > 0) continue;
			fault.times--;
			taken.push(fault);
			if (which === 'other') break;
		}
		this.faults = this.faults.filter(({ times }) => times > 0);
		return taken;
	}
}

type Response = ServiceResponse<RenderedFile>;

export const loginPage = `<!doctype html>
<html><head><title>Sign in</title></head>
<body><h1>Sign in</h1><form><input name="user"><input name="password" type="password"></form></body>
</html>
`;

export function send(reply: FastifyReply, { status, json, file, headers }: Response): FastifyReply {
	void reply.code(status).headers({ ...headers, ...file?.headers });
	return reply.send(file?.content ?? json);
}

export async function sendFaultResponse(
	fault: Fault,
	received: Received,
	reply: FastifyReply,
	state: ServiceState,
	response: Response | null,
): Promise<FastifyReply> {
	const sendError = (status: number, message: string) =>
		send(reply, errorResponse(new ServiceError(status, message), received, state));
	if (fault.retryAfter !== undefined) void reply.header('retry-after', fault.retryAfter);
	switch (fault.kind) {
		case 'reset':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return reply;
		case 'noResponse':
			// The connection stays open until the client or the sandbox closes it.
			return reply.hijack();
		case 'halfBody':
			return await sendHalf(fault, received, reply, response);
		case 'redirect':
			return reply.code(fault.status ?? 302).redirect(fault.location ?? '/sandbox/elsewhere');
		case 'html':
			void reply.code(fault.status ?? 200).type('text/html; charset=utf-8');
			return reply.send(loginPage);
		case 'rateLimit':
			return sendError(429, 'Too many requests');
		case 'body': {
			if (!fault.rewrite) return sendBody(fault.body, fault.status ?? 200, reply);
			// A refused request has nothing that a fault could change.
			if (!response?.json || response.status >= 300) return send(reply, response as Response);
			const body = fault.rewrite(structuredClone(response.json) as never);
			return sendBody(body, fault.status ?? 200, reply);
		}
		default: {
			const status = fault.status ?? 503;
			if (fault.body !== undefined) return sendBody(fault.body, status, reply);
			return sendError(status, `Simulated fault: status ${status}`);
		}
	}
}

// Serialized here, because Fastify would send an empty body for null.
function sendBody(body: unknown, status: number, reply: FastifyReply): FastifyReply {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	return reply.code(status).type('application/json; charset=utf-8').send(text);
}

// Without Content-Length, HTTP considers the body complete. Only the JSON is cut off.
async function sendHalf(
	{ status = 200, cut }: Fault,
	{ request }: Received,
	reply: FastifyReply,
	response: Response | null,
): Promise<FastifyReply> {
	const { correlationId } = request;
	const json = response?.json ?? { correlationId, result: [{ id: 1001, message: 'incomplete' }] };
	const { content = JSON.stringify(json), headers } = response?.file ?? {};
	const bytes = content instanceof Readable ? await buffer(content) : Buffer.from(content);
	const half = bytes.subarray(0, Math.floor(bytes.length / 2));
	const { raw } = reply.hijack();
	request.status = status;
	raw.writeHead(status, {
		'content-type': String(headers?.['content-type'] ?? 'application/json; charset=utf-8'),
	});
	if (cut) raw.write(half, () => raw.socket?.destroy());
	else raw.end(half);
	return reply;
}
