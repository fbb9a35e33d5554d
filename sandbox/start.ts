import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { Books } from './domain/books';
import { ShiftedClock, systemClock } from './domain/clock';
import type { FileAddresses } from './domain/printing';
import { readSeed } from './domain/seed';
import { homePage } from './home';
import { controlRoutes } from './http/control';
import { readContract } from './http/contract-check';
import { failureOutcome, send } from './http/exchange';
import { FaultQueue } from './http/faults';
import { labelFileRoutes } from './http/label-files';
import { operationRoutes } from './http/operations';
import { RateLimit } from './http/rate-limit';
import { RequestLog } from './http/request-log';
import { Sessions } from './http/sign-in';
import { signInRoute } from './http/sign-in-route';
import type { ServiceState } from './http/state';
import { ServiceError } from './domain/service-error';
import type { SandboxOptions } from './options';
import * as hands from './remote-hands';
import type { Sandbox } from './sandbox';
import { bookedShipment, describeState, viewsOf } from './views';

const loopback = /^(127(\.\d+){3}|::1|localhost)$/;

/** Starts a stand-in of the service on this machine. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const host = options.host ?? '127.0.0.1';
	if (!loopback.test(host)) {
		throw new Error(`The sandbox listens on this machine only; ${host} is not a loopback address`);
	}
	const addresses = { api: '', files: '' };
	const state = createState(options, addresses);
	const app = createServer(state);
	await app.register(
		async (api) => {
			signInRoute(api, state);
			operationRoutes(api, state);
			labelFileRoutes(api, state, { credential: true });
		},
		{ prefix: '/api' },
	);
	await app.register(homePage);
	const servers = [app];
	const sandbox = createSandbox(state, addresses, servers);
	controlRoutes(app, state, sandbox);
	await app.listen({ port: options.port ?? 0, host });
	addresses.api = `${originOf(app, host)}/api`;
	addresses.files = `${addresses.api}/files`;

	if (options.labelOrigin === 'other') {
		const fileServer = createServer(state);
		labelFileRoutes(fileServer, state, { credential: false });
		await fileServer.listen({ port: 0, host });
		servers.push(fileServer);
		addresses.files = `${originOf(fileServer, host)}/files`;
	}
	return sandbox;
}

interface Addresses {
	api: string;
	files: string;
}

function originOf(server: FastifyInstance, host: string): string {
	const { port } = server.server.address() as AddressInfo;
	return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function createState(options: SandboxOptions, addresses: Addresses): ServiceState {
	const seed = options.seed ?? readSeed();
	const contract = readContract();
	const clock = new ShiftedClock(options.clock ?? systemClock);
	return {
		books: newBooks(options, seed),
		options,
		clock,
		contract,
		faults: new FaultQueue(Object.keys(contract)),
		log: new RequestLog(),
		sessions: new Sessions({ ...seed.credentials.signIn, ...options.signIn }, clock),
		rateLimit: options.rateLimit ? new RateLimit(options.rateLimit) : null,
		addresses: fileAddresses(addresses),
	};
}

function newBooks(options: SandboxOptions, seed: Books['seed']): Books {
	const books = new Books(seed);
	for (const [code, behaviour] of Object.entries(options.trackingBehaviour ?? {})) {
		const carrier = books.carrier(code);
		if (!carrier) throw new Error(`trackingBehaviour names ${code}, a carrier the seed lacks`);
		carrier.tracking = { ...carrier.tracking, ...behaviour };
	}
	return books;
}

function fileAddresses(addresses: Addresses): FileAddresses {
	return {
		ofHash: <H extends string | null>(hash: H) =>
			(hash === null ? null : `${addresses.files}/job/${hash}`) as H,
		ofShipment: (id) => `${addresses.files}/shipment/${id}`,
		ofTracking: (number) =>
			`${addresses.api.replace(/\/api$/, '')}/sandbox/tracking/${encodeURIComponent(number)}`,
	};
}

function createServer(state: ServiceState): FastifyInstance {
	const app = Fastify({ bodyLimit: 100 * 1024 * 1024, forceCloseConnections: true });
	state.log.watch(app);
	app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
		const refusal =
			error instanceof ServiceError
				? error
				: new ServiceError(error.statusCode ?? 500, error.message);
		return send(reply, failureOutcome(refusal, request.recorded.correlationId));
	});
	app.setNotFoundHandler((request, reply) => {
		const refusal = new ServiceError(404, `There is nothing at ${request.method} ${request.url}`);
		return send(reply, failureOutcome(refusal, request.recorded.correlationId));
	});
	return app;
}

function createSandbox(
	state: ServiceState,
	addresses: Addresses,
	servers: FastifyInstance[],
): Sandbox {
	return {
		get url() {
			return addresses.api;
		},
		get home() {
			return new URL(addresses.api).origin;
		},
		get labelHome() {
			return new URL(addresses.files).origin;
		},
		get signIns() {
			return state.sessions.signIns;
		},
		books: viewsOf(state),
		requests: state.log.requests,
		state: () => describeState(state),
		fault: (fault) => state.faults.add(fault),
		clearFaults: () => state.faults.clear(),
		advance: (hours) => state.clock.advance(hours),
		now: () => new Date(state.clock.nowMs()),
		expireTokens: () => state.sessions.expireAll(),
		setCarrierStatus: (code, status) => hands.setCarrierStatus(state, code, status),
		setTracking: (code, behaviour) => hands.setTracking(state, code, behaviour),
		addEvent: (number, event) => hands.addEvent(state, number, event),
		cancelShipment: (id) => hands.cancelShipment(state, id),
		removeShipment: (id) => state.books.removeShipment(id),
		archiveBatch: (id) => hands.archiveBatch(state, id),
		seedShipments: (count, options = {}) =>
			hands.seedShipments(state, count, options).map(bookedShipment),
		reset: () => {
			state.books = newBooks(state.options, state.books.seed);
			state.clock.offsetMs = 0;
			state.faults.clear();
			state.log.clear();
			state.sessions.clear();
			state.rateLimit?.clear();
		},
		close: async () => {
			await Promise.all(servers.map((server) => server.close()));
		},
	};
}
