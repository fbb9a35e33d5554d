import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** The value of a parameter for an item. */
export type ItemParameter = (itemIndex: number) => unknown;

/** `{{ $json.name }}`, as n8n writes it when a field is dragged into the form. */
const FIELD_OF_ITEM = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/** n8n's own checks would name one value of one item and stop. */
const UNCHECKED = { skipValidation: true };

/**
 * Reads a parameter for one item after the other. n8n takes a tenth of a millisecond for each
 * expression of each item, in which nothing else runs: ten thousand orders would stop all workflows
 * for seconds. So values without an expression, and plain references to a field of the item, are
 * read here, with the same result. Everything else is left to n8n.
 */
export function itemParameter(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	name: string,
	instead: unknown = '',
): ItemParameter {
	const raw: unknown = context.getNodeParameter(name, 0, instead, { rawExpressions: true });
	return readerOf(raw, name);

	function readerOf(given: unknown, path: string): ItemParameter {
		const askN8n: ItemParameter = (itemIndex) =>
			context.getNodeParameter(path, itemIndex, instead, UNCHECKED);

		if (typeof given === 'string')
			return given.startsWith('=') ? ofText(given, askN8n) : () => given;
		if (typeof given !== 'object' || given === null) return () => given;
		const entries = Object.entries(given);
		if (Array.isArray(given) || entries.some(([key]) => !/^\w+$/.test(key))) return askN8n;

		const readers = entries.map(([key, value]): [string, ItemParameter] => [
			key,
			readerOf(value, `${path}.${key}`),
		]);
		return (itemIndex) => Object.fromEntries(readers.map(([key, read]) => [key, read(itemIndex)]));
	}

	function ofText(expression: string, askN8n: ItemParameter): ItemParameter {
		const field = FIELD_OF_ITEM.exec(expression)?.[1];
		if (field === undefined) return askN8n;
		return (itemIndex) => {
			const json = items[itemIndex]?.json;
			const value = json && Object.hasOwn(json, field) ? json[field] : undefined;
			// Lists, dates and what is missing have rules of their own.
			return value === undefined || typeof value === 'object' ? askN8n(itemIndex) : value;
		};
	}
}
