import type { Dialect } from '../dialects/dialect';
import type { ShiftedClock } from '../domain/clock';
import type { Database } from '../domain/database';
import type { FileAddresses } from '../domain/printing';
import type { ShipmentContext } from '../domain/shipments';
import type { SandboxOptions } from '../options';
import type { Sessions } from './authentication';
import type { Contract } from './contract';
import type { RequestLog, Runtime } from './requestLog';

/** The service, whether it is a server or in process. A reset replaces `database`, so always read it from here. */
export interface ServiceState {
	database: Database;
	readonly options: SandboxOptions;
	readonly dialect: Dialect;
	/** The addresses that do not exist. */
	readonly missing: Dialect['missing'];
	readonly clock: ShiftedClock;
	readonly contract: Contract;
	readonly runtime: Runtime;
	readonly log: RequestLog;
	readonly sessions: Sessions;
	readonly rateLimit: RateLimit | null;
	readonly addresses: FileAddresses;
}

export const defaultStepHours = 6;

/** The input of the domain functions at the current time. */
export function contextOf(state: ServiceState): ShipmentContext {
	return {
		database: state.database,
		nowMs: state.clock.nowMs(),
		addresses: state.addresses,
		stepHours: state.options.trackingStepHours ?? defaultStepHours,
		listLagMs: state.options.listLagMs ?? 0,
		numbersAfterMs: state.options.numbersAfterMs ?? 0,
		listRecords:
			state.options.dialect === 'documented' ? 'rich' : (state.options.listRecords ?? 'rich'),
	};
}

/** Allows a number of requests per sliding window, measured in real time. */
export class RateLimit {
	private acceptedAt: number[] = [];
	constructor(readonly settings: NonNullable<SandboxOptions['rateLimit']>) {}

	/** Returns false if the request exceeds the limit. */
	take(nowMs: number): boolean {
		this.acceptedAt = this.acceptedAt.filter((at) => nowMs - at < this.settings.perMs);
		if (this.acceptedAt.length >= this.settings.requests) return false;
		this.acceptedAt.push(nowMs);
		return true;
	}

	clear(): void {
		this.acceptedAt = [];
	}
}
