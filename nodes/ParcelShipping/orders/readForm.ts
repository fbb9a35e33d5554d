import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { mapWithPauses } from '../lists';
import { isRecord, parseJson } from '../records';
import { shortenedNote } from './carrierLimits';
import { captions, isMappedField, type ParameterName } from './fields';
import { type CreationOptions, MAPPED, valueOf } from './form';
import { cleanPaymentMethod, isEmpty, isZero, kinds, readText } from './kinds';
import { addresses, BOTH_CODES, toCodes } from './offers';
import { type Cleaned, type Order, type Problem, problemOf, showValue } from './order';
import { type Body, readFields, type Values } from './readFields';
import { type CarrierChoice, chooseByRules, listRules } from './rules';
import { findOtherShop, readMetadata, readShopOrder, type ShopOrder } from './shopOrder';
import { type Shop, SHOPS } from './shops';
import { validateOrder } from './validate';

/** What the form gives for one item, before it is known what the carriers offer. */
export interface FormValues extends CarrierChoice {
	/** What is sent, without the service. */
	body: Body;
	cleaned: Cleaned;
	shopOrderId: Order['shopOrderId'];
	/** The shop says that something is left to pay, and the user has not said how. */
	isUnpaid: boolean;
	/** The fields of the item that are not sent. */
	ignored: string[];
	/** The printer for the labels, '' without a value; undefined if nothing is printed. */
	printerName: string | undefined;
	problems: Problem[];
}

type Parameters = Readonly<Record<Exclude<ParameterName, 'orderData'>, ItemParameter>>;

/** Reads each item into the body of its request, with everything that is wrong regardless of the carrier. */
export async function readForm(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	options: CreationOptions,
): Promise<FormValues[]> {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const rawParameter = (name: string, fallback: unknown): unknown =>
		// n8n's own check names fields as the service does.
		context.getNodeParameter(name, 0, fallback, { rawExpressions: true, skipValidation: true });
	// Without the mapper's schema, which may have a thousand entries.
	const mapping = (name: string): ItemParameter => {
		if (isMapper(rawParameter(name, {}))) return parameter(`${name}.value`, {});
		const mapped = parameter(name, {});
		return (index) => valueOf(mapped(index));
	};
	const form = rawParameter('shipment', {});
	const orderData = String(rawParameter('orderData', MAPPED));
	const shop = Object.hasOwn(SHOPS, orderData) ? SHOPS[orderData] : undefined;
	const isAutomatic = !shop && isMapper(form) && form.mappingMode === 'autoMapInputData';
	const hasPrinter = rawParameter('options.printerName', null) !== null;
	const hasPrefix = rawParameter('options.orderNumberPrefix', '') !== '';
	const parameters: Parameters = {
		carrierService: parameter('carrierService'),
		shippingMethod: parameter('shippingMethod'),
		rules: parameter('rules', {}),
		shipment: isAutomatic ? (index) => items[index]?.json : mapping('shipment'),
		overrides: mapping('overrides'),
		orderNumberPrefix: parameter('options.orderNumberPrefix'),
		additionalServices: parameter('moreOptions.additionalServices'),
		additionalFields: parameter('moreOptions.additionalFields'),
		printerName: parameter('options.printerName'),
	};
	const settings = { ...options, isAutomatic, hasPrinter, hasPrefix, shop, orderData };
	return await mapWithPauses(items, ({ json }, i) => readItem(json, i, parameters, settings));
}

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType', 'carrierService']);

/** If one of these cannot be read, or the shop has no delivery address, every value is missing. */
const NEEDED_TO_VALIDATE = new Set(['shipment', 'orderData', 'overrides', 'recStreet']);

interface ItemSettings extends CreationOptions {
	isAutomatic: boolean;
	hasPrinter: boolean;
	hasPrefix: boolean;
	shop: Shop | undefined;
	orderData: string;
}

/** What cannot be read or converted is one more problem of the item. */
type Read = <Value>(
	name: keyof Parameters,
	convert: (given: unknown) => Value | undefined,
	expected?: string,
) => Value | undefined;

const readerOf =
	(parameters: Parameters, itemIndex: number, problems: Problem[]): Read =>
	(name, convert, expected = '') => {
		try {
			const given = parameters[name](itemIndex);
			const value = convert(given);
			if (value !== undefined) return value;
			problems.push(problemOf(name, showValue(valueOf(given)), expected));
		} catch (thrown) {
			const message = thrown instanceof Error ? thrown.message : String(thrown);
			const found = `expression without a value: ${showValue(message)}`;
			problems.push(problemOf(name, found, 'an expression that gives a value for this item'));
		}
		return undefined;
	};

