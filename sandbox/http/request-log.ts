import { appendFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OperationId } from './contract-check';

/** What a fault can be aimed at and a recorded request is named after. */
export type RouteName = OperationId | 'signIn' | 'labelFile';

export interface RecordedRequest {
	/** null for an address the service does not have. */
	operationId: RouteName | null;
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	/** The host header tells the origin; credentials are left in, so that tests can see them. */
	headers: Record<string, string | string[] | undefined>;
	/** null while, or because, no answer was given. */
	status: number | null;
	/** Wall-clock milliseconds, not the sandbox's clock. */
	at: number;
	finishedAt: number | null;
	correlationId: string;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		routeName?: RouteName;
	}
	interface FastifyRequest {
		recorded: RecordedRequest;
	}
}

/** Requests to the service, in the order received. */
export class RequestLog {
	/** The same array for the sandbox's whole life, so that a test may keep it. */
	readonly requests: RecordedRequest[] = [];

	clear(): void {
		this.requests.length = 0;
	}

	/** With SANDBOX_REQUESTS set to a file, every request is also written there, one a line. */
	private keep(request: RecordedRequest): void {
		const file = process.env['SANDBOX_REQUESTS'];
		if (file && isServiceAddress(request.path))
			appendFileSync(file, `${JSON.stringify(request)}\n`);
	}

	watch(app: FastifyInstance): void {
		app.decorateRequest('recorded');
		app.addHook('onRequest', async (request) => {
			request.recorded = recordOf(request);
			if (isServiceAddress(request.recorded.path)) this.requests.push(request.recorded);
		});
		app.addHook('preHandler', async (request) => {
			request.recorded.body = request.body;
			this.keep(request.recorded);
		});
		app.addHook('onResponse', async (request, reply) => {
			request.recorded.finishedAt = Date.now();
			request.recorded.status ??= reply.statusCode;
		});
	}
}

// The rest is the sandbox's own page and control surface; /files are those of another origin.
function isServiceAddress(path: string): boolean {
	return path === '/api' || path.startsWith('/api/') || path.startsWith('/files/');
}

function recordOf(request: FastifyRequest): RecordedRequest {
	return {
		operationId: request.routeOptions.config.routeName ?? null,
		method: request.method,
		path: request.url.split('?')[0] ?? '',
		query: request.query as Record<string, unknown>,
		body: undefined,
		headers: { ...request.headers },
		status: null,
		at: Date.now(),
		finishedAt: null,
		correlationId: crypto.randomUUID(),
	};
}
