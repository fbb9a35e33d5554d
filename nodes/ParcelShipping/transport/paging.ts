import { mapParallel } from '../lists';
import { PAGE_LENGTH } from './contract';
import { ServiceError } from './errors';

export interface Page<Row> {
	data: Row[];
	total: number;
}

/** How often a list that keeps changing is read before giving up. */
const MAX_READS = 5;

interface List<Row> {
	readPage(start: number, length: number): Promise<Page<Row>>;
	firstPage?: Page<Row> | undefined;
	/** What no two records have in common. */
	keyOf: (row: Row) => unknown;
	maxConcurrency: number;
}

/**
 * The first `limit` records (`Infinity` for all), with as few requests as possible. A `firstPage` at hand is
 * not read again. While the pages are read, new records push others to later pages (they appear twice) and
 * removed ones pull others to earlier pages (they never appear). If all are wanted and there is a sign of
 * either, the list is read again, so that no record is missing without an error. With a limit, it is read once
 * more if a record appears twice.
 */
export async function readList<Row>(
	{ readPage, firstPage, keyOf, maxConcurrency }: List<Row>,
	limit: number,
): Promise<Row[]> {
	for (let reads = 0; reads < MAX_READS; reads++) {
		const known = reads === 0 ? firstPage : undefined;
		const first = known ?? (await readPage(0, Math.min(limit, PAGE_LENGTH)));
		const wanted = Math.min(limit, first.total);
		// A service may return shorter pages than requested.
		const pageLength = first.data.length;
		const starts: number[] = [];
		for (let start = pageLength; pageLength > 0 && start < wanted; start += pageLength) {
			starts.push(start);
		}
		// After an empty page, there is nothing more, whatever the total says.
		let isOver = false;
		const rest = await mapParallel(starts, maxConcurrency, async (start) => {
			if (isOver) return { data: [], total: first.total };
			const page = await readPage(start, Math.min(pageLength, wanted - start));
			if (page.data.length === 0) isOver = true;
			return page;
		});
		const pages = [first, ...rest];
		const rows = pages.flatMap(({ data }) => data);
		const records = new Map(rows.map((each) => [keyOf(each), each]));
		const isComplete =
			limit === Infinity
				? records.size === wanted && pages.every(({ total }) => total === first.total)
				: records.size === rows.length || reads > 0;
		if (isComplete) return [...records.values()].slice(0, limit);
	}
	throw new ServiceError({
		message: `The list was not complete, or kept changing, in ${MAX_READS} tries to read it`,
		description:
			'Narrow it with a filter, for example by date, or run the workflow at a quieter time.',
		endpoint: 'Read all pages of a list',
		mayHaveActed: false,
		isTransient: true,
		cause: 'temporarily-unavailable',
	});
}
