// Reads what n8n has stored: executions and data tables.
import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { requireFromN8n } from '../../../scripts/demo/n8n';
import { type N8nRest, RestError } from '../../../scripts/demo/rest';

interface StoredExecution {
	id: string;
	status: string;
	data: string;
}

interface ExecutionData {
	resultData: { runData: Record<string, ITaskData[]>; error?: { message: string } };
}

export const isUnfinished = ({ status }: { status: string }) =>
	['new', 'running', 'waiting'].includes(status);

/** One run of a workflow, as n8n stored it. */
export class Execution {
	constructor(
		readonly id: string,
		readonly status: string,
		private readonly data: ExecutionData,
	) {}

	/** The error that ended the execution. */
	get error(): { message: string } | undefined {
		return this.data.resultData.error;
	}

	/** The items of a node's last run, by default those of its first output. */
	itemsOf(node: string, output = 0): INodeExecutionData[] {
		const runs = this.data.resultData.runData[node] ?? [];
		return runs.at(-1)?.data?.main?.[output] ?? [];
	}

	/** The `json` of these items. */
	jsonOf(node: string, output = 0): Array<INodeExecutionData['json']> {
		return this.itemsOf(node, output).map(({ json }) => json);
	}
}

type Nothing = undefined | false;

/** Repeats `look` until it returns something: not undefined, not false, and no empty list. */
export async function untilThereIs<Found>(
	look: () => Promise<Found | Nothing> | Found | Nothing,
	withinMs = 30_000,
): Promise<Exclude<Found, Nothing>> {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const found = await look();
		const isEmpty = Array.isArray(found) && found.length === 0;
		if (found !== undefined && found !== false && !isEmpty) return found as Exclude<Found, Nothing>;
		if (Date.now() > deadlineMs) throw new Error(`No result after ${withinMs / 1000} s`);
		await sleep(200);
	}
}

/** Waits until the execution is over and reads it. */
export async function readExecution(n8n: N8nRest, id: string): Promise<Execution> {
	return await untilThereIs(async () => {
		const request = n8n.request<StoredExecution>('GET', `/executions/${id}`);
		const stored = await request.catch((error: unknown) => {
			// n8n 2.20 responds with this status while the execution has no data yet.
			if (!(error instanceof RestError) || error.status !== 500) throw error;
		});
		if (!stored || isUnfinished(stored)) return undefined;
		return new Execution(stored.id, stored.status, parseExecutionData(stored.data));
	}, 45_000);
}

/** n8n stores the data of an execution in the form of the package "flatted". */
export function parseExecutionData<Data = ExecutionData>(text: string): Data {
	return (requireFromN8n('flatted') as { parse(text: string): Data }).parse(text);
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

const PAGE = 100;

/** Returns the rows of a data table. */
export async function readTable<Row>(n8n: N8nRest, name: string): Promise<Row[]> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data: tables } = await n8n.request<{ data: Array<{ id: string; projectId: string }> }>(
		'GET',
		`/data-tables-global?filter=${filter}`,
	);
	const path = `/projects/${tables[0]?.projectId}/data-tables/${tables[0]?.id}/rows`;
	const rows: Row[] = [];
	for (;;) {
		const page = `${path}?take=${PAGE}&skip=${rows.length}&sortBy=id:asc`;
		const { data } = await n8n.request<{ data: Row[] }>('GET', page);
		rows.push(...data);
		if (data.length < PAGE) return rows;
	}
}
