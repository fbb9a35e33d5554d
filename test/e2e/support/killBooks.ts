// Compares what has happened with what n8n has stored, and finds out who is to blame for a difference.
import type { PollMode } from './killableN8n';
import type { Stored } from './storedByN8n';
import type { Answer } from './toldNews';

/** What n8n's database held at the moment of a kill. */
export interface Kill extends Stored {
	/** How many answers the service had given until then. */
	answers: number;
	/** How long it came after the service had the last of them ready. */
	afterAnswerMs: number;
}

export interface Verdict {
	events: number;
	/** In no execution, and nothing but an error of the trigger explains it. */
	lost: string[];
	/** In two executions, and nothing but an error of the trigger explains it. */
	doubled: string[];
	/** From before publishing, or never told at all. */
	strange: string[];
	/** n8n had saved the state that knows them, and was killed before it stored their execution. */
	lostByN8n: string[];
	/** n8n had stored their execution, and was killed before it saved the state that knows them. */
	doubledByN8n: string[];
	/** Handed to an execution that a kill cut off. */
	cutOff: string[];
	/** Handed to an execution that a kill cut off, and that n8n has emptied since. */
	emptied: string[];
	/** The kills that did so, by how long they came after the service's last answer. */
	lossesAfterMs: number[];
}

interface Told {
	since: readonly string[];
	answers: readonly Answer[];
}

export function compare(mode: PollMode, told: Told, kills: readonly Kill[], end: Stored): Verdict {
	const places = placesOf([...kills, end]);
	const { since } = told;
	// In the durable mode, n8n stores both in one transaction, and no kill comes between.
	const explains = (storedAlone: 'state' | 'execution', name: string) => (kill: Kill, at: number) =>
		mode === 'default' && isBetween(name, storedAlone, kill, kills[at - 1], told);
	const missing = since.filter((name) => !places.has(name));
	const repeated = since.filter((name) => (places.get(name)?.size ?? 0) > 1);
	const lostByN8n = missing.filter((name) => kills.some(explains('state', name)));
	const doubledByN8n = repeated.filter(
		(name) => places.get(name)?.size === 2 && kills.some(explains('execution', name)),
	);
	const unfinished = end.executions.filter(({ status }) => status !== 'success');
	const cutOff = since.filter((name) => unfinished.some(({ id }) => places.get(name)?.has(id)));
	const left = placesOf([end]);
	return {
		events: since.length,
		lost: missing.filter((name) => !lostByN8n.includes(name)),
		doubled: repeated.filter((name) => !doubledByN8n.includes(name)),
		strange: [...places.keys()].filter((name) => !since.includes(name)),
		lostByN8n,
		doubledByN8n,
		cutOff,
		emptied: cutOff.filter((name) => !left.has(name)),
		lossesAfterMs: kills
			.filter((kill, at) => missing.some((name) => explains('state', name)(kill, at)))
			.map(({ afterAnswerMs }) => afterAnswerMs),
	};
}

/** The executions of each event. n8n may empty one that was cut off, so each look at it counts. */
function placesOf(looks: readonly Stored[]): Map<string, Set<string>> {
	const places = new Map<string, Set<string>>();
	for (const { id, names } of looks.flatMap(({ executions }) => executions)) {
		for (const name of names) places.set(name, (places.get(name) ?? new Set()).add(id));
	}
	return places;
}

/**
 * Whether the kill fell between the two things that n8n stores of one poll: the state that knows the
 * event, and the execution that gets it. So the event must have been in the very last answer before
 * the kill and in no earlier one of the same process, and only the one thing must be stored.
 */
function isBetween(
	name: string,
	storedAlone: 'state' | 'execution',
	kill: Kill,
	before: Kill | undefined,
	{ answers }: Told,
): boolean {
	const given = answers.slice(before?.answers ?? 0, kill.answers);
	const last = given.at(-1);
	if (!last?.names.has(name) || given.some((each) => each !== last && each.names.has(name)))
		return false;
	const isStateSaved = kill.savedAtMs >= last.atMs;
	const stored = kill.executions.filter(({ names }) => names.includes(name)).length;
	return storedAlone === 'state' ? isStateSaved && stored === 0 : stored === 1 && !isStateSaved;
}
