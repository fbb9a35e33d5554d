export { startSandbox } from './start';
export type { SandboxOptions } from './options';
export type {
	BookedPrintJob,
	BookedShipment,
	Sandbox,
	SandboxState,
	SeedShipmentsOptions,
} from './sandbox';
export { type Clock, systemClock } from './domain/clock';
export { readSeed, type Seed, type TrackingBehaviour } from './domain/seed';
export type { Fault, FaultKind } from './http/faults';
export type { RecordedRequest, RouteName } from './http/request-log';
