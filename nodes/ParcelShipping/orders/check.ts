import { countOf, groupBy, isSameCode, listTexts, mapWithPauses } from '../lists';
import type { Carrier, CarrierService } from '../transport/endpoints';
import { captions, mappedFields, requiredFieldNames, type SentFieldName } from './fields';
import {
	type Body,
	invalid,
	type InvalidItem,
	type Order,
	type Problem,
	problemOf,
	referenceOf,
	toItemError,
} from './order';
import type { OrderDraft } from './readOrders';
import { kinds } from './values';

export interface CheckedOrders {
	orders: Order[];
	invalid: InvalidItem[];
	/** What the user would not expect of the orders as they are. */
	hints: string[];
}

/** Checks all items with what the carriers offer, so that every problem is reported before anything is sent. */
export async function checkOrders(
	drafts: readonly OrderDraft[],
	offers: Offers,
): Promise<CheckedOrders> {
	const valid: Order[] = [];
	const invalidItems: InvalidItem[] = [];
	await mapWithPauses(drafts, (draft, itemIndex) => {
		const { order, problems } = checkOrder(draft, offers);
		if (problems.length === 0) return valid.push(order);
		const failure = toItemError(problems, order.body.packageNumberCustom);
		return invalidItems.push({ itemIndex, failure });
	});
	const { orders, differing } = mergeRepeated(valid);
	return { orders, invalid: [...invalidItems, ...differing], hints: hintsOf(drafts, orders) };
}

/** What would lose an amount without a word: a misspelled column, or an order that ships before it is paid. */
function hintsOf(drafts: readonly OrderDraft[], orders: readonly Order[]): string[] {
	const ignored = new Set(drafts.flatMap((draft) => draft.ignored));
	const unpaid = orders.filter(({ itemIndex, body }) => drafts[itemIndex]?.isUnpaid && !body.cod);
	return [
		ignored.size > 0 &&
			`Ignored fields that a shipment does not have: ${listTexts([...ignored])}. Put fields that only your carrier knows into '${captions.additionalFields}'.`,
		unpaid.length > 0 &&
			`${countOf(unpaid.length, 'order', 'is')} not fully paid and has no cash on delivery: ${listTexts(unpaid.map(referenceOf), 5)}. To ship only what is paid, leave other orders out with a Filter node before this node.`,
	].filter((hint) => hint !== false);
}

/** Items with one order number are one order if they are the same. A look-up cannot tell two with one number apart. */
function mergeRepeated(valid: readonly Order[]): { orders: Order[]; differing: InvalidItem[] } {
	const orders: Order[] = [];
	const differing: InvalidItem[] = [];
	for (const [reference, group] of groupBy(valid, referenceOf)) {
		const [order, ...others] = group;
		const values = group.map(({ carrierCode, body, shopOrderId }) =>
			JSON.stringify([carrierCode, body, String(shopOrderId)]),
		);
		if (new Set(values).size === 1) {
			orders.push({ ...order, sameItems: others.map(({ itemIndex }) => itemIndex) });
			continue;
		}
		const message = `${group.length} items have the same ${captions.packageNumberCustom} ${JSON.stringify(reference)}, but not the same values`;
		const expected = `the same values in all items if they are one order, or else a number of its own for each. For one order in several pieces, use one item with a '${captions.pieceCount}'`;
		const failure = toItemError([problemOf('packageNumberCustom', message, expected)], reference);
		differing.push(...group.map((each) => ({ itemIndex: each.itemIndex, failure })));
	}
	return { orders, differing };
}

/** The order as the provider writes its codes, with everything that is wrong. */
function checkOrder({ order, problems }: OrderDraft, offers: Offers) {
	const { carrierCode, serviceType, problem } = findOffer(order, offers);
	const body = { ...order.body, serviceType };
	const all = [...problems, ...missingValues(body, problems), ...(problem ? [problem] : [])];
	return { order: { ...order, carrierCode, body }, problems: all };
}

export interface Offers {
	carriers: readonly Carrier[];
	/** By the carrier's code as the provider writes it. */
	services: ReadonlyMap<string, readonly CarrierService[]>;
}

/**
 * Finds the service of an order, or why nothing can be created with it. The codes are returned as the provider writes
 * them, so that its records can be compared.
 */
export function findOffer(
	{ carrierCode, body: { serviceType } }: Order,
	{ carriers, services }: Offers,
): { carrierCode: string; serviceType: string; problem?: Problem } {
	if (carrierCode === '') return { carrierCode, serviceType };
	const refuse = (code: string, expected: string) => ({
		...{ carrierCode: code, serviceType },
		problem: invalid('carrierService', `${carrierCode}/${serviceType}`, expected),
	});
	const active = carriers.filter((each) => !isInactive(each));
	const carrier = active.find((each) => isSameCode(each.code, carrierCode));
	if (!carrier)
		return refuse(carrierCode, `an active carrier of the account: ${listCodes(active)}`);
	const { code } = carrier;
	const ofCarrier = services.get(code) ?? [];
	const service = ofCarrier.find((each) => isSameCode(each.code, serviceType));
	if (service) return { carrierCode: code, serviceType: service.code };
	return refuse(code, `a service of ${code}: ${listCodes(ofCarrier)}`);
}

export const isInactive = ({ status }: Carrier) =>
	/^(inactive|waitingactivation)$/i.test(String(status));

const listCodes = (entries: ReadonlyArray<{ code: string }>) =>
	listTexts(entries.map(({ code }) => code)) || 'there is none';

/**
 * What is missing in an order, whatever its service is. The provider requires a recipient address and leaves the details
 * to the carriers. So only what no delivery can do without is required here, and the carrier refuses the rest.
 */
function missingValues(body: Body, problems: readonly Problem[]): Problem[] {
	const refused = new Set(problems.map(({ field }) => field));
	// All would be missing.
	if (['shipment', 'orderData', 'overrides'].some((field) => refused.has(field))) return [];
	// Without an amount of its own, cash on delivery is that of the price.
	const isRefused = (name: SentFieldName) =>
		refused.has(name) || (name === 'codPrice' && refused.has('price'));
	const lacks = (name: SentFieldName) => body[name] === undefined && !isRefused(name);
	const needed: SentFieldName[] = [
		...requiredFieldNames,
		...(lacks('recCompany') ? ['recName' as const] : []),
		...(lacks('branchId') ? (['recStreet', 'recCity', 'recZip', 'recCountry'] as const) : []),
		...(body.cod ? (['codPrice', 'codCurrency'] as const) : []),
	];
	const missing = needed.filter(lacks).map((name) => {
		const { kind } = mappedFields[name];
		return invalid(name, undefined, kind === 'text' ? 'a value' : kinds[kind].expected());
	});
	if (!body.cod || body.codPrice !== 0) return missing;
	// May be a wrong mapping, with which the order would ship for free.
	const message = `${captions.cod} is on, but the amount to collect is 0`;
	const expected = `more than 0, or '${captions.cod}' off if the order is paid`;
	return [...missing, problemOf('codPrice', message, expected)];
}
