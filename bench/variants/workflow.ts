// Runs workflows in n8n's own engine, with the built package and n8n's own nodes.
import { additionalDataFor, loadPackage, StoredCredential } from '../../test/support/host';
import { keepFilesOnDisk } from '../../test/support/filesOnDisk';

import { existsSync } from 'node:fs';
import path from 'node:path';

import { ExecutionLifecycleHooks, LazyPackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
	type IConnection,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
	type IWorkflowBase,
	Workflow,
} from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';

const BASE_NODES = path.resolve(__dirname, '../../host/node_modules/n8n-nodes-base');
const START_NODE = 'Orders';
const MODE = 'trigger';

export interface Step {
	name: string;
	/** For example `n8n-nodes-base.httpRequest`. */
	type: string;
	typeVersion?: number;
	parameters: INodeParameters;
}

/** Returns a function that runs the workflow with the given items as output of the node *Orders*. */
export async function prepareWorkflow(url: string, steps: Step[]) {
	const { nodeTypes, credentialType } = await loadPackage();
	const allTypes = await withBaseNodes(nodeTypes);
	await keepFilesOnDisk();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const lastName = steps.at(-1)?.name ?? '';

	return async function run(items: IDataObject[]): Promise<INodeExecutionData[]> {
		const workflow = new Workflow({
			id: 'bench',
			name: 'bench',
			nodes: [startNode, ...steps.map(asNode)],
			connections: connect(steps),
			active: true,
			nodeTypes: allTypes,
			settings: { executionOrder: 'v1' },
		});
		const additionalData = additionalDataFor(credential);
		const hooks = new ExecutionLifecycleHooks(MODE, '1', { id: 'bench' } as IWorkflowBase);
		Object.assign(additionalData, { hooks });
		const finished = await new WorkflowExecute(additionalData, MODE).run({
			workflow,
			startNode: workflow.getNode(START_NODE) as INode,
			pinData: { [START_NODE]: items.map((json) => ({ json })) },
		});
		const { error, runData } = finished.data.resultData;
		if (error) throw error;
		return (runData[lastName] ?? []).flatMap((task) => task.data?.main?.[0] ?? []);
	};
}

const startNode: INode = {
	id: 'orders',
	name: START_NODE,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function asNode({ name, type, typeVersion = 1, parameters }: Step): INode {
	const credentials = { parcelShippingApi: { id: '1', name: 'Sandbox' } };
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, credentials };
}

/** The steps after a loop run for each batch, and the last of them leads back to the loop. */
function connect(steps: Step[]): IConnections {
	const isLoop = ({ type }: Step) => type === 'n8n-nodes-base.splitInBatches';
	const to = (step: Step | undefined): IConnection[] =>
		step ? [{ node: step.name, type: 'main', index: 0 }] : [];
	const links = steps.map((step, index) => {
		const next = to(steps[index + 1] ?? steps.find(isLoop));
		return [step.name, { main: isLoop(step) ? [[], next] : [next] }];
	});
	return Object.fromEntries([[START_NODE, { main: [to(steps[0])] }], ...links]) as IConnections;
}

/** Adds n8n's own nodes. Like in n8n, each is loaded on first use. */
async function withBaseNodes(packageNodes: INodeTypes): Promise<INodeTypes> {
	const loader = existsSync(BASE_NODES) ? new LazyPackageDirectoryLoader(BASE_NODES) : undefined;
	await loader?.loadAll();
	const getByNameAndVersion = (name: string, version?: number): INodeType => {
		const [packageName, type] = name.split('.') as [string, string];
		if (packageName !== 'n8n-nodes-base' || type === 'manualTrigger') {
			return packageNodes.getByNameAndVersion(name, version);
		}
		if (!loader) throw new Error('n8n is not installed in host/. Run: npm run bench');
		const node = loader.getNode(type).type;
		return 'nodeVersions' in node ? (node as IVersionedNodeType).getNodeType(version) : node;
	};
	return { ...packageNodes, getByName: getByNameAndVersion, getByNameAndVersion };
}
