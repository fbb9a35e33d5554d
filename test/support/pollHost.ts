import { additionalDataFor, PACKAGE, type StoredCredential, typesBy } from './host';

import { PollContext, PollTriggerExecutor, TriggersAndPollers } from 'n8n-core';
import {
	deepCopy,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IPollFunctions,
	type WorkflowActivateMode,
	Workflow,
} from 'n8n-workflow';
import { AsyncLocalStorage } from 'node:async_hooks';

// Combines n8n-core's poll context and poll executor with the rules of the application: when static
// data is saved, and which state remains after a kill. The rules are those of n8n 2.41
// (packages/cli: workflows/triggers/trigger-execution-context.factory.ts, poll-cursor.service.ts,
// scheduling/poll-trigger-node/poll-trigger-task.handler.ts, and the activation code, which ends
// with `saveStaticData`).

/** default: polls in memory. durable: scheduled polls that commit their state with each execution. */
export type HostMode = 'default' | 'durable';

const TRIGGER = `${PACKAGE}.parcelShippingTrigger`;

interface Emission {
	items: INodeExecutionData[];
	isStateSaved: boolean;
}

let hosts = 0;

export class PollHost {
	/** The items of each execution that n8n started. */
	readonly executions: INodeExecutionData[][] = [];

	/** Called when n8n starts an execution, or loses it in a kill after it has saved the state. */
	onExecution: (items: INodeExecutionData[], isLost: boolean) => void = () => {};

	/** Polls that n8n recorded as failed executions. */
	readonly failures: Error[] = [];

	nodeName = 'Trigger';

	/** Which of n8n's credentials the node has. */
	credentialId = '1';

	/** Timezone of the workflow. */
	timezone = 'Europe/Prague';

	/** Time limits for a poll: what n8n 2.41 has without further settings. */
	readonly budgetMs: Record<HostMode, number> = { default: 300_000, durable: 36_000 };

	/** The data that survives a kill: static data and the states of the durable mode. */
	private readonly database = { staticData: '{}', cursors: new Map<string, string>() };

	/** Warnings of the node in n8n's log. */
	readonly warnings: string[] = [];

	private readonly executor = newExecutor();

	/** Of each host another one, because the node remembers something about each workflow. */
	private readonly workflowId = `poll-${++hosts}`;

	private triggerType: INodeType;

	private parameters: INodeParameters = {};

	isPublished = false;

	/** The poll function of the active version, which only the default mode calls. */
	private poll: ((isFirst: boolean) => Promise<void>) | undefined;

	/** What the latest activation registered. */
	private registered: Parameters<PollTriggerExecutor['create']> | undefined;

	/** Counts activations. The default mode discards the results of polls of older activations. */
	private version = 0;

	private process = 0;

	/** What this process is writing into the database, one after the other. */
	private writing = Promise.resolve();

	private readonly emitting = new Set<Emission>();

	/** `save` takes the time that the database takes. */
	constructor(
		public mode: HostMode,
		readonly credential: StoredCredential,
		private readonly loadTrigger: () => INodeType,
		private readonly save = async () => {},
	) {
		this.triggerType = loadTrigger();
	}

	get events(): IDataObject[] {
		return this.executions.flat().map(({ json }) => json);
	}

	/** The node's state in n8n's database. */
	get savedState(): string | undefined {
		const { cursors, staticData } = this.database;
		const { state } = JSON.parse(cursors.get('node-1') ?? '{}') as IDataObject;
		const { global } = JSON.parse(staticData) as Record<string, IDataObject>;
		return (state ?? global?.['parcelShippingTrigger:node-1']) as string | undefined;
	}

	/** Publishes the workflow, or a new version of it. Throws the error of the first poll, like n8n. */
	async publish(
		parameters: INodeParameters,
		activation: WorkflowActivateMode = 'activate',
	): Promise<void> {
		this.parameters = parameters;
		const version = ++this.version;
		const { process } = this;
		await this.saved();
		if (this.process !== process) return;
		const workflow = this.newWorkflow(parameters);
		const context = this.newContext(workflow, activation, () => this.budgetMs.default);
		const node = workflow.getNode(this.nodeName) as INode;
		this.registered = [workflow, node, context, () => this.version === version];
		const poll = this.executor.create(...this.registered);
		await poll(true);
		if (this.process !== process) return;
		this.poll = poll;
		this.isPublished = true;
		await this.write(this.staticDataOf(workflow));
	}

	unpublish(): void {
		this.version++;
		this.poll = undefined;
		this.isPublished = false;
	}

	/** Runs a scheduled poll. */
	async tick(): Promise<void> {
		if (this.mode === 'default') await this.poll?.(false);
		else if (this.poll) await this.pollDurably();
	}

	/**
	 * Returns a poll of the latest activation that goes on when the workflow is published again, as in
	 * versions of n8n before mid-2026.
	 */
	leak(): () => Promise<void> {
		if (!this.registered) throw new Error('Nothing is published');
		const [workflow, node, context] = this.registered;
		const poll = this.executor.create(workflow, node, context, () => true);
		return async () => await poll(false);
	}

	/** Simulates `kill -9`: only the database remains. */
	kill(): void {
		this.version++;
		this.process++;
		this.poll = undefined;
		this.writing = Promise.resolve();
		for (const { items, isStateSaved } of this.emitting) {
			if (isStateSaved) this.onExecution(items, true);
		}
		this.emitting.clear();
		this.triggerType = this.loadTrigger();
	}

	/** Resolves when everything is written that this process writes now. */
	async saved(): Promise<void> {
		await this.writing;
	}

