import { readExamples, withCredential } from '../../../scripts/demo/examples';
import {
	N8nRest,
	type StoredCredential,
	type StoredWorkflow,
	type WorkflowDraft,
	type WorkflowNode,
} from '../../../scripts/demo/rest';
import { type Sandbox, startSandbox } from '../../../sandbox';
import { newAccount, sandboxCredential } from '../../support/credentials';
import { creationForm } from '../../support/shop';
import { type Execution, readExecution } from './executions';
import { readSuite } from './n8n';
import { chain, node, PARCEL_SHIPPING, START, start } from './nodes';

type Parameters = WorkflowNode['parameters'];

/** The items that are pinned to nodes. */
export type Pins = Record<string, Array<{ json: Record<string, unknown> }>>;

/** A new sandbox for the tests of a file, and the suite's n8n with a credential for it. */
export function useSetup(): E2eSetup {
	const setup = new E2eSetup();
	beforeAll(async () => setup.open());
	beforeEach(async () => setup.reset());
	afterEach(async () => setup.unpublish());
	afterAll(async () => setup.sandbox.close());
	return setup;
}

export class E2eSetup {
	readonly suite = readSuite();
	readonly n8n = new N8nRest(this.suite.url, this.suite.headers);
	sandbox!: Sandbox;
	credential!: StoredCredential;
	private published: StoredWorkflow[] = [];

	async open(): Promise<void> {
		this.sandbox = await startSandbox();
		this.credential = await createCredential(this.n8n, this.sandbox);
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
	parcels(name: string, parameters: Parameters, settings: object = {}): WorkflowNode {
		const { credentials } = this;
		return { ...node({ type: PARCEL_SHIPPING, name, credentials, parameters }), ...settings };
	}

	/** A node that creates a shipment from each item. */
	create(settings: object = {}): WorkflowNode {
		return this.parcels('Create', creationForm(), settings);
	}

	/** Stores a workflow. The nodes of the package get the credential of the sandbox. */
	async store(draft: WorkflowDraft): Promise<StoredWorkflow> {
		return await this.n8n.createWorkflow({
			...draft,
			nodes: withCredential(draft.nodes, this.credential),
			settings: draft.settings ?? {},
		});
	}

	/** Stores an example workflow under a new ID. The changes fill in what a user has to fill in. */
	async storeExample(
		id: string,
		change: (node: WorkflowNode) => WorkflowNode = (node) => node,
		changePins: (pins: Pins) => Pins = (pins) => pins,
	): Promise<StoredWorkflow> {
		const found = readExamples().find((example) => example.id === id);
		if (!found) throw new Error(`No example workflow has the ID ${id}`);
		const { name, nodes, connections, settings = {}, pinData = {} } = found;
		const pins = changePins(pinData as Pins);
		const draft = { name, connections, settings, pinData: pins, nodes: nodes.map(change) };
		return await this.store(draft);
	}

	/** Executes a stored workflow from a trigger, like the *Execute* button. */
	async execute(workflow: StoredWorkflow, trigger = START): Promise<Execution> {
		const address = `/workflows/${workflow.id}/run`;
		const { executionId } = await this.n8n.request<{ executionId: string }>('POST', address, {
			triggerToStartFrom: { name: trigger },
			// Only n8n 2.0 to 2.x reads the workflow from here.
			workflowData: workflow,
		});
		return await readExecution(this.n8n, executionId);
	}

	/** Executes nodes in a row, after a manual trigger. */
	async run(...nodes: WorkflowNode[]): Promise<Execution> {
		return await this.execute(await this.store(chain('Nodes in a Row', [start(), ...nodes])));
	}

	/** Publishes a workflow until the end of the test. */
	async publish(workflow: StoredWorkflow): Promise<void> {
		await this.n8n.publish(workflow);
		this.published.push(workflow);
	}

	async unpublish(): Promise<void> {
		for (const { id } of this.published.splice(0)) {
			await this.n8n.request('POST', `/workflows/${id}/deactivate`, {});
		}
	}
}

export async function createCredential(n8n: N8nRest, { url }: Sandbox): Promise<StoredCredential> {
	return await n8n.createCredential({
		name: 'Parcel service sandbox',
		type: 'parcelShippingApi',
		data: sandboxCredential(url),
	});
}
