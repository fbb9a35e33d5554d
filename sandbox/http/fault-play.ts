import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outcome } from './exchange';
import type { WaitingFault } from './faults';

export const loginPage = `<!doctype html>
<html><head><title>Sign in</title></head>
<body><h1>Sign in</h1><form><input name="user"><input name="password" type="password"></form></body>
</html>
`;

/** Answers wrongly, or not at all. `outcome` is what would have been right; null: nothing was done. */
export async function playFault(
	fault: WaitingFault,
	request: FastifyRequest,
	reply: FastifyReply,
	outcome: Outcome | null,
): Promise<FastifyReply> {
	const { correlationId } = request.recorded;
	if (fault.retryAfter !== undefined) void reply.header('retry-after', fault.retryAfter);
	switch (fault.kind) {
		case 'reset':
			reply.hijack();
			reply.raw.socket?.resetAndDestroy();
			return reply;
		case 'noAnswer':
			// The connection stays open until the client or the sandbox closes it.
			return reply.hijack();
		case 'halfBody':
			return sendHalf(await contentOf(outcome, correlationId), fault, request, reply);
		case 'redirect':
			return reply.code(fault.status ?? 302).redirect(fault.location ?? '/sandbox/elsewhere');
		case 'html':
			return reply
				.code(fault.status ?? 200)
				.type('text/html; charset=utf-8')
				.send(loginPage);
		case 'rateLimit':
			return reply.code(429).send({ correlationId, message: 'Too many requests' });
		case 'nullResult':
			return reply.code(200).send({ ...outcome?.json, correlationId, result: null });
		case 'body':
			return sendBody(bodyOf(fault, outcome), fault.status ?? 200, reply);
		default: {
			const status = fault.status ?? 503;
			const message = `The service answered ${status} because a fault was set`;
			return sendBody(fault.body ?? { correlationId, message }, status, reply);
		}
	}
}

function bodyOf(fault: WaitingFault, outcome: Outcome | null): unknown {
	return fault.rewrite ? fault.rewrite(structuredClone(outcome?.json) as never) : fault.body;
}

// JSON is spelled out here because null and bare values would otherwise become an empty answer.
function sendBody(body: unknown, status: number, reply: FastifyReply): FastifyReply {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	return reply.code(status).type('application/json; charset=utf-8').send(text);
}

interface Content {
	type: string;
	bytes: Buffer;
}

async function contentOf(outcome: Outcome | null, correlationId: string): Promise<Content> {
	if (outcome?.file) {
		const { content, headers } = outcome.file;
		const type = String(headers['content-type']);
		if (Buffer.isBuffer(content)) return { type, bytes: content };
		const chunks: Buffer[] = [];
		for await (const chunk of content) chunks.push(chunk as Buffer);
		return { type, bytes: Buffer.concat(chunks) };
	}
	const json = outcome?.json ?? { correlationId, result: [{ id: 1001, message: 'unfinished' }] };
	return { type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(json)) };
}

// Without a Content-Length the half looks whole to HTTP; only its JSON ends too soon.
function sendHalf(
	content: Content,
	fault: WaitingFault,
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
