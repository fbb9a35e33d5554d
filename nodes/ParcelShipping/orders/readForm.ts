import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { isSameCode, mapWithPauses } from '../lists';
import { isRecord } from '../records';
import type { ShipmentCreation } from '../transport/contract';
import { shortenedNote } from './carrierLimits';
import type { CreationOptions } from './creationOptions';
import { isMappedField } from './fields';
import {
	CHECK_IT,
	type ItemSettings,
	type ItemParameters,
	type Read,
	readerOfItem,
	valueOf,
} from './itemReader';
import { kinds, readCodesOrJson } from './kinds';
import { BOTH_CODES, otherAddresses, type ServiceCodes, toCodes } from './offers';
import type { Cleaned, Order, Problem } from './order';
import { type Body, readFields, type Values } from './readFields';
import { type Given, openProblems, readGiven } from './readGiven';
import { type CarrierChoice, chooseByRules, listRules } from './rules';
import type { ShopOrder } from './shopOrder';
import { MAPPED, SHOPS } from './shops';
import { validateOrder } from './validate';
import { isEmpty } from './values';

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

/** Reads each item into the body of its request, with everything that is wrong regardless of the carrier. */
export async function readForm(
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
	const shipment = rawParameter('shipment', {});
	const orderData = String(rawParameter('orderData', MAPPED));
	const shop = Object.hasOwn(SHOPS, orderData) ? SHOPS[orderData] : undefined;
	const isAutomatic = !shop && isMapper(shipment) && shipment.mappingMode === 'autoMapInputData';
	const hasPrinter = rawParameter('options.printerName', null) !== null;
	const hasPrefix = rawParameter('options.orderNumberPrefix', '') !== '';
	const parameters: ItemParameters = {
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

const NO_SERVICE: CarrierChoice = { carrierCode: '', serviceType: '' };

/**
 * If one of these has an open problem, missing fields are not reported: all would be. Without a delivery address, the
 * problem of a shop's order is that of 'recStreet'.
 */
const NEEDED_TO_VALIDATE = new Set(['shipment', 'orderData', 'overrides', 'recStreet']);

/**
 * Reads an item in these steps: its values as they are given, the same values as they can be sent, the carrier that they
 * choose, and the body of the request.
 */
function readItem(
	json: unknown,
	itemIndex: number,
	parameters: ItemParameters,
	settings: ItemSettings,
): OrderDraft {
	const problems: Problem[] = [];
	const read = readerOfItem(parameters, itemIndex, problems);
	const given = readGiven(json, read, settings, problems);
	const { shopOrder } = given;
	problems.push(...openProblems(given, settings));
	const isReadable = !problems.some(({ field }) => NEEDED_TO_VALIDATE.has(field));

	const isFromShop = settings.shop !== undefined;
	const phoneCountry = given.isOfShop('recPhone') ? shopOrder?.phoneCountry : undefined;
	const fields = readFields(given.values, { ...settings, isFromShop, phoneCountry });

	const chosen = readCarrier(read, fields, shopOrder, settings, problems) ?? NO_SERVICE;
	const printerName = settings.hasPrinter
		? (read('printerName', toPrinterName, `the name of a printer. ${CHECK_IT}`) ?? '')
		: undefined;
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
	const shortened = shortenNote(ownFields.note, given, carrierCode);
	// First in `cleaned`, because the hint about cleaned up values names only the first one of an order.
	const cleaned = { ...shortened.cleaned, ...fields.cleaned };
	return {
		order: {
			itemIndex,
			carrierCode,
			// What is missing in it is among the problems.
			body: { ...body, ...shortened.body, serviceType } as ShipmentCreation,
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

/** The note of a shop's order, if it is too long for the carrier. The user changes a note of their own. */
function shortenNote(
	note: string | undefined,
	{ isOfShop, isFromMetadata }: Given,
	carrierCode: string,
): { body?: Body; cleaned?: Cleaned } {
	const isOfOrder = isOfShop('note') || isFromMetadata('note');
	const shortened = isOfOrder ? shortenedNote(note, carrierCode) : undefined;
	return shortened ? { body: { note: shortened }, cleaned: { note: [note, shortened] } } : {};
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

const toPrinterName = (given: unknown) => String(valueOf(given) ?? '').trim() || undefined;

function isMapper(given: unknown): given is { mappingMode?: string; value?: unknown } {
	return isRecord(given) && ('value' in given || 'mappingMode' in given);
}
