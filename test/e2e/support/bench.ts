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
import { type Suite, theSuite } from './suite';

/** A sandbox of one's own, and the suite's n8n with a credential for it. */
export class Bench {
	private constructor(
		readonly suite: Suite,
		readonly n8n: N8nRest,
		readonly sandbox: Sandbox,
		readonly credential: StoredCredential,
	) {}

	static async open(options: SandboxOptions = {}): Promise<Bench> {
		const suite = theSuite();
		const n8n = new N8nRest(suite.url, suite.headers);
		const sandbox = await startSandbox(options);
		const credential = await n8n.createCredential({
			name: `Sandbox at ${sandbox.url}`,
			type: 'parcelShippingApi',
			data: sandboxCredential(sandbox.url),
		});
		return new Bench(suite, n8n, sandbox, credential);
	}

	/** What a node needs to use the sandbox. */
	get credentials(): NonNullable<WorkflowNode['credentials']> {
		const { id, name } = this.credential;
		return { parcelShippingApi: { id, name } };
	}

	/** Stores a workflow; nodes with a parcelShippingApi credential get the one of this bench. */
	async store(draft: WorkflowDraft): Promise<StoredWorkflow> {
		return await this.n8n.createWorkflow({
			...draft,
			nodes: withCredential(draft.nodes, this.credential),
			settings: draft.settings ?? {},
		});
	}

	/** Executes a stored workflow as its *Execute* button does, from the trigger with that name. */
	async execute(workflow: StoredWorkflow, trigger = START): Promise<Execution> {
		const { executionId, waitingForWebhook } = await this.n8n.request<{
			executionId?: string;
			waitingForWebhook?: boolean;
		}>('POST', `/workflows/${workflow.id}/run`, { triggerToStartFrom: { name: trigger } });
		if (executionId === undefined || waitingForWebhook) {
			throw new Error(`"${trigger}" waits for a call from outside; pin its data or call it`);
		}
		return await readExecution(this.n8n, executionId);
	}

	/** Executes nodes that stand one behind the other, after a manual trigger. */
	async run(...nodes: WorkflowNode[]): Promise<Execution> {
		return await this.execute(await this.store(chain('Bench', [start(), ...nodes])));
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}
