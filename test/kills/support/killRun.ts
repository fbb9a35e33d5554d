// A published trigger, a provider with new events all the time, and an n8n that is killed.
import { setTimeout as sleep } from 'node:timers/promises';

import type { StoredWorkflow } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCredential } from '../../e2e/support/e2eSetup';
import { untilThereIs } from '../../e2e/support/executions';
import { TestN8n } from '../../e2e/support/n8n';
import { chain, EVERY_FIVE_SECONDS, node, PARCEL_SHIPPING } from '../../e2e/support/nodes';
import {
	judgeKills,
	type Kill,
	readStored,
	type RecordedResponse,
	type Stored,
} from './killVerdict';

/** The modes in which n8n runs polls, and the environment variables that enable them. */
export const POLL_MODES = {
	default: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	},
};

/** If n8n is killed while it activates a workflow, it does so again after a lease, by default of two minutes. */
const SHORT_LEASE = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

export type PollMode = keyof typeof POLL_MODES;

const TRIGGER = 'Events';

/**
 * In the durable mode, n8n repeats a poll in which it was killed after a lease of a minute, a check of the leases every
 * half minute, and a pause that grows.
 */
const POLLS_WITHIN_MS = 240_000;

interface TrackingBody {
	result: Array<{ events: Array<{ name: string }> }>;
}

/** Adds events to the sandbox all the time, each with its own name, and records which of them the responses contained. */
class EventFeed {
	/** The names of all events that the feed has added. */
	readonly names: string[] = [];
	readonly responses: RecordedResponse[] = [];
	private readonly watched: string[];
	private onNewEvent: (() => void) | undefined;
	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly sandbox: Sandbox) {
		// They have an event in the last hour, so they are requested in every poll.
		this.watched = sandbox
			.seedShipments(30, { serviceType: 'BEAVER-PARCEL', hoursAgo: 18.7 })
			.map(({ packageNumberCarrier }) => packageNumberCarrier);
		const rewrite = (body: TrackingBody) => {
			this.record(body);
			return body;
		};
		const operation = 'trackShipments';
		sandbox.fault({ operation, kind: 'body', rewrite, times: Infinity });
	}

	/** Adds this many events at once. */
	add(count: number): void {
		for (let added = 0; added < count; added++) {
			const name = `Event ${this.names.length + 1}`;
			const shipment = this.watched[this.names.length % this.watched.length] as string;
			// The code differs as well, because events that differ only in their name are the same event.
			this.sandbox.addEvent(shipment, { name, code: name });
			this.names.push(name);
		}
	}

	/** Adds events one by one until `stop`. */
	start(): void {
		this.timer = setInterval(() => this.add(1), 700);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	/** Resolves when a response with a new event is about to be sent. */
	async nextNewEvent(): Promise<void> {
		const late = sleep(POLLS_WITHIN_MS, 'late', { ref: false });
		const next = new Promise<void>((resolve) => (this.onNewEvent = resolve));
		if ((await Promise.race([next, late])) === 'late')
			throw new Error('The trigger received no new event');
	}

	private record({ result }: TrackingBody): void {
		const names = new Set(result.flatMap(({ events }) => events.map(({ name }) => name)));
		const hasNewEvent = names.size > (this.responses.at(-1)?.names.size ?? 0);
		this.responses.push({ atMs: Date.now(), names });
		if (hasNewEvent) this.onNewEvent?.();
	}
}

export class KillRun {
	feed!: EventFeed;
	private n8n!: TestN8n;
	private sandbox!: Sandbox;
	private workflow!: StoredWorkflow;
	readonly kills: Kill[] = [];
	/** How many events there were before publishing. */
	private before = 0;
	private edits = 0;
	constructor(private readonly mode: PollMode) {}

	/** Prepares everything up to publishing: n8n, the workflow, and a provider with shipments. */
	async open(): Promise<void> {
		this.n8n = await TestN8n.install(5730, { ...SHORT_LEASE, ...POLL_MODES[this.mode] });
		this.sandbox = await startSandbox();
		this.feed = new EventFeed(this.sandbox);
		await this.n8n.start();
		const { rest } = this.n8n;
		const { id } = await createCredential(rest, this.sandbox);
		const trigger = node({
			type: `${PARCEL_SHIPPING}Trigger`,
			name: TRIGGER,
			credentials: { parcelShippingApi: { id, name: 'Sandbox' } },
			parameters: {
				...{ pollTimes: EVERY_FIVE_SECONDS, events: ['all'], timezone: 'Europe/Prague' },
				simplify: false,
			},
		});
		this.workflow = await rest.createWorkflow(chain('Kills', [trigger]));
	}

	/** Publishes the workflow when there are already events, which it must not emit. */
	async publish(): Promise<void> {
		this.feed.add(5);
		this.before = this.feed.names.length;
		// Dates have no milliseconds, so events in the second of publishing would be new.
		await sleep(1_100);
		await this.n8n.rest.publish(this.workflow);
	}

	/** `kill -9`, then reads what remains. */
	async kill(): Promise<void> {
		const responses = this.feed.responses.length;
		await this.n8n.running.kill();
		this.kills.push({ responses, ...this.readStored() });
	}

	/**
	 * n8n 2.41 ends when it recovers an execution that was killed before it began. Then it is started again, as a
	 * supervisor does.
	 */
	async start(): Promise<void> {
		await this.n8n.start().catch(async (failure: Error) => {
			if (!failure.message.includes('WorkflowStatisticsService.workflowExecutionCompleted'))
				throw failure;
			await this.n8n.start();
		});
	}

	/** As an update does. Meanwhile, an event happens. */
	async restart(): Promise<void> {
		await this.n8n.running.stop();
		this.feed.add(1);
		await this.start();
	}

	async unpublishFor(offForMs: number): Promise<void> {
		await this.n8n.rest.request('POST', `/workflows/${this.workflow.id}/deactivate`, {});
		await sleep(offForMs);
		await this.n8n.rest.publish(this.workflow);
	}

	/** Publishes a version in which the trigger has another name. n8n's default mode saves the data of a node by its name. */
	async rename(): Promise<void> {
		const { id, name, settings, versionId, nodes } = this.workflow;
		const renamed = nodes.map((each) => ({ ...each, name: `${TRIGGER} ${++this.edits}` }));
		const draft = { ...chain(name, renamed), settings, versionId };
		this.workflow = await this.n8n.rest.request('PATCH', `/workflows/${id}`, draft);
		await this.n8n.rest.publish(this.workflow);
	}

	/** Waits until the trigger has polled twice after the last event and n8n has stored the result. */
	async end() {
		this.feed.stop();
		const { names, responses } = this.feed;
		const wanted = responses.length + 2;
		await untilThereIs(() => responses.length >= wanted, POLLS_WITHIN_MS);
		await sleep(2_000);
		await this.n8n.running.stop();
		const since = names.slice(this.before);
		return judgeKills(this.mode, since, responses, this.kills, this.readStored());
	}

	async close(): Promise<void> {
		this.feed?.stop();
		await this.n8n?.remove();
		await this.sandbox?.close();
	}

	private readonly readStored = (): Stored =>
		readStored(this.n8n.folder, this.workflow.id, TRIGGER);
}
