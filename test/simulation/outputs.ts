import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Run } from './simulation';

/** The input items that an output item belongs to. */
export const linksOf = ({ pairedItem }: INodeExecutionData): number[] =>
	[pairedItem ?? []].flat().map((link) => (typeof link === 'object' ? link.item : link));

/** The items of all outputs of a run. */
export const itemsOf = ({ result }: Run): INodeExecutionData[] => [
	...(result?.items ?? []),
	...(result?.errorItems ?? []),
];

/** All output items of a run and its message, as text. */
export function textOf(run: Run): string {
	const { error } = run.result ?? {};
	const message = error ? `${error.message} ${error.description ?? ''}` : '';
	return `${JSON.stringify(itemsOf(run).map(({ json }) => json))} ${message}`;
}

/** Whether the text contains this ID or number, and not only as a part of another one. */
export const names = (text: string, name: number | string): boolean =>
	new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

/** A shipment in an output, with the input items that it is linked to. */
export interface OutputRow {
	id: number;
	items: number[];
	json: IDataObject;
}

/** What a run has output: the shipments, and everything as text. */
export function shipmentsIn(run: Run) {
	const rows = (run.result?.items ?? [])
		.filter(({ json }) => Number(json.id) > 0)
		.map(
			(item): OutputRow => ({ id: Number(item.json.id), items: linksOf(item), json: item.json }),
		);
	return { rows, text: textOf(run) };
}

/** The errors of a run, or of one of its items. */
export function errorsOf(
	run: Run,
	item?: number,
): Array<{ message: string; details: IDataObject }> {
	const failed = itemsOf(run)
		.filter((each) => item === undefined || linksOf(each).includes(item))
		.map(({ json }) => json)
		.filter((json) => json.error !== undefined);
	const { error } = run.result ?? {};
	if (error && item === undefined)
		failed.push({ error: error.message, details: error.context?.details });
	return failed.map(({ error: message, details }) => ({
		message: String(message),
		details: (details ?? {}) as IDataObject,
	}));
}