	/** *Fetch Test Event* in the editor. */
	async fetchTestEvent(parameters: INodeParameters): Promise<IDataObject[] | null> {
		const workflow = this.newWorkflow(parameters);
		const before = JSON.stringify(workflow.staticData);
		const node = workflow.getNode(this.nodeName) as INode;
		const data = additionalDataFor(this.credential);
		const context = new PollContext(workflow, node, data, 'manual', 'manual');
		const items = await this.triggerType.poll?.call(context as unknown as IPollFunctions);
		if (JSON.stringify(workflow.staticData) !== before)
			throw new Error('The test event changed the static data');
		return items?.[0]?.map(({ json }) => json) ?? null;
	}

	/** The durable scheduler creates a new context for each poll. */
	private async pollDurably(): Promise<void> {
		const { process } = this;
		const workflow = this.newWorkflow(this.parameters);
		const context = this.newContext(workflow, 'update', () => this.budgetMs.durable);
		const node = workflow.getNode(this.nodeName) as INode;
		const isActive = () => this.process === process && this.isPublished;
		await this.executor.create(workflow, node, context, isActive)(false);
	}

	private newWorkflow(parameters: INodeParameters): Workflow {
		const node: INode = {
			...{ id: 'node-1', name: this.nodeName, type: TRIGGER, typeVersion: 1, position: [0, 0] },
			// Tests compare the events as the provider sends them, unless they say otherwise.
			parameters: { simplify: false, ...deepCopy(parameters) },
			credentials: { parcelShippingApi: { id: this.credentialId, name: 'Sandbox' } },
		};
		return new Workflow({
			...{ id: this.workflowId, name: 'poll', nodes: [node], connections: {}, active: true },
			nodeTypes: typesBy(() => this.triggerType),
			staticData: JSON.parse(this.database.staticData) as IDataObject,
			settings: { executionOrder: 'v1', timezone: this.timezone },
		});
	}

	private newContext(
		workflow: Workflow,
		activation: WorkflowActivateMode,
		getBudgetMs: () => number,
	): IPollFunctions {
		const staged = new AsyncLocalStorage<{ snapshot: IDataObject; seed: string }>();
		const { cursors } = this.database;
		/** Commits what the poll has changed. */
		const stagedCursor = () => {
			const store = staged.getStore();
			const text = JSON.stringify(store?.snapshot);
			// A poll that changed nothing does not overwrite what another one has stored since.
			if (!store || text === store.seed) return undefined;
			store.seed = text;
			return () => void cursors.set('node-1', text);
		};
		const start = (items: INodeExecutionData[][]) => {
			const emission: Emission = { items: deepCopy(items[0] ?? []), isStateSaved: false };
			this.emitting.add(emission);
			const saveData = this.staticDataOf(workflow);
			const commit = stagedCursor();
			const execute = () => {
				this.emitting.delete(emission);
				this.executions.push(emission.items);
				this.onExecution(emission.items, false);
			};
			const noteState = () => void (emission.isStateSaved = true);
			// Only the durable mode has a transaction.
			const isOneStep = commit && this.mode === 'durable';
			if (isOneStep) void this.write(saveData, () => (commit(), execute()));
			else if (commit) void this.write(saveData, () => (commit(), noteState()), execute);
			else void this.write(() => (saveData(), noteState()), execute);
		};
		const node = workflow.getNode(this.nodeName) as INode;
		const bucket = () => workflow.getStaticData('node', node);
		// A node that has a durable state keeps it in both modes.
		const isDurable = () => this.mode === 'durable' || cursors.has('node-1');
		const runPoll = async <T>(run: () => Promise<T>): Promise<T> => {
			if (!isDurable()) return await run();
			const seed = cursors.get('node-1') ?? JSON.stringify(bucket());
			cursors.set('node-1', seed);
			return await staged.run({ snapshot: JSON.parse(seed) as IDataObject, seed }, run);
		};
		const context = new PollContext(
			workflow,
			node,
			additionalDataFor(this.credential),
			'trigger',
			activation,
			start,
			(error) => void this.failures.push(error),
			async () => {
				const commit = stagedCursor();
				if (commit) await this.write(commit);
			},
			runPoll,
			() => staged.getStore()?.snapshot ?? bucket(),
			getBudgetMs,
		);
		const warn = (message: string) => void this.warnings.push(message);
		Object.defineProperty(context, 'logger', { value: { warn, debug: () => {} } });
		// The types of n8n-core and n8n-workflow differ in optional properties.
		return context as unknown as IPollFunctions;
	}

	/** Saves the static data as it is now, if the node has changed it. */
	private staticDataOf({ staticData }: Workflow): () => void {
		const changes = staticData as { __dataChanged?: boolean };
		if (!changes.__dataChanged) return () => {};
		changes.__dataChanged = false;
		const text = JSON.stringify(staticData);
		return () => void (this.database.staticData = text);
	}

	/** Takes one step after the other, unless the process is killed in between. */
	private async write(...steps: Array<() => void>): Promise<void> {
		const { process } = this;
		this.writing = this.writing.then(async () => {
			for (const step of steps) {
				await this.save();
				if (this.process === process) step();
			}
		});
		await this.writing;
	}
}

/** n8n-core's poll executor without logging and tracing. */
function newExecutor(): PollTriggerExecutor {
	const nothing = () => {};
	const logger = { debug: nothing, error: nothing, scoped: () => logger };
	const span = { setStatus: nothing };
	const withSpan = async <T>(_: unknown, work: (of: object) => Promise<T>) => await work(span);
	const attributes = { pickWorkflowAttributes: () => ({}), pickNodeAttributes: () => ({}) };
	const tracing = { startSpan: withSpan, startNewTraceSpan: withSpan, ...attributes };
	const [triggers, reporter] = [new TriggersAndPollers(), { error: nothing }];
	return new PollTriggerExecutor(logger as never, triggers, tracing as never, reporter as never);
}
