import { isRecord, parseJson } from '../records';
import { cleanPaymentMethod } from './cashOnDelivery';
import { captions, isMappedField } from './fields';
import { CHECK_IT, type ItemSettings, type Read } from './itemReader';
import { isZero } from './kinds';
import { invalid, type Problem, problemOf, showValue } from './order';
import type { Values } from './readFields';
import { findOtherShop, readMetadata, readShopOrder, type ShopOrder } from './shopOrder';
import { MAPPED, type Shop, SHOPS } from './shops';
import { isEmpty, readText } from './values';

// The values of an item before they are cleaned: mapped, or of an order of a shop, with those of the options.

/** Fields of the form itself. Items often contain them because the form reads them from there. */
const FORM_FIELDS = new Set(['carrierCode', 'serviceType', 'carrierService']);

/** The values of an item as they are given. */
export interface Given {
	/** All of them by the names of the fields: of the shop or the mapping, and of 'Additional Fields'. */
	values: Values;
	/** Of 'Additional Fields' alone. */
	additional: Values;
	shopOrder: ShopOrder | undefined;
	ignored: string[];
	/** Whether a value of the user counts. */
	isSetByUser(field: string): boolean;
	isOfShop(field: string): boolean;
	/** Whether the value is that of a key that the user has named. */
	isFromMetadata(field: string): boolean;
}

export function readGiven(
	json: unknown,
	read: Read,
	settings: ItemSettings,
	problems: Problem[],
): Given {
	const { shop, isAutomatic, hasPrefix } = settings;
	const shopOrder = readOrderOfItem(json, settings, problems);
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
	const values = { ...(shop ? override(shopOrder?.values ?? {}, ofUser) : ofUser) };
	setDefaultWeight(values, settings);
	if (hasPrefix) addPrefix(values, read);
	return {
		values,
		additional,
		shopOrder,
		ignored: Object.keys(mapped).filter((name) => !isMappedField(name) && !FORM_FIELDS.has(name)),
		isSetByUser: (field) => !isEmpty(ofUser[field]),
		isOfShop: (field) => shopOrder !== undefined && values[field] === shopOrder.values[field],
		isFromMetadata: (field) => mapped[field] !== entered[field] && values[field] === mapped[field],
	};
}

/** The problems of the order in the shop that the user has not settled by values of their own. */
export function openProblems(
	{ shopOrder, values, isSetByUser }: Given,
	settings: ItemSettings,
): Problem[] {
	const isUncollected = cleanPaymentMethod(values.cod, settings) === false;
	const isSettled = ({ field }: Problem) =>
		isSetByUser(field) ||
		(field === 'codPrice' && isUncollected) ||
		(['branchId', 'recStreet'].includes(field) && !isEmpty(values.branchId));
	return shopOrder?.problems.filter((problem) => !isSettled(problem)) ?? [];
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

const toPrefix = (given: unknown) => (isEmpty(given) ? undefined : readText(given));

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

const withoutEmpty = (values: Values): Values =>
	Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value)));

/** The values of a shop with those that the user has set instead. */
function override(ofShop: Values, set: Values): Values {
	const { recFirstName, recLastName, ...others } = ofShop;
	const isSet = [set.recFirstName, set.recLastName].map((part) => !isEmpty(part));
	if ('recName' in set || !isSet.includes(true)) return { ...others, ...set };
	// Not every shop has the parts. With the whole name, a part that is not in it is refused.
	const hasParts = [recFirstName, recLastName].some((part) => !isEmpty(part));
	const isComplete = !isSet.includes(false);
	return { ...ofShop, ...(hasParts || isComplete ? { recName: undefined } : {}), ...set };
}

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

function toObject(given: unknown): Values | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}

const WITHOUT_SERVICE = `${AN_OBJECT}, without serviceType: choose it in '${captions.carrierService}'`;
