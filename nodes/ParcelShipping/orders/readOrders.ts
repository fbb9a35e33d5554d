import { groupBy, listTexts, mapWithPauses } from '../lists';
import type { ShipmentCreation } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { carrierProblems, shortenedNote } from './carrierLimits';
import { captions, isMappedField } from './fields';
import type { CreationOptions } from './form';
import {
	type Cleaned,
	type InvalidItem,
	type Order,
	PLAIN_REFERENCE,
	type Problem,
	referenceOf,
	toItemError,
} from './order';
import type { FormValues } from './readForm';
import { addresses, addressProblems, countryProblems, findOffer, type Offers } from './offers';
import type { Body } from './readFields';
import { validateOrder } from './validate';

export interface ReadOrders {
	orders: Order[];
	invalid: InvalidItem[];
	/** Hints about the whole run. */
	hints: string[];
}

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType', 'carrierService']);

/** If one of these cannot be read, every value is missing. */
const DATA_FIELDS = new Set(['shipment', 'orderData', 'overrides']);

/** Cleans up and checks all items, so that every problem is reported before anything is sent. */
export async function readOrders(
	form: readonly FormValues[],
	offers: Offers,
	settings: CreationOptions,
): Promise<ReadOrders> {
	const valid: Order[] = [];
	const invalid: InvalidItem[] = [];
	const ignored = new Set<string>();
	await mapWithPauses(form, (item, itemIndex) => {
		for (const name in item.values) {
			if (!isMappedField(name) && !FORM_FIELDS.has(name)) ignored.add(name);
		}
		const { order, problems } = readOrder(item, itemIndex, offers);
		if (problems.length === 0) return valid.push(order);
		const failure = toItemError(problems, order.body.packageNumberCustom);
		const isComplete = order.carrierCode !== '' && order.body.serviceType !== '';
		return invalid.push({ itemIndex, failure, ...(isComplete ? { order } : {}) });
	});
	const hints = hintsOf(form, valid, [...ignored]);
	if (settings.ifExists === 'create') return { orders: valid, invalid, hints };

	// Orders that are looked up together. A look-up cannot tell two with the same reference apart.
	const orders: Order[] = [];
	const repeated: string[] = [];
	for (const [reference, group] of groupBy(valid, referenceOf)) {
		const [order, ...others] = group;
		const differing = [...new Set(others.flatMap((other) => captionsOfDifferences(order, other)))];
		const items = group.map(({ itemIndex }) => itemIndex);
		if (differing.length === 0) {
			if (others.length > 0) repeated.push(reference);
			orders.push(others.length > 0 ? { ...order, sameItems: items.slice(1) } : order);
			continue;
		}
		const failure = new ItemError(
			`${items.length} items have the same Order Number ${JSON.stringify(reference)}, but not the same ${differing.join(', ')}`,
			"If they are one order, correct the items so that they agree. If they are several, give each its own number. For one order in several pieces, use one item with a 'Piece Count'.",
			{ field: 'packageNumberCustom', packageNumberCustom: reference, items },
		);
		invalid.push(...group.map((each) => ({ itemIndex: each.itemIndex, order: each, failure })));
	}
	if (repeated.length > 0) {
		const references = listTexts(repeated, MAX_LISTED_REFERENCES);
		hints.push(
			`${repeated.length === 1 ? 'An order' : `${repeated.length} orders`} came in several items: ${references}. Each gets one shipment, which is linked to all of its items.`,
		);
	}
	return { orders, invalid, hints };
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
		shopOrderId: each.shopOrderId === undefined ? undefined : String(each.shopOrderId),
	});
	const [a, b] = [valuesOf(order), valuesOf(other)];
	return Object.keys({ ...a, ...b })
		.filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
		.map((name) => names[name] ?? name);
}

/** The order of an item, and why it is not sent. */
function readOrder(
	item: FormValues,
	itemIndex: number,
	offers: Offers,
): { order: Order; problems: Problem[] } {
	const { fields: read, additional, isFromShop, rule } = item;
	const { shopOrderId, ...fields } = read.body;
	const offer = findOffer(item, offers);
	const { carrierCode, serviceType } = offer.wanted;
	const note = isFromShop ? shortenedNote(fields.note, carrierCode) : undefined;
	// First, because a hint shows one value: this one is not only written in another way.
	const cleaned: Cleaned = { ...(note ? { note: [fields.note, note] } : {}), ...read.cleaned };
	const body = { ...withDerived(fields, additional), ...(note ? { note } : {}), serviceType };
	const unsent = [...item.problems, ...read.problems];
	const refused = new Set(unsent.map(({ field }) => field));
	const isReadable = !item.problems.some(({ field }) => DATA_FIELDS.has(field));
	const problems = [
		...unsent,
		...(isReadable ? validateOrder(body, refused) : []),
		...(offer.problem ? [offer.problem] : []),
		...addressProblems(body, offer),
		...countryProblems(body, offer),
		...carrierProblems(body, carrierCode),
	];
	const order: Order = {
		itemIndex,
		carrierCode,
		body: body as ShipmentCreation,
		...(Object.keys(cleaned).length > 0 ? { cleaned } : {}),
		...(shopOrderId === undefined ? {} : { shopOrderId }),
		...(rule ? { rule } : {}),
	};
	return { order, problems };
}

/** The fields with those that follow from them, and those that only the carrier knows, unchanged. */
function withDerived(fields: Body, additional: Record<string, unknown>): Body {
	const flags = addresses
		.filter(({ names }) => names.some((name) => fields[name] !== undefined))
		.map(({ prefix }) => [`${prefix}Enabled`, true]);
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	// Some carriers read one name, some the other, and which one is not documented.
	const { pieceCount = 1 } = fields;
	const pieces = pieceCount > 1 ? { piecesCount: pieceCount } : {};
	return { ...fields, ...pieces, ...Object.fromEntries([...flags, ...unmapped]) };
}

const MAX_LISTED_REFERENCES = 5;

/** What users may want to know about a run although nothing is refused. */
function hintsOf(
	form: readonly FormValues[],
	orders: readonly Order[],
	ignored: readonly string[],
): string[] {
	const unusual = orders.map(referenceOf).filter((each) => !PLAIN_REFERENCE.test(each));
	return [
		ignored.length > 0 &&
			`Ignored fields that a shipment does not have: ${listTexts(ignored)}. Put fields that only your carrier knows into 'Additional Fields'.`,
		form.some(({ isAutomatic, values }) => isAutomatic && (values.orderId ?? null) !== null) &&
			"Automatic mapping ignored orderId, which is an order in the shipping service's own administration. To attach such an order, set its ID in 'Additional Fields'.",
		unusual.length > 0 &&
			`Some services refuse an 'Order Number' that is longer than 30 characters or contains anything but letters, digits, -, / and _: ${listTexts(unusual, MAX_LISTED_REFERENCES)}.`,
	].filter((hint) => hint !== false);
}
