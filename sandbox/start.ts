import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Dialect, DialectName } from './dialects/dialect';
import { documentedDialect } from './dialects/documented';
import { interfaceDialect } from './dialects/interface';
import { ShiftedClock, systemClock } from './domain/clock';
import { Database } from './domain/database';
import type { FileAddresses } from './domain/printing';
import { readSeed } from './domain/seed';
import { ServiceError } from './domain/validation';
import { homePage } from './home';
import { Sessions } from './http/authentication';
import { type Contract, readContract } from './http/contract';
import { controlRoutes } from './http/control';
import { FaultQueue } from './http/faults';
import { errorResponse, send } from './http/responses';
import { labelFileRoutes } from './http/labelFiles';
import { operationRoutes, signInRoute } from './http/operations';
import { RequestLog } from './http/requestLog';
import { RateLimit, type ServiceState } from './http/state';
import type { SandboxOptions } from './options';
import type { Sandbox } from './sandbox';
import * as controls from './testControls';
import { databaseView, describeState, sandboxShipment } from './views';

const loopback = /^(127(\.\d+){3}|::1|localhost)$/;

/** Starts a simulation of the service on this machine. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const host = options.host ?? '127.0.0.1';
	if (!loopback.test(host)) {
		throw new Error(
			`The sandbox only listens on this machine, and ${host} is not a loopback address`,
		);
	}
	const addresses = { api: '', files: '' };
	const state = createState(options, addresses);
	const app = createServer(state);
	await app.register(
		async (api) => {
			signInRoute(api, state);
			operationRoutes(api, state);
			labelFileRoutes(api, state, { needsCredential: true });
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
		labelFileRoutes(fileServer, state, { needsCredential: false });
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
	const dialect = dialects[options.dialect ?? 'interface'];
	const clock = new ShiftedClock(options.clock ?? systemClock);
	return {
		database: createDatabase(options, seed),
		options,
		dialect,
		missing: missingAddresses(options, dialect, contract),
		clock,
		contract,
		faults: new FaultQueue(Object.keys(contract)),
		log: new RequestLog(),
		sessions: new Sessions(
			{ ...seed.credentials.signIn, ...dialect.signIn, ...options.signIn },
			clock,
		),
		rateLimit: options.rateLimit ? new RateLimit(options.rateLimit) : null,
		addresses: fileAddresses(addresses),
	};
}

const dialects: Record<DialectName, Dialect> = {
	interface: interfaceDialect,
	documented: documentedDialect,
};

function missingAddresses(
	{ createAddress, withoutExtras }: SandboxOptions,
	{ missing, withoutExtras: status }: Dialect,
	contract: Contract,
): Dialect['missing'] {
	const extras = Object.entries(contract).filter(([, { isOptional }]) => isOptional);
	const missingExtras = withoutExtras ? extras.map(([name]) => [name, status]) : [];
	const all = { ...missing, ...(Object.fromEntries(missingExtras) as Dialect['missing']) };
	const { createShipments = 405, createShipmentsOfCarrier = 404, ...others } = all;
	if (createAddress === undefined) return all;
	if (createAddress === 'package') return { ...others, createShipmentsOfCarrier };
	return createAddress === 'carrier' ? { ...others, createShipments } : others;
}

function createDatabase(options: SandboxOptions, seed: Database['seed']): Database {
	const database = new Database(seed);
	for (const [code, behavior] of Object.entries(options.trackingBehavior ?? {})) {
		const carrier = database.carrier(code);
		if (!carrier) throw new Error(`Unknown carrier ${code} in trackingBehavior`);
		carrier.tracking = { ...carrier.tracking, ...behavior };
	}
	return database;
}

function fileAddresses(addresses: Addresses): FileAddresses {
	return {
		ofHash: <H extends string | null>(hash: H) =>
			(hash === null ? null : `${addresses.files}/job/${hash}`) as H,
		ofProtocol: (id) => `${addresses.files}/protocol/${id}`,
		ofShipment: (id) => `${addresses.files}/shipment/${id}`,
		ofTracking: (number) =>
			`${addresses.api.replace(/\/api$/, '')}/sandbox/tracking/${encodeURIComponent(number)}`,
	};
}

function createServer(state: ServiceState): FastifyInstance {
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
	app.setNotFoundHandler((request, reply) => {
		const rejection = new ServiceError(404, `Unknown endpoint: ${request.method} ${request.url}`);
		return send(reply, errorResponse(rejection, request, state));
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
		signInSettings: state.sessions.settings,
		database: databaseView(state),
		requests: state.log.requests,
		state: () => describeState(state),
		fault: (fault) => state.faults.add(fault),
		clearFaults: () => state.faults.clear(),
		advance: (hours) => state.clock.advance(hours),
		now: () => new Date(state.clock.nowMs()),
		expireTokens: () => state.sessions.expireAll(),
		setCarrierStatus: (code, status) => controls.setCarrierStatus(state, code, status),
		setTracking: (code, behavior) => controls.setTracking(state, code, behavior),
		addEvent: (number, event) => controls.addEvent(state, number, event),
		poisonNumber: (number, isNamed = true) => {
			state.database.poisonNumbers.set(number, isNamed);
		},
		withholdNumber: (id, isWithheld = true) => controls.withholdNumber(state, id, isWithheld),
		handOver: (id) => controls.handOver(state, id),
		keepFromCarrier: (id) => {
			state.database.keptFromCarrier.add(id);
		},
		cancelShipment: (id) => controls.cancelShipment(state, id),
		removeShipment: (id) => state.database.removeShipment(id),
		archiveBatch: (id) => controls.archiveBatch(state, id),
		seedShipments: (count, options = {}) =>
			controls.seedShipments(state, count, options).map(sandboxShipment),
		reset: () => {
			state.database = createDatabase(state.options, state.database.seed);
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
