// The cluster, the sandbox and the two workflows, and what n8n has stored about their executions.
import { pick } from 'lodash';
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
/** What n8n takes of a workflow. */
const DRAFT = ['name', 'nodes', 'connections', 'settings', 'versionId'] as const;
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
		this.sandbox = await startSandbox({ latencyMs: 150 });
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
		return this.cluster.main.rest;
	}

	/** The shipments of orders. Those with tracking events belong to the carrier Beaver. */
	shipments() {
		return this.sandbox.database
			.shipments()
			.filter(({ carrierCode, canceled }) => carrierCode !== 'BEAVER' && !canceled);
	}

	/** From the database: n8n's list sorts by start time and continues by ID, so it can skip some. */
	readonly executions = async ({ id } = this.keptOrders) =>
		this.cluster.rows<ExecutionRow>(
			`SELECT id::text, status, "retrySuccessId"
			FROM execution_entity WHERE "workflowId" = '${id}' ORDER BY execution_entity.id`,
		);

	readonly orderRows = async () => readTable<OrderRow>(this.n8n, 'Orders');

	/** Does the same as the button *Retry* in the list of executions. */
	readonly retry = async ({ id }: ExecutionRow) =>
		this.n8n.request<ExecutionRow>('POST', `/executions/${id}/retry`, { loadWorkflow: false });

	readonly untilFinished = async () =>
		untilThereIs(async () => {
			const rows = await this.executions();
			return rows.some(isUnfinished) ? undefined : rows;
		}, 300_000);

	/** Repeats open orders after 75 seconds instead of ten minutes, and checks every ten seconds. */
	async shortenWaitingTimes(): Promise<void> {
		const everyTenSeconds = '{"field":"seconds","secondsInterval":10}';
		const draft = JSON.parse(
			JSON.stringify(pick(this.keptOrders, DRAFT))
				.replaceAll('{ minutes: 10 }', '{ seconds: 75 }')
				.replaceAll('{"field":"minutes","minutesInterval":1}', everyTenSeconds),
		) as object;
		const address = `/workflows/${this.keptOrders.id}`;
		this.keptOrders = await this.n8n.request('PATCH', address, draft);
		await this.n8n.publish(this.keptOrders);
	}

	private async publishWorkflows(): Promise<void> {
		const credential = await createCredential(this.n8n, this.sandbox);
		const example = JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft;
		const nodes = withCredential(example.nodes, credential);
		this.keptOrders = await this.n8n.createWorkflow({
			...pick(example, DRAFT),
			nodes,
		} as WorkflowDraft);
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
