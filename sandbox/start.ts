import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { ServiceError } from './domain/validation';
import { homePage } from './home';
import { controlRoutes } from './http/control';
import { FaultQueue } from './http/faults';
import { addRoutes, type ServerState } from './http/handler';
import type { Runtime } from './http/requestLog';
import { errorResponse, notFound, send } from './http/responses';
import { fileRoutes, operationRoutes, signInRoute } from './http/routes';
import type { SandboxOptions } from './options';
import type { Sandbox } from './sandbox';
import { createControls, createState } from './service';

const loopback = /^(127(\.\d+){3}|::1|localhost)$/;

const runtime: Runtime = { nowMs: () => Date.now(), newId: () => crypto.randomUUID() };

/** Starts a simulation of the service on this machine. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const host = options.host ?? '127.0.0.1';
	if (!loopback.test(host)) {
		throw new Error(
			`The sandbox only listens on this machine, and ${host} is not a loopback address`,
		);
	}
	const addresses = { api: '', files: '' };
	const service = createState(options, addresses, runtime);
	const faults = new FaultQueue(Object.keys(service.contract));
	const state: ServerState = Object.assign(service, { faults });
	const app = createServer(state);
	const routes = [signInRoute(state), ...operationRoutes(state.contract), ...fileRoutes];
	await app.register(async (api) => addRoutes(api, routes, state), { prefix: '/api' });
	await app.register(homePage);
	const servers = [app];
	const controls = createControls(state, addresses);
	const { reset } = controls;
	const sandbox: Sandbox = Object.assign(controls, {
		fault: faults.add.bind(faults),
		clearFaults: () => faults.clear(),
		reset: () => {
			reset();
			faults.clear();
		},
		close: async () => {
			await Promise.all(servers.map((server) => server.close()));
		},
	});
	controlRoutes(app, state, sandbox);
	await app.listen({ port: options.port ?? 0, host });
	addresses.api = `${originOf(app, host)}/api`;
	addresses.files = `${addresses.api}/files`;

	if (options.labelOrigin === 'other') {
		const fileServer = createServer(state);
		const openRoutes = fileRoutes.map((route) => ({ ...route, needsCredential: false }));
		addRoutes(fileServer, openRoutes, state);
		await fileServer.listen({ port: 0, host });
		servers.push(fileServer);
		addresses.files = `${originOf(fileServer, host)}/files`;
	}
	return sandbox;
}

function originOf(server: FastifyInstance, host: string): string {
	const { port } = server.server.address() as AddressInfo;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function createServer(state: ServerState): FastifyInstance {
	const app = Fastify({
		bodyLimit: 100 * 1024 * 1024,
		forceCloseConnections: true,
		routerOptions: { ignoreTrailingSlash: state.options.pathsWithoutSlash === true },
	});
	state.log.record(app);
	app.addHook('onRequest', async (request, reply) => {
		void reply.headers(state.dialect.headers(request.recorded.correlationId));
	});
	app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
		const rejection =
			error instanceof ServiceError
				? error
				: new ServiceError(error.statusCode ?? 500, error.message);
		return send(reply, errorResponse(rejection, request, state));
	});
	app.setNotFoundHandler((request, reply) => send(reply, notFound(request, state)));
	return app;
}
