import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { isSameCode, mapWithPauses } from '../lists';
import { isRecord, parseJson } from '../records';
import { shortenedNote } from './carrierLimits';
import { captions, isMappedField, type ParameterName } from './fields';
import { type CreationOptions, MAPPED, valueOf } from './form';
import { cleanPaymentMethod, isEmpty, isZero, kinds, readText } from './kinds';
import { BOTH_CODES, otherAddresses, toCodes } from './offers';
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
	const hasServiceList = Array.isArray(rawParameter('moreOptions.additionalServices', []));
	const settings = {
		...options,
		isAutomatic,
		hasPrinter,
		hasPrefix,
		hasServiceList,
		shop,
		orderData,
	};
	return await mapWithPauses(items, ({ json }, i) => readItem(json, i, parameters, settings));
}

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType', 'carrierService']);

const NO_SERVICE = { carrierCode: '', serviceType: '' };

/** If one of these has a problem, missing fields are not reported: all would be. */
const NEEDED_TO_VALIDATE = new Set(['shipment', 'orderData', 'overrides', 'recStreet']);

interface ItemSettings extends CreationOptions {
	isAutomatic: boolean;
	hasPrinter: boolean;
	hasPrefix: boolean;
	/** Whether the additional services were chosen from the list. Otherwise, an expression gives them. */
	hasServiceList: boolean;
	shop: Shop | undefined;
	orderData: string;
}

/** What cannot be read or converted is one more problem of the item. */
type Read = <Value>(
	name: keyof Parameters,
	convert: (given: unknown) => Value | undefined,
	expected?: string,
) => Value | undefined;

const readerOfItem =
	(parameters: Parameters, itemIndex: number, problems: Problem[]): Read =>
	(name, convert, expected = '') => {
		try {
			const given = parameters[name](itemIndex);
			const value = convert(given);
			if (value !== undefined) return value;
			problems.push(problemOf(name, showValue(valueOf(given)), expected));
		} catch (thrown) {
			const message = thrown instanceof Error ? thrown.message : String(thrown);
			const found = `the expression failed: ${showValue(message)}`;
			problems.push(problemOf(name, found, 'an expression that gives a value for this item'));
		}
		return undefined;
	};

function readItem(json: unknown, index: number, parameters: Parameters, settings: ItemSettings) {
	const { shop, isAutomatic, hasPrinter, hasPrefix } = settings;
	const problems: Problem[] = [];
	const read = readerOfItem(parameters, index, problems);
	const shopOrder = readOrderOfItem(json, settings, problems);
	const entered = read(shop ? 'overrides' : 'shipment', toObject, AN_OBJECT) ?? {};
	const userValues = shop ? withMetadata(entered, json, shop, problems) : entered;
	const values = shop ? override(shopOrder?.values ?? {}, userValues) : userValues;
	const additionalFields = readAdditionalFields(read, problems);

	const uncleaned: Record<string, unknown> = {
		...values,
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additionalFields,
	};
	setDefaultWeight(uncleaned, settings);
	if (hasPrefix) addPrefix(uncleaned, read);

	const isUncollected = cleanPaymentMethod(uncleaned.cod, settings) === false;
	const isSettled = ({ field }: Problem) =>
		!isEmpty(userValues[field]) ||
		!isEmpty(additionalFields[field]) ||
		(field === 'codPrice' && isUncollected) ||
		(field === 'recStreet' && !isEmpty(uncleaned.branchId));
	problems.push(...(shopOrder?.problems.filter((problem) => !isSettled(problem)) ?? []));

	const isShopPhone = uncleaned.recPhone === shopOrder?.values.recPhone;
	const phoneCountry = isShopPhone ? shopOrder?.phoneCountry : undefined;
	const isFromShop = shop !== undefined;
	const cleanedUp = readFields(uncleaned, { ...settings, isFromShop, phoneCountry });
	const chosenService = readCarrier(read, cleanedUp, shopOrder, settings, problems) ?? NO_SERVICE;
	const aPrinter = `the name of a printer. ${CHECK_IT}`;
	const printerName = hasPrinter ? (read('printerName', toPrinterName, aPrinter) ?? '') : undefined;
	const isReadable = !problems.some(({ field }) => NEEDED_TO_VALIDATE.has(field));
	problems.push(...cleanedUp.problems);

	const { shopOrderId, ...ownBody } = cleanedUp.body;
	const readQuietly = readerOfItem(parameters, index, []);
	const services = readServices(read, chosenService, settings, readQuietly);
	const body = withDerived({ ...services, ...ownBody }, additionalFields);
	const refused = new Set(problems.map(({ field }) => field));
	if (isReadable) problems.push(...validateOrder(body, refused));
	const isShopNote = shopOrder !== undefined && uncleaned.note === shopOrder.values.note;
	const note = isShopNote ? shortenedNote(ownBody.note, chosenService.carrierCode) : undefined;
	// First in `cleaned`, because the hint about cleaned up values names only the first one of an order.
	const shortened: Cleaned = note ? { note: [ownBody.note, note] } : {};
	return {
		...chosenService,
		body: note ? { ...body, note } : body,
		cleaned: { ...shortened, ...cleanedUp.cleaned },
		shopOrderId,
		isUnpaid:
			shopOrder?.isUnpaid === true && isEmpty(userValues.cod) && isEmpty(additionalFields.cod),
		printerName,
		ignored: ignoredIn(values, settings),
		problems,
	};
}

