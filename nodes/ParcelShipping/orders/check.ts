import { countOf, findByCode, groupBy, listTexts, mapWithPauses } from '../lists';
import type { Carrier, CarrierService } from '../transport/endpoints';
import { captions, mappedFields, requiredFieldNames, type SentFieldName } from './fields';
import {
	codesOf,
	invalid,
	type InvalidItem,
	type Order,
	otherAddresses,
	type Problem,
	problemOf,
	referenceOf,
	type ServiceCodes,
	toItemError,
} from './order';
import type { Body } from './readFields';
import type { OrderDraft } from './readOrders';
import { kinds } from './values';

export interface CheckedOrders {
	orders: Order[];
	invalid: InvalidItem[];
	hints: string[];
}

const MAX_LISTED_REFERENCES = 5;

/** Checks all items with what the carriers offer, so that every problem is reported before anything is sent. */
export async function checkOrders(
	drafts: readonly OrderDraft[],
	offers: Offers,
): Promise<CheckedOrders> {
	const valid: Order[] = [];
	const invalid: InvalidItem[] = [];
	await mapWithPauses(drafts, (draft, itemIndex) => {
		const { order, problems } = checkOrder(draft, offers);
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

/** The order as the provider writes its codes, with everything that is wrong. */
function checkOrder({ order, problems }: OrderDraft, offers: Offers) {
	const offer = findOffer(codesOf(order), offers);
	const { carrierCode, serviceType } = offer.codes;
	const body = { ...order.body, serviceType };
	return {
		order: { ...order, carrierCode, body },
		problems: [
			...problems,
			...missingValues(body, problems),
			...(offer.problem ? [offer.problem] : []),
			...addressProblems(body, offer),
		],
	};
}

export interface Offers {
	carriers: readonly Carrier[];
	/** By the carrier's code as the service writes it. */
	services: ReadonlyMap<string, readonly CarrierService[]>;
}

interface OfferLookUp {
	/** The codes as the service writes them, so that its records can be compared. */
	codes: ServiceCodes;
	service?: CarrierService;
	/** Why nothing can be created with this carrier or this service. */
	problem?: Problem;
}

/** Finds the service of an order. Codes are compared without case. */
export function findOffer(given: ServiceCodes, { carriers, services }: Offers): OfferLookUp {
	const { carrierCode, serviceType } = given;
	const refuse = (expected: string) =>
		invalid('carrierService', `${carrierCode}/${serviceType}`, expected);
	if (carrierCode === '') return { codes: given };
	const active = carriers.filter((carrier) => !isInactive(carrier));
	const carrier = findByCode(active, carrierCode);
	if (!carrier) {
		const problem = refuse(`an active carrier of the account: ${listCodes(active)}`);
		return { codes: given, problem };
	}
	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const codes = { carrierCode: carrier.code, serviceType: service?.code ?? serviceType };
	if (service) return { codes, service };
	return { codes, problem: refuse(`a service of ${carrier.code}: ${listCodes(ofCarrier)}`) };
}

export const isInactive = ({ status }: Carrier) =>
	['inactive', 'waitingactivation'].includes(String(status).toLowerCase());

const listCodes = (entries: ReadonlyArray<{ code: string }>) =>
	listTexts(entries.map(({ code }) => code)) || 'there is none';

function addressProblems(body: Body, { service }: OfferLookUp): Problem[] {
	return otherAddresses.flatMap(({ prefix, caption, names }) => {
		if (service?.[`${prefix}AddressEnabled`] !== false) return [];
		const given = names.filter((name) => body[name] !== undefined);
		const [field] = given;
		if (field === undefined) return [];
		const message = `${caption} is set (${given.map((name) => captions[name]).join(', ')}), but ${service.name} does not accept it`;
		const expected = `none, because ${service.name} (${service.code}) does not accept it`;
		return { ...problemOf(field, message, expected), caption };
	});
}

/** Without a pickup point, no shipment can be delivered without these. */
const DELIVERY_ADDRESS: readonly SentFieldName[] = ['recStreet', 'recCity', 'recZip', 'recCountry'];

/** If one of these has an open problem, missing fields are not reported: all would be. */
const UNREADABLE = ['shipment', 'orderData', 'overrides', 'recStreet'];

/**
 * What is missing in an order, whatever its service is. The provider requires a recipient address and leaves the details
 * to the carriers. So only what no delivery can do without is required here, and the carrier refuses the rest.
 */
function missingValues(body: Body, problems: readonly Problem[]): Problem[] {
	const refused = new Set(problems.map(({ field }) => field));
	if (UNREADABLE.some((field) => refused.has(field))) return [];
	// Without an amount of its own, cash on delivery is that of the price.
	const isRefused = (name: SentFieldName) =>
		refused.has(name) || (name === 'codPrice' && refused.has('price'));
	const lacks = (name: SentFieldName) => body[name] === undefined && !isRefused(name);
	const needed: SentFieldName[] = [
		...requiredFieldNames,
		...(lacks('recCompany') ? ['recName' as const] : []),
		...(lacks('branchId') ? DELIVERY_ADDRESS : []),
		...(body.cod ? (['codPrice', 'codCurrency'] as const) : []),
	];
	const missing = needed.filter(lacks).map((name): Problem => {
		const { kind, description, example } = mappedFields[name];
		const meaning = `${description.charAt(0).toLowerCase()}${description.slice(1)}`;
		// Only the field itself can say which text is expected.
		const expected = kind === 'text' ? `the ${meaning}, e.g. ${example}` : kinds[kind].expected;
		const orCompany = name === 'recName' ? ` Or '${captions.recCompany}'` : '';
		return invalid(name, undefined, `${expected}${orCompany}`);
	});
	if (!body.cod || body.codPrice !== 0) return missing;
	// May be a wrong mapping, with which the order would ship for free.
	const message = `${captions.cod} is on, but the amount to collect is 0`;
	const expected = `more than 0, or '${captions.cod}' off if the order is paid`;
	return [...missing, problemOf('codPrice', message, expected)];
}
