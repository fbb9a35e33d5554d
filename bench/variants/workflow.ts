// Runs workflows in n8n's own engine, with the built package and n8n's own nodes.
import { additionalDataFor, loadPackage, StoredCredential } from '../../test/support/host';
import { keepFilesOnDisk } from '../../test/support/filesOnDisk';

import { existsSync } from 'node:fs';
import path from 'node:path';

import { ExecutionLifecycleHooks, LazyPackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
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

export type Link = [from: string, output: number, to: string];

/**
 * Returns a function that runs the workflow with the given items as output of the node *Orders*.
 * Without links, the steps form a chain.
 */
export async function prepareWorkflow(url: string, steps: Step[], links?: Link[]) {
	const { nodeTypes, credentialType } = await loadPackage();
	const allTypes = await withBaseNodes(nodeTypes);
	await keepFilesOnDisk();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const connections = connect(links ?? chain(steps));
	const lastName = links ? (links.at(-1)?.[2] ?? '') : (steps.at(-1)?.name ?? '');

	return async function run(items: IDataObject[]): Promise<INodeExecutionData[]> {
		const workflow = new Workflow({
			id: 'bench',
			name: 'bench',
			nodes: [startNode, ...steps.map(asNode)],
			connections,
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

function chain(steps: Step[]): Link[] {
	const names = [START_NODE, ...steps.map(({ name }) => name)];
	return names.slice(1).map((name, index) => [names[index] as string, 0, name]);
}

function connect(links: Link[]): IConnections {
	const connections: IConnections = {};
	for (const [from, output, to] of links) {
		const { main } = (connections[from] ??= { main: [] });
		if (!main) continue;
		for (let index = main.length; index <= output; index++) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}

/** Adds n8n's own nodes. Like in n8n, each is loaded on first use. */
async function withBaseNodes(packageNodes: INodeTypes): Promise<INodeTypes> {
	const loader = existsSync(BASE_NODES) ? new LazyPackageDirectoryLoader(BASE_NODES) : undefined;
	await loader?.loadAll();
	const byNameAndVersion = (name: string, version?: number): INodeType => {
		const [packageName, type] = name.split('.') as [string, string];
		if (packageName !== 'n8n-nodes-base' || type === 'manualTrigger') {
			return packageNodes.getByNameAndVersion(name, version);
		}
		if (!loader) throw new Error('n8n is not installed in host/. Run: npm run bench');
		const node = loader.getNode(type).type;
		return 'nodeVersions' in node ? (node as IVersionedNodeType).getNodeType(version) : node;
	};
	return {
		getByName: byNameAndVersion,
		getByNameAndVersion: byNameAndVersion,
		getKnownTypes: () => ({}),
	} as INodeTypes;
}
