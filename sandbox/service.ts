import type { Dialect, DialectName } from './dialects/dialect';
import { documentedDialect } from './dialects/documented';
import { interfaceDialect } from './dialects/interface';
import { ShiftedClock, systemClock } from './domain/clock';
import { Database } from './domain/database';
import type { FileAddresses } from './domain/printing';
import { defaultSeed } from './domain/seed';
import { Sessions } from './http/authentication';
import { type Contract, readContract } from './http/contract';
import { RequestLog, type Runtime } from './http/requestLog';
import { RateLimit, type ServiceState } from './http/state';
import type { SandboxOptions } from './options';
import type { Sandbox } from './sandbox';
import * as controls from './testControls';
import { databaseView, describeState, sandboxShipment } from './views';

export interface Addresses {
	api: string;
	files: string;
}

export function createState(
	options: SandboxOptions,
	addresses: Addresses,
	runtime: Runtime,
): ServiceState {
	const seed = options.seed ?? defaultSeed();
	const contract = readContract();
	const dialect = dialects[options.dialect ?? 'interface'];
	const clock = new ShiftedClock(options.clock ?? systemClock);
	const signIn = { ...seed.credentials.signIn, ...dialect.signIn, ...options.signIn };
	return {
		database: new Database(seed),
		options,
		dialect,
		missing: missingAddresses(options, dialect, contract),
		clock,
		contract,
		runtime,
		log: new RequestLog(runtime),
		sessions: new Sessions(signIn, clock, runtime),
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

/** What a test can read and change without a request. */
export type ServiceControls = Omit<Sandbox, 'fault' | 'clearFaults' | 'close'>;

export function createControls(state: ServiceState, addresses: Addresses): ServiceControls {
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
		advance: (hours) => state.clock.advance(hours),
		now: () => new Date(state.clock.nowMs()),
		expireTokens: () => state.sessions.expireAll(),
		setCarrierStatus: (code, status) => controls.setCarrierStatus(state, code, status),
		setTracking: (code, behavior) => controls.setTracking(state, code, behavior),
		addEvent: (number, event) => controls.addEvent(state, number, event),
		poisonNumber: (number, isNamed = true) => {
			state.database.poisonNumbers.set(number, isNamed);
		},
		acceptNumber: (number) => {
			state.database.poisonNumbers.delete(number);
		},
		events: (id) => controls.eventsOf(state, id),
		withholdNumber: (id, isWithheld = true) => controls.withholdNumber(state, id, isWithheld),
		handOver: (id) => controls.handOver(state, id),
		keepFromCarrier: (id) => {
			state.database.keptFromCarrier.add(id);
		},
		cancelShipment: (id) => controls.cancelShipment(state, id),
		markPrinted: (id) => controls.markPrinted(state, id),
		archiveBatch: (id) => controls.archiveBatch(state, id),
		seedShipments: (count, options = {}) =>
			controls.seedShipments(state, count, options).map(sandboxShipment),
		reset: () => {
			state.database = new Database(state.database.seed);
			state.clock.offsetMs = 0;
			state.log.clear();
			state.sessions.clear();
			state.rateLimit?.clear();
		},
	};
}
