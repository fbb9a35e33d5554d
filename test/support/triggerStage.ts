import { type HostMode, type PollHost, startPollHost } from './poll';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { sandboxCredential } from './credentials';

export const MODES: HostMode[] = ['default', 'durable'];

const MINUTE_MS = 60_000;

type Rows = Array<Record<string, unknown>>;

/** The sandbox and n8n with a shared clock that only moves when a test advances it. */
export interface Stage {
	sandbox: Sandbox;
	clock: { nowMs: number };
	newHost(mode: HostMode): Promise<PollHost>;
	/** Starts n8n and publishes a workflow with the trigger. */
	publish(mode: HostMode, parameters?: INodeParameters): Promise<PollHost>;
	/** Adds shipments to the sandbox, created 20 hours ago, and returns their carrier numbers. */
	seed(count: number, shipment?: Parameters<Sandbox['seedShipments']>[1]): string[];
	/** Adds an event to a shipment. */
	add(number: string | undefined, code: string, event?: Parameters<Sandbox['addEvent']>[1]): void;
	/** Advances the clock by one or more minutes and polls. */
	poll(host: PollHost, minutes?: number): Promise<void>;
	/** Polls several times, once a minute. */
	pollTimes(times: number, host: PollHost): Promise<void>;
	/** Returns the request bodies of an operation. */
	asked(operation: string): IDataObject[];
	/** Returns the numbers of each request for events. */
	requested(): string[][];
	/** Changes the responses of an operation. */
	rewrite(
		operation: string,
		change: (body: { result: Rows & { data: Rows } }) => void,
		times?: number,
	): void;
}

export function setStage(options: SandboxOptions = {}, startTime = '2026-06-10T09:00:00Z'): Stage {
	const clock = { nowMs: Date.parse(startTime) };
	const stage = {
		clock,
		newHost: async (mode) => startPollHost(mode, sandboxCredential(stage.sandbox.url)),
		publish: async (mode, parameters = {}) => {
			const host = await stage.newHost(mode);
			await host.publish(parameters);
			return host;
		},
		seed: (count, shipment) =>
			stage.sandbox
				.seedShipments(count, { hoursAgo: 20, ...shipment })
				.map(({ packageNumberCarrier }) => packageNumberCarrier),
		add: (number, code, event) => stage.sandbox.addEvent(number ?? '', { code, ...event }),
		poll: async (host, minutes = 1) => {
			clock.nowMs += minutes * MINUTE_MS;
			await host.tick();
		},
		pollTimes: async (times, host) => {
			for (let polls = 0; polls < times; polls++) await stage.poll(host);
		},
		asked: (operation) =>
			stage.sandbox.requests
				.filter(({ operationId }) => operationId === operation)
				.map(({ body }) => body as IDataObject),
		requested: () => stage.asked('trackShipments').map(({ packages }) => packages as string[]),
		rewrite: (operation, change, times = Infinity) => {
			const rewrite = (body: Parameters<typeof change>[0]) => (change(body), body);
			stage.sandbox.fault({ operation, kind: 'body', times, rewrite } as never);
		},
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
