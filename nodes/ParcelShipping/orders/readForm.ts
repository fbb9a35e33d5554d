import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { foldText, mapWithPauses } from '../lists';
import { isRecord, parseJson } from '../records';
import { creationFields } from './fields';
import { CONDITIONS, formFields, MAPPED } from './form';
import { isEmpty, kinds } from './kinds';
import { MISSING, type Problem, showValue } from './order';
import { readShopOrder, type Shop, SHOPS } from './shops';
import type { Wanted } from './validate';

interface CarrierChoice extends Wanted {
	/** The rule that has chosen carrier and service by shipping method, as *Dry Run* shows it. */
	rule?: string;
}

/** The values that the form gives for one item, unchecked. */
export interface FormValues extends CarrierChoice {
	/** By the service's own field names. */
	values: Record<string, unknown>;
	/** The values are the item's own fields, not a mapping by the user. */
	isAutomatic: boolean;
	/** The values are those of a shop, in its own format. */
	isFromShop: boolean;
	/** Merged last. Fields that the form does not have are sent, too. */
	additional: Record<string, unknown>;
	/** The printer for the labels, '' without a value; absent if nothing is printed. */
	printerName?: string;
	/** What is wrong with the parameters, apart from the values of the mapped fields. */
	problems: Problem[];
}

type Parameters = Readonly<Record<keyof typeof formFields, ItemParameter>>;

/** Reads what the form gives for each item. */
export async function readForm(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
): Promise<FormValues[]> {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const rawParameter = (name: string, fallback: unknown): unknown =>
		context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
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
	const ofItem: ItemParameter = (index) => items[index]?.json;
	const hasPrinter = rawParameter('options.printerName', null) !== null;
	const parameters: Parameters = {
		carrierFrom: parameter('carrierFrom'),
		carrierService: parameter('carrierService'),
		shippingMethod: parameter('shippingMethod'),
		rules: parameter('rules', {}),
		orderData: ofItem,
		shipment: isAutomatic ? ofItem : mapping('shipment'),
		overrides: mapping('overrides'),
		additionalServices: parameter('options.additionalServices'),
		additionalFields: parameter('options.additionalFields'),
		printerName: parameter('options.printerName'),
	};
	return await mapWithPauses(items, (_, itemIndex) => ({
		...readItem(parameters, itemIndex, { hasPrinter, shop, orderData }),
		isAutomatic,
		isFromShop: shop !== undefined,
	}));
}

function readItem(
	parameters: Parameters,
	itemIndex: number,
	settings: { hasPrinter: boolean; shop: Shop | undefined; orderData: string },
): Omit<FormValues, 'isAutomatic' | 'isFromShop'> {
	const { hasPrinter, shop, orderData } = settings;
	const problems: Problem[] = [];
	/** What cannot be read or converted is one more problem of the item. */
	const read = <Value>(
		name: keyof typeof formFields,
		convert: (given: unknown) => Value | undefined,
		expected = '',
	): Value | undefined => {
		try {
			const given = parameters[name](itemIndex);
			const value = convert(given);
			if (value !== undefined) return value;
			problems.push({ ...formFields[name], found: showValue(valueOf(given)), expected });
		} catch (thrown) {
			const message = thrown instanceof Error ? thrown.message : String(thrown);
			problems.push({
				...formFields[name],
				found: `expression without a value: ${showValue(message)}`,
				expected: 'an expression that gives a value for this item',
			});
		}
		return undefined;
	};
	if (!shop && orderData !== MAPPED) {
		const expected = `one of: ${[MAPPED, ...Object.keys(SHOPS)].join(', ')}`;
		problems.push({ ...formFields.orderData, found: showValue(orderData), expected });
	}
	const ofShop = shop && readShopOrder(parameters.orderData(itemIndex), shop);
	if (shop && !ofShop) {
		const [number] = shop.fields.packageNumberCustom ?? [];
		problems.push({
			...formFields.orderData,
			found: `item without ${number}`,
			expected: `a ${shop.caption} as the API of the shop returns it. For items with other fields, choose 'Mapped Below'`,
			message: `The item is not a ${shop.caption}: it has no ${number}`,
		});
	}
	let choice: CarrierChoice = { carrierCode: '', serviceType: '' };
	if (read('carrierFrom', String) === 'rules') {
		const method = read('shippingMethod', (value) => ({
			value: isEmpty(value) ? ofShop?.shippingMethod : value,
		}));
		const rules = read('rules', (value) => ({ value }));
		const chosen = method && rules && chooseByRules(method.value, rules.value);
		choice = chosen?.choice ?? choice;
		problems.push(...(chosen?.problems ?? []));
	} else {
		choice = read('carrierService', toCodes, BOTH_CODES) ?? choice;
	}
	const ofOrder = shop
		? override(ofShop?.values ?? {}, read('overrides', toObject, AN_OBJECT) ?? {})
		: (read('shipment', toObject, AN_OBJECT) ?? {});
	const services = read(
		'additionalServices',
		(given) => kinds.list.read(given ?? ''),
		kinds.list.expected,
	);
	const isChosen = isEmpty(ofOrder.services) && Object.keys(Object(services)).length > 0;
	const values = isChosen ? { ...ofOrder, services } : ofOrder;
	if (ofShop && isEmpty(values.cod)) {
		const { cod } = creationFields;
		problems.push({
			field: 'cod',
			caption: cod.caption,
			found: MISSING,
			expected: `a payment method in the order. To set it yourself, add '${cod.caption}' to '${formFields.overrides.caption}'`,
			message: 'The order is not paid and has no payment method',
		});
	}
	const additional = read('additionalFields', toObject, AN_OBJECT) ?? {};
	if (additional.serviceType !== undefined) {
		problems.push({
			...formFields.additionalFields,
			found: `serviceType ${showValue(additional.serviceType)}`,
			expected: `no serviceType. Choose it in '${formFields.carrierService.caption}'`,
		});
	}
	if (!hasPrinter) return { ...choice, values, additional, problems };

	let printerName = '';
	try {
		printerName = String(valueOf(parameters.printerName(itemIndex)) ?? '').trim();
	} catch {
		// Reported like an expression without a value.
	}
	if (printerName === '') {
		problems.push({
			...formFields.printerName,
			found: MISSING,
			expected:
				'the name of a printer. Check the result of the expression for this item, or remove the option',
			message: `${formFields.printerName.caption} is empty`,
		});
	}
	return { ...choice, values, additional, printerName, problems };
}

