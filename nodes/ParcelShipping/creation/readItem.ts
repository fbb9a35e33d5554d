import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { type Problem, showFound } from './problem';
import { type ItemParameter, itemParameter } from '../descriptions/itemParameter';
import { carrierCodeField, serviceTypeField } from '../descriptions/locators';
import { shipmentField } from '../descriptions/createForm';
import type { NodeRun } from '../actions/operation';

/** What one item gives for the form, unchecked. */
export interface ItemValues {
	carrierCode: string;
	serviceType: string;
	/** By the service's own names of the fields. */
	values: Record<string, unknown>;
	/** Taken over after everything else, unknown names included. */
	additional: Record<string, unknown>;
	/** What could not even be read. */
	problems: Problem[];
}

export const ADDITIONAL_FIELDS: Place = { field: 'additionalFields', label: 'Additional Fields' };
const JSON_OBJECT = 'a JSON object of field names and values, e.g. { "recName": "Jana Nováková" }';

interface Place {
	field: string;
	label: string;
}

export interface Reader {
	/** The values are the item's own, not mapped by the user. */
	isAutomatic: boolean;
	read(itemIndex: number): ItemValues;
}

/** Looks at the form once for all items. */
export function prepareReading({ context, items }: NodeRun): Reader {
	const parameter = (name: string, instead?: unknown) =>
		itemParameter(context, items, name, instead);
	const form: unknown = context.getNodeParameter('shipment', 0, {}, { rawExpressions: true });
	const isAutomatic = isMapper(form) && form.mappingMode === 'autoMapInputData';
	const readValues = isAutomatic
		? (itemIndex: number) => items[itemIndex]?.json
		: prepareValues(parameter, form);
	const carrierCode = parameter(carrierCodeField.name);
	const serviceType = parameter(serviceTypeField.name);
	const additional = parameter('options.additionalFields');

	const read = (itemIndex: number): ItemValues => {
		const problems: Problem[] = [];
		/** An expression that can't be worked out is one more problem of this item. */
		const attempt = <Value>(place: Place, read: () => Value, instead: Value): Value => {
			try {
				return read();
			} catch (thrown) {
				problems.push(unreadable(place, thrown));
				return instead;
			}
		};
		const code = (field: INodeProperties, readChosen: ItemParameter) =>
			attempt(placeOf(field), () => asCode(readChosen(itemIndex)), '');
		const object = (place: Place, read: () => unknown) =>
			attempt(place, () => asObject(read()), {});

		return {
			carrierCode: code(carrierCodeField, carrierCode),
			serviceType: code(serviceTypeField, serviceType),
			values: object(placeOf(shipmentField), () => readValues(itemIndex)),
			additional: object(ADDITIONAL_FIELDS, () => additional(itemIndex)),
			problems,
		};
	};
	return { isAutomatic, read };
}

/** A mapper, or an expression that gives a mapper, an object or JSON. */
function prepareValues(
	parameter: (name: string, instead: unknown) => ItemParameter,
	form: unknown,
): ItemParameter {
	// Without the schema beside it, which may hold a thousand entries.
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

/** What is chosen in a locator; a locator may also hold plain text. */
function asCode(given: unknown): string {
	const chosen = isMapper(given) ? given.value : given;
	const text = typeof chosen === 'number' ? String(chosen) : chosen;
	if (typeof text === 'string' && text.trim() !== '') return text.trim();
	throw new Unfit(showFound(chosen), 'one from the list, or its code');
}

function asObject(given: unknown): Record<string, unknown> {
	if (given === null || given === undefined || given === '') return {};
	const parsed: unknown = typeof given === 'string' ? parse(given) : given;
	if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
		return parsed as IDataObject;
	}
	throw new Unfit(showFound(given), JSON_OBJECT);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

class Unfit extends Error {
	constructor(
		readonly found: string,
		readonly expected: string,
	) {
		super();
	}
}

function unreadable(place: Place, thrown: unknown): Problem {
	if (thrown instanceof Unfit) return { ...place, found: thrown.found, expected: thrown.expected };
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	return {
		...place,
		found: `an expression without a value: ${showFound(words)}`,
		expected: 'an expression that gives a value for this item',
	};
}

function placeOf({ name, displayName }: INodeProperties): Place {
	return { field: name, label: displayName };
}
