import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { isSameCode, mapWithPauses } from '../lists';
import { isRecord, parseJson } from '../records';
import type { ShipmentCreation } from '../transport/contract';
import { shortenedNote } from './carrierLimits';
import { cleanPaymentMethod } from './cashOnDelivery';
import { captions, isMappedField, type ParameterName } from './fields';
import { type CreationOptions, MAPPED, valueOf } from './form';
import { isZero, kinds, readCodesOrJson } from './kinds';
import { BOTH_CODES, otherAddresses, type ServiceCodes, toCodes } from './offers';
import { type Cleaned, invalid, type Order, type Problem, problemOf, showValue } from './order';
import { type Body, readFields, type Values } from './readFields';
import { type CarrierChoice, chooseByRules, listRules } from './rules';
import { findOtherShop, readMetadata, readShopOrder, type ShopOrder } from './shopOrder';
import { type Shop, SHOPS } from './shops';
import { validateOrder } from './validate';
import { isEmpty, readText } from './values';

/** What the form gives for one item, before it is known what the carriers offer. */
export interface FormValues {
	/** With the codes of carrier and service as the item has them, '' if it has none. */
	order: Order;
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
		additionalServices: parameter('options.additionalServices'),
		additionalFields: parameter('options.additionalFields'),
		printerName: parameter('options.printerName'),
	};
	const hasServiceList = Array.isArray(rawParameter('options.additionalServices', []));
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

const NO_SERVICE: CarrierChoice = { carrierCode: '', serviceType: '' };

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
			problems.push(invalid(name, valueOf(given), expected));
		} catch (thrown) {
			const message = thrown instanceof Error ? thrown.message : String(thrown);
			const failed = `Invalid ${captions[name]}: the expression failed: ${showValue(message)}`;
			problems.push(problemOf(name, failed, 'an expression that gives a value for this item'));
		}
		return undefined;
	};

/**
 * Reads an item in these steps: its values as they are given, the same values as they can be sent, the carrier that they
 * choose, and the body of the request.
 */
function readItem(
	json: unknown,
	itemIndex: number,
	parameters: Parameters,
	settings: ItemSettings,
): FormValues {
	const problems: Problem[] = [];
	const read = readerOfItem(parameters, itemIndex, problems);
	const given = readGiven(json, read, settings, problems);
	const { shopOrder } = given;
	problems.push(...openProblems(given, settings));

	const isFromShop = settings.shop !== undefined;
	const phoneCountry = given.isOfShop('recPhone') ? shopOrder?.phoneCountry : undefined;
	const fields = readFields(given.values, { ...settings, isFromShop, phoneCountry });

	const chosen = readCarrier(read, fields, shopOrder, settings, problems) ?? NO_SERVICE;
	const printerName = settings.hasPrinter
		? (read('printerName', toPrinterName, `the name of a printer. ${CHECK_IT}`) ?? '')
		: undefined;
	const isReadable = !problems.some(({ field }) => NEEDED_TO_VALIDATE.has(field));
	problems.push(...fields.problems);

	const { carrierCode, serviceType, rule } = chosen;
	const { shopOrderId, ...ownFields } = fields.body;
	// Of an order for which a rule has chosen, the service in the form does not have to be valid.
	const readServiceInForm = () =>
		readerOfItem(parameters, itemIndex, [])('carrierService', toCodes);
	const services = readServices(read, chosen, settings, readServiceInForm);
	const body = withDerived({ ...services, ...ownFields }, given.additional);
	const refused = new Set(problems.map(({ field }) => field));
	if (isReadable) problems.push(...validateOrder(body, refused));
	const note = given.isOfShop('note') ? shortenedNote(ownFields.note, carrierCode) : undefined;
	// First in `cleaned`, because the hint about cleaned up values names only the first one of an order.
	const shortened: Cleaned = note ? { note: [ownFields.note, note] } : {};
	const cleaned = { ...shortened, ...fields.cleaned };
	return {
		order: {
			itemIndex,
			carrierCode,
			// What is missing in it is among the problems.
			body: { ...body, ...(note ? { note } : {}), serviceType } as ShipmentCreation,
			shopOrderId,
			...(rule ? { rule } : {}),
			...(Object.keys(cleaned).length > 0 ? { cleaned } : {}),
		},
		isUnpaid: shopOrder?.isUnpaid === true && !given.isSetByUser('cod'),
		printerName,
		ignored: given.ignored,
		problems,
	};
}

