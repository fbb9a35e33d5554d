import { isNonEmpty } from '../lists';
import type { Client, UnsafeCalls } from '../transport/client';
import { describeError, type ErrorText, mayHaveActed } from '../transport/errors';
import { growingPauseMs } from '../transport/retry';
import { type Act, type Journal, notDone, type WriteRequest, type TargetOutcome } from './journal';

// Creating, canceling, handing over and printing follow the same steps:
// 1. The request is in the journal before it is sent, so that each later try knows of it. A kill loses the
//    journal. Then only a look-up finds what was done.
// 2. It is sent, and never again once the service may have acted. If it certainly had no effect, it leaves the
//    journal. `judgeStatus` in `transport/response.ts` and `readNetworkError` in `transport/errors.ts` say when.
// 3. `judge` decides from the response and the records of the service. While records may still show
//    more, `find` reads them again. A service may finish a request after its gateway timed out, so
//    that finding nothing at first proves nothing.
// 4. The journal keeps what is done, and keeps what is unknown pending. `recall` deals with that in the
//    next try.

/** How the requests of an act are sent and judged. */
export interface Write<A extends Act> {
	client: Client;
	/** How long the records are read again and again. */
	maxWaitMs: number;
	/** `calls` are the requests that nothing else can send. */
	send(request: WriteRequest<A>, calls: UnsafeCalls): Promise<A['response']>;
	/**
	 * Says what came of the request. A target needs no outcome if it is done, or if an outcome of several targets
	 * includes it. Reads no clock and sends nothing.
	 */
	judge(known: Known<A>): Verdict<A>;
	/** Reads the records of these targets. Absent if the service has none. */
	find?(targets: Array<A['target']>, request: WriteRequest<A>): Promise<Array<A['record']>>;
}

/** What is known of a request that was sent. */
export interface Known<A extends Act> {
	request: WriteRequest<A>;
	response?: A['response'] | undefined;
	/** Why there is no response. Absent as well if the node was interrupted before it arrived. */
	failure?: ErrorText | undefined;
	/** What all searches have found. */
	records: Array<A['record']>;
	searches: number;
	/** Why the last search failed. Read only if none succeeded. */
	searchError?: string;
}

export interface Verdict<A extends Act> {
	outcomes: Array<TargetOutcome<A>>;
	/** Those for which further records can change the outcome. */
	toSearch: Array<A['target']>;
}

/** Sends the request with all of its targets. Callers leave out what is not sendable (see `Journal`). */
export async function writeOnce<A extends Act>(
	journal: Journal<A>,
	request: WriteRequest<A>,
	write: Write<A>,
): Promise<Array<TargetOutcome<A>>> {
	const pending = journal.begin(request);
	try {
		pending.response = await write.send(request, write.client as unknown as UnsafeCalls);
	} catch (thrown) {
		if (!mayHaveActed(thrown)) {
			const outcomes = notDone<A>(request.targets, thrown);
			journal.settle(pending, outcomes);
			return outcomes;
		}
		pending.failure = describeError(thrown);
	}
	const { outcomes } = await judgeWithRecords(pending, write, write.maxWaitMs);
	journal.settle(pending, outcomes);
	return outcomes;
}

/** The outcomes of a request. Records are read until they settle everything or the time is over. */
async function judgeWithRecords<A extends Act>(
	{ request, response, failure }: Pick<Known<A>, 'request' | 'response' | 'failure'>,
	{ client, judge, find }: Write<A>,
	maxWaitMs: number,
): Promise<Verdict<A> & { searches: number }> {
	const known: Known<A> = { request, response, failure, records: [], searches: 0 };
	const endMs = Date.now() + maxWaitMs;
	let verdict = judge(known);
	for (let pauses = 0; find && verdict.toSearch.length > 0; pauses++) {
		try {
			known.records.push(...(await find(verdict.toSearch, request)));
			known.searches++;
		} catch (thrown) {
			known.searchError = describeError(thrown).message;
		}
		verdict = judge(known);
		const leftMs = endMs - Date.now();
		if (verdict.toSearch.length === 0 || leftMs <= 0 || client.isStopped) break;
		await client.pause(Math.min(growingPauseMs(pauses), leftMs));
	}
	return { ...verdict, searches: known.searches };
}

/** What came of earlier tries. */
interface Recalled<A extends Act> {
	/** What is done, or may be, and is not sent again. */
	outcomes: Array<TargetOutcome<A>>;
	/**
	 * What may be sent again, with its earlier outcome. Callers output it only if it gets no other one in this try. What is
	 * unknown stays pending until it is sent, so that each later try names it.
	 */
	sendable: Array<TargetOutcome<A>>;
}

/**
 * What earlier tries have done, and what the records say now about what they left pending. What this execution has
 * sent is not sent again as long as it is unknown. What an earlier execution has sent, which a person has retried, may
 * be repeatable.
 */
export async function recall<A extends Act>(
	journal: Journal<A>,
	write: Write<A>,
): Promise<Recalled<A>> {
	const done = journal.doneOutcomes;
	const judged = await Promise.all(
		[...journal.pendingRequests].map(async (pending) => {
			const isOfEarlierExecution = journal.isRequestOfEarlierExecution(pending);
			// One search and no pauses: time has passed before a person retries.
			const maxWaitMs = isOfEarlierExecution ? 0 : write.maxWaitMs;
			return {
				pending,
				isOfEarlierExecution,
				...(await judgeWithRecords<A>(pending, write, maxWaitMs)),
			};
		}),
	);
	// Only once all are judged, because `settle` changes what `judge` of the others reads: what is done.
	const repeatable = new Set<TargetOutcome<A>>();
	const recalled = judged.flatMap(({ pending, isOfEarlierExecution, outcomes, searches }) => {
		const wasPending = new Set(journal.pendingTargetsOf(pending));
		const own = outcomes.flatMap(({ targets, outcome }) => {
			const pendingTargets = targets.filter((target) => wasPending.has(target));
			return isNonEmpty(pendingTargets) ? [{ targets: pendingTargets, outcome }] : [];
		});
		journal.settle(pending, own);
		const isSearched = searches > 0 || !write.find;
		if (isOfEarlierExecution && isSearched)
			for (const each of repeatableOf(own)) repeatable.add(each);
		return own;
	});
	journal.markRepeatable([...repeatable].flatMap(({ targets }) => targets));
	const isSendable = (each: TargetOutcome<A>) =>
		repeatable.has(each) || each.outcome.state === 'notDone';
	return {
		outcomes: [...done, ...recalled.filter((each) => !isSendable(each))],
		sendable: recalled.filter(isSendable),
	};
}

/** What a person who retries may send again, unless something exists that may be it. */
function repeatableOf<A extends Act>(
	outcomes: ReadonlyArray<TargetOutcome<A>>,
): Array<TargetOutcome<A>> {
	const unmatched = outcomes.flatMap(({ targets, outcome }) =>
		outcome.state === 'unmatched' ? targets : [],
	);
	return outcomes.filter(
		({ targets, outcome }) =>
			outcome.state === 'unknown' &&
			outcome.isRepeatable &&
			!targets.some((target) => unmatched.includes(target)),
	);
}
