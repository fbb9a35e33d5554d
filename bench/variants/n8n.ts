// n8n's own engine and poll context with the built package. Import this file only in the processes that
// need it, because n8n takes time and memory.
import { additionalDataFor, loadPackage, PACKAGE, StoredCredential } from '../../test/support/host';
import { keepFilesOnDisk } from '../../test/support/filesOnDisk';

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import {
	ExecutionLifecycleHooks,
	LazyPackageDirectoryLoader,
	PollContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	type IConnection,
	type IConnections,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IPollFunctions,
	type IVersionedNodeType,
	type IWorkflowBase,
	Workflow,
} from 'n8n-workflow';

import { sandboxCredential } from '../../test/support/credentials';
import type { Client } from './clients';

const BASE = 'n8n-nodes-base';
const START_NODE = 'Orders';
const MODE = 'trigger';
const CREDENTIAL = 'parcelShippingApi';
const KILOBYTE = 1024;

export interface Step {
	name: string;
	/** For example `n8n-nodes-base.httpRequest`. */
	type: string;
	typeVersion?: number;
	parameters?: INodeParameters;
}

function nodeOf({ name, type, typeVersion = 1, parameters = {} }: Step): INode {
	const credentials = { [CREDENTIAL]: { id: '1', name: 'Sandbox' } };
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, credentials };
}

/** Returns a function that runs the workflow with the given items as output of the node *Orders*. */
export async function prepareWorkflow(url: string, steps: Step[]) {
	const { nodeTypes, credentialType } = await loadPackage(await baseNodesOf(steps));
	await keepFilesOnDisk();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const startNode = nodeOf({ name: START_NODE, type: `${BASE}.manualTrigger` });
	const lastName = steps.at(-1)?.name ?? '';

	return async function run(items: IDataObject[]): Promise<INodeExecutionData[]> {
		const workflow = new Workflow({
			id: 'bench',
			name: 'bench',
			nodes: [startNode, ...steps.map(nodeOf)],
			connections: connect(steps),
			active: true,
			nodeTypes,
			settings: { executionOrder: 'v1' },
		});
		const additionalData = additionalDataFor(credential);
		const hooks = new ExecutionLifecycleHooks(MODE, '1', { id: 'bench' } as IWorkflowBase);
		Object.assign(additionalData, { hooks });
		const finished = await new WorkflowExecute(additionalData, MODE).run({
			workflow,
			startNode,
			pinData: { [START_NODE]: items.map((json) => ({ json })) },
		});
		const { error, runData } = finished.data.resultData;
		if (error) throw error;
		return (runData[lastName] ?? []).flatMap((task) => task.data?.main?.[0] ?? []);
	};
}

/** Loads the steps that are nodes of n8n. */
async function baseNodesOf(steps: Step[]): Promise<Record<string, INodeType>> {
	const own = steps.filter(({ type }) => type.startsWith(`${BASE}.`));
	if (own.length === 0) return {};
	const folder = path.resolve(__dirname, '../../host/node_modules', BASE);
	const loader = new LazyPackageDirectoryLoader(folder);
	await loader.loadAll();
	const types = own.map(({ type, typeVersion }) => {
		const node: INodeType | IVersionedNodeType = loader.getNode(type.replace(`${BASE}.`, '')).type;
		return [type, 'nodeVersions' in node ? node.getNodeType(typeVersion) : node];
	});
	return Object.fromEntries(types) as Record<string, INodeType>;
}

/** In a row, after the start. */
function connect(steps: Step[]): IConnections {
	const names = [START_NODE, ...steps.map(({ name }) => name)];
	const linkTo = (node: string): IConnection => ({ node, type: 'main', index: 0 });
	return Object.fromEntries(
		names.slice(1).map((name, index) => [names[index], { main: [[linkTo(name)]] }]),
	);
}

/** The trigger keeps facts about a workflow in memory, so each has its own ID. */
let published = 0;

/** Returns a function that publishes a workflow with the trigger. */
export async function prepareTrigger(url: string, parameters: INodeParameters = {}) {
	const { nodeTypes, credentialType } = await loadPackage();
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const node = nodeOf({ name: 'Trigger', type: `${PACKAGE}.parcelShippingTrigger`, parameters });
	const { poll } = nodeTypes.getByNameAndVersion(node.type) as Required<INodeType>;
	return () => {
		const workflow = new Workflow({
			id: `bench-${++published}`,
			name: 'bench',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			staticData: {},
			settings: { executionOrder: 'v1', timezone: 'Europe/Prague' },
		});
		const data = additionalDataFor(credential);
		const context = new PollContext(workflow, node, data, 'trigger', 'activate');
		const pollFunctions = context as unknown as IPollFunctions;
		return {
			pollFunctions,
			/** Returns the number of events. */
			poll: async () => (await poll.call(pollFunctions))?.[0]?.length ?? 0,
			/** Size of the state that n8n stores. */
			stateKB: () => Buffer.byteLength(JSON.stringify(workflow.staticData)) / KILOBYTE,
		};
	};
}

/** Sends the requests of the bare client with n8n's request function and the credential. */
export async function n8nClient(url: string): Promise<Client> {
	const publish = await prepareTrigger(url);
	const { pollFunctions } = publish();
	const send = async (options: IHttpRequestOptions): Promise<unknown> =>
		pollFunctions.helpers.httpRequestWithAuthentication.call(pollFunctions, CREDENTIAL, options);
	return {
		post: async <Response>(endpoint: string, body: object) =>
			(await send({ method: 'POST', url: url + endpoint, body, json: true })) as Response,

		save: async (fileUrl, file) => {
			const stream = await send({ url: fileUrl, encoding: 'stream' });
			await pipeline(stream as Readable, createWriteStream(file));
		},
	};
}
