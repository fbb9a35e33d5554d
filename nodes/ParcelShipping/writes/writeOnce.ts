import type { Client, UnsafeCalls } from '../transport/client';
import { describeError, type ErrorText, mayHaveActed } from '../transport/errors';
import { type Journal, type Kind, notDone, type Request, type Settled } from './journal';

// Creating, canceling, handing over and printing are the same act:
// 1. The request is in the journal before it is sent. So no retry can send it again.
// 2. It is sent once. If it certainly had no effect, it leaves the journal.
// 3. `judge` decides from the response and the records of the service. While records may still show
//    more, `find` reads them again. A service may finish a request after its gateway timed out, so
//    that finding nothing at first proves nothing.
// 4. The journal keeps what is done, and keeps open what is unknown. `recall` deals with that in the
//    next try.

/** How one kind of request is sent and judged. */
export interface Write<K extends Kind> {
	client: Client;
	/** How long the records are read again. */
	maxWaitMs: number;
	/** `calls` are the requests that nothing else can send. */
	send(request: Request<K>, calls: UnsafeCalls): Promise<K['response']>;
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
	failure?: ErrorText | undefined;
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
		open.response = await write.send(request, write.client as unknown as UnsafeCalls);
	} catch (thrown) {
		if (!mayHaveActed(thrown)) {
			const settled = notDone<K>(request.about, thrown);
			journal.close(open, settled);
			return settled;
		}
		open.failure = describeError(thrown);
	}
	const { settled } = await judgeWithRecords(open, write, write.maxWaitMs);
	journal.close(open, settled);
	return settled;
}

/** The outcomes of a request. Records are read until they settle everything or the time is over. */
export async function judgeWithRecords<K extends Kind>(
	{ request, response, failure }: Pick<Seen<K>, 'request' | 'response' | 'failure'>,
	{ client, judge, find }: Write<K>,
	maxWaitMs: number,
): Promise<Verdict<K> & { searches: number }> {
	const seen: Seen<K> = { request, response, failure, found: [], searches: 0 };
	// Searches in a service that is in trouble take time as well, which must not add up.
	const endMs = Date.now() + 2 * maxWaitMs;
	let verdict = judge(seen);
	if (!find || verdict.unsure.length === 0) return { ...verdict, searches: 0 };
	for (const pauseMs of [0, ...pausesBetweenSearches(maxWaitMs)]) {
		if (client.isStopped) break;
		if (pauseMs > 0 && Date.now() > endMs) break;
		if (pauseMs > 0) await client.pause(pauseMs);
		try {
			seen.found.push(...(await find(verdict.unsure, request)));
			seen.searches++;
			delete seen.searchError;
		} catch (thrown) {
			seen.searchError = describeError(thrown).message;
		}
		verdict = judge(seen);
		if (verdict.unsure.length === 0) break;
	}
	return { ...verdict, searches: seen.searches };
}

/**
 * What earlier tries have done, and what the records say now about what they left open. Nothing of it
 * is sent again, with one exception: a person who retries the execution has seen what was unknown, so
 * that what the records do not show now is free. What was created or printed for one of several
 * things, but not certainly for which, is not.
 */
export async function recall<K extends Kind>(
	journal: Journal<K>,
	write: Write<K>,
): Promise<Array<Settled<K>>> {
	const done = [...journal.done];
	const recalled = await Promise.all(
		[...journal.open].map(async (open) => {
			const isByPerson = journal.isRetriedByPerson(open);
			// A person has waited already.
			const { settled, searches } = await judgeWithRecords<K>(
				open,
				write,
				isByPerson ? 0 : write.maxWaitMs,
			);
			const isFree = isByPerson && (searches > 0 || !write.find);
			const own = settled.filter(({ about, outcome }) => {
				const wasOpen = about.some((each) => open.keys.includes(journal.keyOf(each)));
				// What an earlier try has done is also open if it may belong to what matches several.
				const isKnown = outcome.kind === 'done' && about.every((each) => journal.isDone(each));
				return wasOpen && !isKnown;
			});
			const unknown = own.filter(({ outcome }) => outcome.kind === 'unknown');
			const candidates = unknown.filter(
				({ outcome }) => outcome.kind === 'unknown' && outcome.candidates !== undefined,
			);
			const contested = new Set(candidates.flatMap(({ about }) => about.map(journal.keyOf)));
			const kept = own.filter(
				({ about, outcome }) =>
					!isFree ||
					outcome.kind !== 'unknown' ||
					about.some((each) => contested.has(journal.keyOf(each))),
			);
			journal.close(open, kept);
			return kept;
		}),
	);
	return [...done, ...recalled.flat()];
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
