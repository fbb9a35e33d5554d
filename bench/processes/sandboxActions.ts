import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { localSecond } from '../../sandbox/domain/clock';
import type { SeededShipments, SeedGroup, SeedOptions } from '../job';

const RECENT: SeedGroup[] = [{ share: 1, hoursAgo: [30, 1] }];
const HOUR_MS = 3_600_000;
/** Long enough that no tracking event occurs during a run. */
const STEP_HOURS = 10_000;

/** What the sandbox received since the start of a run. */
export interface Received {
	requests: number;
	batches: number;
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
			groups = RECENT,
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
			const seeded = groups.flatMap(({ share, hoursAgo: [from, to], lastEvent }) => {
				const count = Math.round(shipments * share);
				if (count === 0) return [];
				const spread = { hoursAgo: from, spreadHours: from - to, each };
				const group = sandbox.seedShipments(count, spread);
				if (!lastEvent) return group;
				const { category, hoursAgo } = lastEvent;
				const date = localSecond(sandbox.now().getTime() - hoursAgo * HOUR_MS);
				for (const { packageNumberCarrier } of group) {
					sandbox.addEvent(packageNumberCarrier, { category, date });
				}
				return group;
			});
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
			const requestsOf = (...names: string[]) =>
				sandbox.requests.filter(({ operationId }) => names.includes(operationId ?? ''));
			const tracked = requestsOf('trackShipments').flatMap(
				({ body }) => (body as { packages: string[] }).packages,
			);
			return {
				requests: sandbox.requests.length,
				batches: requestsOf('createShipments', 'createShipmentsOfCarrier').length,
				trackedShipments: new Set(tracked).size,
			};
		},
		close: async (): Promise<void> => sandbox.close(),
	};
}
