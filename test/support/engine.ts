import { additionalDataFor, loadPackage, manualTrigger, PACKAGE, StoredCredential } from './host';

import { omit } from 'lodash';
import { ExecutionLifecycleHooks, LoadOptionsContext, WorkflowExecute } from 'n8n-core';
import {
	deepCopy,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IRunExecutionData,
	type IWorkflowBase,
	type IWorkflowDataProxyData,
	Workflow,
} from 'n8n-workflow';

import type { ParcelShippingCredential } from '../../nodes/ParcelShipping/transport/credential';
import { sandboxCredential } from './credentials';

export interface RunResult {
	/** Success items of the last run of the node. */
	items: INodeExecutionData[];
	/** Items of the error branch, if the node has one. */
	errorItems: INodeExecutionData[];
	error?: Error & { description?: string; httpCode?: string; context?: IDataObject };
	hints: string[];
	/** What n8n saves of the execution. */
	saved: IRunExecutionData;
}

export interface RunSettings {
	parameters: INodeParameters;
	/** Input of the node, as JSON or as complete items. */
	items?: Array<IDataObject | INodeExecutionData>;
	onError?: INode['onError'];
	/** Number of tries with *Retry On Fail*. */
	tries?: number;
	/** A failed run that a person retries: the node runs again as it was saved, with other parameters. */
	retryOf?: RunResult;
	/** Called when the execution starts. `stop` cancels it like the *Stop* button. */
	onStart?: (stop: () => void) => void;
	/** These settings of the credential. */
	limits?: Pick<ParcelShippingCredential, 'maxParallelRequests' | 'maxRetryWait'>;
	type?: string;
}

const TRIGGER = 'When clicking Execute';
const NODE = 'Parcel Shipping';
const CONTEXT_NODE = 'test.context';

/**
 * Runs the built package in n8n's own execution engine. `N8N_ENGINE=3` hides from the nodes what n8n 3 takes away
 * from them. n8n itself keeps it.
 */
export async function startEngine(
	credentialData: ParcelShippingCredential,
	otherTypes: Record<string, INodeType> = {},
	folder?: string,
	isN8n3 = process.env.N8N_ENGINE === '3',
) {
	let workInContext: (context: IExecuteFunctions) => Promise<void>;
	const contextNode: INodeType = {
		description: {
			...{ ...manualTrigger.description, inputs: ['main'] },
			credentials: [{ name: 'parcelShippingApi', required: true }],
		},
		async execute() {
			await workInContext(this);
			return [this.getInputData()];
		},
	};
	const types = { ...otherTypes, [CONTEXT_NODE]: contextNode };
	const { nodeTypes, credentialType } = await loadPackage(types, folder);
	if (isN8n3) hidePairedItems(nodeTypes);
	const credential = new StoredCredential(credentialData, credentialType);

	const run = async (settings: RunSettings) => executeNode(nodeTypes, credential, settings);

	/** Runs `work` in n8n's own execution context, as a node with this credential. */
	const within = async <Result>(
		work: (context: IExecuteFunctions) => Promise<Result>,
		onStart?: RunSettings['onStart'],
	) =>
		await new Promise<Result>((resolve, reject) => {
			workInContext = async (context) => await work(context).then(resolve, reject);
			const running = run({ parameters: {}, type: CONTEXT_NODE, ...(onStart ? { onStart } : {}) });
			// A stopped execution has no output. Only the outcome of `work` counts.
			running.catch(onStart ? () => undefined : reject);
		});

	return { run, within, credential, nodeTypes };
}

function hidePairedItems(nodeTypes: INodeTypes): void {
	const node = nodeTypes.getByNameAndVersion(`${PACKAGE}.parcelShipping`);
	const execute = node.execute as NonNullable<INodeType['execute']>;
	node.execute = async function () {
		const original = this.getWorkflowDataProxy.bind(this);
		this.getWorkflowDataProxy = (itemIndex) =>
			new Proxy(original(itemIndex), {
				get: (target: IWorkflowDataProxyData, key: string) =>
					key === '$getPairedItem' ? undefined : target[key],
			});
		return await execute.call(this);
	};
}

