// The cluster, the sandbox and the workflow, and what n8n has stored about its executions.
import { pick } from 'lodash';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { withCredential } from '../../../scripts/demo/examples';
import type { StoredWorkflow, WorkflowDraft } from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { createCredential } from '../../e2e/support/e2eSetup';
import { isUnfinished, readTable, untilThereIs } from '../../e2e/support/executions';
import { Cluster } from './cluster';

/** What n8n takes of a workflow. */
const DRAFT = ['name', 'nodes', 'connections', 'settings', 'versionId'] as const;
const file = path.resolve(__dirname, '../../../docs/scaling/kept-orders.json');

interface ExecutionRow {
	id: string;
	status: string;
	retrySuccessId: string | null;
}

interface OrderRow {
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
	private workflow!: StoredWorkflow;

	async open(): Promise<void> {
		this.sandbox = await startSandbox({ latencyMs: 150 });
		await this.cluster.open();
		const example = JSON.parse(readFileSync(file, 'utf8')) as WorkflowDraft;
		const nodes = withCredential(example.nodes, await createCredential(this.n8n, this.sandbox));
		this.workflow = await this.n8n.createWorkflow({ ...example, nodes });
		await this.n8n.request('POST', `/workflows/${this.workflow.id}/run`, {
			triggerToStartFrom: { name: 'Once, by Hand' },
		});
		const hasTable = async () =>
			this.orderRows().then(
				() => true,
				() => false,
			);
		await untilThereIs(hasTable);
		await this.n8n.publish(this.workflow);
	}

	/** Also what has started before an error. */
	async close(): Promise<void> {
		await this.cluster.stop();
		await this.sandbox?.close();
	}

	get n8n() {
		return this.cluster.main.rest;
	}

	shipments() {
		return this.sandbox.database.shipments().filter(({ canceled }) => !canceled);
	}

	/** From the database: n8n's list sorts by start time and continues by ID, so it can skip some. */
	readonly executions = async () =>
		this.cluster.rows<ExecutionRow>(
			`SELECT id::text, status, "retrySuccessId"
			FROM execution_entity WHERE "workflowId" = '${this.workflow.id}' ORDER BY execution_entity.id`,
		);

	readonly orderRows = async () => readTable<OrderRow>(this.n8n, 'Orders');

	/** Does the same as the button *Retry* in the list of executions. */
	readonly retry = async ({ id }: ExecutionRow) =>
		this.n8n.request<ExecutionRow>('POST', `/executions/${id}/retry`, { loadWorkflow: false });

	readonly untilFinished = async () =>
		untilThereIs(async () => {
			const rows = await this.executions();
			return !rows.some(isUnfinished) && rows;
		}, 300_000);

	/** Repeats open orders after 75 seconds instead of ten minutes, and checks every ten seconds. */
	async shortenWaitingTimes(): Promise<void> {
		const everyTenSeconds = '{"field":"seconds","secondsInterval":10}';
		const draft = JSON.parse(
			JSON.stringify(pick(this.workflow, DRAFT))
				.replaceAll('{ minutes: 10 }', '{ seconds: 75 }')
				.replaceAll('{"field":"minutes","minutesInterval":1}', everyTenSeconds),
		) as object;
		this.workflow = await this.n8n.request('PATCH', `/workflows/${this.workflow.id}`, draft);
		await this.n8n.publish(this.workflow);
	}
}
