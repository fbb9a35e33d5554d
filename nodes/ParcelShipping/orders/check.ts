import { countOf, findByCode, groupBy, listTexts, mapWithPauses } from '../lists';
import type { Carrier, CarrierService } from '../transport/endpoints';
import {
	captions,
	mappedFields,
	otherAddresses,
	requiredFieldNames,
	type SentFieldName,
} from './fields';
import {
	codesOf,
	invalid,
	type InvalidItem,
	type Order,
	type Problem,
	problemOf,
	referenceOf,
	type ServiceCodes,
	showValue,
	toItemError,
} from './order';
import type { Body } from './readFields';
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
		const isComplete = order.carrierCode !== '' && order.body.serviceType !== '';
		return invalidItems.push({ itemIndex, failure, ...(isComplete ? { order } : {}) });
	});
	const { orders, differing } = mergeRepeated(valid);
	const hints = [...ignoredHint(drafts), ...unpaidHint(orders, drafts)];
	return { orders, invalid: [...invalidItems, ...differing], hints };
}

/** Without it, an amount to collect would be lost with a misspelled column. */
function ignoredHint(drafts: readonly OrderDraft[]): string[] {
	const ignored = new Set(drafts.flatMap((draft) => draft.ignored));
	if (ignored.size === 0) return [];
	return [
		`Ignored fields that a shipment does not have: ${listTexts([...ignored])}. Put fields that only your carrier knows into '${captions.additionalFields}'.`,
	];
}

const MAX_LISTED = 5;

/** Orders of a shop that ship before they are paid, such as those with a bank transfer. */
function unpaidHint(orders: readonly Order[], drafts: readonly OrderDraft[]): string[] {
	const unpaid = orders.filter(({ itemIndex, body }) => drafts[itemIndex]?.isUnpaid && !body.cod);
	if (unpaid.length === 0) return [];
	const orderNumbers = listTexts(unpaid.map(referenceOf), MAX_LISTED);
	return [
		`${countOf(unpaid.length, 'order', 'is')} not fully paid and has no cash on delivery: ${orderNumbers}. To ship only what is paid, leave other orders out with a Filter node before this node.`,
	];
}

/** The count by its other name, and what follows from other fields. */
const DERIVED = ['piecesCount', 'senderEnabled', 'coverEnabled', 'serviceType'];

/** What orders with one order number have in different ways, by the names of the form. */
function namesOfDifferences(orders: readonly Order[]): string[] {
	const all = orders.map(({ carrierCode, body, shopOrderId }): Record<string, unknown> => {
		const carrierService = `${carrierCode}/${body.serviceType}`;
		return { ...body, carrierService, shopOrderId: String(shopOrderId) };
	});
	const names = Object.keys(Object.assign({}, ...all) as object).filter(
		(name) => !DERIVED.includes(name),
	);
	const hasOneValue = (name: string) =>
		new Set(all.map((each) => JSON.stringify(each[name]))).size === 1;
	const captionOf: Readonly<Record<string, string>> = captions;
	return names.filter((name) => !hasOneValue(name)).map((name) => captionOf[name] ?? name);
}

/** Items with one order number are one order if they are the same. A look-up cannot tell two with one number apart. */
function mergeRepeated(valid: readonly Order[]): { orders: Order[]; differing: InvalidItem[] } {
	const orders: Order[] = [];
	const differing: InvalidItem[] = [];
	for (const [reference, group] of groupBy(valid, referenceOf)) {
		const [order, ...others] = group;
		const differences = namesOfDifferences(group);
		if (differences.length === 0) {
			const sameItems = others.map(({ itemIndex }) => itemIndex);
			orders.push(sameItems.length > 0 ? { ...order, sameItems } : order);
			continue;
		}
		const message = `${group.length} items have the same ${captions.packageNumberCustom} ${JSON.stringify(reference)}, but not the same ${differences.join(', ')}`;
		const expected = `the same values in all items if they are one order, or else a number of its own for each. For one order in several pieces, use one item with a '${captions.pieceCount}'`;
		const failure = toItemError([problemOf('packageNumberCustom', message, expected)], reference);
		differing.push(...group.map((each) => ({ itemIndex: each.itemIndex, order: each, failure })));
	}
	return { orders, differing };
}

