import { shipmentField } from '../descriptions/createForm';
import type { ShipmentCreation } from '../transport/contract';
import { listTexts } from '../lists';
import { mapWithPauses } from '../transport/concurrency';
import type { ItemError } from '../transport/errors';
import { type Cleaned, type CleanUpSettings, cleanValues, NO_CLEAN_UP } from './cleanUp';
import { coverFieldNames, isMappedField, senderFieldNames } from './fields';
import { likelyHints, likelyProblems } from './likelyProblems';
import { joinNames } from './names';
import { type Offers, readOffers } from './offers';
import type { InvalidItem } from '../creation/output';
import { ADDITIONAL_FIELDS, createItemReader, type ItemValues } from './readItem';
import {
	type Offer,
	type Problem,
	readBody,
	showValue,
	toItemError,
	validateForService,
	validateOrder,
} from './validate';
import { type Order, referenceOf } from './order';
import { findByCode } from '../records';
import type { NodeRun } from '../run';

export interface Reading {
	/** The references of the orders that could be read. */
	references: string[];
	/** The orders, once it is known what their carriers offer. */
	checked: Promise<ReadOrders>;
}

export interface ReadOrders {
	orders: Order[];
	invalid: Array<InvalidItem & { failure: ItemError }>;
	/** Hints about the whole run. */
	hints: string[];
}

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType']);
const MAX_LISTED_FIELDS = 20;
const MAX_LISTED_REFERENCES = 5;
const MAX_LISTED_CLEANED = 3;

/**
 * Reads and checks all items, so that every problem is reported before anything is sent. Only the check
 * sends requests, and the caller need not wait for it to look for existing shipments.
 */
export async function readOrders(
	run: NodeRun,
	settings: CleanUpSettings = NO_CLEAN_UP,
): Promise<Reading> {
	const { isAutomatic, read } = createItemReader(run);
	const items = await mapWithPauses(run.items, (_, itemIndex) => read(itemIndex));
	const unchecked = await mapWithPauses(items, (item) => readOrder(item, isAutomatic, settings));
	const readable = unchecked.filter(({ problems }) => problems.length === 0);
	return {
		references: readable.map(({ body }) => String(body.packageNumberCustom)),
		checked: checkOrders(run, items, unchecked, isAutomatic),
	};
}

async function checkOrders(
	run: NodeRun,
	items: readonly ItemValues[],
	unchecked: readonly UncheckedOrder[],
	isAutomatic: boolean,
): Promise<ReadOrders> {
	const codes = [...new Set(items.map(({ carrierCode }) => carrierCode))].filter(Boolean);
	let offers = await readOffers(run.client, codes, 'shared');
	let checked = await checkAgainstOffers(unchecked, items, offers);
	if (checked.isRefusedByOffer) {
		offers = await readOffers(run.client, codes, 'new');
		checked = await checkAgainstOffers(unchecked, items, offers);
	}
	const { orders, invalid } = checked;
	const hints = await mapWithPauses(
		[
			() => hintsOf(items, isAutomatic),
			() => referenceHints(orders),
			() => likelyHints(orders, offers),
			() => cleanHints(orders),
		],
		(readHints) => readHints(),
	);
	return { orders, invalid, hints: hints.flat() };
}

interface CheckedOrders extends Pick<ReadOrders, 'orders' | 'invalid'> {
	/** Whether an order was refused because of what its carrier offers. */
	isRefusedByOffer: boolean;
}

async function checkAgainstOffers(
	unchecked: readonly UncheckedOrder[],
	items: readonly ItemValues[],
	offers: Offers,
): Promise<CheckedOrders> {
	const checked: CheckedOrders = { orders: [], invalid: [], isRefusedByOffer: false };
	await mapWithPauses(unchecked, (read, itemIndex) => {
		const offer = offers.get(read.carrierCode);
		const { carrierCode, body, cleaned, problems } = withOwnCodes(read, offer);
		const ofService = offer ? validateForService(body.serviceType, body, offer) : [];
		const all = [...problems, ...ofService];
		const isCleaned = Object.keys(cleaned).length > 0;
		const rule = items[itemIndex]?.rule;
		const order: Order = {
			itemIndex,
			carrierCode,
			body: body as ShipmentCreation,
			...(isCleaned ? { cleaned } : {}),
			...(rule ? { rule } : {}),
		};
		if (all.length === 0) {
			checked.orders.push(order);
			return;
		}
		if (ofService.length > 0) checked.isRefusedByOffer = true;
		if (offer) all.push(...likelyProblems(body, offer).filter(isNew(all)));
		const hasService = carrierCode !== '' && body.serviceType !== '';
		checked.invalid.push({
			itemIndex,
			failure: toItemError(all, body.packageNumberCustom),
			...(hasService ? { order } : {}),
		});
	});
	return checked;
}

