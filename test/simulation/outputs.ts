import type { INodeExecutionData } from 'n8n-workflow';

import type { Run } from './n8n';

/** The input items that an output item belongs to. */
export const linksOf = ({ pairedItem }: INodeExecutionData): number[] =>
	[pairedItem ?? []].flat().map((link) => (typeof link === 'object' ? link.item : link));

/** Everything that a run has output, as text. */
export function textOf({ result }: Run): string {
	const { items = [], errorItems = [], error } = result ?? {};
	const details = JSON.stringify(error?.context?.details ?? {});
	const message = error ? `${error.message} ${error.description ?? ''} ${details}` : '';
	return `${JSON.stringify([...items, ...errorItems].map(({ json }) => json))} ${message}`;
}

/** Whether the text contains this ID or number, and not only as a part of another one. */
export const names = (text: string, name: number | string): boolean =>
	new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);