/** A parameter may be a mapper or resource locator, or an expression that gives one or its value. */
function valueOf(given: unknown): unknown {
	return isMapper(given) ? given.value : given;
}

function isMapper(form: unknown): form is { mappingMode?: string; value?: unknown } {
	return isRecord(form) && ('value' in form || 'mappingMode' in form);
}

const BOTH_CODES = 'one from the list, or both codes as in ANT/ANT-HOME';

/** The codes in a text such as `ANT/ANT-HOME`. */
export function toCodes(given: unknown): CarrierChoice | undefined {
	const [carrierCode = '', ...service] = String(kinds.text.read(valueOf(given)) ?? '').split('/');
	const choice = { carrierCode: carrierCode.trim(), serviceType: service.join('/').trim() };
	return choice.carrierCode === '' || choice.serviceType === '' ? undefined : choice;
}

/** The values of a shop with those that the user has set instead. */
function override(
	ofShop: Record<string, unknown>,
	given: Record<string, unknown>,
): Record<string, unknown> {
	const set = Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmpty(value)));
	const hasNameParts = 'recFirstName' in set || 'recLastName' in set;
	return { ...ofShop, ...(hasNameParts ? { recName: undefined } : {}), ...set };
}

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

function toObject(given: unknown): Record<string, unknown> | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}

/** Chooses carrier and service by the first rule that fits the shipping method of an order. */
export function chooseByRules(
	method: unknown,
	form: unknown,
): { choice?: CarrierChoice; problems: Problem[] } {
	const problems: Problem[] = [];
	const refuse = (message: string, expected: string) =>
		problems.push({ ...formFields.rules, found: message, expected, message });
	// A workflow written by hand may contain the list itself.
	const list = Array.isArray(form) ? form : [isRecord(form) ? form.rule : undefined].flat();
	const rules = list.filter(isRecord).map((rule, index) => {
		const { condition = 'contains' } = rule;
		const text = String(rule.text ?? '');
		const codes = toCodes(rule.carrierService);
		const caption = CONDITIONS[String(condition)];
		const described = condition === 'any' ? caption : `${caption} ${showValue(text)}`;
		return {
			condition: String(condition),
			text: foldText(text),
			codes,
			name: `Rule ${index + 1}`,
			described: `Rule ${index + 1} (${described})`,
		};
	});
	if (isEmpty(method) || typeof method === 'object') {
		const found = showValue(isEmpty(method) ? '' : method);
		const expected = 'the shipping method of the order as text. Drag it from the input';
		problems.push({ ...formFields.shippingMethod, found, expected });
	}
	if (rules.length === 0) {
		refuse('There are no rules', "a rule for each shipping method. Click 'Add Rule'");
	}
	for (const { name, condition, text, codes } of rules) {
		const isKnown = Object.hasOwn(CONDITIONS, condition);
		if (!isKnown) {
			refuse(
				`${name} has the unknown condition ${showValue(condition)}`,
				`one of: ${Object.keys(CONDITIONS).join(', ')}`,
			);
		} else if (condition !== 'any' && text === '') {
			refuse(
				`${name} has no Text`,
				`a text in ${name}, or the condition '${CONDITIONS.any}' for all other shipping methods`,
			);
		}
		if (!codes) {
			refuse(`${name} has no Carrier and Service`, BOTH_CODES);
		}
	}
	if (problems.length > 0) return { problems };

	const wanted = foldText(String(method));
	const rule = rules.find(({ condition, text }) => {
		if (condition === 'any') return true;
		return condition === 'equals' ? wanted === text : wanted.includes(text);
	});
	if (rule?.codes) return { choice: { ...rule.codes, rule: rule.described }, problems };
	refuse(
		`No rule fits the shipping method ${showValue(method)}`,
		`a rule that fits it. There are: ${rules.map(({ described }) => described).join('; ')}. Change one, or add one for ${showValue(method)} or with the condition '${CONDITIONS.any}'`,
	);
	return { problems };
}
