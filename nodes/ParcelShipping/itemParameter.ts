import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

export type ItemParameter = (itemIndex: number) => unknown;

/** `{{ $json.name }}`, the expression that n8n writes when a field is dragged into the form. */
const FIELD_OF_ITEM = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * Reads a parameter item by item. n8n needs 0.1 ms per expression and item and blocks everything
 * else meanwhile, which adds up to seconds for ten thousand orders. So fixed values and plain
 * references to a field of the item are read here, with the same result. n8n evaluates the rest.
 */
export function itemParameter(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	name: string,
	fallback: unknown = '',
): ItemParameter {
	const raw: unknown = context.getNodeParameter(name, 0, fallback, { rawExpressions: true });
	return readerOf(raw, name) ?? (() => raw);

	/** Returns nothing if no part of the value is an expression. */
	function readerOf(given: unknown, path: string): ItemParameter | undefined {
		// n8n's own validation stops at the first invalid value of the first invalid item.
		const evaluate: ItemParameter = (itemIndex) =>
			context.getNodeParameter(path, itemIndex, fallback, { skipValidation: true });

		if (typeof given === 'string') {
			const field = FIELD_OF_ITEM.exec(given)?.[1];
			if (field === undefined) return given.startsWith('=') ? evaluate : undefined;
			return (itemIndex) => {
				const json = items[itemIndex]?.json;
				const value = json && Object.hasOwn(json, field) ? json[field] : undefined;
				// n8n treats objects, dates and missing fields in its own way.
				return value === undefined || typeof value === 'object' ? evaluate(itemIndex) : value;
			};
		}
		if (typeof given !== 'object' || given === null) return undefined;
		const readers = Object.entries(given).map(([key, value]: [string, unknown]) => {
			const read = readerOf(value, `${path}.${key}`);
			return { key, isFixed: !read, read: read ?? (() => value) };
		});
		if (readers.every(({ isFixed }) => isFixed)) return undefined;
		if (Array.isArray(given) || readers.some(({ key }) => !/^\w+$/.test(key))) return evaluate;
		return (itemIndex) =>
			Object.fromEntries(readers.map(({ key, read }) => [key, read(itemIndex)]));
	}
}
