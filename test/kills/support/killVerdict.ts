// Compares the events of the provider with what n8n stored, and decides whether the trigger or n8n
// caused a difference.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { RecordedResponse } from '../../e2e/support/eventFeed';
import { parseExecutionData } from '../../e2e/support/executions';

/** What n8n's database contains while n8n is not running. */
export interface Stored {
	executions: Array<{ id: string; names: string[] }>;
	/** When the trigger created its saved state; 0 if none is saved. */
	savedAtMs: number;
}

/** What it contained after a kill. */
export interface Kill extends Stored {
	/** How many responses the provider had sent before. */
	responses: number;
}

export interface Verdict {
	events: number;
	/** In no execution, which only an error of the trigger explains. */
	lost: string[];
	/** In two executions, which only an error of the trigger explains. */
	repeated: string[];
	/** From before publishing, or unknown to the provider. */
	unexpected: string[];
	/** n8n was killed after it saved the state with them, before it stored their execution. */
	lostByN8n: string[];
	/** n8n was killed after it stored their execution, before it saved the state with them. */
	repeatedByN8n: string[];
}

interface ServiceLog {
	since: readonly string[];
	responses: readonly RecordedResponse[];
}

export function judgeKills(
	mode: 'default' | 'durable',
	service: ServiceLog,
	kills: readonly Kill[],
	end: Stored,
): Verdict {
	// n8n may delete the data of an interrupted execution later, so every reading counts.
	const executionIds = new Map<string, Set<string>>();
	for (const { id, names } of [...kills, end].flatMap(({ executions }) => executions)) {
		for (const name of names) executionIds.set(name, (executionIds.get(name) ?? new Set()).add(id));
	}
	const { since } = service;
	// The durable mode stores both in one transaction, so a kill cannot separate them.
	const isExplained = (storedAlone: 'state' | 'execution') => (name: string) =>
		mode === 'default' &&
		kills.some((kill, at) => isBetween(name, storedAlone, kill, kills[at - 1], service));
	const missing = since.filter((name) => !executionIds.has(name));
	const repeated = since.filter((name) => (executionIds.get(name)?.size ?? 0) > 1);
	const lostByN8n = missing.filter(isExplained('state'));
	const repeatedByN8n = repeated
		.filter((name) => executionIds.get(name)?.size === 2)
		.filter(isExplained('execution'));
	return {
		events: since.length,
		lost: missing.filter((name) => !lostByN8n.includes(name)),
		repeated: repeated.filter((name) => !repeatedByN8n.includes(name)),
		unexpected: [...executionIds.keys()].filter((name) => !since.includes(name)),
		lostByN8n,
		repeatedByN8n,
	};
}

/**
 * Whether n8n was killed after storing only one of the two results of a poll: the state with the event,
 * or the execution with the event. So the last response before the kill must be the first one of this
 * process that contains the event, and only that one result must be stored.
 */
function isBetween(
	name: string,
	storedAlone: 'state' | 'execution',
	kill: Kill,
	before: Kill | undefined,
	{ responses }: ServiceLog,
): boolean {
	const received = responses.slice(before?.responses ?? 0, kill.responses);
	const last = received.at(-1);
	if (!last?.names.has(name) || received.some((each) => each !== last && each.names.has(name)))
		return false;
	const isStateSaved = kill.savedAtMs >= last.atMs;
	const stored = kill.executions.filter(({ names }) => names.includes(name)).length;
	return storedAlone === 'state' ? isStateSaved && stored === 0 : stored === 1 && !isStateSaved;
}

/** The name of the trigger starts with `trigger`, also after it was renamed. No other name does. */
export function readStored(folder: string, workflowId: string, trigger: string): Stored {
	const database = new DatabaseSync(path.join(folder, '.n8n/database.sqlite'));
	try {
		const rows = database
			.prepare(
				`SELECT e.id, d.data FROM execution_entity e
				JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ? ORDER BY e.id`,
			)
			.all(workflowId) as Array<{ id: number; data: string }>;
		return {
			executions: rows.map(({ id, data }) => ({ id: String(id), names: namesIn(data, trigger) })),
			savedAtMs: savedAtOf(database, workflowId),
		};
	} finally {
		database.close();
	}
}

type Items = Array<{ json: { name?: string } }> | null;

interface ExecutionData {
	resultData: { runData?: Record<string, Array<{ data?: { main?: Items[] } }>> };
	executionData?: {
		nodeExecutionStack?: Array<{ node: { name: string }; data: { main: Items[] } }>;
	};
}

/** n8n stores an execution with its input before running it, and with its results afterwards. */
function namesIn(text: string, trigger: string): string[] {
	const { resultData, executionData } = parseExecutionData<ExecutionData>(text);
	const runs = Object.entries(resultData.runData ?? {}).find(([name]) => name.startsWith(trigger));
	const done = runs?.[1][0]?.data?.main;
	const stack = executionData?.nodeExecutionStack;
	const waiting = stack?.find(({ node }) => node.name.startsWith(trigger));
	const items = (done ?? waiting?.data.main ?? []).flatMap((each) => each ?? []);
	// For a failed poll, n8n stores an execution without events.
	return items.flatMap(({ json: { name } }) => name ?? []);
}

function savedAtOf(database: DatabaseSync, workflowId: string): number {
	const { staticData } = database
		.prepare('SELECT staticData FROM workflow_entity WHERE id = ?')
		.get(workflowId) as { staticData: string | null };
	const { global = {} } = JSON.parse(staticData ?? '{}') as { global?: Record<string, string> };
	const states = Object.entries(global).filter(([key]) => key.startsWith('parcelShippingTrigger:'));
	return Math.max(0, ...states.map(([, state]) => (JSON.parse(state) as SavedState).savedAt));
}

interface SavedState {
	savedAt: number;
}