function readItem(json: unknown, index: number, parameters: Parameters, settings: ItemSettings) {
	const { shop, isAutomatic, hasPrinter, hasPrefix } = settings;
	const problems: Problem[] = [];
	const read = readerOf(parameters, index, problems);
	const ofShop = readShop(json, settings, problems);
	const mapped = read(shop ? 'overrides' : 'shipment', toObject, AN_OBJECT) ?? {};
	const set = shop ? withMetadata(mapped, json, shop, problems) : mapped;
	const values = withDefaults(read, shop ? override(ofShop?.values ?? {}, set) : set, settings);
	const additional = read('additionalFields', toObject, AN_OBJECT) ?? {};
	if (additional.serviceType !== undefined) {
		const found = `serviceType ${showValue(additional.serviceType)}`;
		const expected = `no serviceType. Choose it in '${captions.carrierService}'`;
		problems.push(problemOf('additionalFields', found, expected));
	}

	const given: Record<string, unknown> = {
		...values,
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};

	const isUncollected = cleanPaymentMethod(given.cod, settings) === false;
	const isSettled = ({ field }: Problem) =>
		!isEmpty(set[field]) ||
		!isEmpty(additional[field]) ||
		(field === 'codPrice' && isUncollected) ||
		(field === 'recStreet' && !isEmpty(given.branchId));
	problems.push(...(ofShop?.problems.filter((problem) => !isSettled(problem)) ?? []));

	// Without its prefix, an order may have the number of another shop's order.
	const prefix = hasPrefix && read('orderNumberPrefix', toPrefix, `text. ${CHECK_IT}`);
	const number = readText(given.packageNumberCustom)?.trim();
	if (prefix && number) given.packageNumberCustom = `${prefix}${number}`;
	const phoneCountry =
		given.recPhone === ofShop?.values.recPhone ? ofShop?.phoneCountry : undefined;

	const fields = readFields(given, settings, shop !== undefined, phoneCountry);
	const none = { carrierCode: '', serviceType: '' };
	const choice = readCarrier(read, fields, ofShop, settings, problems) ?? none;
	const aPrinter = `the name of a printer. ${CHECK_IT}`;
	const printerName = hasPrinter ? (read('printerName', toPrinterName, aPrinter) ?? '') : undefined;
	const isReadable = !problems.some(({ field }) => NEEDED_TO_VALIDATE.has(field));
	problems.push(...fields.problems);

	const { shopOrderId, ...sent } = fields.body;
	const body = withDerived(sent, additional);
	const refused = new Set(problems.map(({ field }) => field));
	if (isReadable) problems.push(...validateOrder(body, refused));
	const isOfShop = ofShop !== undefined && given.note === ofShop.values.note;
	const note = isOfShop ? shortenedNote(sent.note, choice.carrierCode) : undefined;
	// First, so that the hint names the shortened note and not a reformatted phone number.
	const cleaned: Cleaned = { ...(note ? { note: [sent.note, note] } : {}), ...fields.cleaned };
	return {
		...choice,
		body: note ? { ...body, note } : body,
		cleaned,
		shopOrderId,
		isUnpaid: ofShop?.isUnpaid === true && isEmpty(set.cod) && isEmpty(additional.cod),
		printerName,
		ignored: ignoredIn(values, settings),
		problems,
	};
}

function ignoredIn(values: Values, { isAutomatic }: ItemSettings): string[] {
	const unknown = Object.keys(values).filter(
		(name) => !isMappedField(name) && !FORM_FIELDS.has(name),
	);
	return isAutomatic && (values.orderId ?? null) !== null ? [...unknown, 'orderId'] : unknown;
}

/** The fields with those that follow from them, and those that only the carrier knows, unchanged. */
function withDerived(fields: Body, additional: Values): Body {
	const flags = addresses
		.filter(({ names }) => names.some((name) => fields[name] !== undefined))
		.map(({ prefix }) => [`${prefix}Enabled`, true]);
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	// Some carriers read one name, some the other, and which one is not documented.
	const { pieceCount = 1 } = fields;
	const pieces = pieceCount > 1 ? { piecesCount: pieceCount } : {};
	return { ...fields, ...pieces, ...Object.fromEntries([...flags, ...unmapped]) };
}

