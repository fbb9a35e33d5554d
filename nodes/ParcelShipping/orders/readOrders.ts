import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { mapWithPauses } from '../lists';
import { readChoice } from '../parameterValues';
import { isRecord, parseJson } from '../records';
import type { ShipmentCreation } from '../transport/endpoints';
import {
	captions,
	isMappedField,
	mappedFieldNames,
	mappedFields,
	type ParameterName,
} from './fields';
import {
	BOTH_CODES,
	type Body,
	type CarrierChoice,
	type CreationOptions,
	invalid,
	type Order,
	type Problem,
	problemOf,
	showValue,
	toCodes,
	valueOf,
} from './order';
import { chooseByRules } from './rules';
import { MAPPED, readShopOrder, type Shop, SHOPS } from './shops';
import {
	currencyIn,
	isEmpty,
	isZero,
	kinds,
	readCodesOrJson,
	readText,
	type ValueFacts,
} from './values';

/** The values of fields, by the provider's own field names. */
export type Values = Readonly<Record<string, unknown>>;

/** What is read of one item, before it is known what the carriers offer. */
export interface OrderDraft {
	/** With the codes of carrier and service as the item has them, '' if it has none. */
	order: Order;
	/** The printer for the labels, '' without a value; undefined if nothing is printed. */
	printerName: string | undefined;
	problems: Problem[];
	/** Fields of the item that are not fields of a shipment, under automatic mapping. */
	ignored: string[];
	/** Whether the shop says that the order is not paid, and the user has not decided about it. */
	isUnpaid: boolean;
}

/** What is the same for all items. */
interface Form extends CreationOptions {
	shop: Shop | undefined;
	isAutomatic: boolean;
	/** Names in the mapping that are no fields. */
	unknownFields: string[];
	/** Whether the amount is mapped by hand. Undefined if only the item shows it. */
	isAmountMapped: boolean | undefined;
	hasService: boolean;
	hasPrefix: boolean;
	/** Whether the additional services were chosen from the list. Otherwise, an expression gives them. */
	hasServiceList: boolean;
	parameters: Readonly<Record<Exclude<ParameterName, 'orderData'>, ItemParameter>>;
}

/** Reads each item into the body of its request, with everything that is wrong regardless of the carrier. */
export async function readOrders(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	options: CreationOptions,
): Promise<OrderDraft[]> {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	// n8n's own check names fields as the provider does.
	const asSaved = { rawExpressions: true, skipValidation: true };
	const raw = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, 0, fallback, asSaved);
	// Without the mapper's schema, which may have a thousand entries.
	const mapping = (name: string): ItemParameter => {
		if (isMapper(raw(name, {}))) return parameter(`${name}.value`, {});
		const mapped = parameter(name, {});
		return (index) => valueOf(mapped(index));
	};
	const chosen = context.getNodeParameter('orderData', 0, MAPPED, {});
	const shop = SHOPS[readChoice(captions.orderData, chosen, [MAPPED, ...Object.keys(SHOPS)])];
	const shipment = raw('shipment', {});
	const isAutomatic = !shop && isMapper(shipment) && shipment.mappingMode === 'autoMapInputData';
	const mapper = shop ? raw('overrides', {}) : shipment;
	const byHand =
		!isAutomatic && isMapper(mapper) && isRecord(mapper.value) ? mapper.value : undefined;
	const form: Form = {
		...options,
		...{ shop, isAutomatic },
		unknownFields: Object.keys(byHand ?? {}).filter((name) => !isMappedField(name)),
		// n8n keeps a field that is shown and has no value as null.
		isAmountMapped: byHand && !shop ? !isEmpty(byHand.codPrice) : undefined,
		hasService: !isEmpty(valueOf(raw('carrierService', ''))),
		hasPrefix: raw('options.orderNumberPrefix', '') !== '',
		hasServiceList: Array.isArray(raw('options.additionalServices', [])),
		parameters: {
			carrierService: parameter('carrierService'),
			shippingMethod: parameter('shippingMethod'),
			rules: parameter('rules', {}),
			shipment: isAutomatic ? (index) => items[index]?.json : mapping('shipment'),
			overrides: mapping('overrides'),
			orderNumberPrefix: parameter('options.orderNumberPrefix'),
			additionalServices: parameter('options.additionalServices'),
			additionalFields: parameter('options.additionalFields'),
			printerName: parameter('printerName'),
		},
	};
	return await mapWithPauses(items, ({ json }, i) => readItem(json, i, form));
}

