import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createControls, type Sandbox } from './controls';
import { homePage } from './home';
import { controlRoutes } from './http/control';
import { FaultQueue, send, sendFaultResponse } from './http/faults';
import { type RenderedFile, renderFile } from './http/renderFile';
import type { ServiceResponse } from './http/request';
import { carryOut, errorResponse, receive, reject } from './http/routes';
import { createState, type ServiceState } from './http/state';
import type { SandboxOptions } from './options';

const loopback = /^(127(\.\d+){3}|::1|localhost)$/;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const origins = { api: '', files: '' };
	const runtime = { nowMs: () => Date.now(), newId: () => crypto.randomUUID() };
	const state = createState(options, origins, runtime);
	const faults = new FaultQueue();
	const controls = createControls(state, origins);
	const { reset } = controls;
	const servers: FastifyInstance[] = [];
	const sandbox: Sandbox = Object.assign(controls, {
		fault: faults.add.bind(faults),
		clearFaults: faults.clear.bind(faults),
		reset: () => {
			reset();
			faults.clear();
		},
		close: async () => void (await Promise.all(servers.map((server) => server.close()))),
	});

	/** Returns the origin of a server with the paths of the provider under `base`. */
	const serve = async (base: string, port: number, more?: (app: FastifyInstance) => void) => {
		const app = Fastify({ bodyLimit: 100 * 1024 * 1024, forceCloseConnections: true });
		app.addHook('onRequest', async ({ headers, url }, reply) => {
			const refusal = refusalOf(headers, url);
			if (refusal) await reply.code(403).send({ message: refusal });
		});
		const handle = async (request: FastifyRequest, reply: FastifyReply) =>
			await handleRequest(request, reply, base, state, faults);
		await app.register(async (api) => {
			api.removeAllContentTypeParsers();
			api.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
				done(null, body),
			);
			api.all(`${base || '/files'}/*`, handle);
		});
		app.setNotFoundHandler(handle);
		more?.(app);
		servers.push(app);
		return await app.listen({ port, host: '127.0.0.1' });
	};
	const home = await serve('/api', options.port ?? 0, (app) => {
		homePage(app);
		controlRoutes(app, state, sandbox);
	});
	origins.api = `${home}/api`;
	const isOther = options.labelOrigin === 'other';
	origins.files = `${isOther ? await serve('', 0) : origins.api}/files`;
	return sandbox;
}

/**
 * A web page in the browser of this machine must not use the sandbox: neither by a name that leads here, nor by a form.
 */
function refusalOf(headers: FastifyRequest['headers'], url: string): string | undefined {
	const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
	const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
	if (!loopback.test(name.replace(/^\[|\]$/g, ''))) {
		return `Use the sandbox at a loopback address, not as ${host || 'an unnamed host'}`;
	}
	const isOwnPage =
		(origin === undefined || origin === `http://${host}`) &&
		['none', 'same-origin'].includes(String(site));
	if (isOwnPage || !url.startsWith('/sandbox/')) return undefined;
	return 'Only the page of the sandbox controls it';
}

async function handleRequest(
	{ method, url, headers, body }: FastifyRequest,
	reply: FastifyReply,
	base: string,
	state: ServiceState,
	faults: FaultQueue,
): Promise<FastifyReply> {
	const text = typeof body === 'string' ? body : undefined;
	const received = receive({ method, url, headers, body: text }, base, state);
	const { request, route, isMalformed } = received;
	reply.raw.once('finish', () => {
		request.finishedAt = state.runtime.nowMs();
		request.status ??= reply.statusCode;
	});
	const file = process.env['SANDBOX_REQUESTS'];
	if (file && request === state.requests.at(-1) && !isMalformed) {
		appendFileSync(file, `${JSON.stringify(request)}\n`);
	}
	void reply.headers(state.dialect.headers(request.correlationId));
	if (route && state.options.latencyMs) await sleep(state.options.latencyMs);
	const rejection = reject(received, state, base === '');
	if (rejection || !route) return send(reply, rejection as ServiceResponse);

	for (const latency of faults.take(route.name, 'latency', request.body)) {
		await sleep(latency.ms ?? 1000);
	}
	const [fault] = faults.take(route.name, 'other', request.body);
	const carryOutAndRender = async (): Promise<ServiceResponse<RenderedFile>> => {
		const { file: contents, ...response } = carryOut(received, state);
		try {
			return contents ? { ...response, file: await renderFile(contents, state) } : response;
		} catch (error) {
			return errorResponse(error, received, state);
		}
	};
	const response = fault?.when === 'before' ? null : await carryOutAndRender();
	if (fault) return await sendFaultResponse(fault, received, reply, state, response);
	return send(reply, response as ServiceResponse<RenderedFile>);
}
