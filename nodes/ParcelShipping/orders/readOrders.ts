import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { isSameCode, mapWithPauses } from '../lists';
import { isRecord, parseJson } from '../records';
import type { ShipmentCreation } from '../transport/contract';
import type { CreationOptions } from './creationOptions';
import { captions, isMappedField, type ParameterName } from './fields';
import {
	type Cleaned,
	invalid,
	type Order,
	otherAddresses,
	type Problem,
	problemOf,
	type ServiceCodes,
	showValue,
	toCodes,
	valueOf,
} from './order';
import { type Body, readFields, type Values } from './readFields';
import { type CarrierChoice, chooseByRules, listRules } from './rules';
import {
	findOtherShop,
	MAPPED,
	readMetadata,
	readShopOrder,
	type Shop,
	type ShopOrder,
	SHOPS,
} from './shops';
import { cleanPaymentMethod, isEmpty, isZero, kinds, readCodesOrJson, readText } from './values';

/** What is read of one item, before it is known what the carriers offer. */
export interface OrderDraft {
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

type ItemParameters = Readonly<Record<Exclude<ParameterName, 'orderData'>, ItemParameter>>;

/** What is the same for all items. */
interface Settings extends CreationOptions {
	isAutomatic: boolean;
	hasPrinter: boolean;
	hasPrefix: boolean;
	/** Whether the additional services were chosen from the list. Otherwise, an expression gives them. */
	hasServiceList: boolean;
	/** Whether the form has a 'Cash on Delivery Amount'. Undefined if only the item shows it. */
	hasAmount: boolean | undefined;
	shop: Shop | undefined;
	orderData: string;
}

/** Reads each item into the body of its request, with everything that is wrong regardless of the carrier. */
export async function readOrders(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	options: CreationOptions,
): Promise<OrderDraft[]> {
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
	const orderData = String(rawParameter('orderData', MAPPED));
	const shop = Object.hasOwn(SHOPS, orderData) ? SHOPS[orderData] : undefined;
	const shipment = rawParameter('shipment', {});
	const isAutomatic = !shop && isMapper(shipment) && shipment.mappingMode === 'autoMapInputData';
	const parameters: ItemParameters = {
		carrierService: parameter('carrierService'),
		shippingMethod: parameter('shippingMethod'),
		rules: parameter('rules', {}),
		shipment: isAutomatic ? (index) => items[index]?.json : mapping('shipment'),
		overrides: mapping('overrides'),
		orderNumberPrefix: parameter('options.orderNumberPrefix'),
		additionalServices: parameter('options.additionalServices'),
		additionalFields: parameter('options.additionalFields'),
		printerName: parameter('printerName'),
	};
	const isMappedByHand = !shop && !isAutomatic && isMapper(shipment) && isRecord(shipment.value);
	const settings: Settings = {
		...options,
		isAutomatic,
		hasPrinter: options.labels === 'print',
		hasPrefix: rawParameter('options.orderNumberPrefix', '') !== '',
		hasServiceList: Array.isArray(rawParameter('options.additionalServices', [])),
		// n8n keeps a field that is shown and has no value as null.
		hasAmount: isMappedByHand ? !isEmpty((shipment.value as Values).codPrice) : undefined,
		shop,
		orderData,
	};
	return await mapWithPauses(items, ({ json }, i) => readItem(json, i, parameters, settings));
}

/** Reads a parameter for one item. What cannot be read or converted is one more problem of the item. */
type Read = <Value>(
	name: keyof ItemParameters,
	convert: (given: unknown) => Value | undefined,
	expected?: string,
) => Value | undefined;

const readerOf =
	(parameters: ItemParameters, itemIndex: number, problems: Problem[]): Read =>
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

const CHECK_IT = 'Check the result of the expression for this item, or remove the option';

const NO_SERVICE: CarrierChoice = { carrierCode: '', serviceType: '' };

/**
 * Reads an item in these steps: its values as they are given, the same values as they can be sent, the carrier that they
 * choose, and the body of the request.
 */
function readItem(
	json: unknown,
	itemIndex: number,
	parameters: ItemParameters,
	settings: Settings,
): OrderDraft {
	const problems: Problem[] = [];
	const read = readerOf(parameters, itemIndex, problems);
	const given = readGiven(json, read, settings, problems);
	const { shopOrder } = given;
	const fields = readFields(given.values, {
		...settings,
		amountDecides: given.amountDecides,
		phoneCountry: given.isOfShop('recPhone') ? shopOrder?.phoneCountry : undefined,
	});
	const chosen = readCarrier(read, fields, shopOrder, settings, problems) ?? NO_SERVICE;
	const printerName = settings.hasPrinter
		? (read('printerName', toPrinterName, `the name of a printer. ${CHECK_IT}`) ?? '')
		: undefined;
	problems.push(...fields.problems);
	const { shopOrderId, ...ownFields } = fields.body;
	const services = readServices(read, chosen, settings, () =>
		readerOf(parameters, itemIndex, [])('carrierService', toCodes),
	);
	const note = shortenedNote(ownFields.note, given, chosen.carrierCode);
	const body = {
		...services,
		...ownFields,
		...(note === undefined ? {} : { note }),
		...withDerived(ownFields, given.additional),
		serviceType: chosen.serviceType,
	};
	// The note first, because the hint about cleaned up values names only the first one of an order.
	const cleaned: Cleaned = {
		...(note === undefined ? {} : { note: [ownFields.note, note] }),
		...fields.cleaned,
	};
	return {
		order: {
			itemIndex,
			carrierCode: chosen.carrierCode,
			// What is missing in it is among the problems.
			body: body as ShipmentCreation,
			shopOrderId,
			...(chosen.rule ? { rule: chosen.rule } : {}),
			...(Object.keys(cleaned).length > 0 ? { cleaned } : {}),
		},
		isUnpaid: shopOrder?.isUnpaid === true && !given.isSetByUser('cod'),
		printerName,
		ignored: given.ignored,
		problems,
	};
}

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType', 'carrierService']);

interface Given {
	/** All of them by the names of the fields: of the shop or the mapping, and of 'Additional Fields'. */
	values: Values;
	/** Of 'Additional Fields' alone. */
	additional: Values;
	shopOrder: ShopOrder | undefined;
	ignored: string[];
	/** Whether the amount says alone whether the recipient pays on delivery. */
	amountDecides: boolean;
	/** Whether a value of the user counts. */
	isSetByUser(field: string): boolean;
	isOfShop(field: string): boolean;
	/** Whether the value is that of a key that the user has named. */
	isFromMetadata(field: string): boolean;
}

/** The values of an item before they are cleaned: mapped, or of an order of a shop, with those of the options. */
function readGiven(json: unknown, read: Read, settings: Settings, problems: Problem[]): Given {
	const { shop, isAutomatic, hasAmount } = settings;
	const shopOrder = readOrderOfShop(json, settings, problems);
	const entered = read(shop ? 'overrides' : 'shipment', toObject, AN_OBJECT) ?? {};
	const mapped = shop ? withMetadata(entered, json, shop, problems) : entered;
	const { serviceType, ...additional } = read('additionalFields', toObject, WITHOUT_SERVICE) ?? {};
	if (serviceType !== undefined)
		problems.push(invalid('additionalFields', { serviceType }, WITHOUT_SERVICE));
	const ofUser: Values = {
		// An empty field of the form keeps the value of the shop. One in 'Additional Fields' removes it.
		...(shop ? withoutEmpty(mapped) : mapped),
		// The items of a shop often have an `orderId`, which is an unrelated order in the service.
		...(isAutomatic ? { orderId: undefined } : {}),
		...additional,
	};
	const values: Record<string, unknown> = { ...shopOrder?.values, ...ofUser };
	// Shops write 0 if they do not know the weight.
	if (isZero(values.weight)) delete values.weight;
	if (settings.defaultWeight > 0 && isEmpty(values.weight)) values.weight = settings.defaultWeight;
	if (settings.hasPrefix) addPrefix(values, read);
	const given: Given = {
		values,
		additional,
		shopOrder,
		ignored: Object.keys(mapped).filter((name) => !isMappedField(name) && !FORM_FIELDS.has(name)),
		amountDecides: 'codPrice' in additional || (hasAmount ?? 'codPrice' in ofUser),
		isSetByUser: (field) => !isEmpty(ofUser[field]),
		isOfShop: (field) => shopOrder !== undefined && !(field in ofUser),
		isFromMetadata: (field) => mapped[field] !== entered[field] && values[field] === mapped[field],
	};
	problems.push(...openProblems(given, settings));
	return given;
}

/** The problems of the order in the shop that the user has not settled by values of their own. */
function openProblems({ shopOrder, values, ...given }: Given, { codMethods }: Settings): Problem[] {
	const isUncollected = cleanPaymentMethod(values.cod, codMethods) === false;
	const isSettled = ({ field }: Problem) =>
		given.isSetByUser(field) ||
		(field === 'cod' && given.amountDecides) ||
		(field === 'codPrice' && isUncollected) ||
		(['branchId', 'recStreet'].includes(field) && !isEmpty(values.branchId));
	return shopOrder?.problems.filter((problem) => !isSettled(problem)) ?? [];
}

/** The order of the shop; undefined if the values are mapped, or the item is no such order. */
function readOrderOfShop(
	json: unknown,
	{ shop, orderData, codMethods }: Settings,
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
		const expected = `a ${shop.caption} as the API of the shop returns it. For items with other fields, choose 'Mapped Below'`;
		const message = `The item is not a ${shop.caption}: it has no ${shop.identifiedBy[0]}`;
		problems.push(problemOf('orderData', message, expected));
	}
	return order;
}

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

