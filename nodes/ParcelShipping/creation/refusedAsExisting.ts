import type { Order } from '../orders/order';
import { describeError, isServiceError } from '../transport/errors';
import { findExisting } from './lookUp';
import type { CreationRun, OrderOutcome } from './types';

/** How far back, because the service has said that a shipment exists. */
const REFUSED_LOOKBACK_DAYS = 365;

/** What services say of a reference that a shipment has already. Their words are not documented. */
export const saysDuplicate = (text: string) =>
	/duplic[ai]t|already exists|(?<!\p{L})existuje/iu.test(text);

/**
 * A service may refuse an order because a shipment has its reference: one that is older than the look-up,
 * or one that another process has created since. The look-up is then repeated for it. What it
 * finds is an existing shipment, whose label is printed if its record says that it was not. If it finds nothing, the
 * refusal stays, so words that mean something else do no harm. If it fails, its error takes
 * the place of the refusal. If the whole request was refused, the other orders in it are sent again.
 */
export async function lookUpRefused(
	outcomes: OrderOutcome[],
	run: CreationRun,
	sendAgain: (orders: Order[]) => Promise<OrderOutcome[]>,
): Promise<OrderOutcome[]> {
	const refused = outcomes.filter(
		({ targets, outcome }) =>
			targets.length === 1 &&
			outcome.state === 'notDone' &&
			saysDuplicate(describeError(outcome.errors[0]).message),
	);
	if (refused.length === 0) return outcomes;
	const { outcomes: found } = await findExisting(
		refused.flatMap(({ targets }) => targets),
		run,
		REFUSED_LOOKBACK_DAYS,
	);
	const foundOrders = new Set(found.flatMap(({ targets }) => targets));
	const rest = outcomes.filter(({ targets }) => !targets.some((order) => foundOrders.has(order)));
	// A refused row is an `ItemError`, so that a `ServiceError` is one of the whole request. Each time, at least one
	// order exists, so this ends.
	const mustSendAgain =
		found.length > 0 &&
		rest.length > 0 &&
		rest.every(({ outcome }) => 'errors' in outcome && isServiceError(outcome.errors[0]));
	if (!mustSendAgain) return [...found, ...rest];
	return [...found, ...(await sendAgain(rest.flatMap(({ targets }) => targets)))];
}
