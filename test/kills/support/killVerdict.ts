// Compares the events of the provider with what n8n stored, and decides whether the trigger or n8n
// caused a difference.
import { difference, groupBy, map, mapValues, uniq } from 'lodash';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { parseExecutionData } from '../../e2e/support/executions';

/** One response to the trigger. It contains all events that were added before. */
export interface RecordedResponse {
	atMs: number;
	names: ReadonlySet<string>;
}

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

export function judgeKills(
	mode: 'default' | 'durable',
	since: readonly string[],
	responses: readonly RecordedResponse[],
	kills: readonly Kill[],
	end: Stored,
) {
	// n8n may delete the data of an interrupted execution later, so every reading counts.
	const found = [...kills, end].flatMap(({ executions }) =>
		executions.flatMap(({ id, names }) => names.map((name) => ({ id, name }))),
	);
	const idsOf = mapValues(groupBy(found, 'name'), (rows) => uniq(map(rows, 'id')));
	/**
	 * Whether n8n was killed after storing only one of the two results of a poll: the state with the event, or the
	 * execution with the event. So the last response before the kill must be the first one of this process that contains
	 * the event, and only that one result must be stored.
	 */
	const isBetween = (name: string, storedAlone: 'state' | 'execution', at: number) => {
		const { responses: until, savedAtMs, executions } = kills[at] as Kill;
		const received = responses.slice(kills[at - 1]?.responses ?? 0, until);
		const last = received.pop();
		if (!last?.names.has(name) || received.some(({ names }) => names.has(name))) return false;
		const isStateSaved = savedAtMs >= last.atMs;
		const stored = executions.filter(({ names }) => names.includes(name)).length;
		return storedAlone === 'state' ? isStateSaved && stored === 0 : stored === 1 && !isStateSaved;
	};
	// The durable mode stores both in one transaction, so a kill cannot separate them.
	const isExplained = (storedAlone: 'state' | 'execution') => (name: string) =>
		mode === 'default' && kills.some((_, at) => isBetween(name, storedAlone, at));
	const missing = since.filter((name) => !idsOf[name]);
	const repeated = since.filter((name) => (idsOf[name]?.length ?? 0) > 1);
	const lostByN8n = missing.filter(isExplained('state'));
	const twice = repeated.filter((name) => idsOf[name]?.length === 2);
	const repeatedByN8n = twice.filter(isExplained('execution'));
	return {
		events: since.length,
		// In no execution, or in two, which only an error of the trigger explains.
		lost: difference(missing, lostByN8n),
		repeated: difference(repeated, repeatedByN8n),
		// From before publishing, or unknown to the provider.
		unexpected: difference(Object.keys(idsOf), since),
		// n8n was killed after it stored one of the two, before it stored the other.
		...{ lostByN8n, repeatedByN8n },
	};
}

/** The name of the trigger starts with `trigger`, also after it was renamed. No other name does. */
export function readStored(folder: string, workflowId: string, trigger: string): Stored {
	const database = new DatabaseSync(path.join(folder, '.n8n/database.sqlite'));
	const read = (query: string) =>
		database.prepare(query).all(workflowId) as Array<Record<string, string | null>>;
	const rows = read(
		`SELECT e.id, d.data FROM execution_entity e
		JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ? ORDER BY e.id`,
	);
	const [workflow] = read('SELECT staticData FROM workflow_entity WHERE id = ?');
	database.close();
	const { global = {} } = JSON.parse(workflow?.staticData ?? '{}') as IDataObject;
	const states = Object.entries(global as Record<string, string>)
		.filter(([key]) => key.startsWith('parcelShippingTrigger:'))
		.map(([, state]) => JSON.parse(state) as { savedAt: number });
	return {
		executions: rows.map(({ id, data }) => {
			return { id: String(id), names: namesIn(String(data), trigger) };
		}),
		savedAtMs: Math.max(0, ...states.map(({ savedAt }) => savedAt)),
	};
}

/** n8n stores an execution with its input before running it, and with its results afterwards. */
function namesIn(text: string, trigger: string): string[] {
	const { resultData, executionData } = parseExecutionData<IRunExecutionData>(text);
	const isTrigger = (name: string) => name.startsWith(trigger);
	const [, runs] = Object.entries(resultData.runData ?? {}).find(([name]) => isTrigger(name)) ?? [];
	const waiting = executionData?.nodeExecutionStack?.find(({ node }) => isTrigger(node.name));
	const items = (runs?.[0]?.data?.main ?? waiting?.data.main ?? []).flat();
	// For a failed poll, n8n stores an execution without events.
	return items.flatMap((item) => (item?.json.name as string | undefined) ?? []);
}