/** Without its prefix, an order may have the number of another shop's order. */
function addPrefix(values: Record<string, unknown>, read: Read): void {
	const toPrefix = (given: unknown) => (isEmpty(given) ? undefined : readText(given));
	const prefix = read('orderNumberPrefix', toPrefix, `text. ${CHECK_IT}`);
	const number = readText(values.packageNumberCustom)?.trim();
	if (prefix && number) values.packageNumberCustom = `${prefix}${number}`;
}

/** The first rule that fits the order chooses its service, or else it is the same for all orders. */
function readCarrier(
	read: Read,
	{ body, problems: unread }: ReturnType<typeof readFields>,
	shopOrder: ShopOrder | undefined,
	{ shop }: Settings,
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
	const isFromShop = shop !== undefined;
	const chosen = chooseByRules({ shippingMethod, body, unreadable, isFromShop }, rules);
	problems.push(...chosen.problems);
	if (!chosen.noneFits) return chosen.choice;
	const hasService = read('carrierService', (value) => !isEmpty(valueOf(value)));
	if (hasService) return readService();
	if (hasService === false) problems.push(chosen.noneFits);
	return undefined;
}

/**
 * The additional services of the options. A list of the form has those of 'Carrier and Service', so that an order that a
 * rule gives to another service does not get them. An expression may give each order its own.
 */
