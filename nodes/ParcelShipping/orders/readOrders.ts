import { countOf, groupBy, listTexts, mapWithPauses } from '../lists';
import { carrierProblems } from './carrierLimits';
import { captions } from './fields';
import { type InvalidItem, type Order, problemOf, referenceOf, toItemError } from './order';
import type { OrderDraft } from './readForm';
import { addressProblems, codesOf, countryProblems, findOffer, type Offers } from './offers';

export interface ReadOrders {
	orders: Order[];
	invalid: InvalidItem[];
	hints: string[];
}

const MAX_LISTED_REFERENCES = 5;

/** Checks all items with what the carriers offer, so that every problem is reported before anything is sent. */
export async function readOrders(
	drafts: readonly OrderDraft[],
	offers: Offers,
): Promise<ReadOrders> {
	const valid: Order[] = [];
	const invalid: InvalidItem[] = [];
	await mapWithPauses(drafts, (draft, itemIndex) => {
		const { order, problems } = readOrder(draft, offers);
		if (problems.length === 0) return valid.push(order);
		const failure = toItemError(problems, order.body.packageNumberCustom);
		const isComplete = order.carrierCode !== '' && order.body.serviceType !== '';
		return invalid.push({ itemIndex, failure, ...(isComplete ? { order } : {}) });
	});
	const hints: string[] = [];
	const ignored = new Set(drafts.flatMap((draft) => draft.ignored));
	if (ignored.size > 0) {
		hints.push(
			`Ignored fields: ${listTexts([...ignored])}. Put fields that only your carrier knows into 'Additional Fields'.`,
		);
	}
	// Orders that are looked up together. A look-up cannot tell two with the same reference apart.
	const orders: Order[] = [];
	for (const [reference, group] of groupBy(valid, referenceOf)) {
		const [order, ...others] = group;
		const differing = [...new Set(others.flatMap((other) => captionsOfDifferences(order, other)))];
		const items = group.map(({ itemIndex }) => itemIndex);
		if (differing.length === 0) {
			orders.push(others.length > 0 ? { ...order, sameItems: items.slice(1) } : order);
			continue;
		}
		const message = `${items.length} items have the same ${captions.packageNumberCustom} ${JSON.stringify(reference)}, but not the same ${differing.join(', ')}`;
		const expected = `the same values in all items if they are one order, or else a number of its own for each. For one order in several pieces, use one item with a '${captions.pieceCount}'`;
		const failure = toItemError([problemOf('packageNumberCustom', message, expected)], reference);
		invalid.push(...group.map((each) => ({ itemIndex: each.itemIndex, order: each, failure })));
	}
	const repeated = orders.filter(({ sameItems }) => sameItems).map(referenceOf);
	if (repeated.length > 0) {
		const references = listTexts(repeated, MAX_LISTED_REFERENCES);
		hints.push(
			`${repeated.length === 1 ? 'An order' : `${repeated.length} orders`} came in several items: ${references}. Each gets one shipment, which is linked to all of its items.`,
		);
	}
	return { orders, invalid, hints: [...hints, ...unpaidHint(orders, drafts)] };
}

/** The orders of a shop that are shipped before they are paid, such as those with an invoice. */
function unpaidHint(orders: readonly Order[], drafts: readonly OrderDraft[]): string[] {
	const unpaid = orders.filter(({ itemIndex, body }) => drafts[itemIndex]?.isUnpaid && !body.cod);
	if (unpaid.length === 0) return [];
	const references = listTexts(unpaid.map(referenceOf), MAX_LISTED_REFERENCES);
	return [
		`${countOf(unpaid.length, 'order', 'is')} not fully paid and has no cash on delivery: ${references}. To ship only what is paid, leave other orders out with a Filter node before this node.`,
	];
}

/** What two orders with the same reference have in different ways, by the names of the form. */
function captionsOfDifferences(order: Order, other: Order): string[] {
	const { carrierService } = captions;
	const names: Record<string, string> = {
		...captions,
		carrierCode: carrierService,
		serviceType: carrierService,
	};
	const valuesOf = (each: Order): Record<string, unknown> => ({
		carrierCode: each.carrierCode,
		...each.body,
		shopOrderId: String(each.shopOrderId),
	});
	const [a, b] = [valuesOf(order), valuesOf(other)];
	return Object.keys({ ...a, ...b })
		.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
		.map((name) => names[name] ?? name);
}

/** The order as the service writes its codes, with everything that is wrong. */
function readOrder({ order, problems }: OrderDraft, offers: Offers) {
	const offer = findOffer(codesOf(order), offers);
	const { carrierCode, serviceType } = offer.codes;
	const body = { ...order.body, serviceType };
	return {
		order: { ...order, carrierCode, body },
		problems: [
			...problems,
			...(offer.problem ? [offer.problem] : []),
			...addressProblems(body, offer),
			...countryProblems(body, offer),
			...carrierProblems(body, carrierCode),
		],
	};
}