/** The order as the provider writes its codes, with everything that is wrong. */
function checkOrder({ order, problems }: OrderDraft, offers: Offers) {
	const { codes, service, problem } = findOffer(codesOf(order), offers);
	const { carrierCode, serviceType } = codes;
	const body = { ...order.body, serviceType };
	return {
		order: { ...order, carrierCode, body },
		problems: [
			...problems,
			...missingValues(body, problems),
			...(problem ? [problem] : []),
			...(service ? addressProblems(body, service) : []),
		],
	};
}

export interface Offers {
	carriers: readonly Carrier[];
	/** By the carrier's code as the provider writes it. */
	services: ReadonlyMap<string, readonly CarrierService[]>;
}

interface OfferLookUp {
	/** The codes as the provider writes them, so that its records can be compared. */
	codes: ServiceCodes;
	service?: CarrierService;
	/** Why nothing can be created with this carrier or this service. */
	problem?: Problem;
}

/** Finds the service of an order. Codes are compared without case. */
export function findOffer(given: ServiceCodes, { carriers, services }: Offers): OfferLookUp {
	const { carrierCode, serviceType } = given;
	if (carrierCode === '') return { codes: given };
	const refuse = (codes: ServiceCodes, expected: string) => ({
		codes,
		problem: invalid('carrierService', `${carrierCode}/${serviceType}`, expected),
	});
	const active = carriers.filter((carrier) => !isInactive(carrier));
	const carrier = findByCode(active, carrierCode);
	if (!carrier) return refuse(given, `an active carrier of the account: ${listCodes(active)}`);
	const ofCarrier = services.get(carrier.code) ?? [];
	const service = findByCode(ofCarrier, serviceType);
	const codes = { carrierCode: carrier.code, serviceType: service?.code ?? serviceType };
	if (service) return { codes, service };
	return refuse(codes, `a service of ${carrier.code}: ${listCodes(ofCarrier)}`);
}

export const isInactive = ({ status }: Carrier) =>
	['inactive', 'waitingactivation'].includes(String(status).toLowerCase());

const listCodes = (entries: ReadonlyArray<{ code: string }>) =>
	listTexts(entries.map(({ code }) => code)) || 'there is none';

/** The fields of an address that the service does not accept. A service may not say whether it does. */
function addressProblems(body: Body, service: CarrierService): Problem[] {
	return otherAddresses
		.filter(({ prefix }) => service[`${prefix}AddressEnabled`] === false)
		.flatMap(({ names }) => names.filter((name) => body[name] !== undefined))
		.map((name) => {
			const message = `${captions[name]} is set, but ${service.name} does not accept it`;
			return problemOf(name, message, `none, because of the service ${service.code}`);
		});
}

/** Without a pickup point, no shipment can be delivered without these. */
const DELIVERY_ADDRESS: readonly SentFieldName[] = ['recStreet', 'recCity', 'recZip', 'recCountry'];

/** If one of these has an open problem, missing fields are not reported: all would be. */
const UNREADABLE = ['shipment', 'orderData', 'overrides'];

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
	const missing = needed.filter(lacks).map((name) => {
		const orZero = name === 'price' ? ', or 0 if you do not know it' : '';
		const orCompany = name === 'recName' ? `, or one for '${captions.recCompany}'` : '';
		const { kind, example } = mappedFields[name];
		const value = example ? `a value such as ${showValue(example)}` : kinds[kind].expected();
		return invalid(name, undefined, `${value}${orZero}${orCompany}`);
	});
	if (!body.cod || body.codPrice !== 0) return missing;
	// May be a wrong mapping, with which the order would ship for free.
	const message = `${captions.cod} is on, but the amount to collect is 0`;
	const expected = `more than 0, or '${captions.cod}' off if the order is paid`;
	return [...missing, problemOf('codPrice', message, expected)];
}
