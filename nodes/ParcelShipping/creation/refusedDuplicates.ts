import type { Order } from '../orders/order';
import { describeError } from '../transport/errors';
import type { CreationRun } from './duplicates';
import type { OrderOutcome } from './types';

/** What services say of a reference that a shipment has already. Their words are not documented. */
const SAYS_DUPLICATE = /duplic[ai]t|already exists|(?<!\p{L})existuje/iu;

/** The service knows the shipment, so it may be older than *Lookback Days*. */
const LOOKBACK_DAYS = 365;

export const saysDuplicate = (text: string) => SAYS_DUPLICATE.test(text);

/**
 * A service may refuse an order because a shipment has its reference: one that is too old for the look-up, or
 * one that another run has created since. The look-up is then repeated for it. Words that mean something
 * else do no harm: without a shipment, the refusal stays. If a whole request was refused, the other orders
 * in it are sent again.
 */
export async function settleRefusedDuplicates(
	sent: readonly OrderOutcome[],
	{ lookUp, settings }: CreationRun,
	send: (orders: readonly Order[]) => Promise<OrderOutcome[]>,
): Promise<OrderOutcome[]> {
	const refused = sent.flatMap(({ targets, outcome }) => {
		const [order, ...others] = targets;
		const [error] = outcome.state === 'notDone' ? outcome.errors : [];
		const isDuplicate = error && others.length === 0 && saysDuplicate(describeError(error).message);
		return order && isDuplicate ? [{ order, error }] : [];
	});
	if (refused.length === 0 || settings.ifExists === 'create') return [...sent];
	const orders = refused.map(({ order }) => order);
	const lookbackDays = Math.max(settings.lookbackDays, LOOKBACK_DAYS);
	const found = await lookUp.findExisting(orders, { ...settings, lookbackDays });

	const known = new Set<Order | undefined>(found.outcomes.flatMap(({ targets }) => targets));
	const ofKnown = new Set(
		refused.filter(({ order }) => known.has(order)).map(({ error }) => error),
	);
	const isFree = refused.filter(({ order, error }) => !known.has(order) && ofKnown.has(error));
	const toSend = isFree.map(({ order }) => order);
	const settled = new Set<Order | undefined>([...known, ...toSend]);
	const others = sent.filter(({ targets }) => targets.length > 1 || !settled.has(targets[0]));
	// Each time, at least one order is found, so this ends.
	const again = toSend.length > 0 ? await send(toSend) : [];
	return [...others, ...found.outcomes, ...again];
}