/** Whether none of the problems is about the same field. */
const isNew = (problems: readonly Problem[]) => {
	const fields = new Set(problems.map(({ field }) => field));
	return ({ field }: Problem) => !fields.has(field);
};

interface UncheckedOrder {
	carrierCode: string;
	body: Partial<ShipmentCreation> & { serviceType: string };
	cleaned: Cleaned;
	problems: Problem[];
}

function readOrder(
	item: ItemValues,
	isAutomatic: boolean,
	settings: CleanUpSettings,
): UncheckedOrder {
	const { carrierCode, serviceType, additional } = item;
	const given = {
		...item.values,
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};
	const names = joinNames(given);
	const { values, cleaned } = cleanValues(names.values, settings);
	const { body, problems: invalid } = readBody(values, given);
	const problems = [...names.problems, ...invalid];
	const refused = new Set(problems.map(({ field }) => field));
	const isReadable = !item.problems.some(({ field }) => field === shipmentField.name);
	return {
		carrierCode,
		body: { ...addressFlags(body), ...withoutFormFields(additional), ...body, serviceType },
		cleaned: { ...cleaned, ...names.joined },
		problems: [
			...item.problems,
			...secondServiceProblems(additional),
			...problems,
			...(isReadable ? validateOrder(body, refused) : []),
		],
	};
}

/** The order with the codes as the service writes them, so that its records can be compared. */
function withOwnCodes(order: UncheckedOrder, offer: Offer | undefined): UncheckedOrder {
	if (!offer || 'problem' in offer) return order;
	const { carrierCode, services } = offer;
	const serviceType = findByCode(services, order.body.serviceType)?.code ?? order.body.serviceType;
	return { ...order, carrierCode, body: { ...order.body, serviceType } };
}

/** Some services ignore a sender or cover address without its flag. */
function addressFlags(body: Partial<ShipmentCreation>): Partial<ShipmentCreation> {
	const hasSender = senderFieldNames.some((name) => body[name] !== undefined);
	const hasCover = coverFieldNames.some((name) => body[name] !== undefined);
	return {
		...(hasSender ? { senderEnabled: true } : {}),
		...(hasCover ? { coverEnabled: true } : {}),
	};
}

/** Fields that only the carrier knows are sent unchanged. */
function withoutFormFields(additional: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(additional).filter(([name]) => !isMappedField(name)));
}

function secondServiceProblems({ serviceType }: Record<string, unknown>): Problem[] {
	if (serviceType === undefined) return [];
	const found = `serviceType ${showValue(serviceType)}`;
	return [{ ...ADDITIONAL_FIELDS, found, expected: 'no serviceType. Choose it in Service' }];
}

function hintsOf(items: readonly ItemValues[], isAutomatic: boolean): string[] {
	const unknown = new Set<string>();
	for (const { values } of items) {
		for (const name in values) {
			if (!isMappedField(name) && !FORM_FIELDS.has(name)) unknown.add(name);
		}
	}
	const hasOrderId =
		isAutomatic &&
		items.some(({ values }) => values.orderId !== undefined && values.orderId !== null);
	return [
		unknown.size > 0 &&
			`Ignored fields that a shipment does not have: ${listTexts([...unknown], MAX_LISTED_FIELDS)}. Put fields that only your carrier knows into Additional Fields.`,
		hasOrderId &&
			"Automatic mapping ignored orderId, which is an order in the shipping service's own administration. To attach such an order, set its ID in Additional Fields.",
	].filter((hint) => hint !== false);
}

/** What services document for references. Others accept more, so that nothing is refused here. */
const PLAIN_REFERENCE = /^[\w/-]{1,30}$/;

function referenceHints(orders: readonly Order[]): string[] {
	const unusual = orders.map(referenceOf).filter((reference) => !PLAIN_REFERENCE.test(reference));
	if (unusual.length === 0) return [];
	return [
		`Some services refuse a Custom Shipment Number that is longer than 30 characters or contains anything but letters, digits, -, / and _: ${listTexts(unusual, MAX_LISTED_REFERENCES)}.`,
	];
}

function cleanHints(orders: readonly Order[]): string[] {
	const examples = orders.flatMap(({ cleaned = {}, ...order }) =>
		Object.entries(cleaned)
			// Joined names are no surprise.
			.filter(([, [from]]) => !Array.isArray(from))
			.slice(0, 1)
			.map(([, [from, to]]) => `${referenceOf(order)}: ${showValue(from)} to ${showValue(to)}`),
	);
	if (examples.length === 0) return [];
	return [
		`Cleaned up the values of ${examples.length} ${examples.length === 1 ? 'order' : 'orders'}, for example ${listTexts(examples, MAX_LISTED_CLEANED)}. Dry Run lists all of them.`,
	];
}
