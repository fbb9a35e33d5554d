import { chunk, listTexts } from '../lists';
import { describeError, isRefusal, ItemError } from './errors';

// Requests for many shipments: to track or cancel their numbers, or to create the labels of their IDs.
//
// One number that the service refuses makes the request for all numbers in it fail. The others are
// requested again without it. If the error does not name the number, the request is split until it is
// alone.

/**
 * The bound on further requests, per `SplitBudget`: three unnamed numbers among a hundred take 2 * log2(100)
 * requests each. Polls request the rest next time; operations report it.
 */
const MAX_REQUESTS = 40;

/**
 * Until the first response, only so many are spent, since the carrier itself may be the problem. Of a
 * hundred numbers, the seventh request has a single one.
 */
const MAX_UNANSWERED = 10;

/** What was spent on splitting requests, for example those of one poll for a carrier. */
export class SplitBudget {
	requests = 0;

	hasResponse = false;

	/** `mayTry` may stop it at any time, for example at the end of a poll's time. */
	constructor(private readonly mayTry = () => true) {}

	get mayContinue(): boolean {
		return this.requests < (this.hasResponse ? MAX_REQUESTS : MAX_UNANSWERED) && this.mayTry();
	}
}

interface SplitResponse<Row> {
	/** The rows of all responses. */
	rows: Row[];
	answered: string[];
	/** Refused alone, or named by the error of a request. */
	refused: Array<{ number: string; failure: unknown }>;
	/** Without a response for another reason, or left over. */
	failed: string[];
	/** The last failure, if something is left over. */
	failures: unknown[];
	/** What users are told about `failed`. */
	failure?: unknown;
}

/** Requests the numbers together, and without those that the service refuses. */
export async function requestWithoutRefused<Row>(
	numbers: string[],
	request: (numbers: string[]) => Promise<Row[]>,
	splitBudget: SplitBudget,
	isAboutNumbers: (failure: unknown) => boolean = isRefusal,
): Promise<SplitResponse<Row>> {
	const split: SplitResponse<Row> = {
		rows: [],
		answered: [],
		refused: [],
		failed: [],
		failures: [],
	};
	/** The parts to request. The last one is the smallest: a refused part is split until a number is alone. */
	const pending: string[][] = [];
	let part = numbers;
	for (;;) {
		try {
			const rows = await request(part);
			splitBudget.hasResponse = true;
			split.rows.push(...rows);
			split.answered.push(...part);
		} catch (failure) {
			const failed = [...part, ...pending.flat()];
			if (!isAboutNumbers(failure)) return { ...split, failed, failures: [failure], failure };
			split.failures = [failure];
			const named = part.length === 1 ? part : namedIn(failure, part);
			split.refused.push(...named.map((number) => ({ number, failure })));
			const rest = part.filter((number) => !named.includes(number));
			const parts = named.length > 0 ? [rest] : chunk(part, Math.ceil(part.length / 2));
			pending.push(...parts.filter(({ length }) => length > 0));
		}
		if (pending.length === 0) return { ...split, failures: [] };
		if (!splitBudget.mayContinue) {
			const failed = pending.flat();
			// If everything was refused, the carrier may be the problem.
			const failure = splitBudget.hasResponse ? leftOverError(failed) : split.failures[0];
			return { ...split, failed, failure };
		}
		splitBudget.requests++;
		part = pending.pop() ?? [];
	}
}

const leftOverError = (notRequested: string[]) =>
	new ItemError(
		`The service refused so many others that these were not requested without them: ${listTexts(notRequested)}`,
		'Run the workflow again with these only.',
		{ notRequested },
		true,
	);

/** The numbers in the service's own message, unless it names all of them. */
function namedIn(failure: unknown, numbers: readonly string[]): string[] {
	const { serviceMessage = '', statusCode } = describeError(failure).details;
	const words = new Set(String(serviceMessage).split(/[^\p{L}\p{N}_/-]+/u));
	// It can be the ID of a shipment.
	words.delete(String(statusCode));
	const named = numbers.filter((number) => words.has(number));
	return named.length < numbers.length ? named : [];
}
