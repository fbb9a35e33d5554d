import fc from 'fast-check';

import { type Sandbox, startSandbox } from '../../sandbox';
import { sandboxCredential } from './credentials';
import { type Engine, startEngine } from './engine';
import { SERVICE_KINDS, type ServiceKind, SERVICES } from './services';

export interface Service {
	sandbox: Sandbox;
	engine: Engine;
}

/**
 * Plays random scenarios, several at the same time in services of their own, because most of the time
 * is spent waiting for lost answers. With the `path` of a failure, only this one is played.
 */
export class Lanes {
	private constructor(private readonly lanes: Array<Record<ServiceKind, Service>>) {}

	static async start(count: number): Promise<Lanes> {
		const lanes = Array.from({ length: count }, async () => {
			const services = SERVICE_KINDS.map(async (kind) => [kind, await startService(kind)] as const);
			return Object.fromEntries(await Promise.all(services)) as Record<ServiceKind, Service>;
		});
		return new Lanes(await Promise.all(lanes));
	}

	async playAll<Scenario extends { service: ServiceKind }>(
		scenario: fc.Arbitrary<Scenario>,
		{ runs, seed, path }: { runs: number; seed: number; path: string | undefined },
		play: (given: Scenario, service: Service) => Promise<void>,
	): Promise<void> {
		const lanes = path === undefined ? this.lanes : this.lanes.slice(0, 1);
		await Promise.all(
			lanes.map(async (services, lane) =>
				fc.assert(
					fc.asyncProperty(scenario, async (given) => play(given, services[given.service])),
					{
						numRuns: Math.ceil(runs / lanes.length),
						seed: seed + lane,
						...(path === undefined ? {} : { path }),
					},
				),
			),
		);
	}

	async close(): Promise<void> {
		const services = this.lanes.flatMap((lane) => Object.values(lane));
		await Promise.all(services.map(async ({ sandbox }) => sandbox.close()));
	}
}

async function startService(kind: ServiceKind): Promise<Service> {
	const sandbox = await startSandbox(SERVICES[kind]);
	return { sandbox, engine: await startEngine(sandboxCredential(sandbox.url)) };
}
