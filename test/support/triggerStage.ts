import { loadPackage, PACKAGE, StoredCredential } from './host';

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox';
import { newAccount } from './credentials';
import { type HostMode, PollHost } from './pollHost';

const MINUTE_MS = 60_000;

type Rows = Array<Record<string, unknown>>;

/** The sandbox and n8n with a shared clock that only moves when a test advances it. */
export function setStage(options: SandboxOptions = {}, startTime = '2026-06-10T09:00:00Z') {
	const clock = { nowMs: Date.parse(startTime) };
	const stage = {
		sandbox: undefined as unknown as Sandbox,
		clock,
		newHost: async (mode: HostMode) => {
			const { nodeTypes, credentialType } = await (loading ??= loadPackage());
			const credential = new StoredCredential(newAccount(stage.sandbox.url), credentialType);
			const trigger = nodeTypes.getByName(`${PACKAGE}.parcelShippingTrigger`) as INodeType;
			return new PollHost(mode, credential, () => trigger);
		},
		/** Starts n8n and publishes a workflow with the trigger. */
		publish: async (mode: HostMode, parameters: INodeParameters = {}) => {
			const host = await stage.newHost(mode);
			await host.publish(parameters);
			return host;
		},
		/** Adds shipments to the sandbox that have an event in the last hour, and returns their tracking numbers. */
		seed: (count: number, shipment?: Parameters<Sandbox['seedShipments']>[1]) =>
			stage.sandbox
				.seedShipments(count, { hoursAgo: 18.7, ...shipment })
				.map(({ packageNumberCarrier }) => packageNumberCarrier),
		/** Adds an event to a shipment. */
		add: (number: string | undefined, code: string, event?: Parameters<Sandbox['addEvent']>[1]) =>
			stage.sandbox.addEvent(number ?? '', { code, ...event }),
		/** Advances the clock by one or more minutes and polls. */
		poll: async (host: PollHost, minutes = 1) => {
			clock.nowMs += minutes * MINUTE_MS;
			await host.tick();
			await host.saved();
		},
		/** Polls several times, once a minute. */
		pollTimes: async (times: number, host: PollHost) => {
			for (let polls = 0; polls < times; polls++) await stage.poll(host);
		},
		/** Returns the request bodies of an operation. */
		asked: (operation: string) =>
			stage.sandbox.requests
				.filter(({ operationId }) => operationId === operation)
				.map(({ body }) => body as IDataObject),
		/** Changes the responses of an operation. */
		rewrite: (operation: string, change: (body: { result: Rows & { data: Rows } }) => void) => {
			const rewrite = (body: Parameters<typeof change>[0]) => (change(body), body);
			stage.sandbox.fault({ operation, kind: 'body', times: Infinity, rewrite } as never);
		},
	};
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

let loading: ReturnType<typeof loadPackage> | undefined;
