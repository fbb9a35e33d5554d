import { readExamples, withCredential } from '../../../scripts/demo/examples';
import {
	N8nRest,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowDraft,
	type WorkflowNode,
} from '../../../scripts/demo/rest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../sandbox';
import { newAccount, sandboxCredential } from '../../support/credentials';
import { creationForm } from '../../support/shop';
import { type Execution, readExecution } from './executions';
import { readSuite, type Suite } from './n8n';
import { chain, node, PARCEL_SHIPPING, START, start } from './nodes';

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
		return new E2eSetup(suite, n8n, sandbox, await createCredential(n8n, sandbox));
	}

	/** An empty sandbox, and an account of which the nodes remember nothing. */
	async reset(): Promise<void> {
		this.sandbox.reset();
		const { id, name, type } = this.credential;
		await this.n8n.updateCredential(id, { name, type, data: newAccount(this.sandbox.url) });
	}

	/** The credential of the sandbox, as a node stores it. */
	get credentials(): NonNullable<WorkflowNode['credentials']> {
		const { id, name } = this.credential;
		return { parcelShippingApi: { id, name } };
	}

	/** A node of the package. */
	parcels(name: string, parameters: object, settings: object = {}): WorkflowNode {
		const { credentials } = this;
		return node({ type: PARCEL_SHIPPING, name, parameters, credentials, ...settings });
	}

	/** A node that creates a shipment from each item. */
	create(options: Parameters<typeof creationForm>[0] = {}, settings: object = {}): WorkflowNode {
		return this.parcels('Create', creationForm(options), settings);
	}

	trigger(name: string, parameters: object = {}): WorkflowNode {
		return this.parcels(name, parameters, { type: `${PARCEL_SHIPPING}Trigger` });
	}

	/** Stores a workflow. The nodes of the package get the credential of the sandbox. */
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

	async unpublish({ id }: StoredWorkflow): Promise<void> {
		await this.n8n.request('POST', `/workflows/${id}/deactivate`, {});
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}

export async function createCredential(n8n: N8nRest, { url }: Sandbox): Promise<StoredCredential> {
	return await n8n.createCredential({
		name: 'Parcel service sandbox',
		type: 'parcelShippingApi',
		data: sandboxCredential(url),
	});
}

/** Stores an example workflow under a new ID. `change` fills in what a user has to fill in. */
export async function storeExample(
	setup: E2eSetup,
	id: string,
	change: (node: WorkflowNode) => WorkflowNode = (node) => node,
): Promise<StoredWorkflow> {
	const found = readExamples().find((example) => example.id === id);
	if (!found) throw new Error(`No example workflow has the ID ${id}`);
	const { name, nodes, connections, settings = {}, pinData = {} } = found;
	return await setup.store({ name, nodes: nodes.map(change), connections, settings, pinData });
}

/** Replaces parameters of the node with this name. */
export const withParameters =
	(name: string, parameters: object) =>
	(node: WorkflowNode): WorkflowNode =>
		node.name === name ? { ...node, parameters: { ...node.parameters, ...parameters } } : node;
