import { type HostMode, type PollHost, startPollHost } from './poll';

import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { sandboxCredential } from './credentials';

export const MODES: HostMode[] = ['default', 'durable'];

const MINUTE_MS = 60_000;

/** The sandbox and n8n with a shared clock that only moves when a test advances it. */
export interface Stage {
	sandbox: Sandbox;
	clock: { nowMs: number };
	newHost(mode: HostMode): Promise<PollHost>;
	/** Advances the clock by one or more minutes and polls. */
	poll(host: PollHost, minutes?: number): Promise<void>;
	/** Returns the request bodies of an operation. */
	asked(operation: string): IDataObject[];
}

export function setStage(options: SandboxOptions = {}, startTime = '2026-06-10T09:00:00Z'): Stage {
	const clock = { nowMs: Date.parse(startTime) };
	const stage = {
		clock,
		newHost: async (mode) => startPollHost(mode, sandboxCredential(stage.sandbox.url)),
		poll: async (host, minutes = 1) => {
			clock.nowMs += minutes * MINUTE_MS;
			await host.tick();
		},
		asked: (operation) =>
			stage.sandbox.requests
				.filter(({ operationId }) => operationId === operation)
				.map(({ body }) => body as IDataObject),
	} as Stage;
	beforeAll(async () => {
		jest.spyOn(Date, 'now').mockImplementation(() => clock.nowMs);
		stage.sandbox = await startSandbox({ clock: { now: () => new Date(clock.nowMs) }, ...options });
	});
	beforeEach(() => {
		stage.sandbox.reset();
		clock.nowMs = Date.parse(startTime);
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await stage.sandbox.close();
	});
	return stage;
}

/** Returns the codes of the emitted events, in order. */
export function codesOf(host: PollHost): unknown[] {
	return host.events.map(({ code }) => code);
}
