import fc from 'fast-check';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from './credentials';
import { type Engine, startEngine } from './engine';
import type { Reached } from './reached';
import { SERVICE_KINDS, type ServiceKind, SERVICES } from './services';

export interface Service {
	sandbox: Sandbox;
	engine: Engine;
}

/** `npm run test:faults` sets the number of runs and the seed; FAULT_PATH repeats one failed run. */
export function faultRuns(ordinaryRuns: number, ordinarySeed: number) {
	const { FAULT_RUNS, FAULT_SEED, FAULT_PATH: path } = process.env;
	const runs = Number(FAULT_RUNS ?? ordinaryRuns);
	return { ordinaryRuns, runs, seed: Number(FAULT_SEED ?? ordinarySeed), path };
}

/** For `fc.oneof`: a choice that is made so many times as often as one without a weight. */
export const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({
	weight,
	arbitrary,
});

/**
 * Plays random scenarios, several at the same time in services of their own, because most of the time
 * is spent waiting for lost responses.
 */
export async function playInLanes<Scenario extends { service: ServiceKind }>(
	scenario: fc.Arbitrary<Scenario>,
	reached: Reached<string>,
	{ lanes, runs, seed, path, ordinaryRuns }: ReturnType<typeof faultRuns> & { lanes: number },
	play: (given: Scenario, service: Service) => Promise<void>,
): Promise<void> {
	const count = path === undefined ? lanes : 1;
	const playLane = async (_: unknown, lane: number) => {
		const kinds = SERVICE_KINDS.map(async (kind) => [kind, await startService(kind)] as const);
		const services = Object.fromEntries(await Promise.all(kinds)) as Record<ServiceKind, Service>;
		try {
			await fc.assert(
				fc.asyncProperty(scenario, async (given) => play(given, services[given.service])),
				{
					numRuns: Math.ceil(runs / count),
					seed: seed + lane,
					...(path === undefined ? {} : { path }),
				},
			);
		} finally {
			await Promise.all(Object.values(services).map(async ({ sandbox }) => sandbox.close()));
		}
	};
	await Promise.all(Array.from({ length: count }, playLane));
	reached.expectAll({ runs: path === undefined ? runs : 1, ordinaryRuns });
}

async function startService(kind: ServiceKind): Promise<Service> {
	const sandbox = await startSandbox(SERVICES[kind]);
	return { sandbox, engine: await startEngine(sandboxCredential(sandbox.url)) };
}
