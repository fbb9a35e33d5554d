import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../descriptions/itemParameter';
import { carrierFromField, rulesField, shippingMethodField } from '../descriptions/carrierRules';
import { carrierCodeField, serviceTypeField } from '../descriptions/locators';
import { shipmentField } from '../descriptions/createForm';
import { chooseByRules } from './carrierRules';
import { type Problem, showValue } from './validate';
import type { NodeRun } from '../run';

/** The values that the form gives for one item, unchecked. */
export interface ItemValues {
	carrierCode: string;
	serviceType: string;
	/** The rule that has chosen them by shipping method. */
	rule?: string;
	/** By the service's own field names. */
	values: Record<string, unknown>;
	/** Merged last. Fields that the form does not have are sent, too. */
	additional: Record<string, unknown>;
	/** Parameters that could not be read. */
	problems: Problem[];
}

type FormField = Pick<Problem, 'field' | 'caption'>;

export const ADDITIONAL_FIELDS: FormField = {
	field: 'additionalFields',
	caption: 'Additional Fields',
};
const JSON_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

export interface ItemReader {
	/** The values are the item's own fields, not a mapping by the user. */
	isAutomatic: boolean;
	read(itemIndex: number): ItemValues;
}

/** Reads the form once for all items. */
export function createItemReader({ context, items }: NodeRun): ItemReader {
	const parameter = (name: string, fallback?: unknown) =>
		itemParameter(context, items, name, fallback);
	const form: unknown = context.getNodeParameter('shipment', 0, {}, { rawExpressions: true });
	const isAutomatic = isMapper(form) && form.mappingMode === 'autoMapInputData';
	const readValues = isAutomatic
		? (itemIndex: number) => items[itemIndex]?.json
		: createValuesReader(parameter, form);
	const carrierCode = parameter(carrierCodeField.name);
	const serviceType = parameter(serviceTypeField.name);
	const isByRules = context.getNodeParameter(carrierFromField.name, 0, '') === 'rules';
	const shippingMethod = parameter(shippingMethodField.name);
	const rules = parameter(rulesField.name, {});
	const additional = parameter('options.additionalFields');

	const read = (itemIndex: number): ItemValues => {
		const problems: Problem[] = [];
		/** An expression that fails is one more problem of this item. */
		const attempt = <Value>(field: FormField, readValue: () => Value, fallback: Value): Value => {
			try {
				return readValue();
			} catch (thrown) {
				problems.push(unreadableProblem(field, thrown));
				return fallback;
			}
		};
		const code = (field: INodeProperties, readCode: ItemParameter) =>
			attempt(toFormField(field), () => toCode(readCode(itemIndex)), '');
		const object = (field: FormField, readValue: () => unknown) =>
			attempt(field, () => toObject(readValue()), {});

		const byRules = () => {
			const method = attempt(
				toFormField(shippingMethodField),
				() => ({ value: shippingMethod(itemIndex) }),
				undefined,
			);
			const given = attempt(
				toFormField(rulesField),
				() => ({ value: rules(itemIndex) }),
				undefined,
			);
			const chosen = method && given && chooseByRules(method.value, given.value);
			if (chosen && 'choice' in chosen) return chosen.choice;
			problems.push(...(chosen?.problems ?? []));
			return { carrierCode: '', serviceType: '' };
		};
		const byForm = () => ({
			carrierCode: code(carrierCodeField, carrierCode),
			serviceType: code(serviceTypeField, serviceType),
		});

		return {
			...(isByRules ? byRules() : byForm()),
			values: object(toFormField(shipmentField), () => readValues(itemIndex)),
			additional: object(ADDITIONAL_FIELDS, () => additional(itemIndex)),
			problems,
		};
	};
	return { isAutomatic, read };
}

/** The parameter is a mapper, or an expression that gives a mapper, an object or JSON. */
function createValuesReader(
	parameter: (name: string, fallback: unknown) => ItemParameter,
	form: unknown,
): ItemParameter {
	// Without the mapper's schema, which may have a thousand entries.
	if (isMapper(form)) return parameter('shipment.value', {});
	const readShipment = parameter('shipment', {});
	return (itemIndex) => {
		const given = readShipment(itemIndex);
		return isMapper(given) ? given.value : given;
	};
}

function isMapper(form: unknown): form is { mappingMode?: string; value?: unknown } {
	return typeof form === 'object' && form !== null && ('value' in form || 'mappingMode' in form);
}

/** The code in a resource locator, which may also be plain text. */
function toCode(given: unknown): string {
	const chosen = isMapper(given) ? given.value : given;
	const text = typeof chosen === 'number' ? String(chosen) : chosen;
	if (typeof text === 'string' && text.trim() !== '') return text.trim();
	throw new UnexpectedValue(showValue(chosen), 'one from the list, or its code');
}

function toObject(given: unknown): Record<string, unknown> {
	if (given === null || given === undefined || given === '') return {};
	const parsed: unknown = typeof given === 'string' ? parseJson(given) : given;
	if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
		return parsed as IDataObject;
	}
	throw new UnexpectedValue(showValue(given), JSON_OBJECT);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

class UnexpectedValue extends Error {
	constructor(
		readonly found: string,
		readonly expected: string,
	) {
		super();
	}
}

function unreadableProblem(field: FormField, thrown: unknown): Problem {
	if (thrown instanceof UnexpectedValue) {
		return { ...field, found: thrown.found, expected: thrown.expected };
	}
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return {
		...field,
		found: `expression without a value: ${showValue(message)}`,
		expected: 'an expression that gives a value for this item',
	};
}

function toFormField({ name, displayName }: INodeProperties): FormField {
	return { field: name, caption: displayName };
}
