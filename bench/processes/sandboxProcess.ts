// Runs the sandbox in its own process, so that its CPU and memory are not measured.
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import type { SeededShipments, SeedOptions } from '../job';
import { handleRequests } from './ipc';

const HOURS_AGO = 30;
/** Long enough that no tracking event occurs during a run. */
const STEP_HOURS = 10_000;

let sandbox: Sandbox;
const options: SandboxOptions = { trackingStepHours: STEP_HOURS };

handleRequests({
	start: async (latencyMs: number) => {
		options.latencyMs = latencyMs;
		sandbox = await startSandbox(options);
		return sandbox.url;
	},
	seed: ({ shipments, services = ['ANT-HOME'], labelFileBytes }: SeedOptions): SeededShipments => {
		sandbox.reset();
		delete options.labelFileBytes;
		if (labelFileBytes !== undefined) options.labelFileBytes = labelFileBytes;
		const each = (index: number) => ({ serviceType: services[index % services.length] as string });
		const spread = { hoursAgo: HOURS_AGO, spreadHours: HOURS_AGO - 1, each };
		const seeded = shipments > 0 ? sandbox.seedShipments(shipments, spread) : [];
		return {
			ids: seeded.map(({ id }) => id),
			numbers: seeded.map(({ packageNumberCarrier }) => packageNumberCarrier),
		};
	},
	addEvents: (numbers: string[]) => {
		for (const number of numbers) sandbox.addEvent(number, {});
	},
	clearRequests: () => {
		sandbox.requests.length = 0;
	},
	countRequests: () => {
		const counts: Record<string, number> = {};
		for (const { operationId } of sandbox.requests) {
			counts[operationId ?? 'unknown'] = (counts[operationId ?? 'unknown'] ?? 0) + 1;
		}
		return counts;
	},
});
