// A published trigger, a service in which something happens all the time, and an n8n that gets killed.
import { setTimeout as sleep } from 'node:timers/promises';

import { withCredential } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft, WorkflowNode } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { sandboxCredential } from '../../support/credentials';
import { untilThereIs } from './examples';
import { compare, type Kill, type Verdict } from './killBooks';
import { KillableN8n, type PollMode } from './killableN8n';
import { chain, node } from './nodes';
import { readStored, type Stored } from './storedByN8n';
import { CARRIER, ToldNews } from './toldNews';

const TRIGGER = 'Events';
const NEWS_EVERY_MS = 700;

export class KillStory {
	readonly kills: Kill[] = [];
	private workflow!: StoredWorkflow;
	private edits = 0;

	private constructor(
		readonly mode: PollMode,
		private readonly n8n: KillableN8n,
		private readonly sandbox: Sandbox,
		readonly news: ToldNews,
	) {}

	/** Up to the moment before publishing: there are shipments, and events of them. */
	static async open(mode: PollMode): Promise<KillStory> {
		const n8n = await KillableN8n.open(mode);
		const sandbox = await startSandbox();
		const story = new KillStory(mode, n8n, sandbox, new ToldNews(sandbox));
		try {
			await n8n.start();
			const credential = await n8n.rest.createCredential({
				name: 'Sandbox',
				type: 'parcelShippingApi',
				data: sandboxCredential(sandbox.url),
			});
			const { nodes, ...rest } = draft();
			story.workflow = await n8n.rest.createWorkflow({
				...rest,
				nodes: withCredential(nodes, credential),
			});
			return story;
		} catch (error) {
			await story.close();
			throw error;
		}
	}

	async publish(): Promise<void> {
		for (let count = 0; count < 5; count++) this.news.tellBefore();
		// The service tells the time by the second; what happens in the second of publishing is news.
		await sleep(1_100);
		await this.n8n.rest.publish(this.workflow);
	}

	beginNews(): void {
		this.news.begin(NEWS_EVERY_MS);
	}

	/** `kill -9`, and a look at what that leaves. */
	async kill(): Promise<Kill> {
		const { answers } = this.news;
		const given = {
			answers: answers.length,
			afterAnswerMs: Date.now() - (answers.at(-1)?.atMs ?? 0),
		};
		await this.n8n.kill();
		const kill = { ...given, ...this.readStored() };
		this.kills.push(kill);
		return kill;
	}

	async restart(): Promise<void> {
		await this.n8n.start();
	}

	/** So and so long after the service had an answer with news ready. */
	async killAfterNews(afterMs: number): Promise<void> {
		await this.untilNews();
		await sleep(afterMs);
		await this.kill();
	}

	/** n8n boots, and polls for a while, without an answer. */
	async restartWithoutService(downForMs: number): Promise<void> {
		this.news.goAway();
		await this.restart();
		await sleep(downForMs);
		this.news.answerAgain();
	}

	async untilNews(withinMs = 90_000): Promise<void> {
		const late = sleep(withinMs, 'late', { ref: false });
		if ((await Promise.race([this.news.nextNews(), late])) !== 'late') return;
		throw new Error(`The trigger has not asked for ${withinMs / 1000} s`);
	}

	async switchOffAndOn(offForMs: number): Promise<void> {
		await this.n8n.rest.request('POST', `/workflows/${this.workflow.id}/deactivate`, {});
		await sleep(offForMs);
		await this.n8n.rest.publish(this.workflow);
	}

	/** Publishes another version, in which the node after the trigger has another name. */
	async renameOtherNode(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		await this.publishNext(trigger, { ...other, name: `Afterwards ${++this.edits}` });
	}

	/** n8n's default mode keeps what a trigger remembers under its name. */
	async renameTrigger(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		await this.publishNext({ ...trigger, name: `${TRIGGER} ${++this.edits}` }, other);
	}

	/** Publishes another version, in which the trigger itself has another setting. */
	async editTrigger(): Promise<void> {
		const [trigger, other] = this.workflow.nodes as [WorkflowNode, WorkflowNode];
		const options = { ...(trigger.parameters.options as object), maxConcurrency: 2 + ++this.edits };
		await this.publishNext({ ...trigger, parameters: { ...trigger.parameters, options } }, other);
	}

	/** Until the trigger has asked twice after the last event, and n8n has stored what came of it. */
	async end(withinMs = 90_000): Promise<Verdict> {
		await this.news.end();
		const { length } = this.news.answers;
		await untilThereIs(
			async () => (this.news.answers.length >= length + 2 ? true : undefined),
			withinMs,
		);
		await sleep(2_000);
		await this.n8n.stop();
		return compare(this.mode, this.news, this.kills, this.readStored());
	}

	async close(): Promise<void> {
		await this.news.end();
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
	// n8n asks once a minute at most; twelve clocks make it every five seconds.
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
				options: { timezone: 'Europe/Prague' },
			},
		}),
		node({ type: 'n8n-nodes-base.noOp', name: 'Afterwards' }),
	]);
}