function readAdditionalFields(read: Read, problems: Problem[]): Values {
	const fields = read('additionalFields', toObject, AN_OBJECT) ?? {};
	if (fields.serviceType === undefined) return fields;
	const found = `serviceType ${showValue(fields.serviceType)}`;
	const expected = `no serviceType. Choose it in '${captions.carrierService}'`;
	problems.push(problemOf('additionalFields', found, expected));
	return fields;
}

function ignoredIn(values: Values, { isAutomatic }: ItemSettings): string[] {
	const unknown = Object.keys(values).filter(
		(name) => !isMappedField(name) && !FORM_FIELDS.has(name),
	);
	return isAutomatic && (values.orderId ?? null) !== null ? [...unknown, 'orderId'] : unknown;
}

/** The fields with those that follow from them, and those that only the carrier knows, unchanged. */
function withDerived(fields: Body, additional: Values): Body {
	const flags = otherAddresses
		.filter(({ names }) => names.some((name) => fields[name] !== undefined))
		.map(({ prefix }) => [`${prefix}Enabled`, true]);
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	// Some carriers read one name, some the other, and which one is not documented.
	const { pieceCount = 1 } = fields;
	const pieces = pieceCount > 1 ? { piecesCount: pieceCount } : {};
	return { ...fields, ...pieces, ...Object.fromEntries([...flags, ...unmapped]) };
}

/** The order of the shop; undefined if the values are mapped, or the item is no such order. */
function readOrderOfItem(
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

/** Without its prefix, an order may have the number of another shop's order. */
function addPrefix(values: Record<string, unknown>, read: Read): void {
	const prefix = read('orderNumberPrefix', toPrefix, `text. ${CHECK_IT}`);
	const number = readText(values.packageNumberCustom)?.trim();
	if (prefix && number) values.packageNumberCustom = `${prefix}${number}`;
}

function setDefaultWeight(values: Record<string, unknown>, { defaultWeight }: ItemSettings): void {
	// Shops write 0 if they do not know the weight.
	if (isZero(values.weight)) delete values.weight;
	if (defaultWeight > 0 && isEmpty(values.weight)) values.weight = defaultWeight;
}

/**
 * The additional services of the options. A list of the form has those of 'Carrier and Service', so that an order that a
 * rule gives to another service does not get them. An expression may give each order its own.
 */
function readServices(
	read: Read,
	chosen: CarrierChoice,
	{ hasServiceList }: ItemSettings,
	readQuietly: Read,
): Body {
	const { list } = kinds;
	const services = read('additionalServices', (given) => list.read(given ?? ''), list.expected);
	if (Object.keys(services ?? {}).length === 0) return {};
	const isOfRule = hasServiceList && chosen.rule !== undefined;
	const ofList = isOfRule ? readQuietly('carrierService', toCodes) : chosen;
	const isForOrder =
		ofList !== undefined &&
		isSameCode(ofList.carrierCode, chosen.carrierCode) &&
		isSameCode(ofList.serviceType, chosen.serviceType);
	return isForOrder ? ({ services } as Body) : {};
}

/** The first rule that fits the order chooses its service, or else it is the same for all orders. */
function readCarrier(
	read: Read,
	{ body, problems: unread }: ReturnType<typeof readFields>,
	shopOrder: ShopOrder | undefined,
	{ shop }: ItemSettings,
	problems: Problem[],
): CarrierChoice | undefined {
	const rules = read('rules', listRules);
	if (!rules) return undefined;
	const readService = () => read('carrierService', toCodes, BOTH_CODES);
	if (rules.length === 0) return readService();
	const shippingMethod = read(
		'shippingMethod',
		(value) => (isEmpty(value) ? shopOrder?.shippingMethod : value) ?? null,
	);
	// Of an item that is no order, the rules would only find out the same.
	if (shippingMethod === undefined || (shop && !shopOrder)) return undefined;
	const unreadable = new Set([...problems, ...unread].map(({ field }) => field));
	const facts = { shippingMethod, body, unreadable, isFromShop: shop !== undefined };
	const chosen = chooseByRules(facts, rules);
	problems.push(...chosen.problems);
	if (!chosen.noneFits) return chosen.choice;
	const hasService = read('carrierService', (value) => !isEmpty(valueOf(value)));
	if (hasService) return readService();
	if (hasService === false) problems.push(chosen.noneFits);
	return undefined;
}

const CHECK_IT = 'Check the result of the expression for this item, or remove the option';

const toPrefix = (given: unknown) => (isEmpty(given) ? undefined : readText(given));

const toPrinterName = (given: unknown) => String(valueOf(given) ?? '').trim() || undefined;

/** What a value begins with that is the key of a value in the metadata of the order. */
const METADATA = /^meta:\s*(.+)$/i;

/** The values that the user has set, those of keys read from the order. A key that it lacks has no value. */
function withMetadata(entered: Values, json: unknown, shop: Shop, problems: Problem[]): Values {
	return Object.fromEntries(
		Object.entries(entered).map(([name, value]) => {
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
function override(ofShop: Values, userValues: Values): Values {
	const set = Object.fromEntries(Object.entries(userValues).filter(([, value]) => !isEmpty(value)));
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
