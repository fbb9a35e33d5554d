import { mapParallel } from '../lists';
import { PAGE_LENGTH } from './contract';
import { ServiceError } from './errors';

export interface Page<Row> {
	data: Row[];
	total: number;
}

/** How often a list that keeps changing is read before giving up. */
const MAX_READS = 5;

/** More pages than any account has: the provider is wrong about the length of the list. */
const MAX_PAGES = 10_000;

interface List<Row> {
	readPage(start: number, length: number): Promise<Page<Row>>;
	firstPage?: Page<Row> | undefined;
	/** What no two records have in common. */
	keyOf: (row: Row) => unknown;
	maxParallelRequests: number;
}

/**
 * The first `limit` records (`Infinity` for all), with as few requests as possible. A `firstPage` at hand is
 * not read again. While the pages are read, new records push others to later pages (they appear twice) and
 * removed ones pull others to earlier pages (they never appear). If all are wanted and there is a sign of
 * either, the list is read again, so that no record is missing without an error. With a limit, it is read once
 * more if a record appears twice.
 */
export async function readList<Row>(list: List<Row>, limit: number): Promise<Row[]> {
	for (let reads = 0; reads < MAX_READS; reads++) {
		const firstPage = reads === 0 ? list.firstPage : undefined;
		const { records, pages, wanted } = await readOnce({ ...list, firstPage }, limit);
		const rowCount = pages.reduce((sum, { data }) => sum + data.length, 0);
		const isComplete =
			limit === Infinity
				? records.size === wanted && pages.every(({ total }) => total === wanted)
				: records.size === rowCount || reads > 0;
		if (isComplete) return [...records.values()].slice(0, limit);
	}
	throw listError(
		`The list was not complete, or kept changing, in ${MAX_READS} tries to read it`,
		'Narrow it with a filter, for example by date, or run the workflow at a quieter time.',
	);
}

/**
 * Reads the pages a few at a time, until enough records are there or a step has no new one. How many pages there are is
 * never planned from the total: a provider may get it wrong.
 */
async function readOnce<Row>(
	{ readPage, firstPage, keyOf, maxParallelRequests }: List<Row>,
	limit: number,
) {
	const first = firstPage ?? (await readPage(0, Math.min(limit, PAGE_LENGTH)));
	const wanted = Math.min(limit, first.total);
	const pages: Array<Page<Row>> = [];
	const records = new Map<unknown, Row>();
	/** Returns whether a page has a new record. */
	const add = (page: Page<Row>) => {
		const before = records.size;
		for (const row of page.data) records.set(keyOf(row), row);
		pages.push(page);
		return records.size > before;
	};
	// A service may return shorter pages than requested.
	const pageLength = first.data.length;
	let start = pageLength;
	let hasMore = add(first);
	while (hasMore && start < wanted) {
		if (pages.length > MAX_PAGES) {
			throw listError(
				`The list has more than ${MAX_PAGES} pages`,
				'Narrow it with a filter, for example by date.',
			);
		}
		const starts = Array.from(
			{ length: maxParallelRequests },
			(_, page) => start + page * pageLength,
		);
		const step = await mapParallel(
			starts.filter((each) => each < wanted),
			maxParallelRequests,
			async (each) => readPage(each, Math.min(pageLength, wanted - each)),
		);
		hasMore = step.map(add).every(Boolean);
		start += step.length * pageLength;
	}
	return { records, pages, wanted };
}

const listError = (message: string, description: string) =>
	new ServiceError({
		message,
		description,
		endpoint: 'Read all pages of a list',
		mayHaveActed: false,
		isTransient: true,
		cause: 'temporarily-unavailable',
	});
