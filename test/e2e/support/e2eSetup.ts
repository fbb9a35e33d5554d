import { withCredential } from '../../../scripts/demo/examples';
import {
	N8nRest,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowDraft,
	type WorkflowNode,
} from '../../../scripts/demo/rest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { sandboxCredential } from '../../support/credentials';
import { type Execution, readExecution } from './executions';
import { chain, START, start } from './nodes';
import { readSuite, type Suite } from './suite';

/** A new sandbox, and the suite's n8n with a credential for it. */
export class E2eSetup {
	private constructor(
		readonly suite: Suite,
		readonly n8n: N8nRest,
		readonly sandbox: Sandbox,
		readonly credential: StoredCredential,
	) {}

	static async open(options: SandboxOptions = {}): Promise<E2eSetup> {
		const suite = readSuite();
		const n8n = new N8nRest(suite.url, suite.headers);
		const sandbox = await startSandbox(options);
		const credential = await n8n.createCredential({
			name: `Sandbox at ${sandbox.url}`,
			type: 'parcelShippingApi',
			data: sandboxCredential(sandbox.url),
		});
		return new E2eSetup(suite, n8n, sandbox, credential);
	}

	/** The credential of the sandbox, as a node stores it. */
	get credentials(): NonNullable<WorkflowNode['credentials']> {
		const { id, name } = this.credential;
		return { parcelShippingApi: { id, name } };
	}

	/** Stores a workflow. Its nodes with a parcelShippingApi credential get the one of the sandbox. */
	async store(draft: WorkflowDraft): Promise<StoredWorkflow> {
		return await this.n8n.createWorkflow({
			...draft,
			nodes: withCredential(draft.nodes, this.credential),
			settings: draft.settings ?? {},
		});
	}

	/** Executes a stored workflow from a trigger, like the *Execute* button. */
	async execute(workflow: StoredWorkflow, trigger = START): Promise<Execution> {
		const { executionId, waitingForWebhook } = await this.n8n.request<{
			executionId?: string;
			waitingForWebhook?: boolean;
		}>('POST', `/workflows/${workflow.id}/run`, {
			triggerToStartFrom: { name: trigger },
			// Only n8n 2.0 to 2.x reads the workflow from here.
			workflowData: workflow,
		});
		if (executionId === undefined || waitingForWebhook) {
			throw new Error(`"${trigger}" waits for a webhook call. Pin its data or call the webhook`);
		}
		return await readExecution(this.n8n, executionId);
	}

	/** Executes nodes in a row, after a manual trigger. */
	async run(...nodes: WorkflowNode[]): Promise<Execution> {
		return await this.execute(await this.store(chain('Nodes in a Row', [start(), ...nodes])));
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}
