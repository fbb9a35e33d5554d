import { appendFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { OperationId } from './contract';

/** The routes of the service. Faults and recorded requests refer to them. */
export type RouteName = OperationId | 'signIn' | 'labelFile';

export interface RecordedRequest {
	/** null for an unknown path. */
	operationId: RouteName | null;
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	body: unknown;
	/** Include the credential, so that tests can check it. */
	headers: Record<string, string | string[] | undefined>;
	/** null until a response is sent. */
	status: number | null;
	/** Wall-clock milliseconds, not the sandbox's clock. In process, the sandbox's clock. */
	at: number;
	finishedAt: number | null;
	correlationId: string;
}

/** What the service reads of a request, whether it came over HTTP or not. */
export interface ServiceRequest {
	/** From the path. */
	params: unknown;
	query: unknown;
	body: unknown;
	/** The names are in lower case. */
	headers: Record<string, string | string[] | undefined>;
	recorded: RecordedRequest;
}

/** The real time and unique ids, or what stands in for them. */
export interface Runtime {
	nowMs(): number;
	newId(): string;
}

declare module 'fastify' {
	interface FastifyContextConfig {
		routeName?: RouteName;
	}
	interface FastifyRequest {
		recorded: RecordedRequest;
	}
}

/** Records the requests to the service in the order received. */
export class RequestLog {
	/** Always the same array, so that tests can keep a reference. */
	readonly requests: RecordedRequest[] = [];

	constructor(private readonly runtime: Runtime) {}

	newRecord(
		request: Pick<RecordedRequest, 'operationId' | 'method' | 'path' | 'query' | 'headers'>,
	): RecordedRequest {
		return {
			...request,
			body: undefined,
			status: null,
			at: this.runtime.nowMs(),
			finishedAt: null,
			correlationId: this.runtime.newId(),
		};
	}

	clear(): void {
		this.requests.length = 0;
	}

	/** If SANDBOX_REQUESTS names a file, appends each request to it, one per line. */
	private appendToFile(request: RecordedRequest): void {
		const file = process.env['SANDBOX_REQUESTS'];
		if (file && isServicePath(request.path)) appendFileSync(file, `${JSON.stringify(request)}\n`);
	}

	record(app: FastifyInstance): void {
		app.decorateRequest('recorded');
		app.addHook('onRequest', async (request) => {
			const { method, url, headers } = request;
			request.recorded = this.newRecord({
				operationId: request.routeOptions.config.routeName ?? null,
				method,
				path: url.split('?')[0] ?? '',
				query: request.query as Record<string, unknown>,
				headers: { ...headers },
			});
			if (isServicePath(request.recorded.path)) this.requests.push(request.recorded);
		});
		app.addHook('preHandler', async (request) => {
			request.recorded.body = request.body;
			this.appendToFile(request.recorded);
		});
		app.addHook('onResponse', async (request, reply) => {
			request.recorded.finishedAt = this.runtime.nowMs();
			request.recorded.status ??= reply.statusCode;
		});
	}
}

// Other paths are the home page and the control routes. /files exists on the second origin only.
function isServicePath(path: string): boolean {
	return path === '/api' || path.startsWith('/api/') || path.startsWith('/files/');
}