/** The order of the shop; undefined if the values are mapped, or the item is no such order. */
function readShop(
	json: unknown,
	{ shop, orderData, codMethods }: ItemSettings,
	problems: Problem[],
): ShopOrder | undefined {
	if (!shop) {
		const expected = `one of: ${[MAPPED, ...Object.keys(SHOPS)].join(', ')}`;
		if (orderData !== MAPPED) problems.push(problemOf('orderData', showValue(orderData), expected));
		return undefined;
	}
	const other = findOtherShop(json, shop);
	if (other) {
		const expected = `'${other.caption}', because the item looks like one`;
		const message = `The item looks like a ${other.caption}, not like a ${shop.caption}`;
		problems.push(problemOf('orderData', other.caption, expected, message));
		return undefined;
	}
	const order = readShopOrder(json, shop, codMethods);
	if (!order) {
		const [number] = shop.fields.packageNumberCustom ?? [];
		const expected = `a ${shop.caption} as the API of the shop returns it. For items with other fields, choose 'Mapped Below'`;
		const message = `The item is not a ${shop.caption}: it has no ${number}`;
		problems.push(problemOf('orderData', `item without ${number}`, expected, message));
	}
	return order;
}

/** The values of the order with those of options, for what it lacks. */
function withDefaults(read: Read, ofOrder: Values, { defaultWeight }: ItemSettings): Values {
	const { list } = kinds;
	const values: Record<string, unknown> = { ...ofOrder };
	const services = read('additionalServices', (given) => list.read(given ?? ''), list.expected);
	if (isEmpty(values.services) && Object.keys(services ?? {}).length > 0)
		values.services = services;
	// Shops write 0 if they do not know the weight.
	if (isZero(values.weight)) delete values.weight;
	if (defaultWeight > 0 && isEmpty(values.weight)) values.weight = defaultWeight;
	return values;
}

/** The first rule that fits the order chooses its service, or else it is the same for all orders. */
function readCarrier(
	read: Read,
	{ body, problems: unread }: ReturnType<typeof readFields>,
	ofShop: ShopOrder | undefined,
	{ shop }: ItemSettings,
	problems: Problem[],
): CarrierChoice | undefined {
	const rules = read('rules', listRules);
	if (!rules) return undefined;
	const readService = () => read('carrierService', toCodes, BOTH_CODES);
	if (rules.length === 0) return readService();
	const shippingMethod = read(
		'shippingMethod',
		(value) => (isEmpty(value) ? ofShop?.shippingMethod : value) ?? null,
	);
	// Of an item that is no order, the rules would only find out the same.
	if (shippingMethod === undefined || (shop && !ofShop)) return undefined;
	const unreadable = new Set([...problems, ...unread].map(({ field }) => field));
	const facts = { shippingMethod, body, unreadable, isFromShop: shop !== undefined };
	const chosen = chooseByRules(facts, rules);
	problems.push(...chosen.problems);
	if (!chosen.noneFits) return chosen.choice;
	if (read('carrierService', (value) => !isEmpty(valueOf(value)))) return readService();
	problems.push(chosen.noneFits);
	return undefined;
}

const CHECK_IT = 'Check the result of the expression for this item, or remove the option';

const toPrefix = (given: unknown) => (isEmpty(given) ? undefined : readText(given));

const toPrinterName = (given: unknown) => String(valueOf(given) ?? '').trim() || undefined;

/** What a value begins with that is the key of a value in the metadata of the order. */
const METADATA = /^meta:\s*(.+)$/i;

/** The values that the user has set, those of keys read from the order. A key that it lacks has no value. */
function withMetadata(set: Values, json: unknown, shop: Shop, problems: Problem[]): Values {
	return Object.fromEntries(
		Object.entries(set).map(([name, value]) => {
			const [, key] = (typeof value === 'string' && METADATA.exec(value.trim())) || [];
			if (key === undefined) return [name, value];
			if (shop.metadata.length === 0) {
				const expected = 'a value, or a field that you drag from the order';
				const message = `A ${shop.caption} has no metadata, so it has no ${showValue(value)}`;
				problems.push(problemOf('overrides', showValue(value), expected, message));
			}
			return [name, readMetadata(json, shop, key)];
		}),
	);
}

function isMapper(form: unknown): form is { mappingMode?: string; value?: unknown } {
	return isRecord(form) && ('value' in form || 'mappingMode' in form);
}

/** The values of a shop with those that the user has set instead. */
function override(ofShop: Values, given: Values): Values {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value)));
	const { recFirstName, recLastName, ...others } = ofShop;
	if (!('recFirstName' in set || 'recLastName' in set)) return { ...others, ...set };
	// Not every shop has the parts. With the whole name, a part that is not in it is refused.
	const hasParts = [recFirstName, recLastName].some((part) => !isEmpty(part));
	const isComplete = 'recFirstName' in set && 'recLastName' in set;
	return { ...ofShop, ...(hasParts || isComplete ? { recName: undefined } : {}), ...set };
}

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

function toObject(given: unknown): Values | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}
