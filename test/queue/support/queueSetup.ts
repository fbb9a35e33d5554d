// The cluster, the sandbox and the two workflows, and what n8n has stored about their executions.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { withCredential } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCredential } from '../../e2e/support/e2eSetup';
import { EventFeed, feedTrigger } from '../../e2e/support/eventFeed';
import { isUnfinished, readTable, untilThereIs } from '../../e2e/support/executions';
import { chain } from '../../e2e/support/nodes';
import { Cluster } from './cluster';

export const TRIGGER = 'Tracking Events';
const LATENCY_MS = 150;
const file = path.resolve(__dirname, '../../../docs/scaling/kept-orders.json');

interface ExecutionRow {
	id: string;
	status: string;
	retrySuccessId: string | null;
}

export interface OrderRow {
	orderNumber: string;
	state: 'open' | 'shipped' | 'refused';
	shipment: string | null;
	execution: string | null;
}

/** Failed, and not retried with success. */
export const isFailed = ({ status, retrySuccessId }: ExecutionRow) =>
	['error', 'crashed'].includes(status) && !retrySuccessId;

export class QueueSetup {
	readonly cluster = new Cluster();
	sandbox!: Sandbox;
	events!: EventFeed;
	keptOrders!: StoredWorkflow;
	tracking!: StoredWorkflow;

	async open(): Promise<void> {
		this.sandbox = await startSandbox({ latencyMs: LATENCY_MS });
		this.events = new EventFeed(this.sandbox);
		await this.cluster.open();
		await this.publishWorkflows();
	}

	/** Also what has started before an error. */
	async close(): Promise<void> {
		await this.events?.stop();
		await this.cluster.stop();
		await this.sandbox?.close();
	}

	get n8n() {
		return this.cluster.n8n;
	}

	/** A function, because n8n may use another port after a restart. */
	readonly webhook = () => `${this.cluster.main.running.url}/webhook/orders`;

	/** The shipments of orders. Those with tracking events belong to the carrier Beaver. */
	shipments() {
		return this.sandbox.database
			.shipments()
			.filter(({ carrierCode, canceled }) => carrierCode !== 'BEAVER' && !canceled);
	}

	/**
	 * Reads the database, because n8n's list of executions can skip some between two pages: it sorts by
	 * start time and continues by id.
	 */
	async executions({ id } = this.keptOrders): Promise<ExecutionRow[]> {
		return await this.cluster.rows(
			`SELECT id::text, status, "retrySuccessId"
			FROM execution_entity WHERE "workflowId" = '${id}' ORDER BY execution_entity.id`,
		);
	}

	readonly orderRows = async () => readTable<OrderRow>(this.n8n, 'Orders');

	/** Does the same as the button *Retry* in the list of executions. */
	async retry({ id }: ExecutionRow): Promise<ExecutionRow> {
		const path = `/executions/${id}/retry`;
		return await this.n8n.request<ExecutionRow>('POST', path, { loadWorkflow: false });
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
			const rows = await this.executions(this.tracking);
			return rows.some(({ status }) => status === 'running') ? undefined : true;
		});
	}

	/** Repeats open orders after 75 seconds instead of ten minutes, and checks every ten seconds. */
	async shortenWaitingTimes(): Promise<void> {
		const { id, name, connections, settings, versionId } = this.keptOrders;
		const everyTenSeconds = '{"field":"seconds","secondsInterval":10}';
		const nodes = JSON.parse(
			JSON.stringify(this.keptOrders.nodes)
				.replaceAll('{ minutes: 10 }', '{ seconds: 75 }')
				.replaceAll('{"field":"minutes","minutesInterval":1}', everyTenSeconds),
		) as StoredWorkflow['nodes'];
		const draft = { name, nodes, connections, settings, versionId };
		this.keptOrders = await this.n8n.request('PATCH', `/workflows/${id}`, draft);
		await this.n8n.publish(this.keptOrders);
	}

	private async publishWorkflows(): Promise<void> {
		const credential = await createCredential(this.n8n, this.sandbox);
		const {
			name,
			nodes,
			connections,
			settings = {},
		} = JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft;
		const withIt = withCredential(nodes, credential);
		const draft = { name, nodes: withIt, connections, settings };
		this.keptOrders = await this.n8n.createWorkflow(draft);
		await this.n8n.request('POST', `/workflows/${this.keptOrders.id}/run`, {
			triggerToStartFrom: { name: 'Once, by Hand' },
		});
		await untilThereIs(async () => this.orderRows().catch(() => undefined));
		await this.n8n.publish(this.keptOrders);

		const trigger = feedTrigger(TRIGGER, credential);
		this.tracking = await this.n8n.createWorkflow(chain('Tracking', [trigger]));
		await this.n8n.publish(this.tracking);
		this.events.start();
	}
}