export type Engine = Awaited<ReturnType<typeof startEngine>>;

export async function executeNode(
	nodeTypes: INodeTypes,
	credential: StoredCredential,
	settings: RunSettings,
): Promise<RunResult> {
	const items = (settings.items ?? [{}]).map(asItem);
	const workflow = new Workflow({
		...{ id: 'engine', name: 'engine', active: false, nodeTypes },
		nodes: nodesOf(settings),
		connections: { [TRIGGER]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	});
	const additionalData = additionalDataFor(credential, settings.limits);
	const base = { id: 'engine', name: 'engine' } as IWorkflowBase;
	Object.assign(additionalData, { hooks: new ExecutionLifecycleHooks('manual', '1', base) });
	const execution = settings.retryOf
		? new WorkflowExecute(
				additionalData,
				'retry',
				savedToRetry(settings.retryOf, workflow.getNode(NODE) as INode, settings.items && items),
			).processRunExecutionData(workflow)
		: new WorkflowExecute(additionalData, 'manual').run({
				workflow,
				startNode: workflow.getNode(TRIGGER) as INode,
				pinData: { [TRIGGER]: items },
			});
	settings.onStart?.(() => execution.cancel());
	const finished = await execution;

	const { resultData } = finished.data;
	const task = resultData.runData[NODE]?.at(-1);
	if (!task) throw resultData.error ?? new Error('The node did not run');
	const [main, errors] = task.data?.main ?? [];
	const error = task.error ?? resultData.error;
	return {
		items: main ?? [],
		errorItems: errors ?? [],
		hints: (task.hints ?? []).map(({ message }) => message),
		saved: finished.data,
		...(error ? { error: error as NonNullable<RunResult['error']> } : {}),
	};
}

/** As n8n does for *Retry with currently saved workflow*: the failed node is next. */
function savedToRetry(
	{ saved }: RunResult,
	node: INode,
	items?: INodeExecutionData[],
): IRunExecutionData {
	const executionData = deepCopy(saved.executionData);
	const [next] = executionData?.nodeExecutionStack ?? [];
	if (next) Object.assign(next, { node }, items && { data: { main: [items] } });
	const runData = omit(saved.resultData.runData, NODE);
	return { ...saved, resultData: { runData }, executionData } as IRunExecutionData;
}

function nodesOf({ parameters, onError, tries = 1, type }: RunSettings): INode[] {
	return [
		{
			...{ id: 'trigger', name: TRIGGER, type: 'n8n-nodes-base.manualTrigger' },
			...{ typeVersion: 1, position: [0, 0], parameters: {} },
		},
		{
			...{ id: 'node', name: NODE, type: type ?? `${PACKAGE}.parcelShipping` },
			...{ typeVersion: 1, position: [200, 0], parameters },
			credentials: { parcelShippingApi: { id: '1', name: 'Sandbox' } },
			...(onError ? { onError } : {}),
			// n8n takes 1 for 2.
			...(tries > 1 ? { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 } : {}),
		},
	];
}

const asItem = (item: IDataObject | INodeExecutionData): INodeExecutionData =>
	'json' in item ? (item as INodeExecutionData) : { json: item };

/** n8n's context for loading the options of a form of the node. */
export function formContext(
	{ nodeTypes, credentialType }: Awaited<ReturnType<typeof loadPackage>>,
	parameters: INodeParameters,
	url: string,
): ILoadOptionsFunctions {
	const nodes = nodesOf({ parameters });
	const workflow = new Workflow({ id: 'w', nodes, connections: {}, active: false, nodeTypes });
	const credential = new StoredCredential(sandboxCredential(url), credentialType);
	const data = { ...additionalDataFor(credential), currentNodeParameters: parameters };
	const node = workflow.getNode(NODE) as INode;
	const context = new LoadOptionsContext(workflow, node, data, 'parameters');
	// The types of n8n-core and n8n-workflow differ in the workflow's name.
	return context as unknown as ILoadOptionsFunctions;
}
