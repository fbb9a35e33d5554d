import { groupBy } from '../lists';
import { mapWithPauses } from '../transport/concurrency';
import type { ShipmentCreation } from '../transport/contract';
import { ItemError } from '../transport/errors';
import { type CleanUpSettings, cleanValues, joinNames } from './cleanUp';
import { coverFieldNames, isMappedField, senderFieldNames } from './fields';
import { type CreationOptions, formFields } from './form';
import { OrderHints } from './hints';
import { addressProblems, findOffer, likelyProblems, type Offers } from './offers';
import { type InvalidItem, type Order, referenceOf } from './order';
import type { FormValues } from './readForm';
import {
	type Body,
	MISSING,
	type Problem,
	readBody,
	showValue,
	toItemError,
	validateOrder,
} from './validate';

export interface ReadOrders {
	orders: Order[];
	invalid: InvalidItem[];
	/** Hints about the whole run. */
	hints: string[];
}

export type ReadSettings = CleanUpSettings & Pick<CreationOptions, 'ifExists' | 'lookUpScope'>;

/** Cleans up and checks all items, so that every problem is reported before anything is sent. */
export async function readOrders(
	form: readonly FormValues[],
	offers: Offers,
	settings: ReadSettings,
): Promise<ReadOrders> {
	const orders: Order[] = [];
	const invalid: InvalidItem[] = [];
	const hints = new OrderHints();
	await mapWithPauses(form, (item, itemIndex) => {
		const { order, problems, likely } = checkItem(item, itemIndex, offers, settings);
		hints.addItem(item);
		if (problems.length === 0) {
			orders.push(order);
			hints.addOrder(order, likely);
			return;
		}
		const { carrierCode, body } = order;
		const isComplete = carrierCode !== '' && body.serviceType !== '';
		const failure = toItemError([...problems, ...likely], body.packageNumberCustom);
		invalid.push({ itemIndex, failure, ...(isComplete ? { order } : {}) });
	});
	const repeated = settings.ifExists === 'create' ? [] : findRepeated(orders, settings.lookUpScope);
	for (const group of repeated) {
		const failure = repeatedReferenceError(group);
		invalid.push(...group.map((order) => ({ itemIndex: order.itemIndex, order, failure })));
	}
	const refused = new Set(repeated.flat());
	return { orders: orders.filter((order) => !refused.has(order)), invalid, hints: hints.list() };
}

interface CheckedItem {
	order: Order;
	/** Why the order is not sent. */
	problems: Problem[];
	/** What the order probably lacks. */
	likely: Problem[];
}

function checkItem(
	item: FormValues,
	itemIndex: number,
	offers: Offers,
	settings: CleanUpSettings,
): CheckedItem {
	const { additional, isAutomatic, rule } = item;
	const given = {
		...item.values,
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};
	const names = joinNames(given);
	const { values, cleaned: rewritten } = cleanValues(names.values, settings);
	const cleaned = { ...rewritten, ...names.joined };
	const { body: fields, problems: unreadable } = readBody(values, given);
	const offer = findOffer(item, offers);
	const { carrierCode, serviceType } = offer.wanted;
	const body = { ...withFlags(fields, additional), serviceType };

	const refused = new Set([...names.problems, ...unreadable].map(({ field }) => field));
	const isReadable = !item.problems.some(({ field }) => field === formFields.shipment.field);
	const problems = [
		...formProblems(item, itemIndex),
		...names.problems,
		...unreadable,
		...(isReadable ? validateOrder(body, refused) : []),
		...(offer.problem ? [offer.problem] : []),
		...addressProblems(body, offer),
	];
	const named = new Set(problems.map(({ field }) => field));
	const likely = likelyProblems(body, offer.service).filter(({ field }) => !named.has(field));
	const order: Order = {
		itemIndex,
		carrierCode,
		body: body as ShipmentCreation,
		...(Object.keys(cleaned).length > 0 ? { cleaned } : {}),
		...(rule ? { rule } : {}),
	};
	return { order, problems, likely };
}

/** The mapped fields, and the additional ones that only the carrier knows, which are sent unchanged. */
function withFlags(fields: Body, additional: Record<string, unknown>): Body {
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	const has = (names: ReadonlyArray<keyof Body>) =>
		names.some((name) => fields[name] !== undefined);
	return {
		// Some services ignore a sender or cover address without its flag.
		...(has(senderFieldNames) ? { senderEnabled: true } : {}),
		...(has(coverFieldNames) ? { coverEnabled: true } : {}),
		...Object.fromEntries(unmapped),
		...fields,
	};
}

/** What is wrong with the parameters, apart from the values of the mapped fields. */
function formProblems(
	{ problems, additional, printerName }: FormValues,
	itemIndex: number,
): Problem[] {
	const { serviceType } = additional;
	return [
		...problems,
		serviceType !== undefined && {
			...formFields.additionalFields,
			found: `serviceType ${showValue(serviceType)}`,
			expected: `no serviceType. Choose it in '${formFields.serviceType.caption}'`,
		},
		printerName === '' && {
			...formFields.printerName,
			found: MISSING,
			expected:
				'the name of a printer. Check the result of the expression for this item, or remove the option',
			message: `${formFields.printerName.caption} of item ${itemIndex} is empty`,
		},
	].filter((problem) => problem !== false);
}

/** Orders with the same reference among those that are looked up together, in groups of two or more. */
export function findRepeated(
	orders: readonly Order[],
	lookUpScope: CreationOptions['lookUpScope'],
): Order[][] {
	const groups = groupBy(orders, (order) =>
		JSON.stringify([lookUpScope === 'sameCarrier' && order.carrierCode, referenceOf(order)]),
	);
	return [...groups.values()].filter((group) => group.length > 1);
}

/** A look-up cannot tell two items with the same reference apart. */
function repeatedReferenceError(orders: readonly Order[]): ItemError {
	const items = orders.map(({ itemIndex }) => itemIndex);
	const [reference = ''] = orders.map(referenceOf);
	return new ItemError(
		`Items ${items.slice(0, -1).join(', ')} and ${items.at(-1)} have the same Custom Shipment Number ${JSON.stringify(reference)}`,
		"Give each shipment its own number. For one order in several pieces, use one item with a 'Piece Count'. To create them all anyway, set 'If It Exists' to 'Create Another One'.",
		{ field: 'packageNumberCustom', packageNumberCustom: reference, items },
	);
}
