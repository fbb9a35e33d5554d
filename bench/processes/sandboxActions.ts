import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { SeededShipments, SeedOptions } from '../job';

const HOURS_AGO = 30;
/** Long enough that no tracking event occurs during a run. */
const STEP_HOURS = 10_000;

/** What the sandbox received since the start of a run. */
export interface Received {
	/** Number of requests by operation. */
	requests: Record<string, number>;
	/** Number of shipments whose events were requested. */
	trackedShipments: number;
}

export function sandboxActions() {
	let sandbox: Sandbox;
	const options: SandboxOptions = { trackingStepHours: STEP_HOURS };

	return {
		start: async (latencyMs: number): Promise<string> => {
			options.latencyMs = latencyMs;
			sandbox = await startSandbox(options);
			return sandbox.url;
		},
		seed: ({
			shipments,
			services = ['ANT-HOME'],
			labelFileBytes,
			creationMs,
		}: SeedOptions): SeededShipments => {
			sandbox.reset();
			delete options.labelFileBytes;
			if (labelFileBytes !== undefined) options.labelFileBytes = labelFileBytes;
			if (creationMs !== undefined) {
				for (const operation of ['createShipments', 'createShipmentsOfCarrier'] as const) {
					sandbox.fault({ operation, kind: 'latency', ms: creationMs, times: Infinity });
				}
			}
			const each = (index: number) => ({
				serviceType: services[index % services.length] as string,
			});
			const spread = { hoursAgo: HOURS_AGO, spreadHours: HOURS_AGO - 1, each };
			const seeded = shipments > 0 ? sandbox.seedShipments(shipments, spread) : [];
			return {
				ids: seeded.map(({ id }) => id),
				numbers: seeded.map(({ packageNumberCarrier }) => packageNumberCarrier),
			};
		},
		addEvents: (numbers: string[]): void => {
			for (const number of numbers) sandbox.addEvent(number, {});
		},
		clearRequests: (): void => {
			sandbox.requests.length = 0;
		},
		countReceived: (): Received => {
			const requests: Record<string, number> = {};
			const tracked = new Set<string>();
			for (const { operationId, body } of sandbox.requests) {
				const name = operationId ?? 'unknown';
				requests[name] = (requests[name] ?? 0) + 1;
				if (operationId !== 'trackShipments') continue;
				for (const number of (body as { packages: string[] }).packages) tracked.add(number);
			}
			return { requests, trackedShipments: tracked.size };
		},
		close: async (): Promise<void> => sandbox.close(),
	};
}