/** Reads a parameter for one item. What cannot be read or converted is one more problem of the item. */
const readerOf =
	({ parameters }: Form, itemIndex: number, problems: Problem[]) =>
	<Value>(
		name: keyof Form['parameters'],
		convert: (given: unknown) => Value | undefined,
		expected = '',
	): Value | undefined => {
		try {
			const given = parameters[name](itemIndex);
			const value = convert(given);
			if (value !== undefined) return value;
			problems.push(invalid(name, valueOf(given), expected));
		} catch (thrown) {
			const message = thrown instanceof Error ? thrown.message : String(thrown);
			const failed = `Invalid ${captions[name]}: the expression failed: ${showValue(message)}`;
			problems.push(problemOf(name, failed, 'an expression that gives a value for this item'));
		}
		return undefined;
	};

type Read = ReturnType<typeof readerOf>;

/** The values of an item as they are given, then as they can be sent, the carrier that they choose, and the request. */
function readItem(json: unknown, itemIndex: number, form: Form): OrderDraft {
	const problems: Problem[] = [];
	const read = readerOf(form, itemIndex, problems);
	const { values, additional, shopOrder, ...facts } = readValues(json, read, form, problems);
	const { body: fields, problems: unread } = readFields(values, form);
	const unreadable = new Set([...problems, ...unread].map(({ field }) => field));
	const readService = () => read('carrierService', toCodes, BOTH_CODES);
	// The first rule that fits the order chooses its service, or else it is the same for all orders.
	const chooseService = (): CarrierChoice | undefined => {
		const toRules = (given: unknown) => [isRecord(given) ? given.rule : []].flat().filter(isRecord);
		const rules = read('rules', toRules);
		if (rules?.length === 0) return readService();
		const toMethod = (given: unknown) =>
			(isEmpty(given) ? shopOrder?.shippingMethod : given) ?? null;
		const method = rules && read('shippingMethod', toMethod);
		// Of an item that is no order, the rules would only find out the same.
		if (!rules || method === undefined || (form.shop && !shopOrder)) return undefined;
		const otherwise = form.hasService ? readService : undefined;
		return chooseByRules(method, fields, unreadable, rules, problems, otherwise);
	};
	const { carrierCode = '', serviceType = '', rule } = chooseService() ?? {};
	const toName = (given: unknown) => String(valueOf(given) ?? '').trim() || undefined;
	const isPrinting = form.labels === 'print';
	const printerName = isPrinting ? read('printerName', toName, 'the name of a printer') : undefined;

	const { shopOrderId, ...body } = fields;
	const toList = (given: unknown) => readCodesOrJson(given ?? '');
	const services = read('additionalServices', toList, kinds.list.expected()) ?? [];
	// A list of the form has those of 'Carrier and Service'. An expression may give each order its own.
	if (!(form.hasServiceList && rule !== undefined) && Object.keys(services).length > 0)
		body.services ??= services as NonNullable<Body['services']>;
	// Some carriers read one name, some the other, and which one is not documented.
	if (body.pieceCount && body.pieceCount > 1) body.piecesCount = body.pieceCount;
	// Some providers ignore another address than the recipient's without its flag.
	for (const party of ['sender', 'cover'] as const)
		if (Object.keys(fields).some((name) => name.startsWith(party))) body[`${party}Enabled`] = true;
	// What only the carrier knows is sent as it is.
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	Object.assign(body, Object.fromEntries(unmapped), { serviceType });
	if (form.shop) shortenNote(body, carrierCode);
	// What is missing in the body is among the problems.
	const order = { itemIndex, carrierCode, body: body as ShipmentCreation, shopOrderId, rule };
	return { order, printerName, problems: [...problems, ...unread], ...facts };
}

