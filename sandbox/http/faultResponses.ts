import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../domain/validation';
import type { QueuedFault } from './faults';
import { errorResponse, send, type ServiceResponse, tooManyRequests } from './responses';
import type { ServiceState } from './state';

export const loginPage = `<!doctype html>
<html><head><title>Sign in</title></head>
<body><h1>Sign in</h1><form><input name="user"><input name="password" type="password"></form></body>
</html>
`;

/** Sends a faulty response, or none. `response` is the correct one, or null if nothing was done. */
export async function sendFaultResponse(
	fault: QueuedFault,
	request: FastifyRequest,
	reply: FastifyReply,
	state: ServiceState,
	response: ServiceResponse | null,
): Promise<FastifyReply> {
	const { correlationId } = request.recorded;
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
			return sendHalf(await contentOf(response, correlationId), fault, request, reply);
		case 'redirect':
			return reply.code(fault.status ?? 302).redirect(fault.location ?? '/sandbox/elsewhere');
		case 'html':
			return reply
				.code(fault.status ?? 200)
				.type('text/html; charset=utf-8')
				.send(loginPage);
		case 'rateLimit':
			return send(reply, errorResponse(tooManyRequests(), request, state));
		case 'nullResult':
			return reply.code(200).send({ ...response?.json, correlationId, result: null });
		case 'body':
			// A refused request has no rows that a fault could change.
			if (fault.rewrite && !response?.json?.['result'])
				return send(reply, response as ServiceResponse);
			return sendBody(bodyOf(fault, response), fault.status ?? 200, reply);
		default: {
			const status = fault.status ?? 503;
			if (fault.body !== undefined) return sendBody(fault.body, status, reply);
			const error = new ServiceError(status, `Simulated fault: status ${status}`);
			return send(reply, errorResponse(error, request, state));
		}
	}
}

function bodyOf(fault: QueuedFault, response: ServiceResponse | null): unknown {
	return fault.rewrite ? fault.rewrite(structuredClone(response?.json) as never) : fault.body;
}

// Serialized here, because Fastify would send an empty body for null.
function sendBody(body: unknown, status: number, reply: FastifyReply): FastifyReply {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	return reply.code(status).type('application/json; charset=utf-8').send(text);
}

interface Content {
	type: string;
	bytes: Buffer;
}

async function contentOf(
	response: ServiceResponse | null,
	correlationId: string,
): Promise<Content> {
	if (response?.file) {
		const { content, headers } = response.file;
		const type = String(headers['content-type']);
		if (Buffer.isBuffer(content)) return { type, bytes: content };
		const chunks: Buffer[] = [];
		for await (const chunk of content) chunks.push(chunk as Buffer);
		return { type, bytes: Buffer.concat(chunks) };
	}
	const json = response?.json ?? { correlationId, result: [{ id: 1001, message: 'incomplete' }] };
	return { type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(json)) };
}

// Without Content-Length, HTTP considers the body complete. Only the JSON is cut off.
function sendHalf(
	content: Content,
	fault: QueuedFault,
	request: FastifyRequest,
	reply: FastifyReply,
): FastifyReply {
	const { raw } = reply.hijack();
	const half = content.bytes.subarray(0, Math.floor(content.bytes.length / 2));
	request.recorded.status = fault.status ?? 200;
	raw.writeHead(fault.status ?? 200, { 'content-type': content.type });
	if (fault.cut) raw.write(half, () => raw.socket?.destroy());
	else raw.end(half);
	return reply;
}
