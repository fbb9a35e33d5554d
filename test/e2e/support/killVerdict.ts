// Compares the events of the service with what n8n stored, and decides whether the trigger or n8n
// caused a difference.
import type { PollMode } from './killableN8n';
import type { Stored } from './n8nDatabase';
import type { RecordedResponse } from './eventFeed';

/** What n8n's database contained after a kill. */
export interface Kill extends Stored {
	/** How many responses the service had sent before. */
	responses: number;
	/** How long after the last of them n8n was killed. */
	afterResponseMs: number;
}

export interface Verdict {
	events: number;
	/** In no execution, which only an error of the trigger explains. */
	lost: string[];
	/** In two executions, which only an error of the trigger explains. */
	doubled: string[];
	/** From before publishing, or unknown to the service. */
	unexpected: string[];
	/** n8n was killed after it saved the state with them, before it stored their execution. */
	lostByN8n: string[];
	/** n8n was killed after it stored their execution, before it saved the state with them. */
	doubledByN8n: string[];
	/** In an execution that a kill interrupted. */
	interrupted: string[];
	/** In an execution that a kill interrupted, and whose data n8n has deleted since. */
	deleted: string[];
	/** For the kills that lost events: how long after the last response n8n was killed. */
	lossesAfterMs: number[];
}

interface ServiceLog {
	since: readonly string[];
	responses: readonly RecordedResponse[];
}

export function judgeKills(
	mode: PollMode,
	service: ServiceLog,
	kills: readonly Kill[],
	end: Stored,
): Verdict {
	const executionIds = executionIdsByEvent([...kills, end]);
	const { since } = service;
	// The durable mode stores both in one transaction, so a kill can't separate them.
	const explains = (storedAlone: 'state' | 'execution', name: string) => (kill: Kill, at: number) =>
		mode === 'default' && isBetween(name, storedAlone, kill, kills[at - 1], service);
	const missing = since.filter((name) => !executionIds.has(name));
	const repeated = since.filter((name) => (executionIds.get(name)?.size ?? 0) > 1);
	const lostByN8n = missing.filter((name) => kills.some(explains('state', name)));
	const doubledByN8n = repeated.filter(
		(name) => executionIds.get(name)?.size === 2 && kills.some(explains('execution', name)),
	);
	const unfinished = end.executions.filter(({ status }) => status !== 'success');
	const interrupted = since.filter((name) =>
		unfinished.some(({ id }) => executionIds.get(name)?.has(id)),
	);
	const finalIds = executionIdsByEvent([end]);
	return {
		events: since.length,
		lost: missing.filter((name) => !lostByN8n.includes(name)),
		doubled: repeated.filter((name) => !doubledByN8n.includes(name)),
		unexpected: [...executionIds.keys()].filter((name) => !since.includes(name)),
		lostByN8n,
		doubledByN8n,
		interrupted,
		deleted: interrupted.filter((name) => !finalIds.has(name)),
		lossesAfterMs: kills
			.filter((kill, at) => missing.some((name) => explains('state', name)(kill, at)))
			.map(({ afterResponseMs }) => afterResponseMs),
	};
}

/** n8n may delete the data of an interrupted execution later, so every reading of the database counts. */
function executionIdsByEvent(readings: readonly Stored[]): Map<string, Set<string>> {
	const executionIds = new Map<string, Set<string>>();
	for (const { id, names } of readings.flatMap(({ executions }) => executions)) {
		for (const name of names) executionIds.set(name, (executionIds.get(name) ?? new Set()).add(id));
	}
	return executionIds;
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
