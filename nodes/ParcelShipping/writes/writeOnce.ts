import type { Client } from '../transport/client';
import { describeError, type ErrorText, mayHaveActed } from '../transport/errors';
import {
	type Journal,
	type Kind,
	notDone,
	type OpenRequest,
	type Request,
	type Settled,
} from './journal';

// Creating, canceling, handing over and printing are the same act:
// 1. The request is in the journal before it is sent. So no retry can send it again.
// 2. It is sent once. If it certainly had no effect, it leaves the journal.
// 3. `judge` decides from the response and the records of the service. While records may still show
//    more, `find` reads them again. A service may finish a request after its gateway timed out, so
//    that finding nothing at first proves nothing.
// 4. The journal keeps what is done, and keeps open what is unknown.

/** How one kind of request is sent and judged. */
export interface Write<K extends Kind> {
	client: Pick<Client, 'isStopped' | 'pause'>;
	/** How long the records are read again. */
	maxWaitMs: number;
	send(request: Request<K>): Promise<K['response']>;
	/** Gives everything the request is about an outcome. Pure. */
	judge(seen: Seen<K>): Verdict<K>;
	/** Reads records about these. Absent if the service has none. */
	find?(about: Array<K['about']>, request: Request<K>): Promise<Array<K['found']>>;
}

/** What is known of a request that was sent. */
export interface Seen<K extends Kind> {
	request: Request<K>;
	response?: K['response'] | undefined;
	/** Why there is no response. Absent as well if n8n ended before it arrived. */
	failure?: ErrorText;
	/** The records that all searches have found. */
	found: Array<K['found']>;
	searches: number;
	/** Why the last search failed. */
	searchError?: string;
}

export interface Verdict<K extends Kind> {
	settled: Array<Settled<K>>;
	/** Those for which further records can change the outcome. */
	unsure: Array<K['about']>;
}

export async function writeOnce<K extends Kind>(
	journal: Journal<K>,
	request: Request<K>,
	write: Write<K>,
): Promise<Array<Settled<K>>> {
	const open = journal.begin(request);
	try {
		open.response = await write.send(request);
	} catch (thrown) {
		if (!mayHaveActed(thrown)) {
			const settled = notDone<K>(request.about, thrown);
			journal.close(open, settled);
			return settled;
		}
		open.failure = describeError(thrown);
	}
	return await settle(journal, open, write);
}

/** What earlier tries have done, and what the records say now about what they left open. */
export async function recall<K extends Kind>(
	journal: Journal<K>,
	write: Write<K>,
): Promise<Array<Settled<K>>> {
	const done = [...journal.done];
	const settled = await Promise.all(
		[...journal.open].map(async (open) => settle(journal, open, write)),
	);
	return [...done, ...settled.flat()];
}

async function settle<K extends Kind>(
	journal: Journal<K>,
	open: OpenRequest<K>,
	write: Write<K>,
): Promise<Array<Settled<K>>> {
	const { keys, request, failure } = open;
	const response = open.response as K['response'];
	const seen: Seen<K> = {
		request,
		response,
		...(failure ? { failure } : {}),
		found: [],
		searches: 0,
	};
	const isRetriedByPerson = journal.isRetriedByPerson(open);
	let verdict = write.judge(seen);
	if (write.find && verdict.unsure.length > 0) {
		// A person who retries the execution has waited already.
		const maxWaitMs = isRetriedByPerson ? 0 : write.maxWaitMs;
		verdict = await readBack(seen, verdict, write, maxWaitMs);
	}
	const isFree = isRetriedByPerson && (seen.searches > 0 || !write.find);
	const settled = verdict.settled.filter(({ about, outcome }) => {
		const wasOpen = about.some((each) => keys.includes(journal.keyOf(each)));
		// What an earlier try has done is also open if it may belong to what matches several.
		const isKnown = outcome.kind === 'done' && about.every((each) => journal.isDone(each));
		return wasOpen && !isKnown && !(isFree && outcome.kind === 'unknown');
	});
	journal.close(open, settled);
	return settled;
}

/** Reads the records again and again, until they settle everything or the time is over. */
async function readBack<K extends Kind>(
	seen: Seen<K>,
	first: Verdict<K>,
	write: Write<K>,
	maxWaitMs: number,
): Promise<Verdict<K>> {
	const { client, judge, find } = write;
	// Searches in a service that is in trouble take time as well, which must not add up.
	const endMs = Date.now() + 2 * maxWaitMs;
	let verdict = first;
	for (const pauseMs of [0, ...pausesBetweenSearches(maxWaitMs)]) {
		if (client.isStopped || (pauseMs > 0 && Date.now() > endMs)) break;
		if (pauseMs > 0) await client.pause(pauseMs);
		try {
			seen.found.push(...((await find?.(verdict.unsure, seen.request)) ?? []));
			seen.searches++;
			delete seen.searchError;
		} catch (thrown) {
			seen.searchError = describeError(thrown).message;
		}
		verdict = judge(seen);
		if (verdict.unsure.length === 0) break;
	}
	return verdict;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Growing pauses that add up to `maxWaitMs`. */
export function pausesBetweenSearches(maxWaitMs: number): number[] {
	const pauses: number[] = [];
	let next = Math.min(FIRST_PAUSE_MS, maxWaitMs / 8);
	for (let left = maxWaitMs; next > 0 && left > 0; left -= next, next *= 2) {
		next = Math.min(next, LONGEST_PAUSE_MS, left);
		pauses.push(Math.round(next));
	}
	return pauses;
}
