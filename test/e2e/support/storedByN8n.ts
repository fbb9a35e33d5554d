// What stands in n8n's own database, read while no n8n runs on it: only that survives a kill.
import { DatabaseSync } from 'node:sqlite';

import { requireFromN8n } from '../../../scripts/demo/n8n';

export interface StoredExecution {
	id: string;
	status: string;
	/** The names of the events that the trigger has handed to it. */
	names: string[];
}

export interface Stored {
	executions: StoredExecution[];
	/** When the saved state of the trigger was made; 0 if none is saved. */
	savedAtMs: number;
}

interface ExecutionData {
	resultData: { runData?: Record<string, Array<{ data?: { main?: Items[] } }>> };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: { main: Items[] } }>;
	};
}

type Items = Array<{ json: { name?: string } }> | null;

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

/** n8n stores an execution with its input before it runs it, and with its results afterwards. */
function namesIn(text: string, trigger: string): string[] {
	const { parse } = requireFromN8n('flatted') as { parse(text: string): unknown };
	const { resultData, executionData } = parse(text) as ExecutionData;
	const done = resultData.runData?.[trigger]?.[0]?.data?.main;
	const waiting = executionData?.nodeExecutionStack?.find(({ node }) => node.name === trigger);
	const items = (done ?? waiting?.data.main ?? []).flatMap((each) => each ?? []);
	// n8n also stores an execution without any event for a poll that failed.
	return items.flatMap(({ json: { name } }) => name ?? []);
}

function savedAtOf(database: DatabaseSync, workflowId: string, trigger: string): number {
	const cursor = database
		.prepare('SELECT cursor AS data FROM poller_state WHERE workflowId = ?')
		.get(workflowId) as { data: string } | undefined;
	const workflow = database
		.prepare('SELECT staticData AS data FROM workflow_entity WHERE id = ?')
		.get(workflowId) as { data: string | null } | undefined;
	const nodes = JSON.parse(workflow?.data ?? '{}') as Record<string, { state?: string }>;
	const bucket = cursor
		? (JSON.parse(cursor.data) as { state?: string })
		: nodes[`node:${trigger}`];
	return bucket?.state ? (JSON.parse(bucket.state) as { savedAt: number }).savedAt : 0;
}
