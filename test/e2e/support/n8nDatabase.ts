// Reads what survives a kill from n8n's database, while n8n is not running.
import { DatabaseSync } from 'node:sqlite';

import { requireFromN8n } from '../../../scripts/demo/n8n';

export interface StoredExecution {
	id: string;
	status: string;
	/** The names of the events that the trigger emitted to it. */
	names: string[];
}

export interface Stored {
	executions: StoredExecution[];
	/** When the trigger created its saved state; 0 if none is saved. */
	savedAtMs: number;
}

interface ExecutionData {
	resultData: { runData?: Record<string, Array<{ data?: { main?: Items[] } }>> };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: { main: Items[] } }>;
	};
}

type Items = Array<{ json: { name?: string } }> | null;

/** The name of the trigger starts with `trigger`, also after it was renamed. No other name does. */
export function readStored(file: string, workflowId: string, trigger: string): Stored {
	const database = new DatabaseSync(file);
	try {
		const rows = database
			.prepare(
				`SELECT e.id, e.status, d.data FROM execution_entity e
				JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ? ORDER BY e.id`,
			)
			.all(workflowId) as Array<{ id: number; status: string; data: string }>;
		return {
			executions: rows.map(({ id, status, data }) => ({
				id: String(id),
				status,
				names: namesIn(data, trigger),
			})),
			savedAtMs: savedAtOf(database, workflowId, trigger),
		};
	} finally {
		database.close();
	}
}

/** n8n stores an execution with its input before running it, and with its results afterwards. */
function namesIn(text: string, trigger: string): string[] {
	const { parse } = requireFromN8n('flatted') as { parse(text: string): unknown };
	const { resultData, executionData } = parse(text) as ExecutionData;
	const runs = Object.entries(resultData.runData ?? {}).find(([name]) => name.startsWith(trigger));
	const done = runs?.[1][0]?.data?.main;
	const stack = executionData?.nodeExecutionStack;
	const waiting = stack?.find(({ node }) => node.name.startsWith(trigger));
	const items = (done ?? waiting?.data.main ?? []).flatMap((each) => each ?? []);
	// For a failed poll, n8n stores an execution without events.
	return items.flatMap(({ json: { name } }) => name ?? []);
}

function savedAtOf(database: DatabaseSync, workflowId: string, trigger: string): number {
	const cursor = database
		.prepare('SELECT cursor AS data FROM poller_state WHERE workflowId = ?')
		.get(workflowId) as { data: string } | undefined;
	const workflow = database
		.prepare('SELECT staticData AS data FROM workflow_entity WHERE id = ?')
		.get(workflowId) as { data: string | null } | undefined;
	const buckets = JSON.parse(workflow?.data ?? '{}') as Record<string, Bucket>;
	const ofTrigger = Object.entries(buckets).filter(([key]) => key.startsWith(`node:${trigger}`));
	const candidates = cursor
		? [JSON.parse(cursor.data) as Bucket]
		: ofTrigger.map(([, each]) => each);
	return Math.max(0, ...candidates.flatMap(({ state }) => (state ? savedAtIn(state) : [])));
}

interface Bucket {
	state?: string;
}

function savedAtIn(state: string): number {
	return (JSON.parse(state) as { savedAt: number }).savedAt;
}
