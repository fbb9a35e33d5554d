import type { Books } from '../domain/books';
import type { ShiftedClock } from '../domain/clock';
import type { FileAddresses } from '../domain/printing';
import type { ShipmentContext } from '../domain/shipments';
import type { SandboxOptions } from '../options';
import type { Contract } from './contract-check';
import type { FaultQueue } from './faults';
import type { RateLimit } from './rate-limit';
import type { RequestLog } from './request-log';
import type { Sessions } from './sign-in';

/** What the routes share. `books` is replaced by a reset, so take it from here each time. */
export interface ServiceState {
	books: Books;
	readonly options: SandboxOptions;
	readonly clock: ShiftedClock;
	readonly contract: Contract;
	readonly faults: FaultQueue;
	readonly log: RequestLog;
	readonly sessions: Sessions;
	readonly rateLimit: RateLimit | null;
	readonly addresses: FileAddresses;
}

export const defaultStepHours = 6;

/** What the domain functions want to know, as of now. */
export function contextOf(state: ServiceState): ShipmentContext {
	return {
		books: state.books,
		nowMs: state.clock.nowMs(),
		addresses: state.addresses,
		stepHours: state.options.trackingStepHours ?? defaultStepHours,
		listRecords: state.options.listRecords ?? 'rich',
	};
}
