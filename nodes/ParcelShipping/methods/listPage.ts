import type { INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';

import type { Page } from '../transport/paging';

/** A page of a list as the editor takes it; the token is where the next page begins. */
export function asListPage<Row>(
	start: number,
	{ rows, total }: Page<Row>,
	toItem: (row: Row) => INodeListSearchItems,
): INodeListSearchResult {
	const next = start + rows.length;
	return {
		results: rows.map(toItem),
		...(rows.length > 0 && next < total ? { paginationToken: String(next) } : {}),
	};
}
