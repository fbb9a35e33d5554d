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
export type { Sandbox, SandboxShipment } from './controls';
export type { Clock } from './domain/clock';
export { readSeed } from './domain/seed';
export type { Fault } from './http/faults';
export type { RecordedRequest, RouteName } from './http/request';
