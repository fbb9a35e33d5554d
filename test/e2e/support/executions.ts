import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { requireFromN8n } from '../../../scripts/demo/n8n';
import { type N8nRest, RestError } from '../../../scripts/demo/rest';

type Status = 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';

interface StoredExecution {
	id: string;
	status: Status;
	mode: string;
	/** JSON in the form of the package "flatted". */
	data: string;
}

interface ExecutionData {
	resultData: {
		runData: Record<string, ITaskData[]>;
		error?: ExecutionError;
	};
}

export interface ExecutionError {
	message: string;
	description?: string;
	httpCode?: string;
	node?: { name: string };
}

/** One run of a workflow, as n8n stored it. */
export class Execution {
	constructor(
		readonly id: string,
		readonly status: Status,
		private readonly data: ExecutionData,
	) {}

	/** The error that ended the execution. */
	get error(): ExecutionError | undefined {
		return this.data.resultData.error;
	}

	/** The runs of a node. A node in a loop has several. */
	runsOf(node: string): ITaskData[] {
		return this.data.resultData.runData[node] ?? [];
	}

	/** The items of a node's last run, by default those of its first output. */
	itemsOf(node: string, output = 0): INodeExecutionData[] {
		return this.runsOf(node).at(-1)?.data?.main?.[output] ?? [];
	}

	/** The `json` of these items. */
	jsonOf(node: string, output = 0): Array<INodeExecutionData['json']> {
		return this.itemsOf(node, output).map(({ json }) => json);
	}
}

/** Waits until the execution is over and reads it. */
export async function readExecution(n8n: N8nRest, id: string, withinMs = 45_000) {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const stored = await findExecution(n8n, id);
		const status = stored?.status ?? 'new';
		if (stored && !['new', 'running', 'waiting'].includes(status)) return toExecution(stored);
		if (Date.now() > deadlineMs) {
			throw new Error(`Execution ${id} is still "${status}" after ${withinMs / 1000} s`);
		}
		await sleep(100);
	}
}

async function findExecution(n8n: N8nRest, id: string): Promise<StoredExecution | undefined> {
	try {
		return await n8n.request<StoredExecution>('GET', `/executions/${id}`);
	} catch (error) {
		// n8n 2.20 responds with this status while the execution has no data yet.
		if (error instanceof RestError && error.status === 500) return undefined;
		throw error;
	}
}

/** Returns the executions of a workflow, oldest first. */
export async function executionsOf(n8n: N8nRest, workflowId: string): Promise<Execution[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const { results } = await n8n.request<{ results: Array<{ id: string }> }>(
		'GET',
		`/executions?filter=${filter}&limit=100`,
	);
	const ids = results.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
	return await Promise.all(ids.map((id) => readExecution(n8n, id)));
}

function toExecution({ id, status, data }: StoredExecution): Execution {
	const { parse } = requireFromN8n('flatted') as { parse(text: string): unknown };
	return new Execution(id, status, parse(data) as ExecutionData);
}