function readServices(
	read: Read,
	chosen: CarrierChoice,
	{ hasServiceList }: Settings,
	/** Of an order for which a rule has chosen, the service in the form does not have to be valid. */
	readServiceInForm: () => ServiceCodes | undefined,
): Body {
	const convert = (given: unknown) => readCodesOrJson(given ?? '');
	const services = read('additionalServices', convert, kinds.list.expected);
	if (Object.keys(services ?? {}).length === 0) return {};
	const body = { services } as Body;
	if (!hasServiceList || chosen.rule === undefined) return body;
	const inForm = readServiceInForm();
	const isSame =
		isSameCode(inForm?.carrierCode, chosen.carrierCode) &&
		isSameCode(inForm?.serviceType, chosen.serviceType);
	return isSame ? body : {};
}

/** What follows from the fields, and those that only the carrier knows, unchanged. */
function withDerived(fields: Body, additional: Values): Values {
	const flags = otherAddresses
		.filter(({ names }) => names.some((name) => fields[name] !== undefined))
		.map(({ prefix }) => [`${prefix}Enabled`, true]);
	const unmapped = Object.entries(additional).filter(([name]) => !isMappedField(name));
	// Some carriers read one name, some the other, and which one is not documented.
	const { pieceCount = 1 } = fields;
	const pieces = pieceCount > 1 ? { piecesCount: pieceCount } : {};
	return { ...pieces, ...Object.fromEntries([...flags, ...unmapped]) };
}

/** Characters of a note, as the models of a service's public .NET client document them (AddPackage…Model). */
const NOTE_LENGTHS: Readonly<Record<string, number>> = { CP: 50, DPD: 64, PACKETA: 128 };

/**
 * The note of a shop's order without the words that are too many for the carrier; undefined if it stays. The user cannot
 * change it in the shop, and without the rest, it still says more than no note. The user changes a note of their own.
 */
function shortenedNote(note: string | undefined, given: Given, carrierCode: string) {
	const maxLength = NOTE_LENGTHS[carrierCode.toUpperCase()] ?? Infinity;
	const isOfOrder = given.isOfShop('note') || given.isFromMetadata('note');
	if (!note || note.length <= maxLength || !isOfOrder) return undefined;
	const end = note.lastIndexOf(' ', maxLength);
	const cut = note.slice(0, end > 0 ? end : maxLength).trimEnd();
	// Not half of a pair of characters.
	return cut.replace(/\p{Cs}$/u, '');
}

const BOTH_CODES = 'one from the list, or both codes as in ANT/ANT-HOME';

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

const WITHOUT_SERVICE = `${AN_OBJECT}, without serviceType: choose it in '${captions.carrierService}'`;

function toObject(given: unknown): Values | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}

const withoutEmpty = (values: Values): Values =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));

const toPrinterName = (given: unknown) => String(valueOf(given) ?? '').trim() || undefined;

function isMapper(given: unknown): given is { mappingMode?: string; value?: unknown } {
	return isRecord(given) && ('value' in given || 'mappingMode' in given);
}
