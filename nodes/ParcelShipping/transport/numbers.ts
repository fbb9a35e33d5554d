import { chunk, listTexts } from '../lists';
import type { TrackingResult } from './endpoints';
import { describeError, isRefusal, ItemError } from './errors';
import { toSentence } from './response';

// Requests for many shipments: to track or cancel their numbers, or to create the labels of their IDs.
//
// One number that the provider refuses makes the request for all numbers in it fail. The others are requested again without
// it. If the error does not name the number, the request is split until it is alone.

/** Three unnamed numbers among a hundred take 2 * log2(100) requests each. */
const MAX_REQUESTS = 40;

/** Until the first response, the carrier itself may be the problem. The seventh request has a single number. */
const MAX_UNANSWERED = 10;

/** What was spent on splitting requests, for example those of one poll for a carrier. */
export class SplitBudget {
	hasResponse = false;

	private requests = 0;

	/** `mayTry` may stop it at any time, for example at the end of a poll's time. */
	constructor(private readonly mayTry = () => true) {}

	/** Whether one more request may be sent. */
	spend(): boolean {
		return this.requests++ < (this.hasResponse ? MAX_REQUESTS : MAX_UNANSWERED) && this.mayTry();
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

/** Requests the numbers together, and without those that the provider refuses. */
export async function requestWithoutRefused<Row>(
	numbers: string[],
	request: (numbers: string[]) => Promise<Row[]>,
	budget: SplitBudget,
	isAboutNumbers: (failure: unknown) => boolean = isRefusal,
): Promise<SplitResponse<Row>> {
	const split: SplitResponse<Row> = {
		...{ rows: [], answered: [], refused: [], failed: [], failures: [] },
	};
	let last: unknown;
	/** The last one is the smallest: a refused part is split until a number is alone. */
	const pending = [numbers];
	for (let part = pending.pop(); part; part = pending.pop()) {
		const failed = [...part, ...pending.flat()];
		if (part !== numbers && !budget.spend()) {
			// If everything was refused, the carrier may be the problem.
			const failure = budget.hasResponse ? leftOverError(failed) : last;
			return { ...split, failed, failures: [last], failure };
		}
		try {
			split.rows.push(...(await request(part)));
			split.answered.push(...part);
			budget.hasResponse = true;
		} catch (failure) {
			last = failure;
			if (!isAboutNumbers(failure)) return { ...split, failed, failures: [failure], failure };
			const named = part.length === 1 ? part : namedIn(failure, part);
			split.refused.push(...named.map((number) => ({ number, failure })));
			const rest = part.filter((number) => !named.includes(number));
			const parts = named.length > 0 ? [rest] : chunk(part, Math.ceil(part.length / 2));
			pending.push(...parts.filter(({ length }) => length > 0));
		}
	}
	return split;
}

const leftOverError = (notRequested: string[]) =>
	new ItemError(
		`The provider refused so many others that these were not requested without them: ${listTexts(notRequested)}`,
		'Run the workflow again with these only.',
		{ notRequested },
		true,
	);

/** The numbers in the provider's own message, unless it names all of them. */
function namedIn(failure: unknown, numbers: readonly string[]): string[] {
	const { serviceMessage = '', statusCode } = describeError(failure).details;
	const words = new Set(String(serviceMessage).split(/[^\p{L}\p{N}_/-]+/u));
	// It can be the ID of a shipment.
	words.delete(String(statusCode));
	const named = numbers.filter((number) => words.has(number));
	return named.length < numbers.length ? named : [];
}

/** Some providers write numbers where others write text. */
const numberOfRow = ({ packageNumberCarrier }: TrackingResult) =>
	String(packageNumberCarrier).trim();

/** What a row says instead of events. */
const messageOfRow = ({ message, errors }: TrackingResult & { errors?: unknown }) =>
	toSentence([message, errors]);

/** Some providers leave out the status of a row that has events, or that has none and says nothing else. */
const isFine = (row: TrackingResult) =>
	(row.statusCode ?? null) === null
		? Array.isArray(row.events) || (row.events === null && messageOfRow(row) === undefined)
		: Number(row.statusCode) === 200;

/**
 * The row of one number, or the error if it is missing or the provider refused it. Rows may be in another order, so they
 * are found by exactly the requested number.
 */
export function rowOf(
	rows: readonly TrackingResult[],
	requested: { carrierCode: string; number: string; correlationId: string },
): TrackingResult | ItemError {
	const { carrierCode, number: packageNumberCarrier, correlationId } = requested;
	const own = rows.filter((each) => numberOfRow(each) === packageNumberCarrier);
	const fine = own.filter(isFine);
	const row = fine.find(({ events }) => Array.isArray(events)) ?? fine[0];
	const events = fine.flatMap((each) => each.events ?? []);
	if (row) return { ...row, packageNumberCarrier, ...(events.length > 0 ? { events } : {}) };
	const [refused] = own;
	const statusCode = refused ? refused.statusCode : 'no tracking result';
	const serviceMessage = refused && messageOfRow(refused);
	return new ItemError(
		serviceMessage
			? `The provider said: ${serviceMessage}`
			: `The provider can't track shipment ${packageNumberCarrier} of carrier ${carrierCode} (${statusCode ?? 'no status'})`,
		'Check the tracking number and that it belongs to this carrier.',
		{
			...{ packageNumberCarrier, carrierCode, correlationId, statusCode },
			...(serviceMessage && { serviceMessage }),
		},
		true,
	);
}
