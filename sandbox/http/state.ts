import type { Dialect } from '../dialects/dialect';
import { documentedDialect } from '../dialects/documented';
import { interfaceDialect } from '../dialects/interface';
import { ShiftedClock } from '../domain/clock';
import { Database } from '../domain/database';
import { readSeed } from '../domain/seed';
import type { FileAddresses, ShipmentContext } from '../domain/shipments';
import type { SandboxOptions } from '../options';
import { Sessions } from './authentication';
import { type Contract, readContract } from './contract';
import type { RecordedRequest, Runtime } from './request';

/** The provider, whether it is a server or in process. A reset replaces `database`, so always read it from here. */
export interface ServiceState {
	database: Database;
	readonly options: SandboxOptions;
	readonly dialect: Dialect;
	/** The addresses that do not exist. */
	readonly missing: Dialect['missing'];
	readonly clock: ShiftedClock;
	readonly contract: Contract;
	readonly runtime: Runtime;
	/** In the order received. Always the same array, so that tests can keep a reference. */
	readonly requests: RecordedRequest[];
	readonly sessions: Sessions;
	readonly addresses: FileAddresses;
}

export interface Origins {
	api: string;
	files: string;
}

export function createState(
	options: SandboxOptions,
	origins: Origins,
	runtime: Runtime,
): ServiceState {
	const seed = readSeed();
	const contract = readContract();
	const dialect = options.dialect === 'documented' ? documentedDialect : interfaceDialect;
	const clock = new ShiftedClock(options.clock ?? { now: () => new Date() });
	const lacking = Object.entries(contract).flatMap(([name, { isOptional }]) =>
		options.withoutExtras && isOptional ? [[name, dialect.withoutExtras] as const] : [],
	);
	const signIn = { ...seed.credentials.signIn, ...dialect.signIn, ...options.signIn };
	return {
		database: new Database(seed),
		options,
		dialect,
		missing: { ...dialect.missing, ...Object.fromEntries(lacking) },
		clock,
		contract,
		runtime,
		requests: [],
		sessions: new Sessions(signIn, runtime),
		addresses: {
			ofHash: <H extends string | null>(hash: H) =>
				(hash === null ? null : `${origins.files}/job/${hash}`) as H,
			ofProtocol: (id) => `${origins.files}/protocol/${id}`,
			ofShipment: (id) => `${origins.files}/shipment/${id}`,
			ofTracking: (number) =>
				`${origins.api.replace(/\/api$/, '')}/sandbox/tracking/${encodeURIComponent(number)}`,
		},
	};
}

export function contextOf({ database, clock, addresses, options }: ServiceState): ShipmentContext {
	return {
		database,
		nowMs: clock.nowMs(),
		addresses,
		habits: options.dialect === 'documented' ? { ...options, listRecords: 'rich' } : options,
	};
}
