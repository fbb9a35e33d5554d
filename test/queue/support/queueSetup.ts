// What the tests of queue mode share: the cluster, the sandbox, and the two workflows in n8n.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { withCredential } from '../../../scripts/demo/examples';
import type { StoredCredential, StoredWorkflow, WorkflowDraft } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { untilThereIs } from '../../e2e/support/examples';
import { chain, node } from '../../e2e/support/nodes';
import { sandboxCredential } from '../../support/credentials';
import { Cluster } from './cluster';
import { EventFeed } from './eventFeed';
import { type ExecutionRow, isUnfinished, readExecutionRows, readOrderRows } from './n8nData';

export const TRIGGER = 'Tracking Events';
const LATENCY_MS = 150;
const EVENT_EVERY_MS = 700;
const file = path.resolve(__dirname, '../../../docs/scaling/kept-orders.json');

export class QueueSetup {
	private constructor(
		readonly cluster: Cluster,
		readonly sandbox: Sandbox,
		private readonly credential: StoredCredential,
		readonly events: EventFeed,
	) {}

	keptOrders!: StoredWorkflow;
	tracking!: StoredWorkflow;

	static async open(): Promise<QueueSetup> {
		const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
		const cluster = await Cluster.start();
		try {
			const credential = await cluster.n8n.createCredential({
				name: 'Sandbox',
				type: 'parcelShippingApi',
				data: sandboxCredential(sandbox.url),
			});
			const setup = new QueueSetup(cluster, sandbox, credential, new EventFeed(sandbox));
			await setup.publishWorkflows();
			return setup;
		} catch (error) {
			await cluster.stop();
			throw error;
		}
	}

	get n8n() {
		return this.cluster.n8n;
	}

	/** A function, because n8n may use another port after a restart. */
	readonly webhook = () => `${this.cluster.main.url}/webhook/orders`;

	async close(): Promise<void> {
		await this.events.stop();
		await this.cluster.stop();
		await this.sandbox.close();
	}

	/** The shipments of orders. Those with tracking events belong to the carrier Beaver. */
	shipments() {
		return this.sandbox.database
			.shipments()
			.filter(({ carrierCode, canceled }) => carrierCode !== 'BEAVER' && !canceled);
	}

	async executions(): Promise<ExecutionRow[]> {
		return await readExecutionRows(this.cluster.database, this.keptOrders.id);
	}

	async untilShipped(count: number): Promise<void> {
		await untilThereIs(async () => this.shipments().length >= count || undefined, 240_000);
	}

	async untilFinished(): Promise<ExecutionRow[]> {
		return await untilThereIs(async () => {
			const rows = await this.executions();
			return rows.some(isUnfinished) ? undefined : rows;
		}, 300_000);
	}

	/** n8n deletes the data of executions that run on a killed worker, also those of the trigger. */
	async untilNoTrackingRuns(): Promise<void> {
		await untilThereIs(async () => {
			const rows = await readExecutionRows(this.cluster.database, this.tracking.id);
			return rows.some(({ status }) => status === 'running') ? undefined : true;
		});
	}

	/** Repeats open orders after 75 seconds instead of ten minutes, and checks every ten seconds. */
	async shortenWaitingTimes(): Promise<void> {
		const { id, name, connections, settings, versionId } = this.keptOrders;
		const nodes = this.keptOrders.nodes.map((each) => ({
			...each,
			parameters: JSON.parse(
				JSON.stringify(each.parameters)
					.replace('{ minutes: 10 }', '{ seconds: 75 }')
					.replace(
						'{"field":"minutes","minutesInterval":1}',
						'{"field":"seconds","secondsInterval":10}',
					),
			) as Record<string, unknown>,
		}));
		const draft = { name, nodes, connections, settings, versionId };
		this.keptOrders = await this.n8n.request('PATCH', `/workflows/${id}`, draft);
		await this.n8n.publish(this.keptOrders);
	}

	private async publishWorkflows(): Promise<void> {
		this.keptOrders = await this.store(JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft);
		await this.n8n.request('POST', `/workflows/${this.keptOrders.id}/run`, {
			triggerToStartFrom: { name: 'Once, by Hand' },
		});
		await untilThereIs(async () => readOrderRows(this.n8n).catch(() => undefined));
		await this.n8n.publish(this.keptOrders);

		this.tracking = await this.store(chain('Tracking', [this.trigger()]));
		await this.n8n.publish(this.tracking);
		this.events.start(EVENT_EVERY_MS);
	}

	private async store(draft: WorkflowDraft): Promise<StoredWorkflow> {
		const { name, nodes, connections, settings = {} } = draft;
		return await this.n8n.createWorkflow({
			name,
			nodes: withCredential(nodes, this.credential),
			connections,
			settings,
		});
	}

	private trigger() {
		const { id, name } = this.credential;
		// n8n polls at most once a minute per schedule, so twelve schedules poll every five seconds.
		const item = Array.from({ length: 12 }, (_, index) => ({
			mode: 'custom',
			cronExpression: `${index * 5} * * * * *`,
		}));
		return node({
			type: 'n8n-nodes-parcel-shipping.parcelShippingTrigger',
			name: TRIGGER,
			credentials: { parcelShippingApi: { id, name } },
			parameters: {
				pollTimes: { item },
				watch: 'filtered',
				filters: { carrierCodes: ['BEAVER'] },
				events: ['all'],
				startFrom: 'now',
				output: 'event',
				options: {},
			},
		});
	}
}
