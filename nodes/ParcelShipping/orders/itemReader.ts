import type { ItemParameter } from '../itemParameter';
import { isRecord } from '../records';
import type { CreationOptions } from './creationOptions';
import { captions, type ParameterName } from './fields';
import { invalid, type Problem, problemOf, showValue } from './order';
import type { Shop } from './shops';

// How a parameter of the form is read for one item.

export type ItemParameters = Readonly<Record<Exclude<ParameterName, 'orderData'>, ItemParameter>>;

export interface ItemSettings extends CreationOptions {
	isAutomatic: boolean;
	hasPrinter: boolean;
	hasPrefix: boolean;
	/** Whether the additional services were chosen from the list. Otherwise, an expression gives them. */
	hasServiceList: boolean;
	shop: Shop | undefined;
	orderData: string;
}

/** What cannot be read or converted is one more problem of the item. */
export type Read = <Value>(
	name: keyof ItemParameters,
	convert: (given: unknown) => Value | undefined,
	expected?: string,
) => Value | undefined;

export const readerOfItem =
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

/** A parameter may be a mapper or resource locator, or an expression that gives one or its value. */
export const valueOf = (given: unknown): unknown =>
	isRecord(given) && 'value' in given ? given.value : given;

export const CHECK_IT = 'Check the result of the expression for this item, or remove the option';