/** The values of an item before they are read: mapped, or of an order of a shop, with those of the options. */
function readValues(json: unknown, read: Read, form: Form, problems: Problem[]) {
	const { shop, isAutomatic } = form;
	const ofItem = shop && readShopOrder(json, shop, form.codMethods);
	const shopOrder = typeof ofItem === 'object' ? ofItem : undefined;
	if (typeof ofItem === 'string' && shop) {
		const message = `The item is not a ${shop.caption}: it has no ${ofItem}`;
		const expected = `a ${shop.caption} as the API of the shop returns it. For items with other fields, choose 'Mapped Below'`;
		problems.push(problemOf('orderData', message, expected));
	}
	const mapped = read(shop ? 'overrides' : 'shipment', toObject, AN_OBJECT) ?? {};
	if (form.unknownFields.length > 0) {
		const message = `Unknown fields: ${form.unknownFields.join(', ')}`;
		const expected = `fields of the form. Put those that only your carrier knows into '${captions.additionalFields}'`;
		problems.push(problemOf(shop ? 'overrides' : 'shipment', message, expected));
	}
	const additional = read('additionalFields', toObject, AN_OBJECT) ?? {};
	if ('serviceType' in additional) {
		const expected = `fields without serviceType: choose it in '${captions.carrierService}'`;
		problems.push(invalid('additionalFields', additional, expected));
	}
	// Without a value, a field keeps that of the shop.
	const isReplaced = ([, value]: [string, unknown]) => !shop || !isEmpty(value);
	const ofUser: Values = {
		...Object.fromEntries(Object.entries(mapped).filter(isReplaced)),
		// The items of a shop often have an `orderId`, which is an unrelated order at the provider.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};
	const values: Record<string, unknown> = { ...shopOrder?.values, ...ofUser };
	// A mapped amount decides alone whether the recipient pays on delivery.
	if ('codPrice' in additional || (form.isAmountMapped ?? 'codPrice' in ofUser))
		values.cod = !isEmpty(values.codPrice) && !isZero(values.codPrice);
	// Shops write 0 if they do not know the weight.
	if (isZero(values.weight)) delete values.weight;
	if (form.defaultWeight > 0 && isEmpty(values.weight)) values.weight = form.defaultWeight;
	// Without its prefix, an order may have the number of another shop's order.
	const advice = 'text. Check the result of the expression for this item, or remove the option';
	const toPrefix = (given: unknown) => (isEmpty(given) ? undefined : readText(given));
	const prefix = form.hasPrefix && read('orderNumberPrefix', toPrefix, advice);
	const number = readText(values.packageNumberCustom);
	if (prefix && number) values.packageNumberCustom = `${prefix}${number}`;
	const isSet = (field: string) => !isEmpty(ofUser[field]);
	const isSettled = ({ field }: Problem) => isSet(field) || (field === 'cod' && isSet('codPrice'));
	const ofShop = shopOrder?.problems.filter((each) => each !== false) ?? [];
	problems.push(...ofShop.filter((problem) => !isSettled(problem)));
	const isUnpaid = shopOrder?.isUnpaid === true && !isSet('cod') && !isSet('codPrice');
	// An expression for 'Carrier and Service' may read its codes from the item.
	const isKnown = (name: string) => isMappedField(name) || /^(carrierCode|serviceType)$/.test(name);
	const ignored = isAutomatic ? Object.keys(mapped).filter((name) => !isKnown(name)) : [];
	return { values, additional, shopOrder, isUnpaid, ignored };
}

/**
 * Reads the values of the form into a request body, in the order of the form: a country comes before its phone, 'cod' before
 * its amount, and an amount before its currency. A value that cannot be sent is a problem, which shows it as it was given.
 */
export function readFields(
	given: Values,
	facts: ValueFacts,
): { body: Body & Pick<Order, 'shopOrderId'>; problems: Problem[] } {
	const body: Record<string, unknown> = {};
	const problems: Problem[] = [];
	// The customer pays the value of the shipment if nothing else is set.
	const toCollect = isEmpty(given.codPrice) ? 'price' : 'codPrice';
	for (const name of mappedFieldNames) {
		// A shop has them for paid orders as well.
		if ((name === 'codPrice' || name === 'codCurrency') && body.cod !== true) continue;
		const { kind } = mappedFields[name];
		const amount =
			kind !== 'currency' ? undefined : name === 'codCurrency' ? toCollect : 'insurancePrice';
		const written = amount && currencyIn(given[amount]);
		const implied = name === 'codPrice' ? body.price : written;
		const value = isEmpty(given[name]) ? implied : given[name];
		// Customers write a dash where a shop asks for a phone.
		if (isEmpty(value) || (kind === 'phone' && value === '-')) continue;
		const country = kind === 'phone' ? body[name.replace('Phone', 'Country')] : undefined;
		const sent = kinds[kind].read(value, { ...facts, country });
		if (sent !== undefined) body[name] = sent;
		else problems.push(invalid(name, value, kinds[kind].expected(value, country)));
		if (amount === undefined || !written || !sent || written === sent) continue;
		// For example "48,50 €" in CZK.
		const message = `${captions[name]} is ${showValue(sent)}, but ${captions[amount]} is ${showValue(given[amount])}`;
		problems.push(problemOf(name, message, `${written}, or an amount in ${showValue(sent)}`));
	}
	return { body, problems };
}

/** Characters of a note, as the models of a provider's public .NET client document them (AddPackage…Model). */
const NOTE_LENGTHS: Readonly<Record<string, number>> = { CP: 50, DPD: 64, PACKETA: 128 };

/**
 * Leaves out the words of a note that are too many for the carrier. The user cannot change the note in the shop, and without
 * the rest, it still says more than no note.
 */
function shortenNote(body: Body, carrierCode: string): void {
	const maxLength = NOTE_LENGTHS[carrierCode.toUpperCase()] ?? Infinity;
	if (!body.note || body.note.length <= maxLength) return;
	const end = body.note.lastIndexOf(' ', maxLength);
	const shortened = body.note.slice(0, end > 0 ? end : maxLength);
	// An emoji is two characters.
	body.note = shortened.trimEnd().replace(/[\ud800-\udbff]$/, '');
}

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

function toObject(given: unknown): Values | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}

function isMapper(given: unknown): given is { mappingMode?: string; value?: unknown } {
	return isRecord(given) && ('value' in given || 'mappingMode' in given);
}