/** The values of an item as they are given. */
interface Given {
	/** All of them by the names of the fields: of the shop or the mapping, and of 'Additional Fields'. */
	values: Values;
	/** Of 'Additional Fields' alone. */
	additional: Values;
	shopOrder: ShopOrder | undefined;
	ignored: string[];
	isSetByUser(field: string): boolean;
	isOfShop(field: string): boolean;
}

function readGiven(json: unknown, read: Read, settings: ItemSettings, problems: Problem[]): Given {
	const { shop, isAutomatic, hasPrefix } = settings;
	const shopOrder = readOrderOfItem(json, settings, problems);
	const entered = read(shop ? 'overrides' : 'shipment', toObject, AN_OBJECT) ?? {};
	const mapped = shop ? withMetadata(entered, json, shop, problems) : entered;
	const ofOrder = shop ? override(shopOrder?.values ?? {}, mapped) : mapped;
	const additional = read('additionalFields', toAdditionalFields, WITHOUT_SERVICE) ?? {};
	const values: Record<string, unknown> = {
		...ofOrder,
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};
	setDefaultWeight(values, settings);
	if (hasPrefix) addPrefix(values, read);
	return {
		values,
		additional,
		shopOrder,
		ignored: ignoredIn(ofOrder, settings),
		isSetByUser: (field) => !isEmpty(mapped[field]) || !isEmpty(additional[field]),
		isOfShop: (field) => shopOrder !== undefined && values[field] === shopOrder.values[field],
	};
}

/** The problems of the order in the shop that the user has not settled by values of their own. */
function openProblems(
	{ shopOrder, values, isSetByUser }: Given,
	settings: ItemSettings,
): Problem[] {
	const isUncollected = cleanPaymentMethod(values.cod, settings) === false;
	const isSettled = ({ field }: Problem) =>
		isSetByUser(field) ||
		(field === 'codPrice' && isUncollected) ||
		(field === 'recStreet' && !isEmpty(values.branchId));
	return shopOrder?.problems.filter((problem) => !isSettled(problem)) ?? [];
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
		if (orderData !== MAPPED) problems.push(invalid('orderData', orderData, expected));
		return undefined;
	}
	const other = findOtherShop(json, shop);
	if (other) {
		const expected = `'${other.caption}', because the item looks like one`;
		const message = `The item looks like a ${other.caption}, not like a ${shop.caption}`;
		problems.push(problemOf('orderData', message, expected));
		return undefined;
	}
	const order = readShopOrder(json, shop, codMethods);
	if (!order) {
		const [number] = shop.fields.packageNumberCustom ?? [];
		const expected = `a ${shop.caption} as the API of the shop returns it. For items with other fields, choose 'Mapped Below'`;
		const message = `The item is not a ${shop.caption}: it has no ${number}`;
		problems.push(problemOf('orderData', message, expected));
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
	readServiceInForm: () => ServiceCodes | undefined,
): Body {
	const services = read(
		'additionalServices',
		(given) => readCodesOrJson(given ?? ''),
		kinds.list.expected,
	);
	if (Object.keys(services ?? {}).length === 0) return {};
	const body = { services } as Body;
	if (!hasServiceList || chosen.rule === undefined) return body;
	const inForm = readServiceInForm();
	const isSame =
		isSameCode(inForm?.carrierCode, chosen.carrierCode) &&
		isSameCode(inForm?.serviceType, chosen.serviceType);
	return isSame ? body : {};
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
				problems.push(problemOf('overrides', message, expected));
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

const WITHOUT_SERVICE = `${AN_OBJECT}, without serviceType: choose it in '${captions.carrierService}'`;

function toAdditionalFields(given: unknown): Values | undefined {
	const fields = toObject(given);
	return fields?.serviceType === undefined ? fields : undefined;
}
