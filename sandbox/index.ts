export { startSandbox } from './start';
export {
	createService,
	type PlainRequest,
	type PlainResponse,
	type ServiceInProcess,
	type ServiceOptions,
} from './inProcess';
export { type DialectName, dialectNames, readDialect } from './dialects/dialect';
export type { SandboxOptions } from './options';
export type {
	SandboxPrintJob,
	SandboxShipment,
	Sandbox,
	SandboxState,
	SeedShipmentsOptions,
} from './sandbox';
export { type Clock, systemClock } from './domain/clock';
export { readSeed, type Seed, type TrackingBehavior } from './domain/seed';
export type { Fault, FaultKind } from './http/faults';
export type { RecordedRequest, RouteName } from './http/requestLog';
