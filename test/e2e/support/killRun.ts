// A published trigger, a service with new events all the time, and an n8n that is killed.
import { setTimeout as sleep } from 'node:timers/promises';

import { withCredential } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft, WorkflowNode } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { sandboxCredential } from '../../support/credentials';
import { untilThereIs } from './examples';
import { judgeKills, type Kill, type Verdict } from './killVerdict';
import { KillableN8n, type PollMode } from './killableN8n';
import { chain, node } from './nodes';
import { readStored, type Stored } from './n8nDatabase';
import { CARRIER, EventFeed } from './eventFeed';

const TRIGGER = 'Events';
const EVENT_EVERY_MS = 700;

export class KillRun {
	readonly kills: Kill[] = [];
	private workflow!: StoredWorkflow;
	private edits = 0;

	private constructor(
		readonly mode: PollMode,
		private readonly n8n: KillableN8n,
		private readonly sandbox: Sandbox,
		readonly feed: EventFeed,
	) {}

	/** Prepares everything up to publishing: n8n, the workflow, and a service with shipments. */
	static async open(mode: PollMode): Promise<KillRun> {
		const n8n = await KillableN8n.open(mode);
		const sandbox = await startSandbox();
		const run = new KillRun(mode, n8n, sandbox, new EventFeed(sandbox));
		try {
			await n8n.start();
			const credential = await n8n.rest.createCredential({
				name: 'Sandbox',
				type: 'parcelShippingApi',
				data: sandboxCredential(sandbox.url),
			});
			const { nodes, ...rest } = draft();
			run.workflow = await n8n.rest.createWorkflow({
				...rest,
				nodes: withCredential(nodes, credential),
			});
			return run;
		} catch (error) {
			await run.close();
			throw error;
		}
	}

	async publish(): Promise<void> {
		for (let count = 0; count < 5; count++) this.feed.addBefore();
		// Dates have no milliseconds, so events in the second of publishing would be new.
		await sleep(1_100);
		await this.n8n.rest.publish(this.workflow);
	}

	startEvents(): void {
		this.feed.start(EVENT_EVERY_MS);
	}

	/** `kill -9`, then reads what remains. */
	async kill(): Promise<Kill> {
		const { responses } = this.feed;
		const before = {
			responses: responses.length,
			afterResponseMs: Date.now() - (responses.at(-1)?.atMs ?? 0),
		};
		await this.n8n.kill();
		const kill = { ...before, ...this.readStored() };
		this.kills.push(kill);
		return kill;
	}

	async restart(): Promise<void> {
		await this.n8n.start();
	}

	/** Kills n8n some time after a response with a new event. */
	async killAfterEvent(afterMs: number): Promise<void> {
		await this.untilEvent();
		await sleep(afterMs);
		await this.kill();
	}

	/** Starts n8n while the service is down, and restores the service later. */
	async restartWithoutService(downForMs: number): Promise<void> {
		this.feed.breakConnections();
		await this.restart();
		await sleep(downForMs);
		this.feed.restoreService();
	}

	async untilEvent(withinMs = 90_000): Promise<void> {
		const late = sleep(withinMs, 'late', { ref: false });
		if ((await Promise.race([this.feed.nextNewEvent(), late])) !== 'late') return;
		throw new Error(`The trigger received no new event for ${withinMs / 1000} s`);
	}

	async unpublishFor(offForMs: number): Promise<void> {
		await this.n8n.rest.request('POST', `/workflows/${this.workflow.id}/deactivate`, {});
		await sleep(offForMs);
		await this.n8n.rest.publish(this.workflow);
	}

	/** Publishes a version in which the node after the trigger has another name. */
	async renameOtherNode(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		await this.publishNext(trigger, { ...other, name: `Afterwards ${++this.edits}` });
	}

	/** In n8n's default mode, the state of a trigger is saved under its name. */
	async renameTrigger(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		await this.publishNext({ ...trigger, name: `${TRIGGER} ${++this.edits}` }, other);
	}

	/** Publishes a version in which the trigger has another setting. */
	async editTrigger(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		const options = { ...(trigger.parameters.options as object), maxConcurrency: 2 + ++this.edits };
		await this.publishNext({ ...trigger, parameters: { ...trigger.parameters, options } }, other);
	}

	/** Waits until the trigger has polled twice after the last event and n8n has stored the result. */
	async end(withinMs = 90_000): Promise<Verdict> {
		await this.feed.stop();
		const { length } = this.feed.responses;
		await untilThereIs(
			async () => (this.feed.responses.length >= length + 2 ? true : undefined),
			withinMs,
		);
		await sleep(2_000);
		await this.n8n.stop();
		return judgeKills(this.mode, this.feed, this.kills, this.readStored());
	}

	async close(): Promise<void> {
		await this.feed.stop();
		await this.n8n.stop();
		await this.sandbox.close();
	}

	private async publishNext(...nodes: WorkflowNode[]): Promise<void> {
		const { id, name, settings, versionId } = this.workflow;
		const next = { ...chain(name, nodes), settings, versionId };
		this.workflow = await this.n8n.rest.request('PATCH', `/workflows/${id}`, next);
		await this.n8n.rest.publish(this.workflow);
	}

	private readStored(): Stored {
		return readStored(this.n8n.databaseFile, this.workflow.id, TRIGGER);
	}
}

function draft(): WorkflowDraft {
	// n8n polls at most once a minute. Twelve schedules make that every five seconds.
	const item = Array.from({ length: 12 }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * 5} * * * * *`,
	}));
	return chain('Kills', [
		node({
			type: 'n8n-nodes-parcel-shipping.parcelShippingTrigger',
			name: TRIGGER,
			credentials: { parcelShippingApi: { id: '', name: '' } },
			parameters: {
				pollTimes: { item },
				filters: { carrierCodes: [CARRIER] },
				events: ['all'],
				// A run takes a minute. With Balanced, an event may come ten minutes later.
				freshness: 'everyPoll',
				timezone: 'Europe/Prague',
			},
		}),
		node({ type: 'n8n-nodes-base.noOp', name: 'Afterwards' }),
	]);
}
