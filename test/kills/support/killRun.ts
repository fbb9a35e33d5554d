// A published trigger, a service with new events all the time, and an n8n that is killed.
import { setTimeout as sleep } from 'node:timers/promises';

import type { StoredWorkflow, WorkflowNode } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCredential } from '../../e2e/support/e2eSetup';
import { EventFeed, feedTrigger } from '../../e2e/support/eventFeed';
import { untilThereIs } from '../../e2e/support/executions';
import { TestN8n } from '../../e2e/support/n8n';
import { chain, node } from '../../e2e/support/nodes';
import { judgeKills, type Kill, readStored, type Stored, type Verdict } from './killVerdict';

/** The modes in which n8n runs polls, and the environment variables that enable them. */
export const POLL_MODES = {
	default: {},
	durable: {
		N8N_SCHEDULER_ENABLED: 'true',
		N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
		N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	},
};

/**
 * If n8n is killed while it activates a workflow, it activates the workflow again only when a lease
 * expires, by default after two minutes. That loses no event, but the tests would take hours.
 */
const SHORT_LEASE = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '10',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
};

export type PollMode = keyof typeof POLL_MODES;

const PORT = 5730;

const TRIGGER = 'Events';

export class KillRun {
	private readonly kills: Kill[] = [];
	/** How many events there were before publishing. */
	private before = 0;
	private workflow!: StoredWorkflow;
	private edits = 0;
	/**
	 * In the durable mode, n8n repeats a poll in which it was killed after a lease of a minute, a check of
	 * the leases every half minute, and a pause that grows.
	 */
	private readonly pollsWithinMs: number;

	private constructor(
		private readonly mode: PollMode,
		private readonly n8n: TestN8n,
		private readonly sandbox: Sandbox,
		readonly feed: EventFeed,
	) {
		this.pollsWithinMs = mode === 'durable' ? 240_000 : 90_000;
	}

	/** Prepares everything up to publishing: n8n, the workflow, and a service with shipments. */
	static async open(mode: PollMode): Promise<KillRun> {
		const n8n = await TestN8n.install(PORT, { ...SHORT_LEASE, ...POLL_MODES[mode] });
		const sandbox = await startSandbox();
		const run = new KillRun(mode, n8n, sandbox, new EventFeed(sandbox));
		run.feed.recordResponses();
		try {
			await n8n.start();
			const trigger = feedTrigger(TRIGGER, await createCredential(n8n.rest, sandbox));
			const afterwards = node({ type: 'n8n-nodes-base.noOp', name: 'Afterwards' });
			run.workflow = await n8n.rest.createWorkflow(chain('Kills', [trigger, afterwards]));
			return run;
		} catch (error) {
			await run.close();
			throw error;
		}
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
	async kill(): Promise<Kill> {
		const responses = this.feed.responses.length;
		await this.n8n.running.kill();
		const kill = { responses, ...this.readStored() };
		this.kills.push(kill);
		return kill;
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

	/** Stops n8n in the normal way and starts it again, as an update does. Meanwhile, an event happens. */
	async restart(): Promise<void> {
		await this.n8n.running.stop();
		this.feed.add(1);
		await this.start();
	}

	/** Kills n8n some time after a response with a new event. */
	async killAfterEvent(afterMs: number): Promise<void> {
		await this.untilEvent();
		await sleep(afterMs);
		await this.kill();
	}

	/** Starts n8n while the service is down, and restores the service later. */
	async startWithoutService(downForMs: number): Promise<void> {
		this.feed.breakConnections();
		await this.start();
		await sleep(downForMs);
		this.feed.recordResponses();
	}

	async untilEvent(): Promise<void> {
		const late = sleep(this.pollsWithinMs, 'late', { ref: false });
		if ((await Promise.race([this.feed.nextNewEvent(), late])) !== 'late') return;
		throw new Error(`The trigger received no new event for ${this.pollsWithinMs / 1000} s`);
	}

	async unpublishFor(offForMs: number): Promise<void> {
		await this.n8n.rest.request('POST', `/workflows/${this.workflow.id}/deactivate`, {});
		await sleep(offForMs);
		await this.n8n.rest.publish(this.workflow);
	}

	/**
	 * Publishes a version in which a node has another name. In n8n's default mode, the data of a node is saved under its
	 * name.
	 */
	async rename(renamed: 'trigger' | 'other'): Promise<void> {
		const { id, name, settings, versionId, nodes } = this.workflow;
		const [trigger, other] = nodes as [WorkflowNode, WorkflowNode];
		const newName = `${renamed === 'trigger' ? TRIGGER : 'Afterwards'} ${++this.edits}`;
		const next = chain(
			name,
			renamed === 'trigger'
				? [{ ...trigger, name: newName }, other]
				: [trigger, { ...other, name: newName }],
		);
		const draft = { ...next, settings, versionId };
		this.workflow = await this.n8n.rest.request('PATCH', `/workflows/${id}`, draft);
		await this.n8n.rest.publish(this.workflow);
	}

	/** Waits until the trigger has polled twice after the last event and n8n has stored the result. */
	async end(): Promise<Verdict> {
		await this.feed.stop();
		await this.untilTwoPolls();
		await sleep(2_000);
		await this.n8n.running.stop();
		const { names, responses } = this.feed;
		const since = names.slice(this.before);
		return judgeKills(this.mode, { since, responses }, this.kills, this.readStored());
	}

	private async untilTwoPolls(): Promise<void> {
		const { responses } = this.feed;
		const wanted = responses.length + 2;
		await untilThereIs(async () => responses.length >= wanted || undefined, this.pollsWithinMs);
	}

	async close(): Promise<void> {
		await this.feed.stop();
		await this.n8n.remove();
		await this.sandbox.close();
	}

	private readStored(): Stored {
		return readStored(this.n8n.folder, this.workflow.id, TRIGGER);
	}
}
