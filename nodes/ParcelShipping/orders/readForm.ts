import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { type ItemParameter, itemParameter } from '../itemParameter';
import { isRecord } from '../records';
import { mapWithPauses } from '../transport/concurrency';
import { chooseByRules } from './carrierRules';
import { formFields } from './form';
import { parseJson } from './kinds';
import type { Wanted } from './offers';
import { type Problem, showValue } from './validate';

/** The values that the form gives for one item, unchecked. */
export interface FormValues extends Wanted {
	/** The rule that has chosen carrier and service by shipping method. */
	rule?: string;
	/** By the service's own field names. */
	values: Record<string, unknown>;
	/** The values are the item's own fields, not a mapping by the user. */
	isAutomatic: boolean;
	/** Merged last. Fields that the form does not have are sent, too. */
	additional: Record<string, unknown>;
	/** The printer for the labels, '' without a value; absent if nothing is printed. */
	printerName?: string;
	/** Parameters that could not be read. */
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
	const shipment = rawParameter('shipment', {});
	const isAutomatic = isMapper(shipment) && shipment.mappingMode === 'autoMapInputData';
	// Without the mapper's schema, which may have a thousand entries.
	const mapped = parameter(isMapper(shipment) ? 'shipment.value' : 'shipment', {});
	const readShipment: ItemParameter = (itemIndex) => {
		if (isAutomatic) return items[itemIndex]?.json;
		return isMapper(shipment) ? mapped(itemIndex) : valueOf(mapped(itemIndex));
	};
	const hasPrinter = rawParameter('options.printerName', null) !== null;
	const parameters: Parameters = {
		carrierFrom: parameter('carrierFrom'),
		carrierCode: parameter('carrierCode'),
		serviceType: parameter('serviceType'),
		shippingMethod: parameter('shippingMethod'),
		rules: parameter('rules', {}),
		shipment: readShipment,
		additionalFields: parameter('options.additionalFields'),
		printerName: parameter('options.printerName'),
	};
	return await mapWithPauses(items, (_, itemIndex) => ({
		...readItem(parameters, itemIndex),
		isAutomatic,
		...(hasPrinter ? { printerName: readPrinter(parameters, itemIndex) } : {}),
	}));
}

function readItem(
	parameters: Parameters,
	itemIndex: number,
): Omit<FormValues, 'isAutomatic' | 'printerName'> {
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
	const readByRules = () => {
		const method = read('shippingMethod', (value) => ({ value }));
		const rules = read('rules', (value) => ({ value }));
		const chosen = method && rules && chooseByRules(method.value, rules.value);
		if (chosen && 'choice' in chosen) return chosen.choice;
		problems.push(...(chosen?.problems ?? []));
		return { carrierCode: '', serviceType: '' };
	};
	const readCodes = () => ({
		carrierCode: read('carrierCode', toCode, A_CODE) ?? '',
		serviceType: read('serviceType', toCode, A_CODE) ?? '',
	});
	return {
		...(read('carrierFrom', String) === 'rules' ? readByRules() : readCodes()),
		values: read('shipment', toObject, AN_OBJECT) ?? {},
		additional: read('additionalFields', toObject, AN_OBJECT) ?? {},
		problems,
	};
}

function readPrinter({ printerName }: Parameters, itemIndex: number): string {
	try {
		return String(valueOf(printerName(itemIndex)) ?? '').trim();
	} catch {
		return '';
	}
}

/** A parameter may be a mapper or resource locator, or an expression that gives one or its value. */
function valueOf(given: unknown): unknown {
	return isMapper(given) ? given.value : given;
}

function isMapper(form: unknown): form is { mappingMode?: string; value?: unknown } {
	return isRecord(form) && ('value' in form || 'mappingMode' in form);
}

const A_CODE = 'one from the list, or its code';

function toCode(given: unknown): string | undefined {
	const chosen = valueOf(given);
	const text = typeof chosen === 'number' ? String(chosen) : chosen;
	return (typeof text === 'string' && text.trim()) || undefined;
}

const AN_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

function toObject(given: unknown): Record<string, unknown> | undefined {
	if (given === null || given === undefined || given === '') return {};
	const parsed = typeof given === 'string' ? parseJson(given) : given;
	return isRecord(parsed) ? parsed : undefined;
}
