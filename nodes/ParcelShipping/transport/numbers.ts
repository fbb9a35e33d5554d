import { chunk, listTexts } from '../lists';
import type { TrackingResult } from './endpoints';
import { describeError, isRefusal, ItemError, reword } from './errors';
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
	/** What has no response for one other reason: a request that failed, or too many that were refused. */
	left?: { numbers: string[]; failure: unknown };
}

/** Requests the numbers together, and without those that the provider refuses. */
export async function requestWithoutRefused<Row>(
	numbers: string[],
	request: (numbers: string[]) => Promise<Row[]>,
	budget: SplitBudget,
	isAboutNumbers: (failure: unknown) => boolean = isRefusal,
): Promise<SplitResponse<Row>> {
	const split: SplitResponse<Row> = { rows: [], answered: [], refused: [] };
	let refusal: unknown;
	/** The last one is the smallest: a refused part is split until a number is alone. */
	const pending = [numbers];
	for (let part = pending.pop(); part; part = pending.pop()) {
		const left = [...part, ...pending.flat()];
		if (part !== numbers && !budget.spend())
			return { ...split, left: { numbers: left, failure: leftOverError(left, refusal) } };
		try {
			split.rows = [...split.rows, ...(await request(part))];
			split.answered.push(...part);
			budget.hasResponse = true;
		} catch (failure) {
			if (!isAboutNumbers(failure)) return { ...split, left: { numbers: left, failure } };
			refusal = failure;
			const named = part.length === 1 ? part : namedIn(failure, part);
			split.refused.push(...named.map((number) => ({ number, failure })));
			const rest = part.filter((number) => !named.includes(number));
			const parts = named.length > 0 ? [rest] : chunk(part, Math.ceil(part.length / 2));
			pending.push(...parts.filter(({ length }) => length > 0));
		}
	}
	return split;
}

/** It means the same for other requests as the last refusal, whose reason is not that of these numbers. */
const leftOverError = (notRequested: string[], refusal: unknown) =>
	reword(refusal, {
		message: `The provider refused so many others that these were not requested without them: ${listTexts(notRequested)}`,
		description: `Run the workflow again with these only. About the others: ${describeError(refusal).message}`,
		details: { notRequested },
	});

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

/** Some providers leave out the status of a row that has events. */
const isFine = ({ statusCode, events }: TrackingResult) =>
	(statusCode ?? null) === null ? Array.isArray(events) : Number(statusCode) === 200;

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
	const [row] = fine;
	const events = fine.flatMap((each) => each.events ?? []);
	if (row) return { ...row, packageNumberCarrier, ...(events.length > 0 ? { events } : {}) };
	const [refused] = own;
	const statusCode = refused ? refused.statusCode : 'no tracking result';
	const { message, errors }: { message?: unknown; errors?: unknown } = refused ?? {};
	const serviceMessage = toSentence([message, errors]);
	return new ItemError(
		serviceMessage
			? `The provider said: ${serviceMessage}`
			: `The provider can't track shipment ${packageNumberCarrier} of carrier ${carrierCode} (${statusCode ?? 'no status'})`,
		'Check the tracking number and that it belongs to this carrier.',
		{
			...{ packageNumberCarrier, carrierCode, correlationId, statusCode },
			...(serviceMessage && { serviceMessage }),
		},
	);
}
